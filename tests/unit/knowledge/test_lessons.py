"""Lessons of a correction, and corrections without one."""

from __future__ import annotations

from typing import Any

import pytest

from graph.knowledge.lessons import lessons_of

FAST = {"tool": "close_valve", "parameters": {"mode": "fast"}}


@pytest.mark.parametrize(
    ("original", "corrected", "lessons"),
    [
        (FAST, FAST | {"parameters": {"mode": "slow"}}, ["close_valve.mode: slow, never fast"]),
        (
            {"tool": "send", "language": "en"},
            {"tool": "send", "language": "de"},
            ["send.language: de, never en"],
        ),
        (
            {"tool": "valve", "parameters": {"action": "open"}},
            {"tool": "valve", "parameters": {"action": "close"}},
            ["valve.action: close, never open"],
        ),
        (FAST, {"tool": "call_crew", "parameters": {"mode": "x"}}, ["use call_crew, not close_valve"]),
        ({"n": 1}, {"tool": "a", "n": 2}, ["use a", "a.n: 2, never 1"]),
        ("dispatch_crew", "call_oncall", ["use call_oncall, not dispatch_crew"]),
        ("in feet", "in metres", ["wording: metres, never feet"]),
        ("The water is off.", "Your tap water is off.", []),
        ("It starts at 8.", "It starts at 08:00.", []),
    ],
)  # fmt: skip
def test_a_correction_teaches_about_what_it_names(
    original: Any, corrected: Any, lessons: list[str]
) -> None:
    assert [each.text for each in lessons_of(original, corrected)] == lessons
