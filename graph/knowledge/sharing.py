"""Sharing of learned counts between services, without the texts behind them.

Each record keeps the parts of other sources in ``shared``, by source. So own counts can be separated, the same file again
changes nothing, and a newer file replaces the older one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, cast

import numpy as np

from graph.knowledge.ledger import ARROW, best_way, derive_rates, key_of, name_words
from graph.knowledge.noising import values_by_tool, without_values
from graph.knowledge.templates import WILDCARD, fits
from graph.model.knowledge.executions import (
    MOST_CONTEXTS,
    MOST_SOLUTIONS,
    MOST_VALUES,
    MOST_WAYS,
    ContextCounts,
    Counted,
    Counts,
    ErrorCounts,
    ParameterCounts,
    Part,
    Pattern,
    Share,
    ToolCounts,
)
from graph.scoring.running import merged_buckets, merged_moments

SORTS = ("tools", "contexts", "errors", "parameters", "patterns")
_SUMS = ("uses", "successes", "retries", "starts", "steps_total")
_TABLES = ("contexts", "culprits", "after", "values", "shapes", "solutions", "ways")
_LIMITS = {"contexts": MOST_CONTEXTS, "solutions": MOST_SOLUTIONS, "ways": MOST_WAYS}


@dataclass(frozen=True, slots=True)
class NoiseParameters:
    """Parameters of the noise on the counts of a file."""

    epsilon: float
    sensitivity: int

    @property
    def scale(self) -> float:
        """Scale of the Laplace distribution, ``sensitivity / epsilon``."""
        return self.sensitivity / self.epsilon


@dataclass(frozen=True, slots=True)
class SharedKnowledge:
    """Counts of one scope to share: nothing of fewer than ``least`` calls or tasks."""

    source: str
    made_at: datetime
    least: int
    tools: Sequence[ToolCounts] = ()
    contexts: Sequence[ContextCounts] = ()
    errors: Sequence[ErrorCounts] = ()
    parameters: Sequence[ParameterCounts] = ()
    patterns: Sequence[Pattern] = ()
    noise: NoiseParameters | None = None

    @property
    def entries(self) -> int:
        """Number of records."""
        return sum(len(getattr(self, name)) for name in SORTS)


@dataclass(slots=True)
class MergeResult:
    """Result of merging a file: numbers of records, and the keys of changed ones by sort."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    touched: dict[str, list[str]] = field(
        default_factory=lambda: defaultdict[str, "list[str]"](list)
    )


def part_of(record: Counted) -> Part:
    """Return the counts of a record, without key, texts and times."""
    part: dict[str, Any] = {
        name: getattr(record, name) for name in _SUMS if getattr(record, name, 0)
    }
    for name in _TABLES:
        if table := getattr(record, name, None):
            part[name] = {each: _plain(counts) for each, counts in table.items()}
    if record.timed:
        part["moments"] = [record.timed, record.duration_mean, record.duration_squares]
        part["buckets"] = {str(bucket): number for bucket, number in record.buckets.items()}
    return part


def add_part(record: Counted, part: Part, sign: int = 1) -> None:
    """Add a part to the counts of a record, or subtract it with ``sign`` -1; counts stay at 0 or above."""
    for name in _SUMS:
        if name in part:
            setattr(record, name, max(0, getattr(record, name) + sign * part[name]))
    record.successes = min(record.successes, record.uses)
    for name in _TABLES:
        if name in part:
            _add_table(getattr(record, name), part[name], sign, _LIMITS.get(name, MOST_VALUES))
    if "moments" in part:
        _add_durations(record, part, sign)


def own_counts(record: Any) -> Any:
    """Return a copy of a record without the parts of other sources."""
    # parts of others are not passed on: they would be counted twice elsewhere
    alone = deepcopy(record)
    for part in alone.shared.values():
        add_part(alone, part, -1)
    alone.shared = {}
    return alone


def merge_shared(into: Counted, other: Counted) -> None:
    """Add the parts of other sources of a record to the one that it is merged into."""
    for source, part in other.shared.items():
        into.shared[source] = _sum_of([into.shared.get(source, {}), part])


