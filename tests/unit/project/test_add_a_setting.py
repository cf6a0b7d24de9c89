"""The recipe of CONTRIBUTING.md for a setting, carried out on a copy of the packages."""

from __future__ import annotations

from pathlib import Path

from tests.copied_packages import copied_packages, insert, run

BEFORE = "    min_relevance: float = setting("
NEW = '    patience: float = setting(2.5, "How long to wait.", Range(1, 9), variable="PATIENCE")\n'
CHECK = """
from graph.kernel.errors import ConfigurationError, InvalidInputError
from service.bootstrap.configs import configured
from service.settings import load_settings
from service.use_cases.utility.configure import UTILITY
from stratagraph import wire
from stratagraph.fields import UtilityConfigFields

assert configured(load_settings({})).patience == 7.0
field = wire.UtilityConfigRequest.model_json_schema()["properties"]["patience"]
assert field["description"] == "How long to wait."
assert (field["anyOf"][0]["minimum"], field["anyOf"][0]["maximum"]) == (1, 9)
assert "patience" in UtilityConfigFields.__annotations__
try:
    UTILITY.setting("patience").check(10)
except InvalidInputError as error:
    assert error.message == "patience: must be in [1, 9]"
else:
    raise AssertionError("10 was taken")
"""


def test_one_line_declares_a_setting_and_the_generator_does_the_rest(tmp_path: Path) -> None:
    copy = copied_packages(tmp_path)
    insert(copy / "graph" / "model" / "utility" / "config.py", BEFORE, NEW)
    run(copy, "docs/generate.py")
    run(copy, "-c", CHECK, PATIENCE="7")
    row = "| `patience` | `STRATAGRAPH_PATIENCE`, `PATIENCE` | `2.5` | [1, 9] | utility |"
    assert row in (copy / "docs" / "settings.md").read_text(encoding="utf-8")
