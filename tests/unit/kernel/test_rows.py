"""Records as properties of nodes, and back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from neo4j.time import DateTime

from graph.database.rows import from_row, to_row
from graph.model.cycles.checks import Check, Finding
from graph.model.cycles.cycle import Advice, Step, ToolCall
from graph.model.cycles.patches import Evidence, Patch
from graph.model.strata.surprises import MomentumState

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_record_comes_back_as_it_was_kept() -> None:
    step = Step(
        uid="s", key="k", position=1, phase="action", at=_NOW, mode="solver",
        calls=(ToolCall("pay", "failure", {"to": ["a", "ß"]}, "no\"", 3.5),),
        findings=(Finding("sql", "passed", "it parses"),),
        advice=Advice("NO_ACTION", 0.1, 0.9, "low"), parts={"tools": 0.5},
    )  # fmt: skip
    kept = to_row(step)
    assert kept["calls"] == (
        '[{"tool":"pay","status":"failure","arguments":{"to":["a","ß"]},"result":"no\\"","latency_ms":3.5}]'
    )
    assert from_row(Step, kept | {"at": DateTime.from_native(_NOW)}) == step


def test_lists_of_plain_values_are_no_json_and_what_is_kept_elsewhere_is_given_beside() -> None:
    patch = Patch("p", "acme/agent/anna", "c", 1, _NOW, "it failed", plan=(Check("sql"),), missing=("a", "b"))  # fmt: skip
    kept = to_row(patch, "evidence")
    assert (kept["missing"], kept["plan"]) == (["a", "b"], '[{"checker":"sql","given":{}}]')
    assert "evidence" not in kept
    shown = (Evidence("m", "similar", 0.5),)
    assert from_row(Patch, kept, evidence=shown).evidence == shown


def test_a_null_is_left_to_the_default_and_without_one_it_is_none() -> None:
    assert from_row(MomentumState, {"mean": None, "familiar": '{"a":[1.0,2.0]}', "scope": "?"}) == (
        MomentumState(familiar={"a": (1.0, 2.0)})
    )
    assert to_row(Step("s", "k", 1, "action", _NOW, "solver"))["advice"] is None


def test_what_a_record_cannot_be_without_is_missed() -> None:
    with pytest.raises(TypeError, match="cycle_uid"):
        from_row(Patch, {"uid": "p"})
