"""Preferences derived from corrections and behaviour: parameter defaults, tools and wording."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from graph.model.knowledge.executions import ExecutionReport, PreferenceKind, written
from graph.questions.content import written_words
from graph.scoring.confidence import wilson_bound

TOOL_KEYS = ("tool", "tool_name", "action")
_LEAST_RUNS = 5
_LEAST_SHARE = 0.6  # lower bound
_MOST_WORDS = 6
WORDING = "wording of "
_IDENTIFIER = re.compile(r"\w+_\w+|[a-z]+[A-Z]\w*")


class Lesson(NamedTuple):
    """A preference derived from a correction, and the value that it replaces."""

    kind: PreferenceKind
    name: str
    value: Any
    instead_of: Any = None

    @property
    def text(self) -> str:
        """The lesson in words."""
        never = "" if self.instead_of is None else f", never {written(self.instead_of)}"
        if self.name.startswith(WORDING):
            return f"wording: {written(self.value)}{never}"
        if self.kind == "tool":
            return f"use {self.name}" + (
                f", not {written(self.instead_of)}" if self.instead_of else ""
            )
        return f"{self.name}: {written(self.value)}{never}"


def lessons_of(original: Any, corrected: Any) -> list[Lesson]:
    """Return the preferences that follow from a correction.

    >>> [lesson.text for lesson in lessons_of({"units": "imperial", "n": 1}, {"units": "metric", "n": 1})]
    ['units: metric, never imperial']
    >>> [lesson.text for lesson in lessons_of("Sent on 5/12, in feet.", "Sent on 5/12, in metres.")]
    ['wording: metres, never feet']
    >>> lessons_of("The water is off from 8 to 12.", "Your tap water is off from 08:00 to 12:00.")
    []
    >>> [lesson.text for lesson in lessons_of({"tool": "rm"}, {"tool": "trash"})]
    ['use trash, not rm']
    >>> call = {"tool": "close", "parameters": {"mode": "fast"}}
    >>> [lesson.text for lesson in lessons_of(call, {**call, "parameters": {"mode": "slow"}})]
    ['close.mode: slow, never fast']
    """
    if isinstance(original, Mapping) and isinstance(corrected, Mapping):
        return list(_of_objects(cast("Any", original), cast("Any", corrected)))
    if isinstance(original, str) and isinstance(corrected, str):
        return _of_texts(original, corrected)
    if original == corrected:
        return []
    return [Lesson("parameter", "value", corrected, original)]


def _of_objects(
    original: Mapping[str, Any], corrected: Mapping[str, Any], tool: str = "", path: str = ""
) -> Iterable[Lesson]:
    named = next((key for key in TOOL_KEYS if isinstance(corrected.get(key), str)), "")
    if named and not tool:
        tool, before = corrected[named], original.get(named)
        path = f"{tool}."
        if tool != before:
            yield Lesson("tool", tool, 1.0, before)
            # the parameters of another tool are no correction of these
            if before is not None:
                return
        corrected = {name: value for name, value in corrected.items() if name != named}
    for name, after in corrected.items():
        before = original.get(name)
        if before == after and name in original:
            continue
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            # preferences are looked up as `units`, not as `parameters.units`
            inner = path if name == "parameters" else f"{path}{name}."
            yield from _of_objects(cast("Any", before), cast("Any", after), tool, inner)
        # of a corrected list it is unclear which element is meant
        elif not isinstance(after, Mapping | list | tuple):
            yield Lesson("parameter", f"{path}{name}", after, before)


def _of_texts(original: str, corrected: str) -> list[Lesson]:
    if _IDENTIFIER.fullmatch(original) and _IDENTIFIER.fullmatch(corrected):
        return [Lesson("tool", corrected, 1.0, original)]
    before, after = (" ".join(text.split()).split(" ") for text in (original, corrected))
    lessons: list[Lesson] = []
    matched = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for sort, a, b, c, d in matched.get_opcodes():
        # a longer passage was rewritten, not worded differently
        if sort == "replace" and b - a <= _MOST_WORDS and d - c <= _MOST_WORDS:
            old, new = (" ".join(words).strip(".,;:!?") for words in (before[a:b], after[c:d]))
            if old != new and _is_wording(old) and _is_wording(new):
                lessons.append(Lesson("parameter", f"{WORDING}{old}", new, old))
    return lessons


def _is_wording(passage: str) -> bool:
    """Return whether a passage may be wanted elsewhere too: numbers are of one text, and *the* is in every one."""
    return bool(written_words(passage)) and not any(c.isdigit() for c in passage)


class Agreement(NamedTuple):
    """Value that ``confirmed`` of ``judged`` observations of one parameter share."""

    value: Any
    confirmed: int
    judged: int

    @property
    def confidence(self) -> float:
        """Lower bound of the share of confirming observations."""
        return wilson_bound(self.confirmed, self.judged)


def agreed(values: Sequence[Any]) -> Agreement:
    """Return the most frequent value, the latest of ties.

    >>> agreed(["metric", "metric", "imperial"])
    Agreement(value='metric', confirmed=2, judged=3)
    """
    # as text, since lists and objects are not hashable
    counts = Counter(map(written, values))
    best = max(enumerate(values), key=lambda item: (counts[written(item[1])], item[0]))[1]
    return Agreement(best, counts[written(best)], len(values))


class Habit(NamedTuple):
    """Value that a user nearly always gives to a parameter of a tool."""

    name: str
    context: str
    agreement: Agreement


def habits_of(reports: Iterable[ExecutionReport]) -> list[Habit]:
    """Return values that nearly all runs of one user give a parameter: at least 5 runs, lower bound 0.6.

    A value that differs in every run, such as an id, is no habit.
    """
    seen: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for report in reports:
        given: dict[tuple[str, str], Any] = {}
        for step in report.steps:
            if step.ok:
                for name, value in step.parameters.items():
                    # the last value of a run counts
                    given[f"{step.tool}.{name}", report.context] = value
        for key, value in given.items():
            seen[key].append(value)
    habits = [Habit(*key, agreed(values)) for key, values in sorted(seen.items())]
    return [
        habit
        for habit in habits
        # the lower bound of 5 of 5 is 0.57, so at least six agree
        if habit.agreement.judged >= _LEAST_RUNS and habit.agreement.confidence >= _LEAST_SHARE
    ]
