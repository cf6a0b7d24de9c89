"""Learning from executions: the hourly, six-hourly and daily jobs, by the worker or by hand.

A job reads, then writes in one transaction under the scope's lock. It is idempotent: an interrupted one is repeated.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from graph.kernel.scope import Caller, ScopeKind, tenant_of
from graph.knowledge.foresight import learn, to_text
from graph.knowledge.insights import from_errors, from_patterns, held_by_origin, judge, refresh
from graph.knowledge.ledger import (
    ARROW,
    add_evidence,
    count,
    derive_rates,
    key_of,
    merge,
    name_words,
    tally,
    way_of,
)
from graph.knowledge.lessons import Habit, habits_of
from graph.knowledge.sequences import frequent_sequences
from graph.knowledge.sharing import add_part, merge_shared
from graph.knowledge.templates import generalised
from graph.knowledge.tool_memory import tool_memories
from graph.model.knowledge.executions import (
    LEARN_JOBS,
    MOST_CONTEXTS,
    MOST_EVIDENCE,
    Changes,
    Correction,
    Counts,
    ExecutionReport,
    Insight,
    LearnJob,
    Pattern,
    Preference,
    PreferenceChange,
)
from graph.model.memories.links import Lease
from graph.scoring.confidence import wilson_bound
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.knowledge.preferences import Place, habit_change

PERIODS: dict[LearnJob, timedelta] = {
    "patterns": timedelta(hours=1),
    "tools": timedelta(hours=6),
    "insights": timedelta(days=1),
}
_RUNS = 2_000  # executions that a job reads
_TRAINED_RUNS = 1_000
_MOST_TOOLS = 500
_MOST_ERRORS = 500
_WINDOW = timedelta(days=90)


@dataclass(slots=True)
class LearnReport:
    """Counts of what one job did."""

    job: str
    looked: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    notes: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Learn(RecordingUseCase):
    """Run the jobs that learn from the executions of one scope."""

    store: KnowledgeStore

    @watched("learn")
    async def __call__(
        self, caller: Caller, jobs: Sequence[LearnJob], scope_kind: ScopeKind | None
    ) -> tuple[str, list[LearnReport]]:
        """Run jobs in order; return the scope and their reports."""
        scope = caller.writable(scope_kind)
        # in this order, as insights depend on patterns
        return scope, [await self.run(job, scope, None) for job in LEARN_JOBS if job in jobs]

    async def run(self, job: LearnJob, scope: str, lease: Lease | None) -> LearnReport:
        """Run one job."""
        now = self.clock.now()
        works = {"patterns": self._patterns, "tools": self._tools, "insights": self._insights}
        report = LearnReport(job)
        await works[job](scope, lease, now, report)
        self.telemetry.count("learn_runs", job=job)
        return report

    def _uid(self, now: datetime) -> Callable[[], str]:
        return lambda: self.identifiers.new_uid(now)

    async def _patterns(
        self, scope: str, lease: Lease | None, now: datetime, report: LearnReport
    ) -> None:
        runs = await self.store.executions([scope], now - _WINDOW, _RUNS)
        # in a thread, as it reads thousands of runs
        mined = await asyncio.to_thread(frequent_sequences, list(map(way_of, runs)))

        def decide(counts: Counts) -> Changes:
            report.looked, report.notes = len(runs), []
            changed, dropped = _merge_general(counts, self._uid(now), report)
            added = _count_sequences(counts, runs, mined, self._uid(now))
            kept = {**changed, **{each.key: each for each in added}}
            for pattern in _validate(
                # changed ones, and those with new uses
                [*kept.values(), *(p for p in counts.patterns.values() if p.key not in kept and p.key not in dropped)],
                now,
            ):  # fmt: skip
                kept[pattern.key] = pattern
            known = counts.patterns.keys()
            report.added = sum(key not in known for key in kept)
            report.changed, report.removed = len(kept) - report.added, len(dropped)
            if added:
                report.notes.append(
                    f"{len(added)} sequences of tools come together more than by chance"
                )
            return Changes(
                patterns=list(kept.values()),
                dropped_patterns=dropped,
                state=_state_after(counts, "patterns", report, now),
            )

        await self.store.change(scope, lease, decide)

    async def _tools(
        self, scope: str, lease: Lease | None, now: datetime, report: LearnReport
    ) -> None:
        names = [tool.tool for tool in await self.store.list_tools([scope], _MOST_TOOLS)]
        facts = await self.store.tool_facts([scope], names)
        memories = tool_memories(facts)
        runs = await self.store.executions([scope], now - _WINDOW, _TRAINED_RUNS)
        model = await asyncio.to_thread(learn, [run.steps for run in runs])
        tools = {
            name: {
                "last_analyzed": now,
                "recommendations": [r.message for r in memory.recommendations],
                "optimal_contexts": [c.context for c in memory.optimal_contexts],
                "p50_duration": memory.percentile(0.5),
                "p95_duration": memory.percentile(0.95),
            }
            for name, memory in memories.items()
        }
        parameters = {
            key_of(name, each.parameter): {
                "importance": each.importance,
                "optimal_value": each.optimal_value,
                "value_pattern": each.value_pattern,
            }
            for name, memory in memories.items()
            for each in memory.parameters
        }

        def decide(counts: Counts) -> Changes:
            report.looked, report.changed = len(runs), len(tools)
            report.notes = [
                f"{model.rows} calls taught which tool comes next, and which call fails"
            ]
            state = _state_after(counts, "tools", report, now)
            # with too few calls the old model stays
            if model.next_tool is not None:
                state |= {"model": to_text(model), "model_version": self.identifiers.new_uid(now)}
            return Changes(tools=tools, parameters=parameters, state=state)

        await self.store.change(scope, lease, decide)

    async def _insights(
        self, scope: str, lease: Lease | None, now: datetime, report: LearnReport
    ) -> None:
        errors = await self.store.errors(scope, _MOST_ERRORS)

        def decide(counts: Counts) -> Changes:
            made = from_patterns(list(counts.patterns.values()), now, self._uid(now))
            made += from_errors(errors, now, self._uid(now))
            insights, sources = _updated_insights(counts, made)
            held = counts.state.held
            dropped = judge(insights, held, now)
            report.looked = len(counts.patterns) + len(errors)
            report.added = sum(each.key not in counts.insights for each in insights)
            report.changed, report.removed = len(insights) - report.added, len(dropped)
            report.notes = [
                f"{sum(each.validated for each in insights)} insights held on later tasks"
            ]
            state = _state_after(counts, "insights", report, now)
            state["held"] = _held_counts(held, held_by_origin(insights, dropped), dropped, insights)
            kept = [each for each in insights if each.key not in dropped]
            return Changes(insights=kept, dropped_insights=dropped, sources=sources, state=state)

        await self.store.change(scope, lease, decide)
        # in separate transactions, as they are in scopes of users
        await self._habits(scope, lease, now, report)

    async def _habits(
        self, scope: str, lease: Lease | None, now: datetime, report: LearnReport
    ) -> None:
        """Store values that a user's runs nearly always give as defaults of that user."""
        by_user: dict[str, list[ExecutionReport]] = defaultdict(list)
        for run in await self.store.executions([scope], now - _WINDOW, _RUNS):
            # only successful runs
            if run.user_id and run.ok:
                by_user[run.user_id].append(run)
        tenant = tenant_of(scope)
        for user, runs in sorted(by_user.items()):
            habits = habits_of(runs)
            if habits:
                written = await self._write_habits(
                    f"{tenant}/user/{user}", user, habits, now, lease
                )
                report.added += written
        if by_user:
            report.notes.append(f"habits of {len(by_user)} users looked at")

    async def _write_habits(
        self, scope: str, user: str, habits: Sequence[Habit], now: datetime, lease: Lease | None
    ) -> int:
        def decide(
            known: Sequence[Preference], _: Sequence[Correction]
        ) -> tuple[Sequence[PreferenceChange], Sequence[Correction]]:
            found = [
                habit_change(
                    known, habit, Place(habit.context, user_id=user), self._uid(now)(), now
                )
                for habit in habits
            ]
            return [change for change in found if change is not None], []

        changes, _ = await self.store.prefer(scope, now, decide, lease)
        return len(changes)


