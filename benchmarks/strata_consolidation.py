r"""Consolidation on a real server: how long it takes, what recalls beside it notice, what of LoCoMo is still found.

A piece of evidence counts as recalled within a budget of tokens if, among the results that fit into it in their order, one
is the turn or was made of it (its sources say so), and still holds the turn's names and numbers and, as stems, those words of
the answer that the turn has. A token is a word or a mark (``\w+`` or one other character).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.locomo import load
from benchmarks.runner import Running, opened_service, progress, run_loop, running_service, say
from benchmarks.stores import Words
from graph.condensing.facts import content_words, names, numbers
from graph.condensing.sentences import sentences
from graph.model.memories import NewMemory
from graph.scope import Caller
from service.use_cases.recall_request import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from benchmarks.locomo import Asked, Turn
    from service.bootstrap import Service

_SEED = 17
_BATCH = 500
_WORDS = (8, 60)
_BUDGET = 1_000
_K = 50
_TOKEN = re.compile(r"\w+|[^\w\s]")
_QUIET = {
    "worker": False,
    "working_capacity": 0,
    "short_term_capacity": 0,
    "episodic_capacity": 0,
}
_BY_RECALLS = {"access_count", "retrieval_count", "last_accessed_at", "w0", "w_at"}
_PICTURE = """
MATCH (m:Memory)
OPTIONAL MATCH (m)-[e]->(n:Memory)
WITH m, [type(e), n.uid, properties(e)] AS edge ORDER BY edge[0], edge[1]
RETURN properties(m) AS memory, collect(edge) AS edges ORDER BY memory.uid
"""


async def measure_consolidation(
    running: Running, few: int, agents: int, rounds: int, warm: int
) -> dict[str, float]:
    """Time one agent's memories, median after ``warm`` agents, and those of many with recalls beside."""
    async with opened_service(running, **_QUIET) as service:
        seconds = [
            await _of_a_new_agent(service, f"one-{place}", few) for place in range(warm + rounds)
        ]
        alone = float(np.median(seconds[warm:]))
        told = ", ".join(f"{each:.2f}" for each in seconds)
        say(f"  {few:,} memories of one agent: {alone:.2f} s (from the first: {told})")
        await _fill(service, "asked", few)
        for agent in range(agents):
            await _fill(service, f"many-{agent}", few)
            progress("filled", agent + 1, agents)
        before = await _recalled(service, 300)
        took, beside = await _beside(service, agents)
    p95 = {"before": _p95(before), "beside": _p95(beside)}
    say(
        f"  {agents * few:,} of {agents} agents: {took:.1f} s; recall p95 {p95['before']:.1f} ms before, "
        f"{p95['beside']:.1f} ms beside ({len(beside)} recalls)"
    )
    return {
        "consolidate_1k_s": alone,
        "consolidate_100k_s": took,
        "recall_before_p95_ms": p95["before"],
        "recall_beside_p95_ms": p95["beside"],
        "recall_beside_ratio": p95["beside"] / p95["before"],
    }


async def _of_a_new_agent(service: Service, agent: str, memories: int) -> float:
    await _fill(service, agent, memories)
    return await _consolidated(service, agent)


_WORDY = Words.make(np.random.default_rng(_SEED))


async def _fill(service: Service, agent: str, memories: int) -> None:
    rng, words = np.random.default_rng(_SEED), _WORDY
    for start in range(0, memories, _BATCH):
        rows = [
            NewMemory(
                f"local/agent/{agent}",
                words.text(rng, *_WORDS),
                agent_id=agent,
                stratum="episodic",
                session_id=f"session {place // 20}",
            )
            for place in range(start, min(start + _BATCH, memories))
        ]
        await service.remember(rows)


async def _consolidated(service: Service, agent: str) -> float:
    """Consolidate all of an agent's memories, and return the seconds."""
    caller, at_work = Caller("local", agent), service.consolidate
    started = time.perf_counter()
    done = await at_work(caller, everything=True, dry_run=False, limit=0)
    run = done.run
    while run is not None and run.state == "running":
        await at_work.consolidation.step(run, datetime.now(UTC), None)
        [run] = await service.list_consolidations(caller, 1)
    if run is None or not run.counts.get("condensed"):
        raise SystemExit(f"nothing was condensed: {done}")
    return time.perf_counter() - started


