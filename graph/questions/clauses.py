"""The clauses of a question. Each reads at a place, adds what it read to the draft, and moves on.

The order of ``CLAUSES`` is part of the grammar: at each place the first that reads wins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from graph.questions import patterns
from graph.questions.numbers import count_of, read_range
from graph.questions.periods import read_period
from graph.questions.scan import Scan

if TYPE_CHECKING:
    from collections.abc import Callable

    from graph.model.questions import EpisodeGrouping, EpisodeMeasure
    from graph.questions.scan import Named

    Clause = Callable[["Scan"], "int | None"]


def _measure(scan: Scan) -> int | None:
    for name, pattern in patterns.MEASURES:
        if match := scan.match(pattern):
            scan.draft.measure = _sharper(scan.draft.measure, name)
            return match.end()
    return None


def _stress(scan: Scan) -> int | None:
    """Read what only stresses how something is measured: `on average`, or `best` of some groups."""
    if match := scan.match(patterns.ON_AVERAGE):
        if match["mean"] and scan.draft.measure == "total_tokens":
            scan.draft.measure = "mean_tokens"
        return match.end()
    for name, pattern in patterns.COMPARATIVES:
        if match := scan.match(pattern):
            scan.draft.compared, scan.draft.said["compared"] = name, match[0]
            return match.end()
    match = scan.match(patterns.BEST) if scan.draft.by else None
    if match and (match["best"] or match["worst"]):
        rate = "success_rate" if match["best"] else "failure_rate"
        scan.draft.measure = _sharper(scan.draft.measure, rate)
    return match.end() if match else None


def _sharper(said: EpisodeMeasure | None, new: EpisodeMeasure) -> EpisodeMeasure:
    """Keep what was measured first; that attempts are counted is said in passing."""
    return new if said in (None, "attempts") else said


def _by_measure(scan: Scan) -> int | None:
    lead = scan.match(patterns.SORTED_BY_MEASURE)
    if lead is None:
        return None
    space = re.compile(r"\s+").match(scan.text, lead.end())
    for name, pattern in patterns.MEASURES[:-1]:
        if space and (match := scan.match(pattern, space.end())):
            scan.draft.measure = name
            return match.end()
    return None


def _grouping(scan: Scan) -> int | None:
    for name, pattern in patterns.TIMES:
        if match := scan.match(pattern):
            return _grouped(scan, name, match)
    return _group_of(scan, patterns.BY_GROUP, patterns.TOP_GROUP, patterns.WHICH_GROUP)


def _split(scan: Scan) -> int | None:
    return _group_of(scan, patterns.BY_GROUP)


def _group_of(scan: Scan, *shapes: re.Pattern[str]) -> int | None:
    for pattern in shapes:
        if match := scan.match(pattern):
            groups: dict[str, str | None] = match.groupdict()
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


def read_verdict(scan: Scan) -> int | None:
    """Read how attempts ended, if anything here says so."""
    for verdicts, pattern in patterns.VERDICTS:
        if match := scan.match(pattern):
            scan.draft.verdicts += verdicts
            return match.end()
    if patterns.WAY.search(scan.text, 0, scan.place) and (match := scan.match(patterns.WORKED)):
        scan.draft.verdicts.append(True)
        return match.end()
    if patterns.ASKED.search(scan.text, 0, scan.place) and (match := scan.match(patterns.SOLVE)):
        scan.draft.verdicts.append(True)
        return match.end()
    match = scan.match(patterns.RIGHT) if scan.draft.measure in patterns.RATES else None
    return match.end() if match else None


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
    for name, pattern in patterns.ORDERS:
        if match := scan.match(pattern):
            scan.draft.order = name
            scan.draft.said["order"] = match[0]
            first = patterns.FIRST.match(scan.text, match.end())
            single = patterns.SINGLE.match(scan.text, match.end())
            if first is None and (
                single or patterns.SINGLE_BEFORE.search(scan.text, 0, scan.place)
            ):
                scan.draft.limit = scan.draft.limit or 1
                scan.draft.said.setdefault("limit", match[0])
            end = first.end() if first else match.end()
            return end + _counted_behind(scan, end)
    return None


def _counted_behind(scan: Scan, place: int) -> int:
    """Read the number behind `slowest` or `newest`, and return its length."""
    space = re.compile(r"\s+").match(scan.text, place)
    match = scan.match(patterns.NUMBER, space.end()) if space else None
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
        if match is None or match["count"].lower() in ("a", "an"):
            return None
    scan.draft.limit = count_of(match["count"])
    scan.draft.said["limit"] = match[0]
    return match.end()


def _own(scan: Scan) -> int | None:
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
    scan.draft.within(span.start, span.end)
    return end + 2 * scan.text.startswith(("'s", "’s"), end)  # last week's


def _explicit(scan: Scan) -> int | None:
    match = scan.match(patterns.EXPLICIT) or scan.match(patterns.WORDED)
    if match is None:
        return None
    groups = match.groupdict()
    value = groups["quoted"] or groups.get("called") or groups["plain"]
    name = groups["name"].lower().removesuffix("_id")
    _add(scan, name, value, match[0])
    return match.end()


def _add(scan: Scan, name: str, value: str, said: str) -> None:
    draft = scan.draft
    several = {"action": draft.actions_all, "tool": draft.actions_all, "tag": draft.tags_all}
    if name in several:
        several[name].append(value)
        return
    single = cast("list[str]", getattr(draft, f"{name}s"))
    if single and single[0] != value:
        draft.unread.append(said.strip())  # one at a time
    elif not single:
        single.append(value)


def _known(scan: Scan) -> int | None:
    if _is_grouping(scan):
        return None
    lead = patterns.MENTION.match(scan.text, scan.place)
    for place in (lead.end() if lead else scan.place, scan.place):
        for name, names in (
            ("model", scan.models),
            ("domain", scan.domains),
            ("agent", scan.agents),
        ):
            if found := scan.named(names, place):
                if several := _several(scan, names, name, place, found):
                    return several
                _add(scan, name, found[0], scan.text[scan.place : found[1]])
                return found[1]
    return None


def _is_grouping(scan: Scan) -> bool:
    """Tell whether `by model` groups here: no name of a model follows it."""
    group = scan.match(patterns.BY_GROUP)
    if group is None:
        return False
    space = re.compile(r"\s+").match(scan.text, group.end())
    names = (scan.models, scan.domains, scan.agents)
    return space is None or not any(scan.named(each, space.end()) for each in names)


def _several(scan: Scan, names: Named, name: str, place: int, first: tuple[str, int]) -> int | None:
    """Read two or more names of one kind: a comparison groups by it; a filter holds one alone, so it is told."""
    end, compared = first[1], False
    known = {first[0]}
    while joint := patterns.VERSUS.match(scan.text, end):
        other = scan.named(names, joint.end())
        if other is None:
            break
        compared |= patterns.COMPARED.search(joint[0]) is not None
        known.add(other[0])
        end = other[1]
    if len(known) == 1:
        return None
    compared |= patterns.COMPARE.search(scan.text, 0, place) is not None
    if compared and scan.draft.by is None:
        scan.draft.by = cast("EpisodeGrouping", name)
        scan.draft.measure = _sharper(scan.draft.measure, "success_rate")
    scan.draft.unread.append(scan.text[place:end].strip())
    return end


def _action(scan: Scan) -> int | None:
    lead = scan.match(patterns.ACTION_LEAD)
    found = scan.named(scan.actions, lead.end()) if lead else None
    place = lead.end() if lead and found else scan.place
    both = patterns.BOTH.match(scan.text, place)
    row = _row(scan, scan.actions, both.end() if both else place)
    if row is None:
        return None
    names, any_of, end = row
    tail = patterns.TOOL.match(scan.text, end)
    if not found and (tail := patterns.PASSIVE.match(scan.text, end)) is None:
        return None
    known = [patterns.ACTION_FORMS.get(name, name) for name in names]
    if any_of:
        scan.draft.actions_any += known
    else:
        scan.draft.actions_all += known
    scan.draft.own |= bool(found and lead and lead["own"])
    return tail.end() if tail else end


def _row(scan: Scan, names: Named, place: int) -> tuple[list[str], bool, int] | None:
    """Read some names in a row, whether any of them will do, and where they end."""
    found = scan.named(names, place)
    if found is None:
        return None
    row, any_of, end = [found[0]], False, found[1]
    while (joint := patterns.JOINED.match(scan.text, end)) and (
        found := scan.named(names, joint.end())
    ):
        any_of |= bool(joint["or"])
        row.append(found[0])
        end = found[1]
    return row, any_of, end


def _tag(scan: Scan) -> int | None:
    if match := scan.match(patterns.HASH):
        scan.draft.tags_all.append(match["plain"])
        return match.end()
    lead = scan.match(patterns.TAGGED)
    match = scan.match(patterns.TAG, lead.end()) if lead else None
    if match is None:
        return _known_tag(scan)
    names, any_of = [match["quoted"] or match["plain"]], False
    end = match.end()
    while (joint := patterns.JOINED.match(scan.text, end)) and (
        match := patterns.TAG.match(scan.text, joint.end())
    ):
        if not joint["or"] and match["quoted"] is None and not match[0].startswith("#"):
            break  # `tagged warmup, slowest first`: what follows is another clause
        any_of |= bool(joint["or"])
        names.append(match["quoted"] or match["plain"])
        end = match.end()
    if any_of:
        scan.draft.tags_any += names
    else:
        scan.draft.tags_all += names
    return end


def _known_tag(scan: Scan) -> int | None:
    """Read a tag that occurs, where the words beside it say that it is one: flaky ones, are flaky."""
    both = scan.match(patterns.BOTH)
    row = _row(scan, scan.tags, both.end() if both else scan.place)
    if row is None:
        return None
    names, any_of, end = row
    noun = patterns.TAG_NOUN.match(scan.text, end)
    if noun is None and not patterns.TAG_VERB.search(scan.text, 0, scan.place):
        return None
    if any_of:
        scan.draft.tags_any += names
    else:
        scan.draft.tags_all += names
    return noun.end() if noun else end


CLAUSES: tuple[Clause, ...] = (
    _explicit,
    _range,
    _time,
    _tag,
    _by_measure,
    _measure,
    _stress,
    _known,
    _action,
    _grouping,
    read_verdict,
    _limit,
    _order,
    _own,
)
# What ends a topic (`about …`), in which words mean what they say.
ENDING: tuple[Clause, ...] = (
    _explicit,
    _range,
    _time,
    _tag,
    _by_measure,
    _known,
    _action,
    _split,
    _ordered,
)
RELATIVE: tuple[Clause, ...] = (*ENDING, read_verdict)
