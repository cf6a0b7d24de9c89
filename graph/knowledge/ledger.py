"""Counts of executions, by tool, context, error, parameter and pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import numpy as np

from graph.knowledge.repairs import repair_of
from graph.knowledge.shapes import best_value, shape_of
from graph.knowledge.templates import error_template, fits, masked
from graph.model.knowledge.executions import (
    MOST_CONTEXTS,
    MOST_EVIDENCE,
    MOST_SOLUTIONS,
    MOST_VALUES,
    MOST_WAYS,
    ContextCounts,
    Counted,
    Counts,
    ErrorCounts,
    Evidence,
    ExecutionReport,
    Insight,
    Keys,
    ParameterCounts,
    Pattern,
    PatternType,
    Share,
    Step,
    ToolCounts,
    written,
)
from graph.scoring.confidence import reliability, wilson_lower
from graph.scoring.running import MOST_BUCKETS, bucket_of, merged_buckets, merged_moments

SEPARATOR = "\x1f"
ARROW = " → "
MOST_STEPS = 12  # of a sequence that is a pattern as a whole
_KNOWN_USES = 2  # uses before a pattern counts as known
C = TypeVar("C", bound=Counted)


def key_of(*parts: str) -> str:
    """Join names to a key."""
    return SEPARATOR.join(parts)


def collapsed(tools: Iterable[str]) -> list[str]:
    """Merge consecutive repeats of a tool.

    >>> collapsed(["find", "find", "book"])
    ['find', 'book']
    """
    kept: list[str] = []
    for tool in tools:
        if not kept or kept[-1] != tool:
            kept.append(tool)
    return kept


def way_of(report: ExecutionReport) -> list[str]:
    """Return the tools by which a task was done, repeats merged, without failed calls that others made up for."""
    last = max((i for i, step in enumerate(report.steps) if step.ok), default=-1)
    # where a failed task ended in failed calls, they are what did not work
    return collapsed(
        step.tool
        for place, step in enumerate(report.steps)
        if step.ok or (place > last and not report.ok)
    )


def name_words(name: str) -> str:
    """Split the name of a tool into lower-case words.

    >>> name_words("createShipment_v2")
    'create shipment v2'
    """
    spaced = "".join(f" {c}" if c.isupper() else c if c.isalnum() else " " for c in name)
    return " ".join(spaced.lower().split())


def keys_of(reports: Iterable[ExecutionReport]) -> Keys:
    """Collect the keys of all records that reports change."""
    keys = Keys()
    for report in reports:
        keys.patterns.update(key_of(*each) for each in patterns_of(report))
        keys.used.update(report.used)
        if report.query:
            words = tuple(masked(report.query).split("_"))
            keys.templates.add(words)
            keys.lengths.add(len(words))
        for step in report.steps:
            keys.tools.add(step.tool)
            keys.contexts.add(key_of(step.tool, step.context))
            keys.parameters.update(key_of(step.tool, name) for name in step.parameters)
            if not step.ok:
                keys.errors.add(key_of(step.tool, error_template(step.error)))
    return keys


def patterns_of(report: ExecutionReport) -> list[tuple[PatternType, str]]:
    """Return the patterns of one report, each with its type."""
    patterns: list[tuple[PatternType, str]] = []
    if template := masked(report.query):
        patterns.append(("query_pattern", template))
    if report.plan:
        patterns.append(("plan_pattern", ARROW.join(collapsed(report.plan)[:MOST_STEPS])))
    # one tool is no sequence, and a long run hardly recurs
    tools = way_of(report)
    if 1 < len(tools) <= MOST_STEPS:
        patterns.append(("tool_sequence", ARROW.join(tools)))
    failed = {error_pattern(s.tool, error_template(s.error)) for s in report.steps if not s.ok}
    patterns.extend(("error_pattern", each) for each in sorted(failed))
    return patterns


def error_pattern(tool: str, template: str) -> str:
    """Name the pattern of a tool's error."""
    return f"{tool}: {template}"