def shareable(
    counts: Counts, *, least: int, named: Collection[str], private: Callable[[str], bool]
) -> dict[str, list[Any]]:
    """Return the own counts of a scope that may be shared, by sort.

    ``named`` are parameters, as `tool.parameter`, whose values may be disclosed; ``private`` returns whether a text
    identifies a person.
    """
    # own counts only: a file that returns to its source adds nothing
    alone = {
        name: [
            each for each in map(own_counts, getattr(counts, name).values()) if each.uses >= least
        ]
        for name in SORTS
    }
    _mask(alone, counts, named)
    tools = {each.tool for each in alone["tools"] if not private(each.tool)}
    disclosure = _Disclosure(least, tools, named, private)
    kept: dict[str, list[Any]] = {name: [] for name in SORTS}
    for name in SORTS:
        for each in alone[name]:
            if disclosure.admits(each):
                disclosure.prune(each)
                kept[name].append(each)
        kept[name].sort(key=lambda each: each.key)
    return kept


def merge_file(
    counts: Counts, file: SharedKnowledge, new_uid: Callable[[], str], now: datetime
) -> MergeResult:
    """Replace the earlier parts of a source by those of a file, in counts with all records that it may change."""
    merged = MergeResult()
    for name in SORTS:
        records: dict[str, Any] = getattr(counts, name)
        brought = _parts_by_key(getattr(file, name), records)
        for key, (incoming, part) in sorted(brought.items()):
            record = records.get(key)
            if record is None:
                record = records[key] = _new_record(incoming, key, new_uid)
                merged.added += 1
            # the same file again changes nothing, not even the time
            elif _equal_parts(record.shared.get(file.source, {}), part):
                merged.unchanged += 1
                continue
            else:
                merged.changed += 1
            _replace(record, file.source, part)
            _extend(record, incoming)
            merged.touched[name].append(key)
        _take_back(records, brought, file.source, merged, name)
        derive_rates([records[key] for key in merged.touched[name]])
    counts.state.sources[file.source] = now.isoformat()
    # an empty file withdraws its source
    if not file.entries:
        del counts.state.sources[file.source]
    return merged


def _take_back(
    records: dict[str, Any], brought: Collection[str], source: str, merged: MergeResult, name: str
) -> None:
    """Remove the parts of a source that its new file no longer has."""
    for key, record in sorted(records.items()):
        if key not in brought and source in record.shared:
            _replace(record, source, {})
            merged.removed += 1
            merged.touched[name].append(key)


def _parts_by_key(incoming: Iterable[Any], known: Mapping[str, Any]) -> dict[str, tuple[Any, Part]]:
    """Return the first record and the sum of the parts for each key."""
    parts: dict[str, list[Part]] = defaultdict(list)
    first: dict[str, Any] = {}
    alike: dict[tuple[str, str, int], list[Any]] = defaultdict(list)
    # the most used first: of several general forms the most likely
    for each in sorted(known.values(), key=lambda each: (-each.uses, each.key)):
        alike[_comparison_key(each)].append(each)
    for each in incoming:
        key = (
            each.key
            if each.key in known
            else _general_key(each, alike.get(_comparison_key(each), ())) or each.key
        )
        parts[key].append(part_of(each))
        first.setdefault(key, each)
    return {key: (first[key], _sum_of(found)) for key, found in parts.items()}


def _comparison_key(record: Any) -> tuple[str, str, int]:
    """Return what a record shares with its general form: sort, tool or type, and number of words."""
    if isinstance(record, ErrorCounts):
        return "error", record.tool, len(record.error.split(" "))
    if isinstance(record, Pattern):
        mark = "_" if record.pattern_type == "query_pattern" else " "
        return "pattern", record.pattern_type, len(record.pattern.split(mark))
    return "", "", 0


def _general_key(incoming: Any, known: Sequence[Any]) -> str | None:
    """Return the key of the general form of an incoming query or error; None without one."""
    if isinstance(incoming, ErrorCounts):
        near = (each for each in known if _is_case(each.error, incoming.error))
    elif not isinstance(incoming, Pattern):
        return None
    elif incoming.pattern_type == "query_pattern":
        near = (each for each in known if each.general and fits(incoming.pattern, each.pattern))
    elif incoming.pattern_type == "error_pattern":
        near = (each for each in known if _is_case(each.pattern, incoming.pattern))
    else:
        return None
    return next((each.key for each in near), None)


def _is_case(error: str, general: str) -> bool:
    return fits("_".join(error.split(" ")), "_".join(general.split(" ")))


