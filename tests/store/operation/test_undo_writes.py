"""Who reads a run may look at it; who writes to its scope may undo it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph.kernel.errors import InvalidInputError, NotFoundError
from graph.kernel.scope import Caller
from graph.model.episodes.gc import CollectionRun
from service.bootstrap import Service
from service.use_cases.consolidation import consolidate
from service.use_cases.strata import gates
from tests.conftest import Run

NOW = datetime.now(UTC)
MEMBER = Caller("local", "anna", ("team",))
BETWEEN = Caller("local", "anna", ("team", "other"))
STRANGER = Caller("local", "anna", ("other",))
HOME = MEMBER.writable("channel")
FAMILY = Caller("local", user_ids=("eva", "finn"))

Begin = Callable[[Service, str], Awaitable[tuple[str, Any]]]


async def of_gates(service: Service, scope: str) -> tuple[str, Any]:
    config, undo = service.configs.strata_of("local"), service.undo_gate_run
    run = gates.new_run(scope, "hand", ["working"], NOW, config, service.remember.identifiers)
    return (await undo.store.begin(run, None)).uid, undo


async def of_consolidation(service: Service, scope: str) -> tuple[str, Any]:
    config, undo = service.configs.strata_of("local"), service.undo_consolidation
    run = consolidate.new_run(scope, "hand", ["working"], NOW, config, service.remember.identifiers)
    return (await undo.store.begin(run, None)).uid, undo


async def of_collection(service: Service, scope: str) -> tuple[str, Any]:
    undo = service.undo_collection
    uid = service.remember.identifiers.new_uid(NOW)
    run = CollectionRun(uid, scope, "hand", "running", NOW, NOW + timedelta(days=1))
    return (await undo.store.begin(run, None)).uid, undo


@pytest.mark.parametrize("begin", [of_gates, of_consolidation, of_collection])
async def test_an_undo_needs_a_caller_that_writes_to_the_scope(
    service: Service, cypher: Run, begin: Begin
) -> None:
    uid, undo = await begin(service, HOME)
    before = cypher("MATCH (r:Run) RETURN properties(r) AS run")
    with pytest.raises(InvalidInputError, match="exactly one channel, 2 are named") as refused:
        await undo(BETWEEN, uid)
    assert refused.value.field == "channel_ids"
    with pytest.raises(NotFoundError):
        await undo(STRANGER, uid)
    assert cypher("MATCH (r:Run) RETURN properties(r) AS run") == before
    assert (await undo(MEMBER, uid)).state == "undone"


async def test_one_of_several_users_is_named_for_an_undo(service: Service) -> None:
    uid, undo = await of_gates(service, "local/user/finn")
    with pytest.raises(InvalidInputError, match="exactly one user"):
        await undo(FAMILY, uid)
    assert (await undo(Caller("local", user_ids=("finn",)), uid)).state == "undone"


async def test_the_shared_scope_and_its_own_are_written_to_beside_several_channels(
    service: Service,
) -> None:
    for scope in (BETWEEN.writable("agent"), BETWEEN.writable("shared")):
        uid, undo = await of_gates(service, scope)
        assert (await undo(BETWEEN, uid)).state == "undone"