def apply_all(
    counts: Counts, reports: Sequence[ExecutionReport], new_uid: Callable[[], str]
) -> list[list[str]]:
    """Count reports in order; return the uids of the patterns of each.

    General patterns that match no report are removed from ``counts``, as they need not be written.
    """
    ledger = Ledger(counts, new_uid)
    touched = [ledger.apply(report) for report in reports]
    for key in counts.patterns.keys() - ledger.touched:
        del counts.patterns[key]
    for sort in (counts.tools, counts.contexts, counts.errors, counts.parameters, counts.patterns):
        derive_rates(list(sort.values()))
    return touched


class Ledger:
    """Adds reports to the counts of one scope."""

    def __init__(self, counts: Counts, new_uid: Callable[[], str]) -> None:
        self.state = counts.state
        self.new_uid = new_uid
        self.tools = counts.tools
        self.contexts = counts.contexts
        self.errors = counts.errors
        self.parameters = counts.parameters
        self.patterns = counts.patterns
        self._insights = {each.uid: each for each in counts.insights.values()}
        self.touched: set[str] = set()
        self._by_uid = {each.uid: each for each in counts.patterns.values()}
        self._general = [each for each in counts.patterns.values() if each.general]

    def apply(self, report: ExecutionReport) -> list[str]:
        """Count one report; return the uids of its patterns."""
        for place, step in enumerate(report.steps):
            self._count_step(report, place, step)
        self._count_task(report)
        touched = [self._count_pattern(report, *each) for each in patterns_of(report)]
        # a recurring error is no reuse
        known = any(
            each.pattern_type != "error_pattern" and each.uses > _KNOWN_USES for each in touched
        )
        for uid in report.used:
            if pattern := self._by_uid.get(uid):
                pattern.reused += 1
                self.touched.add(pattern.key)
            elif insight := self._insights.get(uid):
                _count_insight(insight, report)
        self._count_execution(report, reused=known or bool(report.used))
        return [each.uid for each in touched]

    def _count_execution(self, report: ExecutionReport, *, reused: bool) -> None:
        state = self.state
        failed = sum(not step.ok for step in report.steps)
        state.executions += 1
        state.reused += reused
        state.steps += len(report.steps)
        state.failed_steps += failed
        # columns: executions, successes, reused, steps, failed steps, retries
        month = state.months.setdefault(f"{report.occurred_at:%Y-%m}", [0] * 6)
        added = (
            1,
            report.ok,
            reused,
            len(report.steps),
            failed,
            sum(s.retries for s in report.steps),
        )
        state.months[f"{report.occurred_at:%Y-%m}"] = [
            a + int(b) for a, b in zip(month, added, strict=True)
        ]
        # two years of months at most: the node is read at each report
        for old in sorted(state.months)[:-24]:
            del state.months[old]

    def _count_step(self, report: ExecutionReport, place: int, step: Step) -> None:
        now = report.occurred_at
        tool = _get_or_make(self.tools, step.tool, lambda key: ToolCounts(
            key=key, tool=key, words=name_words(key)))  # fmt: skip
        count(tool, step.ok, step.duration_ms, now)
        tool.retries += step.retries
        tool.starts += place == 0
        if place + 1 < len(report.steps):
            after = report.steps[place + 1]
            _add_share(tool.after, after.tool, after.ok, MOST_VALUES)
        context = _get_or_make(self.contexts, key_of(step.tool, step.context), lambda key: ContextCounts(
            key=key, tool=step.tool, context=step.context))  # fmt: skip
        count(context, step.ok, step.duration_ms, now)
        for name, value in step.parameters.items():
            parameter = _get_or_make(self.parameters, key_of(step.tool, name), lambda key, name=name: (
                ParameterCounts(key=key, tool=step.tool, parameter=name)))  # fmt: skip
            count(parameter, step.ok, None, now)
            _add_share(parameter.values, written(value), step.ok, MOST_VALUES)
            _add_share(parameter.shapes, shape_of(value), step.ok, MOST_VALUES)
        if not step.ok:
            self._count_error(report, place, step)

    def _count_task(self, report: ExecutionReport) -> None:
        """Count the outcome of a task once for each of its tools, and for each context of a tool."""
        keys = {key_of(step.tool, step.context) for step in report.steps}
        counted = [self.tools[tool] for tool in set(report.tools)]
        for each in [*counted, *(self.contexts[key] for key in keys)]:
            each.tasks += 1
            each.solved += report.ok

    def _count_error(self, report: ExecutionReport, place: int, step: Step) -> None:
        template = error_template(step.error)
        error = _get_or_make(self.errors, key_of(step.tool, template), lambda key: ErrorCounts(
            key=key, tool=step.tool, error=template))  # fmt: skip
        repair = repair_of(report.steps, place)
        # an error counts as a success where it was repaired
        count(error, repair.worked, None, report.occurred_at)
        tally(error.contexts, step.context, MOST_CONTEXTS)
        for name, value in step.parameters.items():
            tally(error.culprits, f"{name}={written(value)}", MOST_VALUES)
        if repair.solution:
            _add_share(error.solutions, repair.solution, repair.worked, MOST_SOLUTIONS)
        add_evidence(error.evidence, report, step.error[:200])

    def _count_pattern(self, report: ExecutionReport, sort: PatternType, text: str) -> Pattern:
        now = report.occurred_at
        if sort == "query_pattern":
            # a query that matches a general pattern is counted there
            text = self._general_of(text) or text
        pattern = _get_or_make(self.patterns, key_of(sort, text), lambda key: Pattern(
            key=key, uid=self.new_uid(), pattern_type=sort, pattern=text,
            words=pattern_words(sort, text, report), length=len(text.split("_")),
            steps=pattern_steps(sort, text)))  # fmt: skip
        self.touched.add(pattern.key)
        count(pattern, report.ok, report.duration_ms, now)
        # a later report may have the goal that the first lacked
        pattern.goal = report.goal or pattern.goal
        pattern.steps_total += len(report.steps)
        tally(pattern.contexts, report.context, MOST_CONTEXTS)
        add_evidence(pattern.evidence, report)
        if sort == "query_pattern" and (tools := way_of(report)):
            _add_share(pattern.ways, ARROW.join(tools[:MOST_STEPS]), report.ok, MOST_WAYS)
        return pattern

    def _general_of(self, template: str) -> str | None:
        # a template with a record of its own stays there
        if key_of("query_pattern", template) in self.patterns:
            return None
        return next((p.pattern for p in self._general if fits(template, p.pattern)), None)


