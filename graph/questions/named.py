"""Names in a question: explicit fields with values, and known names of the episodes."""

from __future__ import annotations

import re
from typing import cast

from graph.model.episodes.questions import EpisodeGrouping, EpisodeMeasure
from graph.questions import patterns
from graph.questions.content import FUNCTION_WORDS
from graph.questions.scan import Named, Scan
from graph.questions.words import FILLERS

_WHO = frozenset({"agents", "models"})


def more_specific(first: EpisodeMeasure | None, new: EpisodeMeasure) -> EpisodeMeasure:
    """Return the first measure, unless it only counts attempts."""
    return new if first in (None, "attempts") else first


def read_explicit(scan: Scan) -> int | None:
    """Read a field that is named with its value: `domain: sql`, `model called x-1`."""
    match = scan.match(patterns.EXPLICIT) or scan.match(patterns.WORDED)
    if match is None:
        return None
    groups = match.groupdict()
    value = groups["quoted"] or groups.get("called") or groups["plain"]
    name = groups["name"].lower().removesuffix("_id")
    _add(scan, name, value, match[0])
    return _further(scan, name, value, match.end())


def _further(scan: Scan, name: str, first: str, end: int) -> int:
    """Read more values of the same field: `domain: sql or cooking`, `session s-1 and s-2`."""
    kinds = {"domain": scan.domains, "model": scan.models, "agent": scan.agents}
    if name not in (*kinds, "session", "problem"):
        return end
    values: list[str] = getattr(scan.draft, f"{name}s")
    while joint := patterns.JOINED.match(scan.text, end):
        if name in kinds:
            other = scan.named(kinds[name], joint.end())
        else:
            match = patterns.NUMBERED.match(scan.text, joint.end())
            alike = match is not None and _shape(match[0]) == _shape(first)
            other = (match[0], match.end()) if match is not None and alike else None
        if other is None:
            break
        values.append(other[0])
        end = other[1]
    return end


def _shape(name: str) -> str:
    return re.sub(r"\d+", "0", name)


def _add(scan: Scan, name: str, value: str, text: str) -> None:
    draft = scan.draft
    several = {"action": draft.actions_all, "tool": draft.actions_all, "tag": draft.tags_all}
    if name in several:
        several[name].append(value)
        return
    single = cast("list[str]", getattr(draft, f"{name}s"))
    if single and single[0] != value:
        draft.unread.append(text.strip())  # one at a time
    elif not single:
        single.append(value)


def read_known(scan: Scan) -> int | None:
    """Read a known model, domain or agent."""
    if _is_grouping(scan):
        return None
    lead = patterns.MENTION.match(scan.text, scan.place)
    # after an introducing word, then at it: a name may begin with such a word
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
    """Return whether `by model` groups here: no name of a model follows it."""
    group = scan.match(patterns.BY_GROUP)
    if group is None:
        return False
    space = re.compile(r"\s+").match(scan.text, group.end())
    names = (scan.models, scan.domains, scan.agents)
    return space is None or not any(scan.named(each, space.end()) for each in names)


def _several(scan: Scan, names: Named, name: str, place: int, first: tuple[str, int]) -> int | None:
    """Read alternatives of one kind; a comparison also groups by it."""
    end, compared = first[1], patterns.COMPARE.search(scan.text, 0, place) is not None
    known = [first[0]]
    while joint := patterns.VERSUS.match(scan.text, end):
        if joint["with"] and not compared:
            break
        other = scan.named(names, joint.end())
        if other is None:
            break
        compared |= patterns.COMPARED.search(joint[0]) is not None
        known.append(other[0])
        end = other[1]
    if len(set(known)) == 1:
        return None
    draft, text = scan.draft, scan.text[place:end].strip()
    listed: list[str] = getattr(draft, f"{name}s")
    if compared and draft.by is None:
        draft.by = cast("EpisodeGrouping", name)
        draft.measure = more_specific(draft.measure, "success_rate")
        draft.unread[:] = [word for word in draft.unread if not patterns.COMPARING.fullmatch(word)]
    if listed or (compared and draft.by != name):
        draft.unread.append(text)
    listed += [] if listed else dict.fromkeys(known)
    return end


def read_compared(scan: Scan) -> int | None:
    """Read a name that an earlier one is compared with: `how often does ada fail compared with bob`."""
    joint = scan.match(patterns.COMPARED_WITH)
    lead = patterns.MENTION.match(scan.text, joint.end()) if joint else None
    if joint is None or lead is None:
        return None
    kinds: tuple[tuple[EpisodeGrouping, Named], ...] = (
        ("model", scan.models), ("domain", scan.domains), ("agent", scan.agents)
    )  # fmt: skip
    for name, names in kinds:
        listed: list[str] = getattr(scan.draft, f"{name}s")
        other = scan.named(names, lead.end())
        if other is None or not listed or scan.draft.by not in (None, name):
            continue
        listed.append(other[0])
        scan.draft.by = name
        of_speed = "mean_latency" if joint["speed"] else "mean_tokens"
        measure = of_speed if joint["speed"] or joint["cost"] else "success_rate"
        scan.draft.measure = more_specific(scan.draft.measure, measure)
        return other[1]
    return None


