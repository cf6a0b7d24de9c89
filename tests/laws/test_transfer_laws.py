"""Whatever a graph holds, an export and its import give it back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graph.kernel.scope import Caller
from graph.kernel.values import KINDS, LINK_TYPES, PHASES, STATUSES, STRATA
from graph.model.memories.memory import Link, NewMemory
from graph.model.utility.rewards import UsedName
from graph.model.utility.tasks import Retrieval
from graph.store.memories.store import MemoryStore
from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.moving import WIPE, content, everything, exported, imported, of
from tests.store.reading import assert_whole

NAMES = st.sampled_from(["anna", "a/b", "ä", "走る", "a b", "..", "x" * 100, 'q"\\'])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
TIMES = st.datetimes(
    datetime(2, 1, 1),  # noqa: DTZ001 - zoned by the strategy
    datetime(9990, 1, 1),  # noqa: DTZ001 - zoned by the strategy
    timezones=st.just(UTC),
)
JSON = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
        | st.integers(-(2**63), 2**63 - 1),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)  # fmt: skip
CONTEXTS = st.sampled_from(["phase:planning", "domain:ä", "tag:a b"])
OUTCOMES = st.sampled_from(STATUSES)

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@st.composite
def rows(draw: st.DrawFn, caller: Caller) -> NewMemory:
    session = draw(st.none() | NAMES)
    structured = draw(st.none() | JSON.filter(bool))
    since = draw(st.none() | TIMES)
    return NewMemory(
        scope=draw(st.sampled_from([caller.writable(), caller.writable("shared")])),
        text=f"word {draw(TEXTS)}",
        kind=draw(st.sampled_from(KINDS)),
        external_id=draw(st.none() | st.sampled_from(["one", "ä"])),
        agent_id=caller.agent_id,
        session_id=session,
        sequence=draw(st.none() | st.integers(0, 6)) if session else None,
        speaker=draw(st.none() | NAMES),
        content_type="structured" if structured else "text",
        structured=structured,
        stratum=draw(st.sampled_from(STRATA)),
        importance=draw(st.integers(1, 5)),
        tags=tuple(draw(st.lists(NAMES, max_size=3, unique=True))),
        domain=draw(st.none() | NAMES),
        phase=draw(st.none() | st.sampled_from(PHASES)),
        correct=draw(st.none() | st.booleans()),
        model=draw(st.none() | NAMES),
        occurred_at=draw(st.none() | TIMES),
        valid_from=since,
        valid_to=since + timedelta(days=3) if since and draw(st.booleans()) else None,
        metadata=draw(st.none() | JSON),
    )


async def lived(service: Service, caller: Caller, data: st.DataObject) -> None:
    """Remember, link, update, delete, give to tasks, report outcomes."""
    saved = await service.remember(data.draw(st.lists(rows(caller), min_size=1, max_size=8)))
    uids = [answer.uid for answer in saved if answer.uid]
    for uid in data.draw(st.lists(st.sampled_from(uids), max_size=3)) if uids else ():
        kind = data.draw(st.sampled_from(LINK_TYPES))
        row = replace(data.draw(rows(caller)), links=(Link(kind, uid),))
        await service.remember([row])
    for uid in data.draw(st.lists(st.sampled_from(uids), max_size=2, unique=True)) if uids else ():
        await service.delete_memory(caller, uid)
    uids += await taught_by(service, caller)
    for task in data.draw(st.lists(NAMES, max_size=2, unique=True)):
        given = data.draw(st.lists(st.sampled_from(uids), max_size=4, unique=True)) if uids else []
        await service.recall.tasks.record_retrieval(
            home=caller.home,
            task_id=task,
            phase=data.draw(st.none() | st.sampled_from(PHASES)),
            retrievals=[Retrieval(uid, rank, 0.5) for rank, uid in enumerate(given, 1)],
            now=NOW,
            expires_at=NOW + timedelta(days=1),
            contexts=data.draw(st.lists(CONTEXTS, max_size=2, unique=True)),
        )
        if data.draw(st.booleans()):
            names = st.lists(st.sampled_from(given), max_size=3) if given else st.just([])
            used = data.draw(st.none() | names)
            said = None if used is None else [UsedName(uid, 0.5) for uid in used]
            await service.report_outcome(caller, task, data.draw(OUTCOMES), None, said)


async def met(service: Service, pairs: list[tuple[str, str]]) -> None:
    """Let agents join channels, and have to do with others."""
    for place, (name, other) in enumerate(pairs):
        await service.join_channels(Caller("local", name, (other,)))
        if other != name:
            await service.record_interaction(Caller("local", name), other, place / 4)


async def taught_by(service: Service, caller: Caller) -> list[str]:
    """Remember an episode with the strategy that it used, which shares its rewards."""
    strategy = NewMemory(caller.writable(), "ask before you guess", kind="strategy")
    [way] = await service.remember([strategy])
    links = (Link("USED", way.uid or ""),)
    episode = NewMemory(caller.writable(), "it was asked for", kind="episode", links=links)
    [told] = await service.remember([episode])
    return [answer.uid for answer in (way, told) if answer.uid]


@given(data=st.data())
@settings(
    max_examples=12,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_an_import_gives_back_what_was_exported(
    client: httpx.AsyncClient, service: Service, cypher: Run, data: st.DataObject
) -> None:
    cypher(WIPE)
    store = service.remember.store
    assert isinstance(store, MemoryStore)
    store.forget_cached()
    anybody = Caller("local", agent_id="anna")
    await service.change_config(anybody, {"contextual_utility": data.draw(st.booleans())})
    names = data.draw(st.lists(NAMES, min_size=1, max_size=2, unique=True))
    for name in names:
        await lived(service, Caller("local", agent_id=name), data)
    await met(
        service, data.draw(st.lists(st.tuples(st.sampled_from([*names, "x"]), NAMES), max_size=4))
    )
    await service.change_config.reset(anybody)
    await service.accesses.flush()
    before, vectors = everything(cypher), data.draw(st.booleans())
    lines = await exported(client, scope="tenant", vectors=vectors)
    cypher(WIPE)
    answer = await imported(client, lines)
    assert not of(answer, "rejected"), answer
    assert not of(answer, "skipped"), answer
    assert answer[-1]["complete"] is True
    after = everything(cypher)
    assert set(after) - set(before) == set() == set(before) - set(after)
    assert after == before
    again = await exported(client, scope="tenant", vectors=vectors)
    assert content(again) == content(lines)
    sessions: list[dict[str, Any]] = cypher(
        "MATCH (m:Memory) WHERE m.session_id <> '' "
        "RETURN DISTINCT m.scope AS scope, m.session_id AS name"
    )
    for session in sessions:
        assert_whole(cypher, session["scope"], session["name"])