def pattern_words(sort: PatternType, text: str, report: ExecutionReport) -> str:
    """Return the text by which a pattern is searched."""
    named = (
        text.replace("_", " ").replace("*", " ") if sort == "query_pattern" else name_words(text)
    )
    return " ".join(f"{named} {report.goal} {name_words(report.context)}".split())[:2000]


def pattern_steps(sort: PatternType, text: str) -> list[str]:
    """Return the steps of a pattern; of an error the tool that failed."""
    if sort == "error_pattern":
        return [text.partition(": ")[0]]
    return text.split(ARROW) if sort in {"plan_pattern", "tool_sequence"} else []


def count(counted: Counted, ok: bool, duration: float | None, now: datetime) -> None:
    """Count one use, and its duration if known."""
    # mean and variance by Welford's method: no list of durations is kept (ADR 59)
    counted.uses += 1
    counted.successes += ok
    counted.first_seen = min(counted.first_seen or now, now)
    counted.last_used = max(counted.last_used or now, now)
    if duration is not None:
        counted.timed += 1
        step = duration - counted.duration_mean
        counted.duration_mean += step / counted.timed
        counted.duration_squares += step * (duration - counted.duration_mean)
        _count_duration(counted.buckets, bucket_of(duration))


def _count_duration(buckets: dict[int, int], bucket: int) -> None:
    """Count one duration in its bucket; with too many buckets the lowest are merged."""
    if bucket in buckets or len(buckets) < MOST_BUCKETS:
        buckets[bucket] = buckets.get(bucket, 0) + 1
        return
    # merged at the low end: high percentiles matter more
    merged = merged_buckets(buckets, {bucket: 1})
    buckets.clear()
    buckets.update(merged)