async def _recalled(service: Service, times: int) -> list[float]:
    return [await _recall(service, place) for place in range(times)]


async def _recall(service: Service, place: int) -> float:
    text = _WORDY.text(np.random.default_rng(_SEED + place), 4, 9)
    started = time.perf_counter()
    await service.recall(RecallRequest(Caller("local", "asked"), text, k=10))
    return time.perf_counter() - started


async def _beside(service: Service, agents: int) -> tuple[float, list[float]]:
    """Recall all the time while one agent after the other is consolidated."""
    ended = asyncio.Event()
    seconds: list[float] = []

    async def ask() -> None:
        place = 0
        while not ended.is_set():
            seconds.append(await _recall(service, place := place + 1))
            await asyncio.sleep(0.02)

    asking = asyncio.create_task(ask())
    started = time.perf_counter()
    for agent in range(agents):
        await _consolidated(service, f"many-{agent}")
        progress("consolidated", agent + 1, agents)
    took = time.perf_counter() - started
    ended.set()
    await asking
    return took, seconds


def _p95(seconds: Sequence[float]) -> float:
    return float(np.percentile(seconds, 95)) * 1000


@dataclass(frozen=True, slots=True)
class Question:
    """A question of LoCoMo with its answer's words."""

    asked: Asked
    answer: frozenset[str]


def measure_budget(data: Path, conversations: int) -> dict[str, float]:
    """Recall evidence of LoCoMo within a budget, before and after all of it became ``long_term``."""
    turns, questions = load(data)
    chosen = sorted(turns)[:conversations]
    answers = _answers(data, chosen)
    asked = [
        Question(each, content_words(answers.get((each.conversation, each.text), "")))
        for each in questions
        if each.conversation in chosen
    ]
    with running_service({"STRATAGRAPH_WORKER": "false"}) as running:
        return run_loop(_budget(running, {name: turns[name] for name in chosen}, asked))


def _answers(data: Path, chosen: Sequence[str]) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for name in chosen:
        raw = json.loads((data / f"{name}.json").read_text(encoding="utf-8"))
        found |= {(name, qa["question"]): str(qa.get("answer", "")) for qa in raw["qa"]}
    return found


async def _budget(
    running: Running, turns: Mapping[str, Sequence[Turn]], questions: Sequence[Question]
) -> dict[str, float]:
    async with opened_service(running, **_QUIET) as service:
        named = await _remember(service, turns)
        texts = {uid: turn for uid, (_, turn) in named.items()}
        uids = {(agent, turn.name): uid for uid, (agent, turn) in named.items()}
        before = await _evidence(service, questions, uids, texts, {})
        active = await _active(service)
        picture = await _picture(service)
        sources = await _condense(service, turns)
        after = await _evidence(service, questions, uids, texts, sources)
        left = await _active(service)
        await _undo(service, turns)
        differ = _differences(picture, await _picture(service))
    say(
        f"  evidence in {_BUDGET} tokens: {before:.3f} before, {after:.3f} after ({after / before:.3f})"
    )
    say(f"  active memories {active:,} -> {left:,}; the undo left otherwise: {differ or 'nothing'}")
    if differ:
        raise SystemExit(f"the undo did not restore {', '.join(differ)}")
    return {
        "budget_recall_before": before,
        "budget_recall_after": after,
        "active_ratio": left / active,
    }


def _agent(conversation: str) -> str:
    return f"locomo-{conversation}"


