"""Negations that filters can express: all except some names, tags, actions or verdicts.

The negated words are parsed by the same clauses. Words between the negation and the name change its meaning (`not only
sql`, `not every run by bob`), so apart from a few neutral ones they make it unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graph.questions import patterns
from graph.questions.content import FUNCTION_WORDS
from graph.questions.drafts import Draft
from graph.questions.named import read_action, read_explicit, read_known, read_row, read_tag
from graph.questions.scan import Scan
from graph.questions.verdicts import read_verdict
from graph.questions.words import NOUN

_DENIED = {
    "domains": "domains_not",
    "models": "models_not",
    "agents": "agents_not",
    "sessions": "sessions_not",
    "problems": "problems_not",
    "tags_any": "tags_none",
    "tags_all": "tags_none",
    "actions_any": "actions_none",
    "actions_all": "actions_none",
    "verdicts": "verdicts_not",
}
"""The negated list of each list of a draft."""


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{text})(?!\w)", re.IGNORECASE)


_REFUSES = r"(?:do\s*n['’]?t|do\s+not)\s+(?:show|list|include|count|return|give|want|need)(?:\s+(?:me|us))?"
_EXCEPT = (
    rf"{_REFUSES}|"
    r"except(?:ing)?(?:\s+for)?|with\s+the\s+exception\s+of|exclud(?:e|es|ing)|other\s+(?:[\w-]+\s+)?than|outside(?:\s+of)?"
    r"|apart\s+from|aside\s+from|besides|(?:(?:all|any|every)(?:\s+(?:of\s+)?(?:the\s+|those\s+)?(?:other\s+)?[\w-]+)?|anything|everything|any(?:one|body)|every(?:one|body))\s+but|but\s+for"
    r"|rather\s+than|instead\s+of|leav(?:e|ing)\s+out|save\s+for"
)
_VERBS = r"skip(?:ping)?|ignor(?:e|ing)|omit(?:ting)?|minus"
"""Exclusions that may be words of a topic: `skipping gears`."""
_PLAIN = (
    r"not|no(?:thing|ne)\s+(?:from|by|of|with|in)|no|without|never|neither|nor|non|n['’]t"
    r"|(?:did|does|do|was|were|is|are|has|have|had)\s*n['’]?t"
)
UNRELATED = (
    r"(?:nothing|little|not\s+(?:much|anything))\s+to\s+do\s+with|no\s+(?:relation|connection|link)\s+(?:to|with)"
    r"|(?:unrelated|irrelevant)\s+to"
)
REFUSED = re.compile(rf"{_REFUSES}\s(?:(?!\sbut\b)[^,.;?!])*", re.IGNORECASE)
"""All that a question does not want: `don't show failures by ada`."""
_LEAD = _pattern(
    rf"(?P<wide>{_EXCEPT}|{_VERBS})|(?P<plain>{UNRELATED}|(?:but|and|just)\s+not|{_PLAIN})"
)
NEGATION = _pattern(
    rf"{UNRELATED}|nobody|nothing|no\s+one|none|unless|hardly|barely|scarcely|{_EXCEPT}|{_PLAIN}"
    rf"|(?:^|(?<=[,;:]\s))(?:{_VERBS})"
)
"""Every way to negate: what no filter says is unread."""
TOPIC = _pattern(
    r"about|concern(?:s|ing)?|regarding|involv(?:e[sd]?|ing)|mention(?:s|ed|ing)?|touch(?:es|ed|ing)?|cover(?:s|ed|ing)?"
    r"|to\s+do\s+with|deal(?:s|ing|t)?\s+with|(?:related|relating|relevant|connected|linked)\s+(?:to|with)"
)
_BETWEEN = _pattern(
    rf"the|any|an?|those|these|that|which|who|ones?|{NOUN}|anything|everything|was|were|is|are|been|be|being|have|has"
    r"|made|done|came|come|taken|either|both"
)
_UNRELATED = _pattern(UNRELATED)
_SAYS_NONE = re.compile(r"no(?:thing|ne)?\b", re.IGNORECASE)
_GAP = re.compile(r"[\s-]*")
_NAME_BEHIND = re.compile(r"\s+(?!and\b|or\b|but\b)")
_CLOSES = re.compile(
    rf"(?:\s+(?:{NOUN}|tools?|actions?|tags?|please|pls|thanks))*\s*(?:$|[,;.?!)]|\s(?:and|but|or)\b)",
    re.IGNORECASE,
)
_ENDS_TOPIC = re.compile(rf"(?:\s+(?:{NOUN}))?(?:{patterns.ALONE.pattern})", re.IGNORECASE)
_IDS = re.compile(r"(?:(?P<session>sessions?)|problems?)\s+$", re.IGNORECASE)
_WHY = re.compile(r"(?:why|how\s+come)\s+$", re.IGNORECASE)


def read_negation(scan: Scan) -> int | None:
    """Read what is left out here, and return where it ends; None where no filter says it."""
    lead = scan.match(_LEAD)
    if lead is None or scan.contrasts or _WHY.search(scan.text, 0, scan.place):
        return None
    aside = scan.aside(_after(scan, lead.end()))
    aside.start = scan.place
    is_topic = _UNRELATED.match(lead[0]) is not None
    while (topic := aside.match(TOPIC)) or (end := _denied(aside, is_topic=is_topic)) is None:
        between = topic or aside.match(_BETWEEN)
        if between is None:
            return None
        is_topic |= topic is not None
        aside.place = _after(scan, between.end())
    if _SAYS_NONE.match(lead[0]) and not is_topic and not _CLOSES.match(scan.text, end):
        return None  # `no sql attempt failed` and `nothing by bob worked` tell how they ended
    if lead["wide"] and _reaches_on(scan, end):
        return None  # `except cooking by bob` leaves out one or the other
    if aside.draft.verdicts and not lead["wide"]:
        return None  # `without any mistake` says how they ended
    if lead[0].lower() in ("neither", "nor") and _ends_behind(scan, end):
        return None  # `neither ada nor bob solved it` is no question about others
    return end if _deny(scan.draft, aside.draft) else None


def _after(scan: Scan, place: int) -> int:
    gap = _GAP.match(scan.text, place)
    return gap.end() if gap else place


def _denied(aside: Scan, *, is_topic: bool) -> int | None:
    """Read what is denied; what something is not about is a name alone, and none of which more is said."""
    readers = _OF_TOPICS if is_topic else _READERS
    end = next((end for end in (read(aside) for read in readers) if end is not None), None)
    if is_topic and end is not None and not _ENDS_TOPIC.match(aside.text, end):
        return None
    return end


def _bare_tag(aside: Scan) -> int | None:
    """Read `not about plums in jam`, which needs no noun beside the tag."""
    row = read_row(aside, aside.tags, aside.place)
    if row is None or not patterns.ALONE.match(aside.text, row[2]):
        return None
    aside.draft.tags_any += row[0]
    return row[2]


def _bare_tag_denied(aside: Scan) -> int | None:
    """Read `without rush and …`, if the tag is no function word."""
    end = _bare_tag(aside)
    is_word = end is not None and aside.text[aside.place : end].casefold() in FUNCTION_WORDS
    if is_word:
        aside.draft.tags_any.clear()
    return None if is_word else end


def _bare_action(aside: Scan) -> int | None:
    """Read `without search`, which needs no `used` beside it."""
    row = read_row(aside, aside.actions, aside.place)
    if row is None or not patterns.ALONE.match(aside.text, row[2]):
        return None
    aside.draft.actions_any += [patterns.ACTION_FORMS.get(name, name) for name in row[0]]
    tail = patterns.TOOL.match(aside.text, row[2])
    return tail.end() if tail else row[2]


def _bare_id(aside: Scan) -> int | None:
    """Read `sessions other than s-77`: what is left out is of the kind named before."""
    match = aside.match(patterns.NUMBERED)
    named = _IDS.search(aside.text, 0, aside.start)
    if match is None or named is None:
        return None
    values = aside.draft.sessions if named["session"] else aside.draft.problems
    values.append(match[0])
    return match.end()


_OF_TOPICS: tuple[Callable[[Scan], int | None], ...] = (
    read_explicit,
    read_tag,
    _bare_tag,
    read_known,
)
_READERS = (
    read_explicit,
    read_tag,
    read_known,
    read_action,
    _bare_action,
    _bare_tag_denied,
    _bare_id,
    read_verdict,
)


def _reaches_on(scan: Scan, end: int) -> bool:
    """Return whether another name follows, of which nobody can say whether it is left out too."""
    space = _NAME_BEHIND.match(scan.text, end)
    if space is None:
        return False
    behind = scan.aside(space.end())
    return any(read(behind) is not None for read in (read_tag, read_known, read_action))


def _ends_behind(scan: Scan, end: int) -> bool:
    """Return whether a verdict follows."""
    space = _NAME_BEHIND.match(scan.text, end)
    return space is not None and read_verdict(scan.aside(space.end())) is not None


def _deny(draft: Draft, denied: Draft) -> bool:
    """Add what was read behind a negation as what is left out."""
    said = [name for name in _DENIED if getattr(denied, name)]
    if not said or denied.unread or denied.by or denied.measure:
        return False
    if "verdicts" in said and len(set(denied.verdicts)) != 1:
        return False
    for name in said:
        getattr(draft, _DENIED[name]).extend(getattr(denied, name))
    return True
