"""Counts of the code, the longest function, and the rooms of each layer."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.repeated import Pair, repeated, shaped_lines, tokens
from benchmarks.structure import (
    PRODUCT,
    Source,
    by_hand,
    comments,
    declares,
    functions,
    measures,
    names,
    protocols,
    recipe_files,
    sizes,
    sources,
    statement,
    table,
    touched,
)

LONGEST = 60
ROOT = Path(__file__).parents[3]

SIX = """
def area(width, height):
    if width < 0:
        raise ValueError("width")
    size = width * height
    print(size)
    return size + 1
"""
RENAMED = """
def volume(base, depth):
    if base < 12:
        raise KeyError("no base")
    whole = base * depth
    show(whole)
    return whole + 2.5
"""
DECLARING = """
class Settings(Base):
    z_limit: float = 3.0
"""


def python(text: str, path: str = "graph/one.py") -> Source:
    return Source(path, text)


def cypher(text: str) -> Source:
    return Source("cypher/memories/one.cypher", text)


def pairs(*texts: str) -> list[Pair]:
    return repeated(shaped_lines(f"{place}.py", tokens(text)) for place, text in enumerate(texts))


def test_no_function_of_the_product_is_longer_than_sixty_lines() -> None:
    found = [one for file in sources(PRODUCT, ".py") for one in functions(file)]
    assert len(found) > 1000
    assert not [
        f"{one.path}:{one.line} {one.name} has {one.length} lines"
        for one in found
        if one.length > LONGEST
    ]


def test_a_function_is_counted_from_its_def_to_its_last_line() -> None:
    text = '@once\ndef one(\n    a,\n):\n    """Say it."""\n\n    def two():\n        return 1\n\n    return two\n'
    found = {one.name: (one.line, one.length) for one in functions(python(text))}
    assert found == {"one": (2, 9), "two": (7, 2)}


def test_methods_and_coroutines_are_functions() -> None:
    text = "class A:\n    async def one(self):\n        pass\n\n    def two(self):\n        pass\n"
    assert [one.name for one in functions(python(text))] == ["one", "two"]


def test_renamed_copies_are_one_pair() -> None:
    (pair,) = pairs(SIX, RENAMED)
    assert (pair.one.path, pair.one.number) == ("0.py", 2)
    assert (pair.other.path, pair.other.number, pair.length) == ("1.py", 2, 6)


def test_five_lines_are_no_pair() -> None:
    assert not pairs(SIX.replace("    print(size)\n", ""), RENAMED.replace("    show(whole)\n", ""))


def test_a_longer_run_is_one_pair_of_its_whole_length() -> None:
    (pair,) = pairs(SIX + SIX.replace("area", "more"), RENAMED + RENAMED, "a = 1\n")[:1]
    assert pair.length == 12


def test_copies_in_one_file_are_a_pair() -> None:
    (pair,) = pairs(SIX + "\n\nx = {}\n" + RENAMED)
    assert (pair.one.number, pair.other.number) == (2, 12)


def test_other_keywords_and_operators_are_another_shape() -> None:
    assert not pairs(SIX, RENAMED.replace("if base", "while base"))
    assert not pairs(SIX, RENAMED.replace("base * depth", "base - depth"))


def test_comments_docstrings_imports_and_breaks_of_lines_have_no_shape() -> None:
    written = RENAMED.replace(
        "    whole =", '    """Say it."""\n    # why\n\n    import math\n    whole ='
    )
    (pair,) = pairs(SIX, written.replace("show(whole)", "show(\n        whole\n    )"))
    assert pair.length == 6


def test_a_text_is_a_text_with_fields_or_without() -> None:
    filled = RENAMED.replace('"no base"', 'f"no {base!r} in {depth + 1}"')
    assert len(pairs(SIX, filled)) == 1


def test_what_stands_in_many_places_is_no_copy() -> None:
    assert len(pairs(*[SIX] * 8)) == 8 * 7 // 2
    assert not pairs(*[SIX] * 9)


def test_a_row_of_equal_lines_is_no_copy_of_itself() -> None:
    assert not pairs("a = b\n" * 10)


def test_comments_are_counted_and_docstrings_are_not() -> None:
    assert comments(python('"""# None."""\nx = "# none"  # one\n# two\n')) == 2


def test_protocols_are_classes_with_that_base() -> None:
    text = "class A(Protocol): ...\nclass B(Protocol[T]): ...\nclass C(t.Protocol): ...\nclass D(A): ...\n"
    assert protocols(python(text)) == 3


def test_a_statement_is_what_is_neither_comment_nor_blank() -> None:
    assert statement(cypher("// What.\n\nMATCH (m)\n  // why\nRETURN m // all\n")) == [
        "MATCH (m)",
        "RETURN m",
    ]
    chosen = "//= one\nRETURN 1\n//= two\n//| RETURN 2 // why\n//=\n"
    assert statement(cypher(chosen)) == ["RETURN 1", " RETURN 2"]


