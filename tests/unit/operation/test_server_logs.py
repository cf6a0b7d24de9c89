from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph.server.logs import ServerLogs

FAILED = json.dumps(
    {
        "level": "ERROR",
        "message": "Failed to start DatabaseId{1[neo4j]}",
        "stacktrace": "java.lang.RuntimeException: the store is torn\n\tat org.neo4j.Kernel.start",
    },
    separators=(",", ":"),
)


@pytest.mark.parametrize("line", [FAILED, FAILED[:-8], FAILED[3:]])
def test_a_line_of_which_an_end_is_missing_says_all_the_same_why(tmp_path: Path, line: str) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "debug.log").write_text(f"{{}}\n{line}", encoding="utf-8")
    why = ServerLogs(tmp_path).failed_database()
    assert why is not None
    assert why.endswith("the store is torn")
