"""Clause parsers of a question: each matches at a position, updates the draft, and returns the end of its match.

The order of ``CLAUSES`` is part of the grammar: at each position the first match wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

from graph.model.episodes.questions import EpisodeGrouping
from graph.questions import patterns
from graph.questions.clocks import read_hours
from graph.questions.contrast import read_contrast
from graph.questions.named import (
    more_specific,
    read_action,
    read_compared,
    read_explicit,
    read_known,
    read_tag,
)
from graph.questions.numbers import count_of, read_range
from graph.questions.periods import read_period
from graph.questions.scan import Scan
from graph.questions.times import is_sided, read_invalid_day
from graph.questions.verdicts import read_verdict
from graph.questions.words import is_singular

Clause = Callable[["Scan"], "int | None"]

_SPACE = re.compile(r"\s+")
_DAY = timedelta(days=1)


def _count(scan: Scan) -> int | None:
    """Read `how many models`: the models are listed, and the words are unread, as they are not counted."""
    match = scan.match(patterns.COUNTED_GROUP)
    if match is None:
        return None
    scan.draft.measure = more_specific(scan.draft.measure, "attempts")
    if patterns.BY_GROUP.search(scan.text, match.end()) is None:
        _grouped(scan, _group_in(match.groupdict()), match)
    return _unread(scan, match.end())


def _measure(scan: Scan) -> int | None:
    for name, pattern in patterns.MEASURES:
        if match := scan.match(pattern):
            scan.draft.measure = more_specific(scan.draft.measure, name)
            return match.end()
    return None


def _statistic(scan: Scan) -> int | None:
    """Add unsupported statistics to the unread words: the median latency, the 95th percentile of tokens."""
    match = scan.match(patterns.STATISTIC)
    return _unread(scan, match and match.end())


def _unsupported(scan: Scan) -> int | None:
    """Add frequencies and recurring times to the unread words: `only once`, `never failed`, `on weekends`."""
    ways = (patterns.OFTEN, patterns.COMPARED_COUNT, patterns.RECURRING)
    match = next((match for way in ways if (match := scan.match(way))), None)
    return _unread(scan, match.end() if match else _of_problem(scan) or _of_all(scan))


def _unread(scan: Scan, end: int | None) -> int | None:
    """Add the words up to an end to the unread ones; return the end, if there is one."""
    if end is not None:
        scan.draft.unread.append(scan.text[scan.place : end])
    return end


def _of_all(scan: Scan) -> int | None:
    """Read a verdict on all attempts of a group (`always fails`), and return its end."""
    if (none := _none_of(scan)) is not None:
        return none
    ever = scan.match(patterns.EVER)
    space = _SPACE.match(scan.text, ever.end()) if ever else None
    aside = scan.aside(space.end()) if space else None
    end = read_verdict(aside) if aside else None
    if ever is None or aside is None or end is None:
        return None
    if scan.draft.by == "problem":
        is_right = (True in aside.draft.verdicts) == (ever[0].lower() == "always")
        rate = "success_rate" if is_right else "failure_rate"
        scan.draft.measure = more_specific(scan.draft.measure, rate)
        return end
    behind = patterns.GROUP_BEHIND.match(scan.text, end)
    return end if behind or patterns.OF_EACH.search(scan.text, 0, scan.place) else None


def _none_of(scan: Scan) -> int | None:
    """Return the end of a negated verdict on all attempts of a group: `weeks with no failures`."""
    of_group = scan.draft.by and patterns.OF_GROUP.search(scan.text, 0, scan.place)
    if not (of_group and scan.match(patterns.NONE_OF)):
        return None
    aside = scan.aside(scan.place)
    end = read_verdict(aside)
    return end if aside.draft.verdicts else None


def _of_problem(scan: Scan) -> int | None:
    """Read `never solved` of problems: the failure rate if by problem, else wrong attempts.

    Problems that were solved later have such attempts too, so the words go to `unread`.
    """
    match = scan.match(patterns.NEVER_SOLVED)
    if match is None:
        return None
    if scan.draft.by == "problem":
        scan.draft.measure = more_specific(scan.draft.measure, "failure_rate")
        return match.end()
    of_all = patterns.NEVER.match(match[0]) and not patterns.OF_ATTEMPTS.search(
        scan.text, 0, scan.place
    )
    behind = patterns.PROBLEMS_BEHIND.match(scan.text, match.end())
    if not (of_all or behind or patterns.OF_PROBLEMS.search(scan.text, 0, scan.place)):
        return None
    scan.draft.verdicts.append(False)
    return match.end()


def _invalid_day(scan: Scan) -> int | None:
    """Add a day that does not exist to the unread words."""
    return _unread(scan, read_invalid_day(scan.text, scan.place, scan.now))


def _refinement(scan: Scan) -> int | None:
    """Read words that refine the measure: `on average`, or `best` of some groups."""
    if match := scan.match(patterns.ON_AVERAGE):
        if match["mean"] and scan.draft.measure == "total_tokens":
            scan.draft.measure = "mean_tokens"
        return match.end()
    for name, pattern in patterns.COMPARATIVES:
        if match := scan.match(pattern):
            scan.draft.compared, scan.draft.said["compared"] = name, match[0]
            return match.end()
    match = scan.match(patterns.BEST) if scan.draft.by else None
    if match and (match["easy"] or match["hard"]) and scan.draft.by in ("agent", "model"):
        return None  # which agent solved the hardest problems
    if match and scan.draft.by in patterns.BY_TIME:
        scan.draft.unread.append(match[0])  # these come newest first
    if match and (match["best"] or match["worst"]):
        rate = "success_rate" if match["best"] else "failure_rate"
        scan.draft.measure = more_specific(scan.draft.measure, rate)
    if match and match["often"] and len(set(scan.draft.verdicts)) == 1:
        scan.draft.measure = more_specific(
            scan.draft.measure, "success_rate"
        )  # of this verdict, when settled
    return match.end() if match else None


def _by_measure(scan: Scan) -> int | None:
    lead = scan.match(patterns.SORTED_BY_MEASURE)
    if lead is None:
        return None
    space = _SPACE.match(scan.text, lead.end())
    for name, pattern in patterns.MEASURES[:-1]:
        if space and (match := scan.match(pattern, space.end())):
            scan.draft.measure = name
            return match.end()
    return None


def _grouping(scan: Scan) -> int | None:
    for name, pattern in patterns.TIMES:
        if match := scan.match(pattern):
            return _grouped(scan, name, match)
    shapes = (patterns.BY_GROUP, patterns.TOP_GROUP, patterns.WHICH_GROUP)
    is_first = patterns.LISTED.fullmatch(scan.text, 0, scan.place) is not None
    return _group_of(scan, *shapes, *((patterns.GROUPS_FIRST,) if is_first else ()))


def _split(scan: Scan) -> int | None:
    return _group_of(scan, patterns.BY_GROUP)


def _group_of(scan: Scan, *shapes: re.Pattern[str]) -> int | None:
    for pattern in shapes:
        if match := scan.match(pattern):
            groups: dict[str, str | None] = match.groupdict()
            if told := groups.get("told"):
                scan.draft.unread.append(told)
            if count := groups.get("count"):
                scan.draft.limit, scan.draft.said["limit"] = count_of(count), match[0]
            return _grouped(scan, _group_in(groups), match)
    return None


def _group_in(groups: dict[str, str | None]) -> EpisodeGrouping:
    for grouping, _ in patterns.GROUPS:
        if groups[grouping]:
            return grouping
    raise AssertionError  # one of them matched


def _grouped(scan: Scan, name: EpisodeGrouping, match: re.Match[str]) -> int:
    if scan.draft.by is not None and scan.draft.by != name:
        scan.draft.unread.append(match[0].strip())
    else:
        scan.draft.by = name
    if match[0].lower().startswith(("best", "worst")) and scan.draft.measure is None:
        scan.draft.measure = "success_rate" if match[0].lower()[0] == "b" else "failure_rate"
    return match.end()


def _ordered(scan: Scan) -> int | None:
    match = scan.match(patterns.ORDER_BY)
    if match is None:
        return None
    least, most = patterns.FIELD_ORDERS[match["field"].lower()]
    falls = match["down"] or not (match["up"] or scan.draft.order in patterns.RISING)
    scan.draft.order = most if falls else least
    scan.draft.said["order"] = match[0]
    return match.end()


def _order(scan: Scan) -> int | None:
    if (end := _ordered(scan)) is not None:
        return end
    if nth := scan.match(patterns.OF_ORDER):
        return _unread(scan, nth.end())
    if first := scan.match(patterns.EXTREME_FIRST):
        if not (scan.draft.by and first["most"]):  # as groups come anyway
            scan.draft.unread.append(first[0])
        return first.end()
    if (end := _last_of_kind(scan)) is not None:
        return end
    for name, pattern in patterns.ORDERS:
        if match := scan.match(pattern):
            scan.draft.order = name
            scan.draft.said["order"] = match[0]
            if name in patterns.ORDER_MEASURES and (
                group := patterns.GROUP_BEHIND.match(scan.text, match.end())
            ):
                return _grouped(scan, _group_in(group.groupdict()), group)
            first = patterns.FIRST.match(scan.text, match.end())
            single = patterns.SINGLE.match(scan.text, match.end())
            nth = patterns.AFTER_ORDINAL.search(scan.text, 0, scan.place)
            if (nth or first) is None and (
                single
                or patterns.SINGLE_BEFORE.search(scan.text, 0, scan.place)
                or _of_one(scan, match)
            ):
                scan.draft.limit = scan.draft.limit or 1
                scan.draft.said.setdefault("limit", match[0])
            end = first.end() if first else match.end()
            return end + _counted_behind(scan, end)
    most = scan.match(patterns.SUPERLATIVE) if scan.draft.by else None
    is_said = most and (most["sure"] or patterns.PREDICATE.search(scan.text, 0, scan.place))
    return _unread(scan, most.end()) if most and is_said else None


def _last_of_kind(scan: Scan) -> int | None:
    """Read `my last translation` and `the last time`, which are the newest one; not `in the last step`."""
    match = scan.match(patterns.LAST_OF_KIND)
    led = patterns.OF_KIND.search(scan.text, 0, scan.place) if match else None
    if match is None or led is None:
        return None
    head = patterns.HEAD.match(scan.text, match.end())
    # *the last name* may be part of a topic
    is_made = led["made"] or (head and patterns.MADE_BEHIND.match(scan.text, head.end()))
    if not (match["time"] or (is_made and _of_one(scan, match))):
        return None
    scan.draft.order, scan.draft.said["order"] = "newest", match[0]
    scan.draft.limit = scan.draft.limit or 1
    scan.draft.said.setdefault("limit", match[0])
    return match.end()


def _of_one(scan: Scan, order: re.Match[str]) -> bool:
    """Return whether the noun of a superlative is singular: `the fastest translation`, `which loaf was the slowest`."""
    if scan.draft.by is not None:
        return False
    if before := patterns.HEAD_BEFORE.search(scan.text, 0, scan.place):
        return before["is"] is not None or is_singular(before["head"])
    head = patterns.HEAD.match(scan.text, order.end())
    if head is None or patterns.QUANTITY.search(order[0]):
        return False
    is_group = patterns.GROUP_BEHIND.match(scan.text, head.start("head") - 1)
    if is_group or not is_singular(head["head"]):
        return False
    known = (scan.models, scan.agents)
    if patterns.DETERMINED.search(scan.text, 0, scan.place) is None:
        if not (
            patterns.EXTREME.match(order[0]) and patterns.LISTED.fullmatch(scan.text, 0, scan.place)
        ):
            return False
        known += (scan.domains,)  # *latest cooking* is no single thing
    return not any(scan.named(names, head.start("head")) for names in known)


def _counted_behind(scan: Scan, place: int) -> int:
    """Read the number after `slowest` or `newest`, and return its length."""
    space = _SPACE.match(scan.text, place)
    match = scan.match(patterns.NUMBER, space.end()) if space else None
    # *the slowest a …*: an article is no number
    if match is None or match["count"].lower() in ("a", "an"):
        return 0
    scan.draft.limit = count_of(match["count"])
    scan.draft.said["limit"] = match[0]
    return match.end() - place


def _limit(scan: Scan) -> int | None:
    match = scan.match(patterns.LIMIT)
    if match:
        way = match["way"].lower()
        scan.draft.said["order"] = match[0]
        if way in ("last", "latest", "newest"):
            scan.draft.order = "newest"
        elif way == "first" and scan.draft.order is None:
            scan.draft.order = "oldest"
    else:
        if match := scan.match(patterns.AFTERWARDS):
            count = match["first"] or match["some"] or match["count"]
            scan.draft.limit, scan.draft.said["limit"] = count_of(count), match[0]
            return match.end()
        match = scan.match(patterns.COUNTED)
        # *few* without an article is a judgement
        if match is None or match["count"].lower() in ("a", "an", "few"):
            return None
    scan.draft.limit = count_of(match["count"])
    scan.draft.said["limit"] = match[0]
    return match.end()


def _own_attempts(scan: Scan) -> int | None:
    if asking := scan.match(patterns.ASKING):
        return asking.end()
    match = scan.match(patterns.OWN)
    if match:
        scan.draft.own = True
    return match.end() if match else None


def _range(scan: Scan) -> int | None:
    found = read_range(scan.text, scan.place)
    if found is None:
        return None
    name, bounds, end = found
    scan.draft.narrow(name, bounds)
    return end


def _time(scan: Scan) -> int | None:
    found = read_period(scan.text, scan.place, scan.now)
    if found is None:
        return None
    span, end = found
    if is_sided(scan.text, scan.place) or _of_other_days(scan):
        return _unread(scan, end)
    if not scan.draft.within(span.start, span.end):
        return _unread(scan, end)
    return end + 2 * scan.text.startswith(("'s", "’s"), end)  # last week's


def _of_other_days(scan: Scan) -> bool:
    """Return whether hours are of other days than today: before noon in October."""
    end = read_hours(scan.text, scan.place, scan.now)
    if end is None:
        return False
    start, stop = scan.draft.occurred_from, scan.draft.occurred_to
    if start and stop and (stop - start > _DAY or start.date() != scan.now.date()):
        return True
    space = _SPACE.match(scan.text, end)
    if space is None or read_hours(scan.text, space.end(), scan.now) is not None:
        return False  # since noon until 5pm
    return read_period(scan.text, space.end(), scan.now) is not None


CLAUSES: tuple[Clause, ...] = (
    read_contrast,
    read_explicit,
    _range,
    _time,
    _invalid_day,
    _unsupported,
    read_tag,
    _by_measure,
    _count,
    _measure,
    _statistic,
    read_compared,
    _refinement,
    read_known,
    read_action,
    _grouping,
    read_verdict,
    _limit,
    _order,
    _own_attempts,
)
# clauses that end a topic (`about …`), whose words are otherwise taken literally
ENDING: tuple[Clause, ...] = (
    read_contrast,
    read_explicit,
    _range,
    _time,
    _invalid_day,
    read_tag,
    _by_measure,
    read_known,
    read_action,
    _split,
    _ordered,
)
RELATIVE: tuple[Clause, ...] = (*ENDING, read_verdict)
