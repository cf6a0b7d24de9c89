"""Counting of executions: what one report adds to what is known of tools, contexts, errors and patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeVar

import numpy as np

from graph.knowledge.repairs import repair_of
from graph.knowledge.shapes import shape_of
from graph.knowledge.templates import error_template, fits, masked
from graph.model.knowledge.executions import (
    MOST_CONTEXTS,
    MOST_EVIDENCE,
    MOST_SOLUTIONS,
    MOST_VALUES,
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
_WORN = 2  # uses before a pattern counts as known
C = TypeVar("C", bound=Counted)


def key_of(*parts: str) -> str:
    """Join names to the key of what is counted for them."""
    return SEPARATOR.join(parts)


def collapsed(tools: Iterable[str]) -> list[str]:
    """Write each run of one tool once.

    >>> collapsed(["find", "find", "book"])
    ['find', 'book']
    """
    # a retry is no other way of working
    kept: list[str] = []
    for tool in tools:
        if not kept or kept[-1] != tool:
            kept.append(tool)
    return kept


def name_words(name: str) -> str:
    """Split the name of a tool into words.

    >>> name_words("createShipment_v2")
    'create shipment v2'
    """
    spaced = "".join(f" {c}" if c.isupper() else c if c.isalnum() else " " for c in name)
    return " ".join(spaced.lower().split())


def keys_of(reports: Iterable[ExecutionReport]) -> Keys:
    """Collect the keys of all that some reports touch."""
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
    found: list[tuple[PatternType, str]] = []
    if template := masked(report.query):
        found.append(("query_pattern", template))
    if report.plan:
        found.append(("plan_pattern", ARROW.join(collapsed(report.plan)[:MOST_STEPS])))
    # one tool is no sequence, and a long run is never met again
    tools = collapsed(report.tools)
    if 1 < len(tools) <= MOST_STEPS:
        found.append(("tool_sequence", ARROW.join(tools)))
    failed = {error_pattern(s.tool, error_template(s.error)) for s in report.steps if not s.ok}
    found.extend(("error_pattern", each) for each in sorted(failed))
    return found


def error_pattern(tool: str, template: str) -> str:
    """Name the pattern of a tool's error."""
    return f"{tool}: {template}"


def apply_all(
    counts: Counts, reports: Sequence[ExecutionReport], new_uid: Callable[[], str]
) -> list[list[str]]:
    """Count reports in their order; return the uids of each one's patterns.

    Patterns that were read and fit no report are taken out of ``counts``: there may be hundreds, and nothing of them
    has to be written.
    """
    ledger = Ledger(counts, new_uid)
    touched = [ledger.apply(report) for report in reports]
    # what was read to find general patterns need not be written back
    for key in counts.patterns.keys() - ledger.touched:
        del counts.patterns[key]
    for sort in (counts.tools, counts.contexts, counts.errors, counts.parameters, counts.patterns):
        settle(list(sort.values()))
    return touched


class Ledger:
    """Counts of some keys of one scope, to which reports are applied."""

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
        touched = [self._count_pattern(report, *each) for each in patterns_of(report)]
        # an error that comes again is no reuse of what was learned
        known = any(each.pattern_type != "error_pattern" and each.uses > _WORN for each in touched)
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
        # By month: executions, successes, reused, steps, failed steps, retries.
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
        tool = _get(self.tools, step.tool, lambda key: ToolCounts(
            key=key, tool=key, words=name_words(key)))  # fmt: skip
        count(tool, step.ok, step.duration_ms, now)
        tool.retries += step.retries
        tool.starts += place == 0
        if place + 1 < len(report.steps):
            after = report.steps[place + 1]
            _add(tool.after, after.tool, after.ok, MOST_VALUES)
        context = _get(self.contexts, key_of(step.tool, step.context), lambda key: ContextCounts(
            key=key, tool=step.tool, context=step.context))  # fmt: skip
        count(context, step.ok, step.duration_ms, now)
        for name, value in step.parameters.items():
            parameter = _get(self.parameters, key_of(step.tool, name), lambda key, name=name: (
                ParameterCounts(key=key, tool=step.tool, parameter=name)))  # fmt: skip
            count(parameter, step.ok, None, now)
            _add(parameter.values, written(value), step.ok, MOST_VALUES)
            _add(parameter.shapes, shape_of(value), step.ok, MOST_VALUES)
        if not step.ok:
            self._count_error(report, place, step)

    def _count_error(self, report: ExecutionReport, place: int, step: Step) -> None:
        template = error_template(step.error)
        error = _get(self.errors, key_of(step.tool, template), lambda key: ErrorCounts(
            key=key, tool=step.tool, error=template))  # fmt: skip
        repair = repair_of(report.steps, place)
        # an error counts as a success where it was repaired
        count(error, repair.worked, None, report.occurred_at)
        tally(error.contexts, step.context, MOST_CONTEXTS)
        for name, value in step.parameters.items():
            tally(error.culprits, f"{name}={written(value)}", MOST_VALUES)
        if repair.solution:
            _add(error.solutions, repair.solution, repair.worked, MOST_SOLUTIONS)
        add_evidence(error.evidence, report, step.error[:200])

    def _count_pattern(self, report: ExecutionReport, sort: PatternType, text: str) -> Pattern:
        now = report.occurred_at
        if sort == "query_pattern":
            # a query that fits a general pattern counts there
            text = self._general_of(text) or text
        pattern = _get(self.patterns, key_of(sort, text), lambda key: Pattern(
            key=key, uid=self.new_uid(), pattern_type=sort, pattern=text,
            words=pattern_words(sort, text, report), length=len(text.split("_")),
            steps=pattern_steps(sort, text)))  # fmt: skip
        self.touched.add(pattern.key)
        count(pattern, report.ok, report.duration_ms, now)
        # a later report may say the goal that the first did not
        pattern.goal = report.goal or pattern.goal
        pattern.steps_total += len(report.steps)
        tally(pattern.contexts, report.context, MOST_CONTEXTS)
        add_evidence(pattern.evidence, report)
        if sort == "query_pattern" and report.ok and report.steps:
            # only right runs say the steps; a wrong one says what not to do
            pattern.steps = collapsed(report.tools)[:MOST_STEPS]
        return pattern

    def _general_of(self, template: str) -> str | None:
        # known as itself: counted where it was before
        if key_of("query_pattern", template) in self.patterns:
            return None
        return next((p.pattern for p in self._general if fits(template, p.pattern)), None)