def _merge_general(
    counts: Counts, new_uid: Callable[[], str], report: LearnReport
) -> tuple[dict[str, Pattern], list[str]]:
    """Merge query patterns into general ones that match them."""
    queries = [p for p in counts.patterns.values() if p.pattern_type == "query_pattern"]
    joined = generalised({each.pattern: each.uses for each in queries})
    changed: dict[str, Pattern] = {}
    dropped: list[str] = []
    for each in queries:
        name = joined.get(each.pattern)
        if name is None:
            continue
        key = key_of("query_pattern", name)
        # several queries may have the same general pattern
        into = changed.get(key) or counts.patterns.get(key) or Pattern(
            key=key, uid=new_uid(), pattern_type="query_pattern", pattern=name,
            length=len(name.split("_")),
        )  # fmt: skip
        into.general = True
        changed[key] = into
        if into is not each:
            _add_pattern(into, each)
            dropped.append(each.key)
    derive_rates(list(changed.values()))
    if dropped:
        report.notes.append(f"{len(dropped)} queries became {len(changed)} general patterns")
    return changed, dropped


def _add_pattern(into: Pattern, other: Pattern) -> None:
    merge(into, other)
    into.goal = into.goal or other.goal
    into.steps = other.steps if other.steps and not into.steps else into.steps
    into.words = into.words or other.words
    into.reused += other.reused
    names = ("steps_total", "contexts", "ways")
    add_part(into, {name: getattr(other, name) for name in names})
    # by time: the latest of both are kept
    into.evidence = sorted([*into.evidence, *other.evidence], key=lambda e: e.at)[-MOST_EVIDENCE:]
    merge_shared(into, other)


