"""The decay law of each statement that anchors a weight is that of `graph.scoring.retention`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from cypher import QUERIES
from graph.kernel.values import Floats
from graph.scoring.retention import apply_reward, decay_rates, reanchored, slowed
from service.bootstrap import Service
from tests.conftest import Run
from tests.statements import every_choice

NOW = datetime(2026, 5, 1, 12, 0, 0, 123_000, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
RECORDED = NOW - 90 * DAY
# Base decay per day, share that Q = 1 spares, factor and cap of a success; nothing fades in another stratum.
FADING = {"episodic": [0.025, 0.4, 1.5, 2.0], "semantic": [0.8, 0.25, 1.2, 1.0]}
OTHER = {stratum: [9.0, 0.9, 9.0, 9.0] for stratum in FADING}

Row = dict[str, Any]
Grid = list["Kept"]


class Kept(NamedTuple):
    """A memory as it is stored; None is a property that it lacks."""

    uid: str
    w0: float | None
    w_at: datetime | None
    grace_until: datetime | None
    importance: int | None
    access_count: int | None
    q_value: float | None
    stratum: str


def grid() -> Grid:
    weights = (None, 0.37, 2.0)
    anchors = (None, NOW + 5 * DAY, NOW, NOW - timedelta(milliseconds=1), NOW - 40 * DAY)
    graces = (None, NOW - 10 * DAY, NOW + 3 * DAY)
    numbers = product((None, 1, 5), (None, 1, 1000), (None, 0.0, 1.0))
    rest = product(weights, anchors, graces, numbers, (*FADING, "working"))
    return [
        Kept(f"{place:05}", weight, anchor, grace, *numbered, stratum)
        for place, (weight, anchor, grace, numbered, stratum) in enumerate(rest)
    ]


def days(at: datetime) -> float:
    return (at - EPOCH) / DAY


def column(values: list[float | None], usual: float) -> Floats:
    return np.array([usual if value is None else value for value in values], dtype=np.float64)


def expected(rows: Grid) -> tuple[Floats, Floats]:
    """Return weights and anchors as numpy computes them."""
    terms = np.array([FADING.get(row.stratum, [0.0] * 4) for row in rows])
    rate = decay_rates(
        terms[:, 0],
        column([row.importance for row in rows], 3),
        column([row.access_count for row in rows], 0),
    )
    return reanchored(
        column([row.w0 for row in rows], 1.0),
        np.array([days(row.w_at or RECORDED) for row in rows]),
        np.array([-np.inf if row.grace_until is None else days(row.grace_until) for row in rows]),
        slowed(rate, column([row.q_value for row in rows], 0.5), terms[:, 1]),
        now=days(NOW),
    )


def anchored(cypher: Run) -> tuple[Floats, Floats]:
    found = cypher("MATCH (m:Memory) RETURN m.w0 AS w0, m.w_at.epochMillis AS at ORDER BY m.uid")
    return np.array([row["w0"] for row in found]), np.array([row["at"] for row in found])


def store(cypher: Run, rows: Grid) -> None:
    common: Row = {
        "tenant": "local",
        "scope": "local/agent/anna",
        "kind": "insight",
        "state": "active",
        "keys": [],
        "recorded_at": RECORDED,
    }
    cypher(
        "UNWIND $rows AS row CREATE (m:Memory) SET m = row, m += $common",
        rows=[row._asdict() for row in rows],
        common=common,
    )


def accesses(rows: Grid) -> Row:
    counted = [{"uid": row.uid, "count": 3} for row in rows]
    return {"rows": counted, "now": NOW, "fading": OTHER, "own": {"local": FADING}}


def linked(rows: Grid) -> Row:
    marked = [{"uid": row.uid, "q_init": 0.9} for row in rows]
    return {"rows": marked, "now": NOW, "fading": OTHER, "own": {"local": FADING}}


def credited(rows: Grid) -> Row:
    nothing = dict.fromkeys(("estimates", "entries", "done", "events", "scopes"), ())
    moved = [{"uid": row.uid, "memory": {"q_value": 0.8}} for row in rows]
    return {"rows": moved, **nothing, "now": NOW, "fading": OTHER, "own": {"local": FADING}}


def rewarded(rows: Grid, *, raised: bool = False) -> Row:
    nothing = dict.fromkeys(("estimates", "credits", "events", "ends", "scopes"), ())
    moved = [
        {"uid": row.uid, "raised": raised, "entry": {}, "memory": {"q_value": 0.8}} for row in rows
    ]
    return {"reward": {"uid": "r"}, "rows": moved, **nothing, "now": NOW, "fading": FADING}


def replaced(rows: Grid) -> Row:
    properties: Row = {"recorded_at": NOW, "keys": [], "stratum": "long_term", "state": "active"}
    content: Row = {
        "properties": properties,
        "label": "Insight",
        "embedder": "none",
        "vector": None,
    }
    named = [{"uid": row.uid, "version_uid": f"v{row.uid}", **content} for row in rows]
    return {"rows": named, "content": ["text"], "fading": FADING}


def moved(rows: Grid) -> Row:
    numbers = {"measured": 0.0, "limit": 0.0, "score": 0.0, "flagged": False, "revision": 1}
    said = {"action": "demote", "reason": "asked", "to": "working", "state": "active"}
    moves = [
        {"uid": row.uid, "transition": f"t{row.uid}", "from": row.stratum, **numbers, **said}
        for row in rows
    ]
    return {"rows": moves, "run": "run", "now": NOW, "keys": {}, "fading": FADING}


def moved_back(rows: Grid) -> Row:
    names = [f"t{row.uid}" for row in rows]
    return {"transitions": names, "now": NOW, "keys": {}, "fading": FADING}


STATEMENTS: dict[str, Callable[[Grid], Row]] = {
    "memories.anchor_memories.accessed": accesses,
    "memories.replace_memories": replaced,
    "memories.anchor_memories.linked": linked,
    "utility.apply_credits": credited,
    "utility.save_reward": rewarded,
    "strata.move_memories": moved,
    "strata.move_back": moved_back,
}
# Moves since which the weight was changed: an undo goes on from what is left of it.
_MOVES = """
MATCH (m:Memory)
CREATE (t:Transition {uid: 't' + m.uid, memory_uid: m.uid, at: m.recorded_at, weight: -1.0, revision: 1,
                      to_state: 'active', to_stratum: m.stratum, from_stratum: 'long_term'})