async def _remember(
    service: Service, turns: Mapping[str, Sequence[Turn]]
) -> dict[str, tuple[str, Turn]]:
    """Remember all turns as ``episodic``; return them and their agents by uid."""
    found: dict[str, tuple[str, Turn]] = {}
    for place, (conversation, rows) in enumerate(turns.items(), start=1):
        agent = _agent(conversation)
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            saved = await service.remember(
                [
                    NewMemory(
                        f"local/agent/{agent}",
                        turn.text,
                        agent_id=agent,
                        external_id=turn.name,
                        session_id=turn.session,
                        speaker=turn.speaker,
                        stratum="episodic",
                        occurred_at=turn.time,
                    )
                    for turn in batch
                ]
            )
            found |= {
                each.uid or "": (agent, turn) for each, turn in zip(saved, batch, strict=True)
            }
        progress("remembered", place, len(turns))
    return found


async def _condense(
    service: Service, turns: Mapping[str, Sequence[Turn]]
) -> dict[str, frozenset[str]]:
    """Consolidate every conversation; return the sources of what was made."""
    found: dict[str, frozenset[str]] = {}
    for place, conversation in enumerate(turns, start=1):
        await _consolidated(service, _agent(conversation))
        caller = Caller("local", _agent(conversation))
        [run] = await service.list_consolidations(caller, 1)
        _, clusters = await service.list_consolidations.one(caller, run.uid, 1_000_000)
        found |= {
            each.condensed_uid: frozenset(each.sources)
            for each in clusters
            if each.state == "condensed"
        }
        progress("condensed", place, len(turns))
    return found


async def _undo(service: Service, turns: Mapping[str, Sequence[Turn]]) -> None:
    for conversation in turns:
        caller = Caller("local", _agent(conversation))
        [run] = await service.list_consolidations(caller, 1)
        await service.undo_consolidation(caller, run.uid)


async def _evidence(
    service: Service,
    questions: Sequence[Question],
    uids: Mapping[tuple[str, str], str],
    texts: Mapping[str, Turn],
    sources: Mapping[str, frozenset[str]],
) -> float:
    """Return the mean share of a question's evidence that is recalled within the budget."""
    shares: list[float] = []
    for place, question in enumerate(questions, start=1):
        agent = _agent(question.asked.conversation)
        answer = await service.recall(
            RecallRequest(Caller("local", agent), question.asked.text, k=_K)
        )
        room, found = _BUDGET, set[str]()
        for result in answer.results:
            room -= len(_TOKEN.findall(result.memory.text))
            if room < 0:
                break
            for uid in sources.get(result.memory.uid, frozenset({result.memory.uid})):
                if uid in texts and _holds(result.memory.text, texts[uid], question.answer):
                    found.add(uid)
        wanted = {uids[agent, name] for name in question.asked.evidence}
        shares.append(len(found & wanted) / len(wanted))
        progress("asked", place, len(questions))
    return float(np.mean(shares))


def _holds(text: str, turn: Turn, answer: frozenset[str]) -> bool:
    """Say whether a text still has what a turn tells: names, numbers, and its part of the answer."""
    told = turn.text.removeprefix(f"{turn.speaker}: ")
    kept = all(name in text for row in sentences(told) for name in names(row))
    wanted = content_words(told) & answer
    return kept and numbers(told) <= numbers(text) and wanted <= content_words(text)


def _differences(before: Sequence[Any], after: Sequence[Any]) -> list[str]:
    """Name what an undo left otherwise than it was; recalls in between count accesses and anchor weights."""
    found = set[str]() if len(before) == len(after) else {"memories"}
    for one, two in zip(before, after, strict=False):
        had, has = one["memory"], two["memory"]
        found |= {name for name in had.keys() | has.keys() if had.get(name) != has.get(name)}
        found |= {"edges"} if one["edges"] != two["edges"] else set()
    return sorted(found - _BY_RECALLS)


async def _active(service: Service) -> int:
    rows = await _read(service, "MATCH (m:Memory {state: 'active'}) RETURN count(m) AS n")
    return int(rows[0]["n"])


async def _picture(service: Service) -> Any:
    return await _read(service, _PICTURE)


async def _read(service: Service, query: str) -> list[dict[str, Any]]:
    driver: Any = service.database.driver
    async with driver.session() as session:
        return await (await session.run(query)).data()
