r"""Evidence of LoCoMo within a budget of tokens, and everyday questions, before and after a consolidation.

Evidence counts as recalled within a budget if one of the results that fit into it is the turn or was condensed from it,
and still contains the stems of those words of the answer that the turn has. A token is a word or a character of
punctuation (``\\w+`` or one other character).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.everyday.__main__ import ask, measures, wait_linked
from benchmarks.everyday.__main__ import load as load_everyday
from benchmarks.locomo import load
from benchmarks.runner import Running, opened_service, progress, run_loop, running_service, say
from benchmarks.strata_consolidation import QUIET, consolidated
from graph.condensing.facts import content_words
from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory
from service.use_cases.recall.request import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import httpx

    from benchmarks.everyday.__main__ import Fact
    from benchmarks.locomo import Asked, Turn
    from service.bootstrap import Service

_BATCH = 500
_BUDGET = 1_000
_K = 50
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BY_RECALLS = {"access_count", "retrieval_count", "last_accessed_at", "w0", "w_at"}
_PICTURE = """
MATCH (m:Memory)
OPTIONAL MATCH (m)-[e]->(n:Memory)
WITH m, [type(e), n.uid, properties(e)] AS edge ORDER BY edge[0], edge[1]
RETURN properties(m) AS memory, collect(edge) AS edges ORDER BY memory.uid
"""


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
    async with opened_service(running, **QUIET) as service:
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
    """Consolidate every conversation; return the sources of condensed memories."""
    found: dict[str, frozenset[str]] = {}
    for place, conversation in enumerate(turns, start=1):
        await consolidated(service, _agent(conversation))
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
    """Return the mean share of a question's evidence recalled within the budget."""
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
    """Return whether a text still has the words of the answer in a turn, with its numbers."""
    wanted = content_words(turn.text.removeprefix(f"{turn.speaker}: ")) & answer
    return wanted <= content_words(text)


def _differences(before: Sequence[Any], after: Sequence[Any]) -> list[str]:
    """Return differences after an undo; recalls in between change access counts and decay anchors."""
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


def measure_everyday(folder: Path) -> dict[str, float]:
    """Ask everyday questions of episodic notes, and again when all are ``long_term``."""
    facts, questions = load_everyday(folder)
    settings = {f"STRATAGRAPH_{name.upper()}": str(value).lower() for name, value in QUIET.items()}
    settings["STRATAGRAPH_WORKER"] = "true"
    settings["STRATAGRAPH_CONSOLIDATION"] = "false"
    found: dict[str, float] = {}
    with running_service(settings) as running:
        client = running.client
        _note(client, facts)
        for name in ("before", "after"):
            told = measures(ask(client, questions, {}))
            found |= {
                f"everyday_top1_{name}": told["all_top1"],
                f"everyday_top3_{name}": told["all_top3"],
            }
            if name == "before":
                for agent in facts:
                    _consolidate(client, agent)
                wait_linked(client, facts)
    return found


def _note(client: httpx.Client, facts: Mapping[str, Sequence[Fact]]) -> None:
    for agent, told in facts.items():
        rows = [
            {
                "external_id": f"fact-{place}",
                "text": fact.text,
                "stratum": "episodic",
                "occurred_at": fact.day.isoformat(),
            }
            for place, fact in enumerate(told)
        ]
        answer = client.post("/v1/memories", json={"agent_id": agent, "memories": rows})
        answer.raise_for_status()
    wait_linked(client, facts)


def _consolidate(client: httpx.Client, agent: str) -> None:
    asked = {"agent_id": agent, "everything": True, "dry_run": False, "strata": ["episodic"]}
    client.post("/v1/consolidations", json=asked).raise_for_status()
