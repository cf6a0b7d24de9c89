"""A graph with data of an agent under every label, and searches for whatever names it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from graph.kernel.scope import Caller, ScopeKind
from graph.model.cycles.checks import Check
from graph.model.cycles.cycle import NewStep
from graph.model.knowledge.executions import LEARN_JOBS
from graph.model.memories.memory import NewMemory
from graph.model.strata.plugins import PluginSettings
from service.bootstrap import Service
from service.use_cases.cycles.complete import CycleReport
from service.use_cases.knowledge.preferences import Place
from service.use_cases.knowledge.query import NewInsight
from service.use_cases.recall.recall import RecallRequest
from service.use_cases.strata.surprise import EventReport, NewPrediction
from tests.conftest import Run
from tests.store.knowing import ran, step

WHO = "zoe-7f3a"  # in no other text or name
SECRET = "quixotic"  # a word that only she uses
CHANNEL = "local/channel/ops"


async def left_by(service: Service, cypher: Run, name: str, secret: str) -> dict[str, str]:
    """Create data of an agent alone and in a channel; return the uids of its memories by kind."""
    caller = Caller("local", name, ("ops",), ("ursula",))
    home = f"local/agent/{name}"
    rows = [
        NewMemory(home, f"The {secret} plan of {name}", agent_id=name, external_id="plan",
                  session_id="s", speaker=name),
        NewMemory(home, f"Lady {secret.capitalize()} Ferrars agreed", agent_id=name, session_id="s"),
        NewMemory(CHANNEL, f"In the channel {secret} was said by {name}", agent_id=name,
                  channel_id="ops", session_id="talk", speaker=name),
        NewMemory(home, "What is 2 + 2?", agent_id=name, kind="episode", external_id="e1",
                  correct=True, structured={"episode_id": "e1", "input": {"problem": "What is 2 + 2?"},
                  "trace": [{"step": 1, "action": "add", "thought": secret}],
                  "output": {"answer": "4", "correct": True}}, content_type="structured"),
    ]  # fmt: skip
    saved = await service.remember(rows)
    names = ("plan", "ferrars", "channel", "episode")
    uids = {key: answer.uid or "" for key, answer in zip(names, saved, strict=True)}
    await service.remember(
        [NewMemory(home, f"The {secret} plan, changed", agent_id=name, external_id="plan",
                   session_id="s")]
    )  # fmt: skip
    await service.recall(RecallRequest(caller, text=f"{secret} plan", task_id=f"task of {name}"))
    await service.report_outcome(caller, f"task of {name}", "success", 1.0)
    cypher("MATCH (w:Reward {scope: $home}) SET w.reason = $reason, w.actor = $actor",
           home=home, reason=f"{secret} helped", actor=f"agent/{name}")  # fmt: skip
    mine = Caller("local", name)
    await service.predict(
        mine, NewPrediction({"status": f"{secret} ok"}, "deploy", prediction_id=f"p-{name}")
    )
    await service.report_surprise(
        mine,
        EventReport({"status": f"{secret} failed"}, "deploy", text=f"{secret} deploy failed"),
    )
    await service.attach_plugin(mine, PluginSettings("decision"))
    await service.observe([(mine, {"action": f"ask for the {secret} plan"})])
    await cycled(service, caller, f"{secret} goal")
    await executed(service, mine, secret)
    await service.change_config(mine, {"learning_rate": 0.2})
    await service.change_config.reset(mine)
    await service.events.flush()
    return uids


async def cycled(service: Service, caller: Caller, goal: str) -> None:
    """Run a failing cycle, with a patch, and complete it."""
    wrong = Check("arithmetic", {"text": "2 * 3 = 7"})
    for name in ("ended", "left"):
        cycle, _ = await service.open_cycle(caller, goal, name)
        await service.enter_phase(caller, cycle.uid, "reasoning", key="phase")
        await service.report_step(caller, cycle.uid, NewStep("step", text=goal, checks=(wrong,)))
        await service.generate_patch(caller, cycle.uid)
        if name == "ended":
            await service.complete_cycle(caller, cycle.uid, CycleReport("failure"))


async def executed(service: Service, caller: Caller, secret: str) -> None:
    """Report executions of an agent alone and in a channel, and its preferences."""
    shared = Caller(caller.tenant, caller.agent_id, ("ops",))
    places: tuple[tuple[Caller, ScopeKind | None], ...] = ((caller, None), (shared, "channel"))
    for place, kind in places:
        report = ran(
            f"{secret} task of {caller.agent_id}",
            step("look up", f"no {secret} thing", topic=f"{secret} plan"),
            step("write", text=secret),
            query=f"find the {secret} plan",
            goal=secret,
        )
        await service.observe_executions(place, [report], kind)
    await service.learn(shared, LEARN_JOBS, "channel")
    await service.learn(caller, LEARN_JOBS, None)
    await service.store_insight(caller, NewInsight(f"{secret} is best", "rule"))
    await service.correct(caller, {"word": "plain"}, {"word": secret}, Place(), None)


def naming(cypher: Run, *words: str) -> list[str]:
    """Return nodes and relationships with some words in any property."""
    found: list[str] = []
    nodes = cypher("MATCH (n) RETURN labels(n) AS what, properties(n) AS properties")
    edges = cypher("MATCH ()-[r]->() RETURN [type(r)] AS what, properties(r) AS properties")
    for row in [*nodes, *edges]:
        said = json.dumps(row["properties"], default=str, ensure_ascii=False).casefold()
        found += [f"{row['what']}: {said}" for word in words if word.casefold() in said]
    return found


def standing(cypher: Run, *words: str) -> list[str]:
    """Return everything that names nobody, without locks and counters."""
    passing = {
        "asked_at",
        "version",
        "changed_at",
        "linked_at",
        "last_seq",
        "waiting",
        "seq",
        "last_sequence",
        "tail_uid",
        "document_frequency",
        "link_count",
        "context_text",
    }
    rows = cypher("MATCH (n) WHERE NOT n:Lease AND NOT n:Schema AND NOT n:Run AND NOT n:EventClock "
                  "RETURN labels(n) AS what, properties(n) AS properties")  # fmt: skip
    told = [
        json.dumps([sorted(row["what"]), {k: v for k, v in row["properties"].items() if k not in passing}],
                   default=str, ensure_ascii=False, sort_keys=True)
        for row in rows
    ]  # fmt: skip
    return sorted(line for line in told if not any(w.casefold() in line.casefold() for w in words))


def labels(cypher: Run) -> dict[str, int]:
    rows = cypher("MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n ORDER BY label")
    return {row["label"]: row["n"] for row in rows}


def condensed(cypher: Run, uid: str, text: str, sources: list[str], *, run: str = "r1") -> None:
    """Write a condensed memory as a consolidation does, in the scope of its first source."""
    cypher(
        "MATCH (first:Memory {uid: $first}) "
        "CREATE (c:Memory:Observation {uid: $uid, tenant: first.tenant, scope: first.scope, kind: 'observation', "
        "text: $text, state: 'active', stratum: 'long_term', keys: [], importance: 3, revision: 1, q_value: 0.5, "
        "recorded_at: $now, occurred_at: $now, agent_id: '', session_id: '', made_by: $run}) "
        "WITH c UNWIND $sources AS source MATCH (m:Memory {uid: source}) "
        "SET m.state = 'archived', m.condensed_by = $run "
        "CREATE (c)-[:PROMOTED_FROM {run_uid: $run}]->(m)",
        uid=uid, first=sources[0], text=text, sources=sources, run=run, now=datetime.now(UTC),
    )  # fmt: skip


def published(cypher: Run, uid: str, original: str, scope: str) -> None:
    """Write a copy in a channel."""
    cypher(
        "MATCH (m:Memory {uid: $original}) "
        "CREATE (c:Memory:Observation {uid: $uid, tenant: m.tenant, scope: $scope, kind: 'observation', text: m.text, "
        "state: 'active', stratum: 'long_term', keys: [], importance: 3, q_value: 0.5, recorded_at: $now, "
        "occurred_at: $now, agent_id: '', session_id: '', published_by: 'x'}) "
        "CREATE (c)-[:PUBLISHED_FROM]->(m)",
        uid=uid, original=original, scope=scope, now=datetime.now(UTC),
    )  # fmt: skip


def state_of(cypher: Run, uid: str) -> Any:
    rows = cypher("MATCH (m:Memory {uid: $uid}) RETURN m.state AS state", uid=uid)
    return rows[0]["state"] if rows else None
