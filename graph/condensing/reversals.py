"""Choices that a later sentence takes back: *the Kessel is out*, *we go to Dr. Mulisch instead*."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.condensing.acts import CHOICE_VERBS
from graph.condensing.facts import content_words, dates, names, negated, numbers
from graph.condensing.turns import Sentence

_OPENERS = r"^(?:(?:ok(?:ay)?|yes|no|so|and|but|then|oh|hm+|right|good|fine|great|well|alright|sorry|bad news|I think),? )*"
_ARTICLE = r"(?:(?:the|an?|our|my|your|that|this) )?"
_TITLE = r"(?:Dr|Mr|Mrs|Ms|Prof|St)\."
_NOUN = r"(?!(?:it|he|she|they|we|I|you|there|that|this|what|which|who|one)\b)[\w'.-]+(?: [\w'.-]+){0,2}?"
# *the hall has a burst pipe and is closed*; not *the alarm is off*, which may be as agreed
_IS_OUT = re.compile(
    rf"(?:{_OPENERS}|[:;,] (?:so |then )?){_ARTICLE}(?P<ended>{_NOUN}) (?:(?:has|had) [^,.;]{{2,30}} and )?"
    r"(?:(?:is|are|was|were|has been|have been) (?:now |already |all )?(?:out(?= of the question|$|[.,;!])|closed|gone|taken|cancell?ed|called off|sold out|(?P<off>off)(?=$|[.,;!])"
    r"|(?:fully )?booked up|impossible|no option|not (?:an option|possible|available))"
    r"|(?:did|does|do|will|would|can|could)(?:n't| not) (?:work|fit|happen)|won't (?:work|fit|happen)|(?:said|says) no\b|(?:fell|falls) through)",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"\b(?:cancel(?:s|led|ed)?|called off|scrap(?:ped)?|decided against|out with|instead of|rather than|not comfortable with)"
    rf" {_ARTICLE}(?P<ended>{_NOUN})(?=$|[.,;!?]| (?:and|but|or|because|for|from|at|in|on|any|then|now|today|tomorrow|again|instead)\b)",
    re.IGNORECASE,
)
# *closed on Mondays*: on other days it is open
_SOMETIMES = re.compile(r"^ (?:on|at|in|for|before|after|between|every)\b", re.IGNORECASE)
_FOR_A_TIME = re.compile(r"^ (?:until|till)\b", re.IGNORECASE)
_UNCERTAIN = re.compile(
    r"\b(?:if|unless|whether|maybe|perhaps|might|may|otherwise|not cancell?ed)\b|\?", re.IGNORECASE
)
_CHOICE = re.compile(
    rf"(?:{_OPENERS}|[,;] )(?:we|I|let's|let us)(?: will|'ll|'d)? (?P<verb>{CHOICE_VERBS}) {_ARTICLE}(?P<chosen>(?:{_TITLE} )?[^,.;!?]+)",
    re.IGNORECASE,
)
# *the kitchen it is*, *Kamil then*, *1 September is good*
_NAMED_CHOICE = re.compile(
    rf"{_OPENERS}{_ARTICLE}(?P<chosen>{_NOUN}) (?:it is|then|after all|(?:(?:is|are|sounds?) (?:good|fine|ok(?:ay)?|perfect)|works?)(?! for\b))(?=$|[.,;!])",
    re.IGNORECASE,
)
_BEGINS_WITH_TITLE = re.compile(rf"^{_TITLE} ")
_INSTEAD = re.compile(r"\b(?:instead(?! of)|after all)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice: its verb, and the words and names of what is chosen."""

    verb: str
    words: frozenset[str]
    names: frozenset[str]


def reversed_choices(rows: Sequence[Sentence]) -> set[int]:
    """Return the indices of choices that a later sentence takes back in words, whoever says it.

    It says that what was chosen is out, or chooses another name by the same verb *instead* or *after all*. A choice that
    another one merely follows stays: both may hold.
    """
    found: set[int] = set()
    choices: dict[int, _Choice] = {}
    for place, row in enumerate(rows):
        if row.asks:
            continue
        text = row.text.replace("’", "'")
        choice = _choice(text)
        for ended, dated in _ended(text):
            found |= {
                each
                for each, earlier in choices.items()
                if ended <= earlier.words and not (dated and _has_date(rows[each].text))
            }
        if choice is None:
            continue
        if _INSTEAD.search(text):
            others = [each for each, earlier in choices.items() if _is_other(choice, earlier)]
            # the last one alone: an earlier one may be of something else
            found |= set(others[-1:])
        choices[place] = choice
    return found


def _ended(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Yield the words of what a sentence says is out, and whether only for a time."""
    for pattern in (_IS_OUT, _DROPS):
        match = pattern.search(text)
        if match is None or _UNCERTAIN.search(text):
            continue
        after = "" if pattern is _DROPS else text[match.end() :]
        words = content_words(match["ended"])
        # *Monday is off* takes back a day, *the alarm is off* may be as agreed
        if match.groupdict().get("off") and not dates(match["ended"]):
            continue
        if words and not _SOMETIMES.match(after):
            yield words, _FOR_A_TIME.match(after) is not None


def _choice(text: str) -> _Choice | None:
    """Return the choice that a sentence states; none where it denies or drops something."""
    match = _CHOICE.search(text) or _NAMED_CHOICE.match(text)
    if match is None or negated(match[0]) or _DROPS.search(text):
        return None
    chosen = match["chosen"]
    # a word before it, since the first word of a sentence is no name
    named = names(f"the {_BEGINS_WITH_TITLE.sub('', chosen)}")
    named -= {word.capitalize() for word in dates(chosen)}
    verb = match.groupdict().get("verb") or ""
    return _Choice(verb.casefold(), content_words(chosen), frozenset(named))


def _is_other(choice: _Choice, earlier: _Choice) -> bool:
    """Return whether a choice has the verb of an earlier one and only other names."""
    named = bool(choice.names and earlier.names) and choice.names.isdisjoint(earlier.names)
    return named and choice.verb == earlier.verb and bool(choice.verb)


def _has_date(text: str) -> bool:
    return bool(numbers(text) or dates(text))
