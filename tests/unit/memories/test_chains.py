"""How a batch is joined to the ends of its sessions, and times that are sent once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from graph.database.rows import Times
from graph.store.memories.saving import SessionState
from graph.store.memories.sessions import CONTEXT_REACH, chain


def _state(*appended: str, tail: str | None = None, inserted: tuple[str, ...] = ()) -> SessionState:
    state = SessionState(None if tail is None else 4, tail)
    for place, uid in enumerate(appended):
        state.add(uid, place if tail is None else place + 5)
    for uid in inserted:
        state.add(uid, 0)
    return state


def test_rows_of_two_sessions_are_joined_by_their_places() -> None:
    texts = {"u0": "a", "u1": "x", "u2": "b", "u3": "y"}
    sessions = {("s", "two"): _state("u1", "u3", tail="t2"), ("s", "one"): _state("u0", "u2")}
    chains = chain(texts, sessions)
    assert chains.pairs == [{"before": 0, "after": 2}, {"before": 1, "after": 3}]
    assert chains.joints == [{"tail": "t2", "first": 1}]
    assert chains.contexts == {"u0": "a\nb", "u2": "a\nb", "u1": "x\ny", "u3": "x\ny"}
    assert [(end["session_id"], end["last_sequence"], end["tail_uid"]) for end in chains.ends] == [
        ("one", 1, "u2"),
        ("two", 6, "u3"),
    ]


def test_joints_are_sorted_by_the_stored_memory_that_is_locked() -> None:
    sessions = {("s", "a"): _state("u0", tail="t9"), ("s", "b"): _state("u1", tail="t1")}
    joints = chain({"u0": "a", "u1": "b"}, sessions).joints
    assert [joint["tail"] for joint in joints] == ["t1", "t9"]


def test_what_comes_between_is_left_for_later() -> None:
    chains = chain({"u0": "late"}, {("s", "a"): _state(tail="t1", inserted=("u0",))})
    assert (chains.pairs, chains.joints, chains.ends, chains.contexts) == ([], [], [], {})


def test_a_neighbour_s_words_reach_only_so_far() -> None:
    long = "w" * (CONTEXT_REACH + 10)
    contexts = chain({"u0": long, "u1": "b"}, {("s", "a"): _state("u0", "u1")}).contexts
    assert contexts["u0"] == f"{long}\nb"
    assert contexts["u1"] == f"{long[:CONTEXT_REACH]}\nb"


def test_each_time_is_sent_once_and_keeps_its_offset() -> None:
    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    elsewhere = noon.astimezone(timezone(timedelta(hours=2)))
    times = Times()
    first = times.part({"text": "a", "occurred_at": noon, "recorded_at": noon, "valid_to": None})
    second = times.part({"text": "b", "occurred_at": elsewhere})
    assert first == {"properties": {"text": "a"}, "times": {"occurred_at": 0, "recorded_at": 0}}
    assert second == {"properties": {"text": "b"}, "times": {"occurred_at": 1}}
    assert times.texts == ["2026-05-01T12:00:00+00:00", "2026-05-01T14:00:00+02:00"]