def _sum_of(parts: Sequence[Part]) -> Part:
    if len(parts) == 1:
        return parts[0]
    total = _AnyCounts(key="")
    for part in parts:
        add_part(total, part)
    return part_of(total)


@dataclass(slots=True, kw_only=True)
class _AnyCounts(Counted):
    """A record with the counts of all sorts."""

    retries: int = 0
    starts: int = 0
    steps_total: int = 0
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    culprits: dict[str, int] = field(default_factory=dict[str, int])
    after: dict[str, Share] = field(default_factory=dict[str, "Share"])
    values: dict[str, Share] = field(default_factory=dict[str, "Share"])
    shapes: dict[str, Share] = field(default_factory=dict[str, "Share"])
    solutions: dict[str, Share] = field(default_factory=dict[str, "Share"])
    ways: dict[str, Share] = field(default_factory=dict[str, "Share"])


def _new_record(incoming: Any, key: str, new_uid: Callable[[], str]) -> Any:
    """Return a record without counts, with the texts of an incoming one."""
    named = {each.name for each in fields(Counted)} | {*_SUMS, *_TABLES} - {"key"}
    kept = {
        each.name: getattr(incoming, each.name)
        for each in fields(incoming)
        if each.name not in named
    }
    record = type(incoming)(key=key, **deepcopy(kept))
    if isinstance(record, ToolCounts):
        record.words = name_words(record.tool)
    if isinstance(record, Pattern):
        record.uid = new_uid()
        record.length = len(record.pattern.split("_"))
        query = record.pattern_type == "query_pattern"
        record.words = (
            " ".join(record.pattern.replace("_", " ").replace(WILDCARD, " ").split())
            if query
            else name_words(record.pattern)
        )
    return record


def _replace(record: Any, source: str, part: Part) -> None:
    # subtracted first: a newer file of a source replaces the older one
    if before := record.shared.pop(source, None):
        add_part(record, before, -1)
    if part:
        add_part(record, part)
        record.shared[source] = part


def _extend(record: Counted, incoming: Counted) -> None:
    """Extend the times of a record by those of an incoming one, and take its steps if there are none."""
    record.first_seen = min(filter(None, (record.first_seen, incoming.first_seen)), default=None)
    record.last_used = max(filter(None, (record.last_used, incoming.last_used)), default=None)
    if isinstance(record, Pattern) and isinstance(incoming, Pattern) and not record.steps:
        record.steps = list(incoming.steps)


def _mask(alone: Mapping[str, Sequence[Any]], counts: Counts, named: Collection[str]) -> None:
    """Replace values in errors and queries by wildcards, which changes their keys."""
    values = values_by_tool(counts.parameters.values(), counts.errors.values(), named)
    # a query does not name the tool of its values
    everywhere = {value for found in values.values() for value in found}
    for error in alone["errors"]:
        error.error = without_values(error.error, values.get(error.tool, ()))
        error.key = key_of(error.tool, error.error)
    for pattern in alone["patterns"]:
        if pattern.pattern_type == "query_pattern":
            pattern.pattern = without_values(pattern.pattern, everywhere, "_")
        elif pattern.pattern_type == "error_pattern":
            tool, _, error = pattern.pattern.partition(": ")
            pattern.pattern = f"{tool}: {without_values(error, values.get(tool, ()))}"
        pattern.key = key_of(pattern.pattern_type, pattern.pattern)