def derive_rates(counted: Sequence[Counted]) -> None:
    """Update success rates, lower bounds and reliability from the counts."""
    if not counted:
        return
    won = np.array([float(each.successes) for each in counted])
    tried = np.array([float(each.uses) for each in counted])
    bounds = wilson_lower(won, tried)
    varied = np.array([variation(each) for each in counted])
    steady = reliability(won, tried, varied)
    for each, bound, consistency in zip(counted, bounds, steady, strict=True):
        each.success_rate = each.successes / each.uses if each.uses else 0.0
        each.confidence = float(bound)
        if isinstance(each, Pattern):
            each.reliability = float(consistency)
            if each.ways:
                each.steps = best_way(each.ways)


def best_way(ways: Mapping[str, Share]) -> list[str]:
    """Return the tools of the sequence that succeeds most surely; none if none succeeded.

    >>> best_way({"read → open": (9, 0), "guess": (1, 0), "flush": (0, 9)})
    ['read', 'open']
    """
    best = best_value(ways, least=1)
    return best.split(ARROW) if best else []


def variation(record: Counted) -> float:
    """Return the coefficient of variation of the durations."""
    if record.timed < 2 or record.duration_mean <= 0:
        return 0.0
    return float((record.duration_squares / (record.timed - 1)) ** 0.5 / record.duration_mean)


def merge(into: Counted, other: Counted) -> None:
    """Add the counts of another record of the same key."""
    moments = [(each.timed, each.duration_mean, each.duration_squares) for each in (into, other)]
    columns = np.array(moments, dtype=np.float64).T
    # moments are merged by Chan et al.
    timed, into.duration_mean, into.duration_squares = merged_moments(*columns)
    into.timed = round(timed)
    into.uses += other.uses
    into.successes += other.successes
    into.buckets = merged_buckets(into.buckets, other.buckets)
    into.first_seen = min(filter(None, (into.first_seen, other.first_seen)), default=None)
    into.last_used = max(filter(None, (into.last_used, other.last_used)), default=None)


def add_evidence(evidence: list[Evidence], report: ExecutionReport, description: str = "") -> None:
    """Add a report as evidence, and keep the latest."""
    outcome = "success" if report.ok else "failure"
    at = report.occurred_at.isoformat()
    evidence.append(Evidence(report.task_id, report.plan_id, outcome, at, description))
    del evidence[:-MOST_EVIDENCE]


def tally(counts: dict[str, int], name: str, most: int) -> None:
    """Count a name; beyond ``most`` names the rarest other one is dropped."""
    counts[name] = counts.get(name, 0) + 1
    if len(counts) > most:
        # never the name just counted, or no new one could enter
        del counts[min((other for other in counts if other != name), key=lambda n: counts[n])]


def _add_share(shares: dict[str, Share], name: str, ok: bool, most: int) -> None:
    won, lost = shares.get(name, (0, 0))
    shares[name] = (won + ok, lost + (not ok))
    if len(shares) > most:
        rarest = min((other for other in shares if other != name), key=lambda n: sum(shares[n]))
        del shares[rarest]


def _get_or_make(known: dict[str, C], key: str, make: Callable[[str], C]) -> C:
    if key not in known:
        known[key] = make(key)
    return known[key]


def _count_insight(insight: Insight, report: ExecutionReport) -> None:
    insight.usage_count += 1
    insight.last_used = max(insight.last_used or report.occurred_at, report.occurred_at)
    insight.confirmed += report.ok
    insight.contradicted += not report.ok
