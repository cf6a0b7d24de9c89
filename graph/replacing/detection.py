"""Detection of facts that a later fact replaces, without a language model.

A later note replaces an earlier one where it says so about the same thing (*from … to*, *instead of*, *no
longer*, *took over from*), where it tells a change and gives another value of the same attribute, or where
both state one value of one attribute (*lives in*, *is at 9:15*, *costs*) and nothing but this value differs.
Everything else is left alone: two allergies, two meetings or two invoices merely resemble each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph.kernel.words import without_accents
from graph.phrases.changes import END
from graph.questions.content import content_words, stem, stems
from graph.replacing.statements import Statement, statement

Values = tuple[tuple[str, str], ...]

FROM_TO, DENIED, TOLD, VALUE = 0.95, 0.85, 0.8, 0.75
"""Confidences by what shows the replacement, in the order of their precision."""
PARTLY = 0.6
"""Confidence of the replacement of one sentence of several: below what hides a memory by default."""
UNTOLD = 0.7
"""Most confidence where no word of the newer note tells a change: below what hides a memory by default (ADR 84)."""

LEAST_SIMILARITY = 0.45
"""Below it one fact never replaces another."""
# two sentences of some words: *Dr. Kim moved out* is one
_STATEMENTS = re.compile(r"\w{3,}[.!?…][\"'”’)]*\s+[A-ZÀ-Þ]\w+(?:\W+\w+){2}")
_FORMER = (
    re.compile(
        r"\bfrom (?:the |my |our |his |her |their )?(?P<old>[\w'’ .:€$%-]{2,40}?) to\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:instead of|rather than|in place of) (?P<old>[^.,;]{2,40})", re.IGNORECASE),
    re.compile(
        r"\b(?:took|takes|taken|taking) .{2,40}\bover from (?P<old>[^.,;]{2,30})", re.IGNORECASE
    ),
    re.compile(r"\b(?:took|takes) over .{2,40}\bfrom (?P<old>[^.,;]{2,30})", re.IGNORECASE),
    re.compile(r"\breplaced (?P<old>[^.,;]{2,40}?) (?:with|by)\b", re.IGNORECASE),
    re.compile(r"\breplac(?:es|ing) (?P<old>[^.,;]{2,40})", re.IGNORECASE),
    # *oak replaced pine*; not *was replaced by oak*, not *replaced in May*
    re.compile(
        r"(?<!\b(?:is|be) )(?<!\b(?:was|are|get|got) )(?<!\b(?:were|been) )\breplaced (?P<old>(?:(?! (?:with|by|as|in)\b)[^.,;]){2,40})(?! (?:with|by)\b)",
        re.IGNORECASE,
    ),
)
_PHRASE_END = re.compile(
    r"[^\w\s'’-]|\b(?:about|after|and|as|at|because|before|but|by|during|for|from|in|into|of|off|on|out|over|per|since|so"
    r"|than|that|though|to|until|up|when|which|while|who|with|within|without)\b",
    re.IGNORECASE,
)
_ATTRIBUTES = tuple(
    stems(words.split())
    for words in (
        "live lives living reside home flat apartment house address based settled",
        "work works working job boss manager employer employed employee reports position role",
        "cost costs price fee rent rate charge charges pay pays salary tax levy deposit",
        "start starts begin begins open opens close closes standup meeting class lesson training shift hours",
        "own owns owner lead leads responsible maintain maintains charge handles",
        "launch release deadline due date delivery arrival departure appointment",
        "limit quota maximum minimum capacity budget size",
        "weigh weighs weight scales kilos",
        "dose tablets pills mg",
        "drive drives car commute commutes cycle cycles tram bus bike",
        "password pin code key combination",
        "phone number email",
        "version release",
    )
)
_ONE_VALUE_AFTER = stems(
    [
        "live",
        "lives",
        "living",
        "resides",
        "based",
        "works",
        "work",
        "working",
        "called",
        "named",
        "password",
        "code",
        "address",
        "boss",
        "manager",
    ]
)
_ONE_SUBJECT_BEFORE = stems(
    [
        "own",
        "owns",
        "lead",
        "leads",
        "maintain",
        "maintains",
        "manages",
        "chairs",
        "handles",
        "runs",
    ]
)
# *Ann owns the boat* leaves no other owner, *Ann owns a boat* does
_DEFINITE = re.compile(
    r"\b(?:own|lead|maintain|manage|chair|handle|run)s (?:the|our|all)\b", re.IGNORECASE
)
_LAST_NUMBER = re.compile(r"(\d+)\W*$")
_HOUR = re.compile(r"1?\d|2[0-4]")
_SHARED_AT_LEAST = 2
_MOST_OTHER = 2
_FIRST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """A note: what it says, who said it, and on which day since 1970 it begins to hold."""

    text: str
    speaker: str | None
    day: float


@dataclass(frozen=True, slots=True)
class Replacement:
    """Confidence that one fact replaces another, in (0, 1], and its evidence.

    ``suspected``: too unsure to count until both answer one question.
    """

    confidence: float
    evidence: str
    suspected: bool = False


def replacement(newer: Fact, older: Fact, similarity: float) -> Replacement | None:
    """Find out whether a later fact replaces an earlier one; None where nothing says so.

    ``similarity`` is the cosine of the two texts, in [-1, 1]. An older note of several sentences is replaced in part
    alone, as the others may still hold: with a confidence of ``PARTLY`` at most.

    Examples
    --------
    >>> replacement(Fact("Standup at 10:00.", None, 2), Fact("The standup is at 9:15.", None, 1), 0.8)
    Replacement(confidence=0.75, evidence='9:15 → 10:00', suspected=False)
    """
    if similarity < LEAST_SIMILARITY or not comparable(newer, older):
        return None
    new, old = statement(newer.text), statement(older.text)
    # from the surest sign to the least sure
    found = _named_former(new, old) or _denied(new, old) or _told(new, old) or _one_value(new, old)
    if found is not None and _STATEMENTS.search(older.text):
        return replace(found, confidence=min(found.confidence, PARTLY))
    return found


def comparable(newer: Fact, older: Fact) -> bool:
    """Tell whether one fact may replace another at all.

    Both state something, in other words, by one speaker, and bear the same number where both bear one (*room 12*, *room 13*),
    unless the newer tells a change of just this number.
    """
    new, old = statement(newer.text), statement(older.text)
    apart = new.identifiers and old.identifiers and new.identifiers != old.identifiers
    return stated_alike(newer, older) and not (apart and _last_numbers(new, old) is None)


def stated_alike(newer: Fact, older: Fact) -> bool:
    """Tell whether two facts state something, in other words, by one speaker, and the newer is no addition (*also*)."""
    new, old = statement(newer.text), statement(older.text)
    same = newer.speaker == older.speaker and newer.text != older.text
    return same and not (new.asks or old.asks or new.adds)


def tells_change(newer: Fact, older: Fact) -> bool:
    """Tell whether the newer of two facts tells a change, or the end, of something that the older is about.

    Examples
    --------
    >>> older = Fact("The soup needs salt.", None, 1)
    >>> tells_change(Fact("The soup now needs pepper.", None, 2), older), tells_change(Fact("The soup needs pepper.", None, 2), older)
    (True, False)
    """
    new, old = statement(newer.text), statement(older.text)
    changed = new.changes or END.search(newer.text) is not None
    return changed and not _stems(new).isdisjoint(_stems(old))


def _named_former(new: Statement, old: Statement) -> Replacement | None:
    """Find the former value that the newer note names, in the older note, about the same thing."""
    for former in _formers(new.text):
        named = stems(content_words(former))
        said = stems(content_words(old.text))
        rest = stems(content_words(new.text)) - named
        # about the same: beside the former value they share a word
        if named and named <= said and (rest & (said - named)):
            return Replacement(FROM_TO, f"names the former: {former.strip()}")
    return None


def _formers(text: str) -> Iterator[str]:
    for pattern in _FORMER:
        for match in pattern.finditer(text):
            yield match["old"]


def _denied(new: Statement, old: Statement) -> Replacement | None:
    """Find in the older note what the newer one says is no longer so."""
    cue = END.search(new.text)
    if cue is None or END.search(old.text) or not _same_subject(new, old):
        return None
    phrase = _PHRASE_END.split(new.text[cue.end() :], maxsplit=1)[0]
    denied = stems(content_words(phrase))
    shared = denied & {*old.words, *map(stem, old.names)}
    # half of it: *no longer rides her old blue bike* denies *rides a bike*
    if not denied or len(shared) < max(1, (len(denied) + 1) // 2):
        return None
    return Replacement(DENIED, f"{cue[0].lower()}: {' '.join(sorted(shared))}")


def _told(new: Statement, old: Statement) -> Replacement | None:
    """Find another value of the same attribute, where the newer note tells a change."""
    # what is over does not change: *Ben paid 5 euros*
    if not new.changes or not _same_subject(new, old) or old.tells:
        return None
    changed = _changed_values(new, old)
    if changed and _same_attribute(new, old) and _same_topic(new, old):
        return Replacement(TOLD, changed)
    if (numbers := _last_numbers(new, old)) is not None:
        return Replacement(TOLD, numbers)
    # *Ann moved to Oslo* beside *Ann lives in Bonn*
    moved = _attributes(new) & _attributes(old)
    if moved and set(new.names) - set(old.names) and set(old.names) & set(new.names):
        return Replacement(TOLD, "tells a change of the same attribute")
    return None


def _one_value(new: Statement, old: Statement) -> Replacement | None:
    """Find the one value in which two statements of one attribute differ."""
    if new.tells or old.tells:
        return None
    shared = set(new.words) & set(old.words) | set(new.names) & set(old.names)
    other = (set(new.words) ^ set(old.words)) | (set(new.names) ^ set(old.names))
    changed = _changed_values(new, old)
    if changed:
        one_is_shorter = set(new.words) <= set(old.words) or set(old.words) <= set(new.words)
        same_names = not (set(new.names) ^ set(old.names))
        close = one_is_shorter and same_names and len(other) <= _MOST_OTHER
        return Replacement(VALUE, changed) if shared and close else None
    if new.values != old.values or len(shared) < _SHARED_AT_LEAST:
        return None
    return _one_name(new, old, other)


def _one_name(new: Statement, old: Statement, other: set[str]) -> Replacement | None:
    """Find one name in the place of another: where somebody lives, who owns the service."""
    fresh = [name for name in new.names if name not in old.names]
    gone = [name for name in old.names if name not in new.names]
    if len(fresh) != 1 or len(gone) != 1 or other != {*fresh, *gone}:
        return None
    heads = set(new.words) & set(old.words)
    if heads & _ONE_VALUE_AFTER and all(
        _comes_after(each.text, name) for each, name in ((new, fresh[0]), (old, gone[0]))
    ):
        return Replacement(VALUE, f"{gone[0]} → {fresh[0]}")
    definite = _DEFINITE.search(new.text) and _DEFINITE.search(old.text)
    if heads & _ONE_SUBJECT_BEFORE and definite and not _comes_after(new.text, fresh[0]):
        return Replacement(VALUE, f"{gone[0]} → {fresh[0]}")
    return None


def _comes_after(text: str, name: str) -> bool:
    """Tell whether a name comes late in a text: as a value and not as a subject."""
    folded = without_accents(text)
    return folded.find(name) > len(folded) / 3


def _changed_values(new: Statement, old: Statement) -> str | None:
    """Return the one kind of value in which two statements differ, if they give the same kinds."""
    gone, come = _as_times(old.values, new.values), _as_times(new.values, old.values)
    kinds = {kind for kind, _ in come} & {kind for kind, _ in gone}
    changed: list[str] = []
    for kind in sorted(kinds):
        before = [value for each, value in gone if each == kind]
        after = [value for each, value in come if each == kind]
        if before != after:
            if len(before) != 1 or len(after) != 1:
                return None
            changed.append(f"{before[0]} → {after[0]}")
    others = {kind for kind, _ in come} ^ {kind for kind, _ in gone}
    if not changed or ((others or len(changed) > 1) and not new.changes):
        return None
    return ", ".join(changed) if len(changed) == 1 or _says_the_same(new, old) else None


def _says_the_same(new: Statement, old: Statement) -> bool:
    """Tell whether nothing but values differs between two notes that say something."""
    return bool(new.words) and set(new.words) == set(old.words) and set(new.names) == set(old.names)


def _last_numbers(new: Statement, old: Statement) -> str | None:
    """Return the numbers with which two notes end that say the same else, if the newer tells a change."""
    ends = _LAST_NUMBER.search(old.text), _LAST_NUMBER.search(new.text)
    if not new.changes or not all(ends) or not _says_the_same(new, old):
        return None
    before, after = (end[1] for end in ends if end)
    return f"{before} → {after}" if before != after else None


def _as_times(values: Values, others: Values) -> Values:
    """Read bare hours as times where the other note tells a time: *at 10* beside *at 9:30*."""
    if not any(kind == "time" for kind, _ in others):
        return values
    return tuple(("time" if _HOUR.fullmatch(value) else kind, value) for kind, value in values)


def _same_subject(new: Statement, old: Statement) -> bool:
    """Tell whether two notes are about the same: they share a name, or name none and share words."""
    if new.names and old.names:
        return bool(set(new.names) & set(old.names))
    return bool(set(new.words) & set(old.words)) or not _stems(new).isdisjoint(_stems(old))


def _stems(one: Statement) -> frozenset[str]:
    return frozenset((*map(stem, one.names), *one.words))


def _same_attribute(new: Statement, old: Statement) -> bool:
    """Tell whether two notes share an attribute, or two words and more where each says something else as well."""
    shared = set(new.words) & set(old.words)
    # two words are shared by chance where each says something else besides (ADR 81)
    apart = not (set(new.words) <= shared or set(old.words) <= shared)
    return bool(_attributes(new) & _attributes(old)) or len(shared) >= _SHARED_AT_LEAST + apart


def _same_topic(new: Statement, old: Statement) -> bool:
    """Tell whether two notes share two words, all that the older one says, or a word that both begin with."""
    shared = {*new.words, *map(stem, new.names)} & {*old.words, *map(stem, old.names)}
    said = {*old.words, *map(stem, old.names)}
    if len(shared) >= _SHARED_AT_LEAST or said <= shared:
        return True
    return any(_begins_with(new.text, word) and _begins_with(old.text, word) for word in shared)


def _begins_with(text: str, word: str) -> bool:
    return word in stems(content_words(text)[:_FIRST_WORDS])


def _attributes(one: Statement) -> frozenset[int]:
    return frozenset(
        number for number, words in enumerate(_ATTRIBUTES) if not words.isdisjoint(one.words)
    )
