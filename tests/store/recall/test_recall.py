from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller, hashed_key
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters, PoolLimits, RecallAnswer, Recalled, Window
from graph.ports.world import Embedder
from graph.scoring.weights import RankingWeights
from graph.store.recall.candidates import ScopeShares
from service.bootstrap import Service
from service.use_cases.recall.recall import RecallRequest
from tests.conftest import Recalls, Remembers, Run
from tests.store.reading import settled, texts, uids

HOME = "local/agent/anna"
NOON = datetime(2025, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
QUERY = "the lighthouse keeper paints boats"

FILTERS: dict[str, tuple[dict[str, Any], dict[str, Any], Filters]] = {
    "kinds": ({"kind": "insight"}, {"kind": "problem"}, Filters(kinds=("insight", "concept"))),
    "strata": ({"stratum": "working"}, {}, Filters(strata=("working",))),
    "tags_any": ({"tags": ("x", "q")}, {"tags": ("y",)}, Filters(tags_any=("x", "z"))),
    "tags_all": ({"tags": ("x", "y", "z")}, {"tags": ("x",)}, Filters(tags_all=("x", "y"))),
    "tags of both": (
        {"tags": ("x", "y")},
        {"tags": ("x",)},
        Filters(tags_any=("x",), tags_all=("y",)),
    ),
    "importance_min": ({"importance": 4}, {"importance": 3}, Filters(importance_min=4)),
    "importance_max": ({"importance": 2}, {"importance": 3}, Filters(importance_max=2)),
    "occurred after": (
        {"occurred_at": NOON},
        {"occurred_at": NOON - timedelta(microseconds=1)},
        Filters(occurred=Window(start=NOON)),
    ),
    "occurred before": (
        {"occurred_at": NOON - timedelta(microseconds=1)},
        {"occurred_at": NOON},
        Filters(occurred=Window(end=NOON)),
    ),
    "valid_at, begun": (
        {"valid_from": NOON},
        {"valid_from": NOON + DAY},
        Filters(valid_at=NOON),
    ),
    "valid_at, not ended": (
        {"valid_to": NOON + DAY},
        {"valid_to": NOON},
        Filters(valid_at=NOON),
    ),
    "valid now": (
        {"valid_from": NOON, "valid_to": NOON + 99999 * DAY},
        {"valid_from": NOON, "valid_to": NOON + DAY},
        Filters(),
    ),
    "not expired": (
        {"expires_at": NOON + 99999 * DAY},
        {"expires_at": NOON},
        Filters(),
    ),
    "session": ({"session_id": "run"}, {"session_id": "running"}, Filters(session_id="run")),
    "domain": ({"domain": "a/b"}, {"domain": "a"}, Filters(domain="a/b")),
    "phase": ({"phase": "planning"}, {"phase": "action"}, Filters(phase="planning")),
    "agent": ({"agent_id": "x y"}, {"agent_id": "x"}, Filters(agent_id="x y")),
    "correct": ({"correct": True}, {"correct": False}, Filters(correct=True)),
    "not correct": ({"correct": False}, {}, Filters(correct=False)),
    "model": ({"model": "m:1"}, {"model": "m"}, Filters(model="m:1")),
}


def vector_of(embedder: Embedder, text: str) -> tuple[float, ...]:
    return tuple(float(number) for number in embedder.embed([text])[0])


async def recalled_as_most(service: Service, request: RecallRequest) -> RecallAnswer:
    """Recall as in scopes that hold most of the graph, whatever they hold."""
    with patch.object(ScopeShares, "hold_most", return_value=True):
        return await service.recall(request)


async def assert_only_inside(
    service: Service, embedder: Embedder, caller: Caller, filters: Filters
) -> None:
    """Ask over the vector arm alone, then over both, with neighbours, in both forms of scopes."""
    near = await service.recall(
        RecallRequest(caller, vector=vector_of(embedder, QUERY), filters=filters, hops=2)
    )
    assert texts(near) == [f"{QUERY} inside"]
    asked = RecallRequest(caller, text=QUERY, filters=filters, hops=2, explain=True)
    for worded in (await service.recall(asked), await recalled_as_most(service, asked)):
        assert texts(worded) == [f"{QUERY} inside"]
        assert worded.results[0].explanation is not None
        assert worded.results[0].explanation.components["lexical"] > 0
        assert worded.near_misses == ()


@pytest.mark.parametrize("name", FILTERS)
async def test_a_filter_holds_in_both_arms_and_for_neighbours(
    service: Service,
    cypher: Run,
    embedder: Embedder,
    anna: Caller,
    remember: Remembers,
    name: str,
) -> None:
    inside, outside, filters = FILTERS[name]
    uid = await remember(anna, f"{QUERY} inside", **inside)
    await remember(anna, f"{QUERY} outside", links=(Link("SIMILAR_TO", uid),), **outside)
    await settled(cypher)
    await assert_only_inside(service, embedder, anna, filters)


async def test_the_recorded_window_holds_in_both_arms(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, f"{QUERY} inside")
    recorded = (await service.get_memory(anna, uid)).recorded_at
    await asyncio.sleep(0.01)
    await remember(anna, f"{QUERY} outside", links=(Link("SIMILAR_TO", uid),))
    await settled(cypher)
    window = Window(recorded - DAY, recorded + timedelta(microseconds=1))
    await assert_only_inside(service, embedder, anna, Filters(recorded=window))


async def test_only_active_memories_are_recalled_unless_others_are_asked_for(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller, remember: Remembers
) -> None:
    uid = await remember(anna, f"{QUERY} inside")
    await remember(anna, f"{QUERY} outside", links=(Link("SIMILAR_TO", uid),))
    cypher(
        "MATCH (m:Memory) WHERE m.text ENDS WITH 'inside' SET m.state = 'archived', "
        "m.keys = [k IN m.keys | CASE k WHEN $active THEN $archived ELSE k END]",
        active=hashed_key("state:active"),
        archived=hashed_key("state:archived"),
    )
    await settled(cypher)
    await assert_only_inside(service, embedder, anna, Filters(states=("archived",)))
    usual = await service.recall(RecallRequest(anna, text=QUERY))
    assert texts(usual) == [f"{QUERY} outside"]
    both = await service.recall(
        RecallRequest(anna, text=QUERY, filters=Filters(states=("active", "archived")))
    )
    assert len(both.results) == 2


async def test_all_filters_together_still_find(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller, remember: Remembers
) -> None:
    fields: dict[str, Any] = {
        "kind": "episode",
        "stratum": "episodic",
        "tags": ("x",),
        "importance": 5,
        "occurred_at": NOON,
        "session_id": "s",
        "domain": "d",
        "phase": "action",
        "agent_id": "a",
        "correct": True,
        "model": "m",
    }
    await remember(anna, f"{QUERY} inside", **fields)
    await remember(anna, f"{QUERY} outside", **{**fields, "model": "n"})
    await settled(cypher)
    filters = Filters(
        kinds=("episode",),
        strata=("episodic",),
        tags_any=("x",),
        tags_all=("x",),
        importance_min=5,
        occurred=Window(NOON, NOON + DAY),
        valid_at=NOON,
        session_id="s",
        domain="d",
        phase="action",
        agent_id="a",
        correct=True,
        model="m",
    )
    await assert_only_inside(service, embedder, anna, filters)


async def test_a_word_that_only_one_memory_has_wins_over_nearer_vectors(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller
) -> None:
    near = [NewMemory(HOME, f"{QUERY}, part {i}") for i in range(60)]
    word, text = embedder.embed(["zxqvortex", f"{QUERY}, part 1"]).astype(np.float64)
    aside = np.roll(word, 1) - (np.roll(word, 1) @ word) * word
    less = 0.5 * (word @ text)
    assert less > 0
    vector = less * word + (1 - less**2) ** 0.5 * aside / np.linalg.norm(aside)
    rare = NewMemory(HOME, "zxqvortex", vector=tuple(vector.tolist()))
    await service.remember([*near, rare])
    await settled(cypher)
    by_vector = RecallRequest(anna, vector=vector_of(embedder, "zxqvortex"), k=20)
    assert rare.text not in texts(await service.recall(by_vector))
    answer = await service.recall(
        RecallRequest(anna, text="zxqvortex", utility_weight=0.0, explain=True)
    )
    assert texts(answer)[0] == rare.text
    assert answer.results[0].explanation is not None
    assert answer.results[0].explanation.path == ("lexical",)


QUERIES = {
    "stop words alone": "What is it and who are they?",
    "Lucene's syntax": 'AND OR NOT ( * ~ " [ ] { } ^ : \\ / && || ! + - ?',
    "operators alone": "AND OR NOT",
    "a wildcard": "*:*",
    "a field": "scope_key:* OR text:lighthouse",
    "signs alone": "?!… —",
    "an emoji": "🍣",
    "1,000 words": " ".join(f"word{i}" for i in range(1000)) + " lighthouse",
    "one long word": "x" * 30_000,
    "a quote that does not end": 'the "lighthouse',
    "German": "Wo malt der Leuchtturmwärter seine Boote?",
    "Japanese": "灯台守はボートを描きます",
    "Arabic": "حارس المنارة يرسم القوارب",
    "NUL-free control characters": "light\thouse\nkeeper",
}


@pytest.mark.parametrize("name", QUERIES)
async def test_any_text_is_a_query(
    service: Service, recall: Recalls, anna: Caller, bert: Caller, remember: Remembers, name: str
) -> None:
    await remember(bert, f"{QUERY} of Bert")
    uid = await remember(anna, QUERY)
    answer = await recall(anna, QUERIES[name])
    assert uids(answer) == [uid]


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("We met in the Café Zürich.", "cafe zurich"),
        ("We met in the cafe.", "CAFÉ"),
        ("Der Bäcker heißt Müller.", "müller"),
        ("Der Bäcker heißt Müller.", "muller"),
        ("Die Straße ist gesperrt.", "strasse"),
        ("東京の寿司屋はおいしい", "寿司"),
        ("The boats were painted.", "painting boat"),
        ("naïve façade", "naive facade"),
        ("Lena is allergic to penicillin.", "alergic"),
        ("Lena is allergic to penicillin.", "Penicilin?"),
    ],
)
async def test_words_are_found_without_their_accents_and_in_their_script(
    service: Service,
    cypher: Run,
    anna: Caller,
    remember: Remembers,
    stored: str,
    asked: str,
) -> None:
    await remember(anna, "The weather was fine all week.")
    await remember(anna, stored)
    await settled(cypher)
    answer = await service.recall(RecallRequest(anna, text=asked, explain=True))
    lexical = {
        result.memory.text: result.explanation.components["lexical"]
        for result in answer.results
        if result.explanation
    }
    assert lexical[stored] > 0