def pattern_words(sort: PatternType, text: str, report: ExecutionReport) -> str:
    """Return the words by which a pattern is found."""
    named = (
        text.replace("_", " ").replace("*", " ") if sort == "query_pattern" else name_words(text)
    )
    return " ".join(f"{named} {report.goal} {name_words(report.context)}".split())[:2000]


def pattern_steps(sort: PatternType, text: str) -> list[str]:
    """Return the steps that a pattern says; of an error the tool that failed."""
    if sort == "error_pattern":
        return [text.partition(": ")[0]]
    return text.split(ARROW) if sort in {"plan_pattern", "tool_sequence"} else []


def count(counted: Counted, ok: bool, duration: float | None, now: datetime) -> None:
    """Count one use, and its duration where it is known."""
    # durations add up by Welford: no list of them is kept (ADR 59)
    counted.uses += 1
    counted.successes += ok
    counted.first_seen = min(counted.first_seen or now, now)
    counted.last_used = max(counted.last_used or now, now)
    if duration is not None:
        counted.timed += 1
        step = duration - counted.duration_mean
        counted.duration_mean += step / counted.timed
        counted.duration_squares += step * (duration - counted.duration_mean)
        _put(counted.buckets, bucket_of(duration))


def _put(buckets: dict[int, int], bucket: int) -> None:
    """Count one duration in place; only a bucket too many needs the lowest to be joined."""
    if bucket in buckets or len(buckets) < MOST_BUCKETS:
        buckets[bucket] = buckets.get(bucket, 0) + 1
        return
    # joined at the low end: high percentiles matter more
    merged = merged_buckets(buckets, {bucket: 1})
    buckets.clear()
    buckets.update(merged)


def settle(counted: Sequence[Counted]) -> None:
    """Derive rates and bounds from counts."""
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


def variation(record: Counted) -> float:
    """Return the standard deviation of the durations over their mean."""
    if record.timed < 2 or record.duration_mean <= 0:
        return 0.0
    return float((record.duration_squares / (record.timed - 1)) ** 0.5 / record.duration_mean)


def merge(into: Counted, other: Counted) -> None:
    """Add what another counted of the same thing."""
    moments = [(each.timed, each.duration_mean, each.duration_squares) for each in (into, other)]
    columns = np.array(moments, dtype=np.float64).T
    # means and squares add up by Chan et al., so that scopes can be read as one
    timed, into.duration_mean, into.duration_squares = merged_moments(*columns)
    into.timed = round(timed)
    into.uses += other.uses
    into.successes += other.successes
    into.buckets = merged_buckets(into.buckets, other.buckets)
    into.first_seen = min(filter(None, (into.first_seen, other.first_seen)), default=None)
    into.last_used = max(filter(None, (into.last_used, other.last_used)), default=None)


def add_evidence(evidence: list[Evidence], report: ExecutionReport, description: str = "") -> None:
    """Note a report as evidence; the latest are kept."""
    outcome = "success" if report.ok else "failure"
    at = report.occurred_at.isoformat()
    evidence.append(Evidence(report.task_id, report.plan_id, outcome, at, description))
    del evidence[:-MOST_EVIDENCE]


def tally(counts: dict[str, int], name: str, most: int) -> None:
    """Count a name; beyond ``most`` names the rarest other goes."""
    counts[name] = counts.get(name, 0) + 1
    if len(counts) > most:
        # never the name just counted, or no new one could ever come in
        del counts[min((other for other in counts if other != name), key=lambda n: counts[n])]


def _add(shares: dict[str, Share], name: str, ok: bool, most: int) -> None:
    won, lost = shares.get(name, (0, 0))
    shares[name] = (won + ok, lost + (not ok))
    if len(shares) > most:
        rarest = min((other for other in shares if other != name), key=lambda n: sum(shares[n]))
        del shares[rarest]


def _get(known: dict[str, C], key: str, make: Callable[[str], C]) -> C:
    if key not in known:
        known[key] = make(key)
    return known[key]


def _count_insight(insight: Insight, report: ExecutionReport) -> None:
    insight.usage_count += 1
    insight.last_used = max(insight.last_used or report.occurred_at, report.occurred_at)
    insight.confirmed += report.ok
    insight.contradicted += not report.ok
