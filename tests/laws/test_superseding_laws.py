"""What holds of replaced memories for every history, asked of the whole service on a real Neo4j."""

from __future__ import annotations

import itertools
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.bootstrap import Service
from tests.conftest import Run
from tests.store.memories.test_superseding import assert_held

CALLER = Caller("local", agent_id="anna")
DAY = datetime(2026, 3, 1, tzinfo=UTC)
COUNT = 4
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("state", "state", "state", "undo", "delete", "archive", "activate", "end", "move")
        ),
        st.integers(0, COUNT - 1),
        st.integers(0, COUNT - 1),
    ),
    min_size=3,
    max_size=10,
)
_NUMBERS = itertools.count()


async def _step(service: Service, uids: list[str], step: tuple[str, int, int]) -> None:
    name, one, other = step
    if name == "state":
        await service.state_supersession(CALLER, uids[one], uids[other])
    elif name == "undo":
        await service.undo_supersession(CALLER, uids[one], uids[other])
    elif name == "delete":
        await service.delete_memory(CALLER, uids[one])
    elif name in {"archive", "activate"}:
        state = "archived" if name == "archive" else "active"
        await service.amend_memory(CALLER, uids[one], {"state": state})
    else:
        field = "valid_to" if name == "end" else "occurred_at"
        at = DAY + timedelta(days=other + 1, hours=12)
        await service.amend_memory(CALLER, uids[one], {field: at})


@settings(
    max_examples=15,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
async def test_any_history_leaves_each_end_where_its_edges_say(
    service: Service, cypher: Run, steps: list[tuple[str, int, int]]
) -> None:
    number = next(_NUMBERS)
    rows = [
        NewMemory(CALLER.writable(), f"fact {number} {n}", occurred_at=DAY + timedelta(days=n // 2))
        for n in range(COUNT)
    ]
    uids = [saved.uid or "" for saved in await service.remember(rows)]
    for step in steps:
        with suppress(ConflictError, InvalidInputError, NotFoundError):
            await _step(service, uids, step)
        assert_held(cypher)