def _count_sequences(
    counts: Counts,
    runs: Sequence[ExecutionReport],
    mined: dict[tuple[str, ...], int],
    new_uid: Callable[[], str],
) -> list[Pattern]:
    """Count mined sequences anew; complete runs are counted when they are reported."""
    patterns: list[Pattern] = []
    for tools in mined:
        key = key_of("tool_sequence", ARROW.join(tools))
        known = counts.patterns.get(key)
        # counted when reported
        if known is not None and not known.mined:
            continue
        pattern = Pattern(
            key=key, uid=known.uid if known else new_uid(), pattern_type="tool_sequence",
            pattern=ARROW.join(tools), steps=list(tools), mined=True,
            words=name_words(" ".join(tools)), reused=known.reused if known else 0,
        )  # fmt: skip
        # oldest first, so that the latest evidence is kept
        for run in reversed(runs):
            if _contains_sequence(way_of(run), tools):
                count(pattern, run.ok, run.duration_ms, run.occurred_at)
                pattern.steps_total += len(run.steps)
                tally(pattern.contexts, run.context, MOST_CONTEXTS)
                add_evidence(pattern.evidence, run)
        # parts of other sources are not in these runs
        for source, part in (known.shared if known else {}).items():
            add_part(pattern, part)
            pattern.shared[source] = part
        patterns.append(pattern)
    derive_rates(patterns)
    return patterns


def _contains_sequence(run: Sequence[str], tools: tuple[str, ...]) -> bool:
    return any(tuple(run[i : i + len(tools)]) == tools for i in range(len(run) - len(tools) + 1))


