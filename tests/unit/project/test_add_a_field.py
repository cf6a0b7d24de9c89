"""The recipe of CONTRIBUTING.md for a field of a memory, carried out on a copy of the packages."""

from __future__ import annotations

from pathlib import Path

from benchmarks.structure import FIELD_RECIPE, recipe_files
from tests.copied_packages import ROOT, copied_packages, insert, run

DECLARED = {
    "graph/model/memories/memory.py": (
        "    domain: str | None = None\n",
        "    mood: str | None = None\n",
    ),
    "stratagraph/wire/memories/content.py": (
        "    domain: Name | None = Field(\n",
        '    mood: Name | None = Field(default=None, description="Its mood.", examples=["calm"])\n',
    ),
}
CHECK = """
from datetime import UTC, datetime

from graph.model.memories.browsing import VERSIONED
from graph.kernel.embedding import SlotVector
from graph.model.memories.memory import TEXTS, PreparedMemory
from graph.kernel.scope import Caller
from graph.store.memories.properties import new_properties, to_memory, to_version
from service.http.memories.routes import new_memory
from service.http.kernel.views import view_of
from service.use_cases.memories.amend import apply_patch
from stratagraph import wire
from stratagraph.fields import PatchFields, RememberFields

NOW = datetime(2026, 5, 1, tzinfo=UTC)


class Time:
    def to_native(self):
        return NOW


anna = Caller("local", "anna", (), ())
new = new_memory(anna, wire.MemoryRequest(text="It rains.", mood="calm"))
assert new.mood == "calm"
prepared = PreparedMemory(new, "01A", "hash", NOW, SlotVector("a", "model", None))
row = new_properties(prepared, 0.5, None)
row = {name: Time() if isinstance(value, datetime) else value for name, value in row.items()}
row["correct"] = ""
assert row["mood"] == "calm"
memory = to_memory(row)
assert view_of(wire.MemoryView, memory).mood == "calm"
assert view_of(wire.MemoryView, memory).model_dump()["mood"] == "calm"
assert "mood" in VERSIONED and "mood" in TEXTS
version = to_version(row | {"memory_uid": "01A", "replaced_at": Time()})
assert version.mood == "calm"
assert wire.VersionView.model_fields["mood"].description == "Its mood."
assert "mood" in wire.VersionLine.model_fields and "mood" in wire.MemoryLine.model_fields
patch = wire.PatchRequest.model_validate({"mood": None})
assert apply_patch(new, patch.model_dump(exclude_unset=True)).mood is None
assert "mood" in RememberFields.__annotations__ and "mood" in PatchFields.__annotations__
try:
    wire.MemoryRequest(text="It rains.", mood="")
except ValueError:
    pass
else:
    raise AssertionError("an empty mood was taken")
"""


def test_two_lines_declare_a_field_and_the_generator_does_the_rest(tmp_path: Path) -> None:
    copy = copied_packages(tmp_path)
    recipe = recipe_files((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), FIELD_RECIPE)
    assert recipe == [*DECLARED, "docs/data_model.md"]
    for path, (before, line) in DECLARED.items():
        insert(copy / path, before, line)
    run(copy, "docs/generate.py")
    run(copy, "-c", CHECK)