@pytest.mark.parametrize(
    ("text", "declaring"),
    [
        (DECLARING, True),
        ("LIMITS = {'z_limit': 3}\n", True),
        ("def set_it(z_limit: Annotated[float, Option()]): ...\n", True),
        ("def scaled(z_limit: float): return z_limit\n", False),
        ("scaled(z_limit=config.z_limit)\n", False),
        ("# z_limit\n'''All of z_limit.'''\n", False),
        ("z_limits: float = 1.0\n", False),
    ],
)
def test_who_declares_a_name_and_who_only_reads_it(text: str, declaring: bool) -> None:
    assert declares(python(text), "z_limit") is declaring


def test_a_statement_declares_what_it_names_outside_comments() -> None:
    assert declares(cypher("MATCH (m) RETURN m.importance\n"), "importance")
    assert not declares(cypher("// importance\nMATCH (m) RETURN m.importances\n"), "importance")


def test_a_name_is_one_in_code_or_a_whole_text() -> None:
    wanted = {"undo_collection", "UndoCollection"}
    assert names(python("client.undo_collection(run)\n"), wanted)
    assert names(python("Tool(name='undo_collection')\n"), wanted)
    assert not names(python("'run undo_collection'  # UndoCollection\n"), wanted)


def test_generated_files_are_told_apart_and_touch_nothing() -> None:
    made = python("# Generated from the table of settings.\n" + DECLARING, "graph/made.py")
    mine = python(DECLARING)
    assert by_hand([made, mine]) == [mine]
    assert touched([made, mine], [cypher("RETURN $importance\n")]) == {
        "setting_files": 1,
        "endpoint_files": 0,
    }
    counted = sizes([made, mine])
    assert (counted["files"], counted["lines"]) == (2, 7)
    assert (counted["generated_files"], counted["generated_lines"]) == (1, 4)


def test_a_checkout_is_counted_from_its_root(tmp_path: Path) -> None:
    for path, text in (
        ("graph/a.py", SIX),
        ("service/b/c.py", RENAMED),
        ("cypher/d.cypher", "// One.\nRETURN 1\n"),
        ("tests/test_a.py", "x = 1\n" * 7),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    counted = measures(tmp_path)
    assert (counted["files"], counted["lines"], counted["functions"]) == (2, 14, 2)
    assert (counted["longest_function"], counted["duplicated_pairs"]) == (6, 1)
    assert (counted["cypher_files"], counted["median_cypher"]) == (1, 1)
    assert counted["tests_per_line"] == 0.5
    assert "| `duplicated_pairs` | 1 |" in table(counted)


ROOMS = {
    *("memories", "recall", "utility", "episodes", "strata", "consolidation", "sharing"),
    *("erasure", "transfer", "operation", "cycles", "knowledge", "engines"),
}
# Layers with rooms, each with its folders for what several rooms share.
SHARED = {
    "cypher": {"analytics", "database", "schema"},
    "graph/model": set[str](),
    "graph/store": set[str](),
    "service/use_cases": {"kernel"},
    "service/http": {"kernel"},
    "stratagraph/wire": {"kernel"},
    "tests/unit": {"kernel", "project"},
    "tests/store": set[str](),
    "tests/doors": {"kernel", "mcp"},
    "tests/client": {"kernel"},
}


def misplaced(layer: Path, shared: set[str]) -> list[str]:
    """Files of a layer that are in no room; what tests use together is beside the rooms."""
    files = [*layer.rglob("*.py"), *layer.rglob("*.cypher")]
    if layer.parent.name == "tests":
        files = [file for file in files if file.name.startswith("test_")]
    places = {
        file.relative_to(layer) for file in files if file.relative_to(layer) != Path("__init__.py")
    }
    return sorted(
        place.as_posix()
        for place in places
        if len(place.parts) != 2 or place.parts[0] not in ROOMS | shared
    )


@pytest.mark.parametrize("layer", SHARED)
def test_every_module_is_in_a_room(layer: str) -> None:
    assert not misplaced(ROOT / layer, SHARED[layer])
    assert any((ROOT / layer / room).is_dir() for room in ROOMS)


def test_no_module_lies_beside_the_packages_of_the_graph() -> None:
    assert [place.name for place in (ROOT / "graph").glob("*.py")] == ["__init__.py"]


def test_a_loose_module_and_an_unknown_room_are_found(tmp_path: Path) -> None:
    for place in ("__init__.py", "recall/store.py", "loose.py", "cellar/store.py", "recall/a/b.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    assert misplaced(tmp_path, set()) == ["cellar/store.py", "loose.py", "recall/a/b.py"]


def test_names_are_imported_from_where_they_are() -> None:
    packages = sorted((ROOT / "graph").rglob("__init__.py"))
    assert len(packages) > 10
    assert not [place for place in packages if "import" in place.read_text(encoding="utf-8")]


def test_the_files_of_a_recipe_are_those_that_its_steps_name() -> None:
    text = (
        "## Add a thing\n\nWhy `a/not.py`.\n\n1. In `a/b.py`,\n   and `a/b.py` again.\n"
        "2. `docs/generate.py`, and `docs/x.md`. `tests/y.py` tries it.\n\nMore: `a/later.py`.\n"
    )
    assert recipe_files(text, "## Add a thing") == ["a/b.py", "docs/x.md"]
    assert recipe_files(text, "## Add another") == []