async def test_a_memory_is_found_by_a_tag_that_its_text_does_not_say(
    service: Service, cypher: Run, anna: Caller
) -> None:
    others = [NewMemory(HOME, f"Order {i} was sent on time.", tags=("orders",)) for i in range(60)]
    named = NewMemory(HOME, "Builds run on the Mac under the desk.", tags=("Büro_CI", "jenkins"))
    await service.remember([*others, named])
    await settled(cypher)
    for asked in ("Which machine is the buro CI?", "where does Jenkins live"):
        answer = await service.recall(RecallRequest(anna, text=asked, explain=True))
        first = answer.results[0]
        assert first.memory.text == named.text
        assert first.explanation is not None
        assert first.explanation.components["lexical"] > 0
        assert first.explanation.components["named"] == pytest.approx(0.3)


async def test_a_question_in_doubt_is_read_with_its_notes_and_one_that_is_sure_is_not(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    told = "Marit does front of house, Gus went back to theatre."
    await remember(anna, told)
    await remember(anna, "The front door of the van is broken.")
    await settled(cypher)

    async def read(asked: str) -> list[float]:
        answer = await service.recall(RecallRequest(anna, text=asked, explain=True))
        assert answer.results[0].memory.text == told
        return [
            result.explanation.components["read"] for result in answer.results if result.explanation
        ]

    answers, other = await read("Who stands at the front desk for sound?")
    assert answers > 0 > other
    assert not any(await read("Who does front of house?"))


async def test_a_neighbour_is_found_through_an_edge_at_one_and_two_hops(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller, remember: Remembers
) -> None:
    far = vector_of(embedder, "quarterly tax forms of the plumbing company")
    two = await remember(anna, "zwei", vector=far)
    one = await remember(anna, "eins", vector=far, links=(Link("USED", two),))
    seed = await remember(anna, QUERY, links=(Link("SIMILAR_TO", one),))
    await service.remember(
        [NewMemory(HOME, f"{QUERY} again {i}", occurred_at=NOON) for i in range(8)]
    )
    cypher("MATCH (m:Memory) WHERE m.text IN ['eins', 'zwei'] SET m.q_value = 1.0, m.q_count = 99")
    await settled(cypher)
    narrow = replace(service.recall.defaults, limits=PoolLimits(vector=6, lexical=12, expanded=9))
    ask = replace(service.recall, defaults=narrow)
    reached: dict[int, dict[str, tuple[str, ...]]] = {}
    for hops in (0, 1, 2):
        answer = await ask(
            RecallRequest(
                anna,
                text=QUERY,
                hops=hops,
                k=6,
                utility_weight=0.9,
                min_similarity=-1.0,
                explain=True,
            )
        )
        reached[hops] = {
            result.memory.text: result.explanation.path
            for result in answer.results
            if result.explanation
        }
    assert not {"eins", "zwei"} & set(reached[0])
    assert reached[1]["eins"][-1] == f"{seed} SIMILAR_TO→"
    assert "zwei" not in reached[1]
    assert reached[2]["zwei"][-2:] == (f"{seed} SIMILAR_TO→", f"{one} USED→")
    assert reached[2][QUERY] == ("lexical",)


async def test_a_hub_is_not_passed(
    service: Service, cypher: Run, embedder: Embedder, anna: Caller
) -> None:
    far = vector_of(embedder, "quarterly tax forms of the plumbing company")
    await service.remember([NewMemory(HOME, QUERY, external_id="hub")])
    leaves = [
        NewMemory(HOME, f"leaf {i}", vector=far, links=(Link("USED", "external:hub"),))
        for i in range(200)
    ]
    await service.remember(leaves)
    await settled(cypher)
    filters = Filters(kinds=("observation",))
    answer = await service.recall(
        RecallRequest(anna, text=QUERY, hops=2, k=200, filters=filters, explain=True)
    )
    paths = [result.explanation.path for result in answer.results if result.explanation]
    assert texts(answer)[0] == QUERY
    assert all(len(path) == 1 for path in paths), "a leaf came through the hub"


async def test_a_neighbour_in_another_scope_never_enters(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    mine = await remember(anna, QUERY)
    his = await remember(bert, f"{QUERY} of Bert")
    beyond = await remember(anna, "nothing of the kind")
    cypher(
        "MATCH (a:Memory {uid: $a}), (b:Memory {uid: $b}), (c:Memory {uid: $c}) "
        "CREATE (a)-[:SIMILAR_TO]->(b), (b)-[:NEXT]->(c), (b)-[:NEXT]->(a)",
        a=mine,
        b=his,
        c=beyond,
    )
    await settled(cypher)
    for hops in (0, 1, 2):
        answer = await service.recall(RecallRequest(anna, text=QUERY, hops=hops, explain=True))
        assert set(uids(answer)) == {mine, beyond}
        assert his not in str(answer)


POISON = {
    "a vector of another length": "SET m.embedding_a = [0.1, 0.2]",
    "a zero vector": "SET m.embedding_a = [i IN range(1, 384) | 0.0]",
    "no vector": "REMOVE m.embedding_a",
    "a vector that is no list": "SET m.embedding_a = 'x'",
    "no properties but scope and words": (
        "SET m = {scope: m.scope, scope_key: m.scope_key, text: m.text, context_text: m.text}"
    ),
    "no uid": "REMOVE m.uid",
    "no numbers": "REMOVE m.q_value, m.q_count, m.access_count, m.importance, m.w0, m.w_at",
    "no times": "REMOVE m.occurred_at, m.recorded_at, m.valid_to, m.expires_at",
}


@pytest.mark.parametrize("name", POISON)
async def test_a_poisoned_node_does_not_break_a_recall(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, name: str
) -> None:
    bad = await remember(anna, f"{QUERY} poisoned", tags=("x",))
    good = await remember(anna, QUERY, tags=("x",), links=(Link("SIMILAR_TO", bad),))
    await settled(cypher)
    cypher(f"MATCH (m:Memory {{uid: $uid}}) {POISON[name]}", uid=bad)
    for filters in (Filters(), Filters(tags_any=("x",))):
        answer = await service.recall(RecallRequest(anna, text=QUERY, hops=2, filters=filters))
        assert good in uids(answer)
    alike = await service.recall(RecallRequest(anna, like=good, hops=2))
    assert good in uids(alike)


@pytest.mark.slow
async def test_a_large_neighbour_does_not_starve_a_small_agent(
    service: Service, cypher: Run, anna: Caller, bert: Caller
) -> None:
    crowd = [NewMemory(bert.home, f"{QUERY} number {i}") for i in range(2000)]
    for start in (0, 1000):
        await service.remember(crowd[start : start + 1000])
    own = [NewMemory(HOME, f"{QUERY}, my {i}") for i in range(15)]
    await service.remember(own)
    await settled(cypher)
    for filters in (Filters(), Filters(importance_min=2)):
        answer = await service.recall(RecallRequest(anna, text=QUERY, k=10, filters=filters))
        assert len(answer.results) == 10
        assert {result.memory.scope for result in answer.results} == {HOME}


async def test_components_add_up_to_the_relevance(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    for i in range(12):
        await remember(
            anna,
            f"{QUERY} in part {i}?",
            session_id=f"s{i % 2}",
            speaker=("Ada", "Ben")[i % 2],
            occurred_at=NOON + i * DAY,
        )
    await settled(cypher)
    answer = await service.recall(
        RecallRequest(anna, text="What did Ada paint on 3 March 2025?", k=12, explain=True)
    )
    seen: set[str] = set()
    sure = max(result.relevance for result in answer.results)
    strongest = max(_strength(result) for result in answer.results)
    for result in answer.results:
        assert result.explanation is not None
        parts = result.explanation.components
        names = ("meaning", "words", "interference", "neighbours")
        names += ("session", "named", "speaker", "date", "latest", "asking")
        strength = sum(parts[name] for name in names)
        share = (strength / strongest) ** RankingWeights().turn_falloff
        assert result.relevance == pytest.approx(share * sure, abs=1e-5)
        score = 0.5 * parts["relevance_z"] + 0.5 * parts["utility_z"]
        assert score == pytest.approx(result.score, abs=1e-5)
        seen |= {name for name in names if parts[name] > 0}
    assert seen == {"meaning", "words", "neighbours", "session", "speaker", "date"}


def _strength(result: Recalled) -> float:
    assert result.explanation is not None
    others = {"cosine", "lexical", "evidence", "utility", "q_value", "q_count", "q_variance"}
    others |= {"q_error", "relevance_z", "utility_z"}
    parts = result.explanation.components
    return sum(value for name, value in parts.items() if name not in others)


async def test_near_misses_say_why_they_lost(service: Service, cypher: Run, anna: Caller) -> None:
    await service.remember([NewMemory(HOME, f"{QUERY} {i}") for i in range(30)])
    await settled(cypher)
    request = RecallRequest(anna, text=QUERY, k=3, explain=True)
    answer = await service.recall(request)
    assert len(answer.near_misses) == 5
    assert {miss.reason for miss in answer.near_misses} == {
        f"ranked {place} of the 3 asked for" for place in range(4, 9)
    }
    assert not {miss.uid for miss in answer.near_misses} & set(uids(answer))
    strict = await service.recall(replace(request, min_similarity=0.9999))
    assert all("less similar than 0.9999" in miss.reason for miss in strict.near_misses)
    plain = await service.recall(replace(request, explain=False))
    assert plain.near_misses == ()
    assert plain.results[0].explanation is None


async def test_min_similarity_may_leave_nothing(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await remember(anna, QUERY)
    await settled(cypher)
    tax = RecallRequest(anna, text="quarterly tax forms")
    assert texts(await service.recall(tax)) == [QUERY]
    assert texts(await service.recall(replace(tax, min_similarity=0.8))) == []


async def test_k_memories_come_back_where_there_are_enough(
    service: Service, cypher: Run, anna: Caller
) -> None:
    await service.remember([NewMemory(HOME, f"{QUERY} {i}") for i in range(230)])
    await settled(cypher)
    for k in (1, 5, 20, 200):
        answer = await service.recall(RecallRequest(anna, text=QUERY, k=k))
        assert len(set(uids(answer))) == k


async def test_an_empty_graph_answers_with_nothing(service: Service, anna: Caller) -> None:
    answer = await service.recall(RecallRequest(anna, text=QUERY, task_id="t", explain=True))
    assert (answer.results, answer.candidates, answer.near_misses) == ((), 0, ())


async def test_what_is_like_a_memory_is_found_by_its_uid_or_name(
    service: Service, cypher: Run, anna: Caller, bert: Caller, remember: Remembers
) -> None:
    first = await remember(anna, QUERY, external_id="l")
    await remember(anna, f"{QUERY} too")
    await settled(cypher)
    for name in (first, "external:l"):
        answer = await service.recall(RecallRequest(anna, like=name))
        assert len(answer.results) == 2
        with pytest.raises(NotFoundError):
            await service.recall(RecallRequest(bert, like=name))


async def test_when_it_happened_comes_back_as_it_was_stored(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    times = [
        NOON + timedelta(milliseconds=1),
        datetime(1969, 7, 20, 20, 17, 40, tzinfo=UTC),
        datetime(1815, 12, 10, tzinfo=UTC),
        datetime(2025, 12, 31, 23, 59, 59, 999000, tzinfo=UTC),
    ]
    for i, time in enumerate(times):
        await remember(anna, f"{QUERY} {i}", occurred_at=time)
    await settled(cypher)
    answer = await service.recall(RecallRequest(anna, text=QUERY))
    assert {r.memory.text[-1]: r.occurred_at for r in answer.results} == {
        str(i): time for i, time in enumerate(times)
    }


async def test_a_task_remembers_what_it_was_given(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    given = {await remember(anna, f"{QUERY} {i}") for i in range(3)}
    await settled(cypher)
    request = RecallRequest(anna, text=QUERY, task_id="t", phase="planning")
    answer = await service.recall(request)
    await service.recall(request)
    await service.recall(replace(request, phase="action", k=1))
    rows = cypher(
        "MATCH (t:Task {task_id: 't'})-[r:RETRIEVED]->(m:Memory) RETURN t.scope AS scope, "
        "t.tenant AS tenant, t.expires_at AS ends, r.phase AS phase, r.rank AS rank, "
        "r.score AS score, m.uid AS uid ORDER BY phase DESC, rank"
    )
    assert [(row["phase"], row["rank"]) for row in rows] == [
        ("planning", 1),
        ("planning", 2),
        ("planning", 3),
        ("action", 1),
    ]
    assert {row["uid"] for row in rows} == given
    assert [row["uid"] for row in rows[:3]] == uids(answer)
    assert {(row["scope"], row["tenant"]) for row in rows} == {(HOME, "local")}
    ends = rows[0]["ends"].to_native() - datetime.now(UTC)
    assert timedelta(days=29) < ends < timedelta(days=31)


async def test_access_counts_are_written_when_they_are_flushed(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    await service.accesses.flush()
    uid = await remember(anna, QUERY)
    await settled(cypher)
    await asyncio.gather(*(service.recall(RecallRequest(anna, text=QUERY)) for _ in range(7)))
    await service.accesses.flush()
    memory = await service.get_memory(anna, uid)
    assert memory.access_count == memory.retrieval_count == 7
    assert memory.last_accessed_at is not None
    await service.accesses.flush()
    assert (await service.get_memory(anna, uid)).access_count == 7


async def test_a_named_speaker_and_a_named_date_lift_what_they_name(
    service: Service, cypher: Run, anna: Caller
) -> None:
    rows = [
        NewMemory(
            HOME,
            f"I like {thing}",
            session_id="s",
            speaker=speaker,
            occurred_at=NOON + day * 40 * DAY,
        )
        for day, (speaker, thing) in enumerate(
            [("Ada", "tea"), ("Ben", "juice"), ("Ada", "soup"), ("Ben", "rice")]
        )
    ]
    await service.remember(rows)
    await settled(cypher)

    async def best(text: str) -> str:
        answer = await service.recall(RecallRequest(anna, text=text, utility_weight=0.0))
        return texts(answer)[0]

    assert await best("What does Ben like?") in {"I like juice", "I like rice"}
    assert await best("What do I like in March?") == "I like tea"


async def test_a_turn_is_found_by_the_words_of_the_turn_before(
    service: Service, cypher: Run, anna: Caller, bert: Caller
) -> None:
    pair: Sequence[NewMemory] = [
        NewMemory(HOME, "Which zebrafinch did you buy?", session_id="s"),
        NewMemory(HOME, "The blue one.", session_id="s"),
        NewMemory(HOME, "The weather was fine.", session_id="t"),
    ]
    await service.remember(pair)
    await settled(cypher)
    answer = await service.recall(RecallRequest(anna, text="zebrafinch", utility_weight=0.0))
    assert set(texts(answer)[:2]) == {pair[0].text, pair[1].text}


@pytest.mark.parametrize("hops", [0, 1, 2])
async def test_a_recall_is_the_same_in_scopes_that_hold_most_of_the_graph(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, hops: int
) -> None:
    bob = Caller("local", "bob")
    for place in range(6):
        await remember(anna, f"{QUERY} {place} of anna", session_id="s")
        await remember(bob, f"{QUERY} {place} of bob", session_id="s")
    await settled(cypher)
    for caller, name in ((anna, "anna"), (bob, "bob")):
        asked = RecallRequest(caller, text=QUERY, hops=hops, k=20)
        usual, as_most = await service.recall(asked), await recalled_as_most(service, asked)
        assert len(usual.results) == 6
        assert all(name in text for text in texts(usual))
        assert texts(as_most) == texts(usual)
        for one, other in zip(as_most.results, usual.results, strict=True):
            assert one.relevance == pytest.approx(other.relevance, abs=1e-6)


async def test_scopes_that_hold_most_of_a_large_graph_are_known_once_measured(
    service: Service, anna: Caller, remember: Remembers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(3):
        await remember(anna, f"of anna {place}")
    await remember(Caller("local", "bob"), "of bob")
    shares = ScopeShares(service.database)
    await shares.measure(["local/agent/bob"])
    assert shares.are_measured(["local/agent/anna"]), "a small graph is measured for all at once"
    assert not shares.hold_most(["local/agent/anna"])
    monkeypatch.setattr("graph.store.recall.candidates.LEAST", 4)
    shares = ScopeShares(service.database)
    for name in ("anna", "bob"):
        await shares.measure([f"local/agent/{name}", f"local/agent/{name}"])
    assert shares.hold_most(["local/agent/anna"] * 2)
    assert not shares.hold_most(["local/agent/bob"] * 2)
    assert not shares.are_measured(["local/shared"])


async def test_a_scope_without_memories_is_recalled_after_others_were_deleted(
    service: Service, cypher: Run, anna: Caller, remember: Remembers
) -> None:
    for text in ("of anna", "of another day"):
        await service.remember(
            [
                NewMemory(HOME, f"{QUERY} {place} {text}", external_id=f"{place} {text}")
                for place in range(5)
            ]
        )
        await settled(cypher)
        done = await service.delete_memory(anna, f"external:3 {text}")
        assert done.state == "done"
        for filters in (Filters(), Filters(tags_any=("x",)), Filters(importance_min=4)):
            asked = RecallRequest(Caller("local", "bob"), text=QUERY, filters=filters)
            assert (await service.recall(asked)).results == ()
    assert len((await service.recall(RecallRequest(anna, text=QUERY, k=20))).results) == 8


async def test_what_is_found_while_it_is_being_removed_is_no_result(
    service: Service, cypher: Run, anna: Caller, remember: Remembers, recall: Recalls
) -> None:
    for text in ("the red boat", "the blue boat"):
        await remember(anna, text)
    await settled(cypher)
    cypher("MATCH (m:Memory {text: 'the red boat'}) REMOVE m.uid")
    answer = await service.recall(RecallRequest(anna, text="boat"))
    assert texts(answer) == ["the blue boat"]