SET m.moved_by = t.uid
"""


def test_no_other_statement_has_a_decay_law() -> None:
    having = {name for name, query in every_choice().items() if "exp(" in query.text}
    assert having == STATEMENTS.keys()


@pytest.mark.parametrize("name", STATEMENTS)
async def test_a_statement_decays_as_numpy_does(service: Service, cypher: Run, name: str) -> None:
    rows = grid()
    store(cypher, rows)
    if name == "strata.move_back":
        cypher(_MOVES)
    await service.database.write_one(every_choice()[name], STATEMENTS[name](rows))
    weights, at = anchored(cypher)
    wanted, anchors = expected(rows)
    np.testing.assert_allclose(weights, wanted, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(at / 86_400_000.0, anchors, rtol=0, atol=1e-9)


async def test_a_success_raises_what_is_left_as_numpy_does(service: Service, cypher: Run) -> None:
    rows = grid()
    store(cypher, rows)
    await service.database.write_one(QUERIES["utility.save_reward"], rewarded(rows, raised=True))
    weights, _ = anchored(cypher)
    wanted, _ = expected(rows)
    for stratum, (_, _, factor, cap) in FADING.items():
        here = np.array([row.stratum == stratum for row in rows])
        wanted[here] = apply_reward(wanted[here], factor=factor, cap=cap)
    np.testing.assert_allclose(weights, wanted, rtol=1e-9, atol=1e-12)