def _validate(patterns: Iterable[Pattern], now: datetime) -> list[Pattern]:
    """Return patterns with new uses; those not significantly worse than before are validated."""
    found: list[Pattern] = []
    for each in patterns:
        fresh = each.uses - each.validated_uses
        if fresh <= 0:
            continue
        failures = fresh - (each.successes - each.validated_successes)
        # upper bound: a few failures may be chance
        upper = 1.0 - wilson_bound(min(max(failures, 0), fresh), fresh)
        before = each.validated_successes / each.validated_uses if each.validated_uses else 0.0
        if upper >= before:
            each.validated_at = now
        each.validated_uses, each.validated_successes = each.uses, each.successes
        found.append(each)
    return found


def _updated_insights(
    counts: Counts, made: Sequence[tuple[Insight, str]]
) -> tuple[list[Insight], list[tuple[str, str]]]:
    """Return all insights, updated from their sources, and the sources of new ones."""
    insights = dict(counts.insights)
    sources: list[tuple[str, str]] = []
    fresh = {each.key: each for each, _ in made}
    for insight, source in made:
        known = insights.get(insight.key)
        if known is None:
            insights[insight.key] = insight
            sources.append((insight.key, source))
        else:
            refresh(known, insight)
    _refresh_unqualified(counts, insights, fresh)
    return list(insights.values()), sources


def _refresh_unqualified(
    counts: Counts, insights: dict[str, Insight], fresh: dict[str, Insight]
) -> None:
    """Update insights whose pattern no longer qualifies by the pattern's new uses."""
    by_rule = {f"{p.pattern_type}:{p.pattern}": p for p in counts.patterns.values()}
    for insight in insights.values():
        pattern = by_rule.get(insight.rule)
        if insight.origin != "pattern" or insight.key in fresh or pattern is None:
            continue
        uses = max(0, pattern.uses - insight.seen_uses)
        won = min(uses, max(0, pattern.successes - insight.seen_successes))
        insight.confirmed += won
        insight.contradicted += uses - won
        # so that the same uses count once
        insight.seen_uses, insight.seen_successes = pattern.uses, pattern.successes


def _held_counts(
    before: dict[str, tuple[int, int]],
    now: dict[str, tuple[int, int]],
    dropped: Sequence[str],
    insights: Sequence[Insight],
) -> dict[str, tuple[int, int]]:
    """Return counts by origin: insights that hold now, and all insights dropped so far."""
    dropped_by_origin: dict[str, int] = defaultdict(int)
    for each in insights:
        if each.key in dropped:
            dropped_by_origin[f"{each.origin}:{each.insight_type}"] += 1
    return {
        name: (now.get(name, (0, 0))[0], before.get(name, (0, 0))[1] + dropped_by_origin[name])
        for name in sorted({*before, *now})
    }


def _state_after(
    counts: Counts, job: LearnJob, report: LearnReport, now: datetime
) -> dict[str, Any]:
    """Return the state of a job after a run: its time and report."""
    report_fields = {**asdict(report), "at": now.isoformat()}
    return {f"{job}_at": now, "reports": {**counts.state.reports, job: report_fields}}


@dataclass(frozen=True, slots=True)
class LearnRegularly:
    """Run one job in changed scopes, the longest waiting first, one per step."""

    learn: Learn
    job: LearnJob
    pause: timedelta

    @property
    def name(self) -> str:
        """See ``Job.name``."""
        return f"learn_{self.job}"

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        scope = await self.learn.store.due(self.job, now - PERIODS[self.job])
        if scope is None:
            return 0
        await self.learn.run(self.job, scope, lease)
        return 1


@dataclass(frozen=True, slots=True)
class ExpireKnowledge:
    """Remove unused executions, counts and patterns, and preferences of ended sessions."""

    name = "expire_knowledge"

    store: KnowledgeStore
    keep: timedelta
    batch: int
    pause: timedelta

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        return await self.store.expire(now, now - self.keep, self.batch, lease)