@dataclass(frozen=True, slots=True)
class _Disclosure:
    """Limits of a shared file: entries of at least ``least`` uses, of these tools, and nothing ``private``.

    Values are disclosed of the ``named`` parameters alone, as `tool.parameter`.
    """

    least: int
    tools: Collection[str]
    named: Collection[str]
    private: Callable[[str], bool]

    def admits(self, record: Any) -> bool:
        """Return whether a record may be shared."""
        return self._fits(record) and not self.private(_texts_of(record))

    def _fits(self, record: Any) -> bool:
        if not isinstance(record, Pattern):
            return record.tool in self.tools  # a rare tool would identify who calls it
        if record.mined:
            return False  # each service mines its own
        # a query without a wildcard may be one person's own words
        return record.pattern_type != "query_pattern" or WILDCARD in record.pattern

    def prune(self, record: Any) -> None:
        """Remove rare and private entries of a record, and references to what is not shared."""
        for name in _TABLES:
            if table := cast("dict[str, Any] | None", getattr(record, name, None)):
                setattr(record, name, {n: c for n, c in table.items() if self._keeps(n, c)})
        if isinstance(record, ToolCounts):
            # tools that are not shared may not appear as successors either
            record.after = {n: c for n, c in record.after.items() if n in self.tools}
        if isinstance(record, ParameterCounts) and not self._names(record.tool, record.parameter):
            record.values = {}
        if isinstance(record, ErrorCounts):
            record.culprits = {
                n: c for n, c in record.culprits.items() if self._blames(record.tool, n)
            }
            record.evidence = []
        if isinstance(record, Pattern):
            record.evidence, record.goal, record.words, record.uid = [], "", "", ""
            record.reused, record.validated_at = 0, None
            record.ways = {w: c for w, c in record.ways.items() if self._shares(w.split(ARROW))}
            if record.pattern_type == "query_pattern":
                record.steps = best_way(record.ways)
            elif record.pattern_type != "plan_pattern" and not self._shares(record.steps):
                record.steps = []
        record.first_seen, record.last_used = _day(record.first_seen), _day(record.last_used)

    def _keeps(self, entry: str, counts: int | Share) -> bool:
        return _total(counts) >= self.least and not self.private(entry)

    def _shares(self, steps: Sequence[str]) -> bool:
        return all(step in self.tools for step in steps)

    def _names(self, tool: str, parameter: str) -> bool:
        return f"{tool}.{parameter}" in self.named

    def _blames(self, tool: str, culprit: str) -> bool:
        """Return whether a culprit, as `parameter=value`, may be disclosed; of a nested one never."""
        parameter = culprit.partition("=")[0]
        return "." not in parameter and self._names(tool, parameter)


def _texts_of(record: Any) -> str:
    names = ("tool", "context", "error", "parameter", "pattern")
    return " ".join(getattr(record, name, "") for name in names)


# the day only: an exact time would identify one task
def _day(at: datetime | None) -> datetime | None:
    return at and at.replace(hour=0, minute=0, second=0, microsecond=0)


def _total(counts: int | Share) -> int:
    return counts if isinstance(counts, int) else sum(counts)


def _plain(counts: int | Share) -> int | list[int]:
    return counts if isinstance(counts, int) else [*counts]


def _add_table(table: dict[str, Any], part: Mapping[str, Any], sign: int, most: int) -> None:
    for name, counts in part.items():
        if isinstance(counts, int):
            table[name] = max(0, table.get(name, 0) + sign * counts)
        else:
            before = table.get(name, (0, 0))
            table[name] = tuple(max(0, a + sign * b) for a, b in zip(before, counts, strict=True))
        if not _total(table[name]):
            del table[name]
    for name in sorted(table, key=lambda n: (-_total(table[n]), n))[most:]:
        del table[name]


def _add_durations(record: Counted, part: Part, sign: int) -> None:
    timed, mean, squares = part["moments"]
    buckets = {int(bucket): number for bucket, number in part["buckets"].items()}
    if sign > 0:
        rows = [(record.timed, record.duration_mean, record.duration_squares), part["moments"]]
        columns = np.array(rows, dtype=np.float64).T
        total, record.duration_mean, record.duration_squares = merged_moments(*columns)
        record.timed = round(total)
        record.buckets = merged_buckets(record.buckets, buckets)
        return
    remaining = record.timed - timed
    record.buckets = {
        # merged buckets cannot be separated: counts stay above 0
        b: n - buckets.get(b, 0)
        for b, n in record.buckets.items()
        if n > buckets.get(b, 0)
    }
    if remaining <= 0:
        record.timed, record.duration_mean, record.duration_squares, record.buckets = (
            0,
            0.0,
            0.0,
            {},
        )
        return
    # Chan's formula backwards
    mean_left = (record.timed * record.duration_mean - timed * mean) / remaining
    between = remaining * timed / record.timed * (mean_left - mean) ** 2
    record.duration_squares = max(0.0, record.duration_squares - squares - between)
    record.timed, record.duration_mean = remaining, max(0.0, mean_left)


def _equal_parts(one: Part, other: Part) -> bool:
    """Return whether two parts are equal, up to rounding errors of their means."""
    if {**one, "moments": 0} != {**other, "moments": 0}:
        return False
    return bool(np.allclose(one.get("moments", ()), other.get("moments", ()), rtol=1e-9))
