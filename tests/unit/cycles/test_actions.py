"""What a step's action is called."""

from __future__ import annotations

import pytest

from graph.kernel.actions import action_names
from graph.model.episodes.attempts import UNKNOWN, Attempt, attempt_of, is_episode


@pytest.mark.parametrize(
    ("action", "names"),
    [
        ("16-3-4=9", ("subtract", "subtract")),
        ("16 - 3 - 4", ("subtract", "subtract")),
        ("(16-3)*2=26", ("subtract", "multiply")),
        ("$48/2", ("divide",)),
        ("20%*5", ("multiply",)),
        ("1,200 ÷ 3 × 2", ("divide", "multiply")),
        (".5*8", ("multiply",)),
        ("-3+5", ("add",)),
        ("2*-3", ("multiply",)),
        ("13", ()),
        ("", ()),
        ('search("ducks")', ("search",)),
        ("web.search[ducks]", ("web.search",)),
        ("Look up the price", ("look",)),
        ("Überlege: 3+4", ("überlege",)),
    ],
)
def test_an_action_is_called_by_what_it_does(action: str, names: tuple[str, ...]) -> None:
    assert action_names(action) == names


def test_what_an_episode_says_is_read_from_its_object() -> None:
    structured = {
        "input": {"problem": "2+3?", "problem_id": "p-1", "domain": "math"},
        "trace": [
            {"step": 1, "thought": "add", "action": "2+3", "observation": "5"},
            {"step": 2, "thought": "done", "action": "", "observation": ""},
        ],
        "output": {"answer": "5", "correct": True, "confidence": 0.9},
        "metadata": {"tokens_used": 12, "latency_ms": 3.5, "model": "m", "temperature": 0.0},
    }
    assert is_episode(structured)
    assert attempt_of(structured) == Attempt(
        problem_id="p-1",
        tokens_used=12,
        latency_ms=3.5,
        confidence=0.9,
        temperature=0.0,
        step_count=2,
        actions=("add",),
        answer="5",
    )


@pytest.mark.parametrize(
    "odd",
    [
        None,
        {},
        {"input": 3, "trace": "no", "output": [], "metadata": None},
        {"trace": [1, None, "x"], "metadata": {"tokens_used": True, "latency_ms": -3}},
    ],
)
def test_what_is_odd_is_unknown(odd: dict[str, object] | None) -> None:
    attempt = attempt_of(odd)
    assert not is_episode(odd)
    assert (attempt.tokens_used, attempt.latency_ms, attempt.actions) == (UNKNOWN, UNKNOWN, ())