def read_action(scan: Scan) -> int | None:
    """Read known actions, if the context shows that they were taken."""
    lead = scan.match(patterns.ACTION_LEAD)
    behind = lead.end() if lead else scan.place
    both = patterns.BOTH.match(scan.text, behind)
    found = _read_single_action(scan, both.end() if both else behind) if lead else None
    by_named = bool(scan.last) and scan.last <= _WHO
    taken = scan.match(patterns.PAST) and (
        by_named or patterns.TAKEN.search(scan.text, 0, scan.place)
    )
    place = behind if found else scan.place
    both = patterns.BOTH.match(scan.text, place)
    row = read_row(scan, scan.actions, both.end() if both else place)
    if row is None:
        return None
    names, any_of, end = row
    tail = patterns.TOOL.match(scan.text, end)
    passive = patterns.PASSIVE.match(scan.text, end)
    taken = taken or (
        patterns.DID.search(scan.text, 0, scan.place) and patterns.ALONE.match(scan.text, end)
    )
    if not found and not taken and passive is None:
        return None
    tail = tail if found else passive
    known = [patterns.ACTION_FORMS.get(name, name) for name in names]
    if any_of:
        scan.draft.actions_any += known
    else:
        scan.draft.actions_all += known
    scan.draft.own |= bool(found and lead and lead["own"])
    scan.draft.unread += [lead["only"]] if found and lead and lead["only"] else []
    return tail.end() if tail else end


def _read_single_action(scan: Scan, place: int) -> tuple[str, int] | None:
    """Read an action; an inflected form only if it is no attribute of the next word, as in `with boiled eggs`."""
    found = scan.named(scan.actions, place)
    if found is None or scan.actions is None or scan.match(scan.actions[0], place):
        return found
    return found if patterns.ALONE.match(scan.text, found[1]) else None


def read_row(scan: Scan, names: Named, place: int) -> tuple[list[str], bool, int] | None:
    """Read a list of names; return them, whether they are alternatives, and their end."""
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


def read_tag(scan: Scan) -> int | None:
    """Read explicit tags, or known ones in the position of a tag."""
    if match := scan.match(patterns.HASH):
        scan.draft.tags_all.append(match["plain"])
        return match.end()
    lead = scan.match(patterns.TAGGED)
    match = scan.match(patterns.TAG, lead.end()) if lead else None
    if match is None:
        return _known_tag(scan) or _tag_of_maker(scan)
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
    _add_tags(scan, names, any_of=any_of)
    return end


def _known_tag(scan: Scan) -> int | None:
    """Read a known tag, if the context shows that it is one: flaky ones, are flaky."""
    both = scan.match(patterns.BOTH)
    row = read_row(scan, scan.tags, both.end() if both else scan.place)
    if row is None:
        return None
    names, any_of, end = row
    written = scan.text[both.end() if both else scan.place : end]
    noun = patterns.TAG_NOUN.match(scan.text, end)
    if written.casefold() in FUNCTION_WORDS:
        is_tag = _is_name_position(scan, end)
    else:
        is_tag = noun or patterns.TAG_VERB.search(scan.text, 0, scan.place) or _is_maker(scan, end)
    if not (is_tag or _is_capital(scan, written) or _is_topic(scan, end)):
        return None
    _add_tags(scan, names, any_of=any_of)
    return noun.end() if noun else end


def _add_tags(scan: Scan, names: list[str], *, any_of: bool) -> None:
    if any_of:
        scan.draft.tags_any += names
    else:
        scan.draft.tags_all += names


def _tag_of_maker(scan: Scan) -> int | None:
    """Read `by pia` and `from pia`, if episodes of this maker have the name as a tag, and no agent has it."""
    lead = scan.match(patterns.TAG_MAKER)
    row = read_row(scan, scan.tags, lead.end()) if lead else None
    if lead is None or row is None or _is_other_name(scan, lead.end()):
        return None
    if patterns.SORTED.search(scan.text, 0, scan.place) or not patterns.ALONE.match(
        scan.text, row[2]
    ):
        return None
    _add_tags(scan, row[0], any_of=row[1])
    return row[2]


def _is_other_name(scan: Scan, place: int) -> bool:
    """Return whether a model, domain or agent has a name too, which says more than a tag."""
    return any(scan.named(names, place) for names in (scan.models, scan.domains, scan.agents))


def _is_maker(scan: Scan, end: int) -> bool:
    """Return whether a tag is in the position of who made attempts: `which jobs did pia do`, `pia's slowest run`."""
    if _is_other_name(scan, scan.place):
        return False
    if scan.text[:end].endswith(("'s", "’s")):
        return True
    before = patterns.LAST_WORD.search(scan.text, 0, scan.place)
    led = before is None or before["word"].lower() in FILLERS
    return led and patterns.TAG_DOES.match(scan.text, end) is not None


def _is_name_position(scan: Scan, end: int) -> bool:
    """Return whether a function word is in the position of a name: `failed can attempts`, not `can attempts fail`."""
    behind = patterns.TAG_BEFORE.match(scan.text, end)
    return behind is not None and scan.text[: scan.place].strip() != ""


def _is_capital(scan: Scan, written: str) -> bool:
    """Return whether a name has capitals in a text that has not: `CAN failures`, `jobs for Pia`."""
    if len(written) > 1 and written.isupper():
        return not scan.text.isupper()
    is_first = patterns.LAST_WORD.search(scan.text, 0, scan.place) is None
    is_word = written.casefold() in FUNCTION_WORDS or is_first or scan.text.istitle()
    return written.istitle() and not is_word and not _is_other_name(scan, scan.place)


def _is_topic(scan: Scan, end: int) -> bool:
    """Return whether a tag is a complete topic: `everything about flaky that failed`."""
    is_led = patterns.TAG_TOPIC.search(scan.text, 0, scan.place) is not None
    return is_led and patterns.ALONE.match(scan.text, end) is not None
