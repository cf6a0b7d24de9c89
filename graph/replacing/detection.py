"""Detection of facts that a later fact replaces, without a language model.

A later note replaces an earlier one if it says so explicitly (*from … to*, *instead of*, *no longer*, *took over from*),
if it states a change and another value of the same attribute, or if both state one value of a single-valued attribute
(*lives in*, *is at 9:15*, *costs*) and differ in nothing else. Other pairs are left alone: two allergies, two meetings
or two invoices are merely similar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph.kernel.words import without_accents
from graph.phrases.changes import END
from graph.questions.content import content_words, stem, stems
from graph.replacing.notation import canonical
from graph.replacing.statements import Statement, statement

Values = tuple[tuple[str, str], ...]

FROM_TO, DENIED, CHANGED, VALUE = 0.95, 0.85, 0.8, 0.75
"""Confidence by kind of evidence, in the order of their precision."""
PARTLY = 0.6
"""Confidence of the replacement of one sentence of several: below what hides a memory by default."""
WITHOUT_CHANGE = 0.7
"""Highest confidence if the newer note has no word of a change: below what hides a memory by default (ADR 84)."""

LEAST_SIMILARITY = 0.45
"""Cosine below which one fact never replaces another."""
# two sentences of some words: *Dr. Kim moved out* is one
_SEVERAL_SENTENCES = re.compile(r"\w{3,}[.!?…][\"'”’)]*\s+[A-ZÀ-Þ]\w+(?:\W+\w+){2}")
_FORMER_VALUE = (
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
_ONE_VALUE_AFTER_WORDS = """live lives living resides based works work working called named password code address boss manager"""
_ONE_VALUE_AFTER = stems(_ONE_VALUE_AFTER_WORDS.split())
_ONE_SUBJECT_BEFORE_WORDS = """own owns lead leads maintain maintains manages chairs handles runs"""
_ONE_SUBJECT_BEFORE = stems(_ONE_SUBJECT_BEFORE_WORDS.split())
# *Ann owns the boat* leaves no other owner, *Ann owns a boat* does
_DEFINITE = re.compile(
    r"\b(?:own|lead|maintain|manage|chair|handle|run)s (?:the|our|all)\b", re.IGNORECASE
)
_LAST_NUMBER = re.compile(r"(\d+)\W*$")
_HOUR = re.compile(r"1?\d|2[0-4]")
_LEAST_SHARED = 2
_MAX_DIFFERING = 2
_FIRST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """A note with its speaker, and the day since 1970 from which it holds."""

    text: str
    speaker: str | None
    day: float


@dataclass(frozen=True, slots=True)
class Replacement:
    """Confidence that one fact replaces another, in (0, 1], and its evidence.

    ``suspected``: too uncertain to count unless both are candidates for one question.
    """

    confidence: float
    evidence: str
    suspected: bool = False


def replacement(newer: Fact, older: Fact, similarity: float) -> Replacement | None:
    """Return whether and why a later fact replaces an earlier one; None without evidence.

    ``similarity`` is the cosine of the two texts, in [-1, 1]. An older note of several sentences is only replaced in part,
    as the others may still hold: with a confidence of ``PARTLY`` at most.

    Examples
    --------
    >>> replacement(Fact("Standup at 10:00.", None, 2), Fact("The standup is at 9:15.", None, 1), 0.8)
    Replacement(confidence=0.75, evidence='9:15 → 10:00', suspected=False)
    """
    if similarity < LEAST_SIMILARITY or not comparable(newer, older):
        return None
    new, old = statement(newer.text), statement(older.text)
    # from the most precise evidence to the least
    evidence = (
        _named_former(new, old)
        or _denied(new, old)
        or _changed_attribute(new, old)
        or _one_value(new, old)
    )
    if evidence is not None and _SEVERAL_SENTENCES.search(older.text):
        return replace(evidence, confidence=min(evidence.confidence, PARTLY))
    return evidence


def comparable(newer: Fact, older: Fact) -> bool:
    """Return whether one fact may replace another.

    Both are statements of one speaker with the same identifiers (*room 12*, *room 13*), unless the newer states a change of
    just this number.
    """
    new, old = statement(newer.text), statement(older.text)
    other_identifiers = new.identifiers and old.identifiers and new.identifiers != old.identifiers
    return are_statements(newer, older) and not (
        other_identifiers and _last_numbers(new, old) is None
    )


def are_statements(newer: Fact, older: Fact) -> bool:
    """Return whether two facts are different statements of one speaker, and the newer is no addition (*also*)."""
    new, old = statement(newer.text), statement(older.text)
    same = newer.speaker == older.speaker and newer.text != older.text
    return same and not (new.asks or old.asks or new.adds)


def states_change(newer: Fact, older: Fact) -> bool:
    """Return whether the newer of two facts states a change, or the end, of something that the older is about.

    Examples
    --------
    >>> older = Fact("The soup needs salt.", None, 1)
    >>> states_change(Fact("The soup now needs pepper.", None, 2), older), states_change(Fact("The soup needs pepper.", None, 2), older)
    (True, False)
    """
    new, old = statement(newer.text), statement(older.text)
    changed = new.changes or END.search(newer.text) is not None
    return changed and not _stems(new).isdisjoint(_stems(old))


def _named_former(new: Statement, old: Statement) -> Replacement | None:
    """Find a former value that the newer note names and the older one has, about the same subject."""
    for former in _formers(new.text):
        former_stems = stems(content_words(former))
        old_stems = stems(content_words(old.text))
        other_stems = stems(content_words(new.text)) - former_stems
        # same subject: besides the former value they share a word
        if (
            former_stems
            and former_stems <= old_stems
            and (other_stems & (old_stems - former_stems))
        ):
            return Replacement(FROM_TO, f"names the former: {former.strip()}")
    return None


def _formers(text: str) -> Iterator[str]:
    for pattern in _FORMER_VALUE:
        for match in pattern.finditer(text):
            yield match["old"]


def _denied(new: Statement, old: Statement) -> Replacement | None:
    """Find in the older note what the newer one says has ended."""
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


def _changed_attribute(new: Statement, old: Statement) -> Replacement | None:
    """Find another value of the same attribute, if the newer note states a change."""
    # a past event does not change: *Ben paid 5 euros*
    if not new.changes or not _same_subject(new, old) or old.tells:
        return None
    changed = _changed_values(new, old)
    if changed and _same_attribute(new, old) and _same_topic(new, old):
        return Replacement(CHANGED, changed)
    if (numbers := _last_numbers(new, old)) is not None:
        return Replacement(CHANGED, numbers)
    # *Ann moved to Oslo* beside *Ann lives in Bonn*
    moved = _attributes(new) & _attributes(old)
    if moved and set(new.names) - set(old.names) and set(old.names) & set(new.names):
        return Replacement(CHANGED, "tells a change of the same attribute")
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
        close = one_is_shorter and same_names and len(other) <= _MAX_DIFFERING
        return Replacement(VALUE, changed) if shared and close else None
    if new.values != old.values or len(shared) < _LEAST_SHARED:
        return None
    return _one_name(new, old, other)


def _one_name(new: Statement, old: Statement, other: set[str]) -> Replacement | None:
    """Find one name in place of another: where somebody lives, who owns the service."""
    added = [name for name in new.names if name not in old.names]
    removed = [name for name in old.names if name not in new.names]
    if len(added) != 1 or len(removed) != 1 or other != {*added, *removed}:
        return None
    shared_words = set(new.words) & set(old.words)
    if shared_words & _ONE_VALUE_AFTER and all(
        _is_value(each.text, name) for each, name in ((new, added[0]), (old, removed[0]))
    ):
        return Replacement(VALUE, f"{removed[0]} → {added[0]}")
    definite = _DEFINITE.search(new.text) and _DEFINITE.search(old.text)
    if shared_words & _ONE_SUBJECT_BEFORE and definite and not _is_value(new.text, added[0]):
        return Replacement(VALUE, f"{removed[0]} → {added[0]}")
    return None


def _is_value(text: str, name: str) -> bool:
    """Return whether a name is late in a text: a value, no subject."""
    folded = without_accents(text)
    return folded.find(name) > len(folded) / 3


def _changed_values(new: Statement, old: Statement) -> str | None:
    """Return the change of the one kind of value in which two statements differ, if they have the same kinds."""
    old_values, new_values = _as_times(old.values, new.values), _as_times(new.values, old.values)
    kinds = {kind for kind, _ in new_values} & {kind for kind, _ in old_values}
    changed: list[str] = []
    for kind in sorted(kinds):
        before = [value for each, value in old_values if each == kind]
        after = [value for each, value in new_values if each == kind]
        if [canonical(kind, value) for value in before] != [
            canonical(kind, value) for value in after
        ]:
            if len(before) != 1 or len(after) != 1:
                return None
            changed.append(f"{before[0]} → {after[0]}")
    others = {kind for kind, _ in new_values} ^ {kind for kind, _ in old_values}
    if not changed or ((others or len(changed) > 1) and not new.changes):
        return None
    return ", ".join(changed) if len(changed) == 1 or _differ_only_in_values(new, old) else None


def _differ_only_in_values(new: Statement, old: Statement) -> bool:
    """Return whether two notes have the same words and names."""
    return bool(new.words) and set(new.words) == set(old.words) and set(new.names) == set(old.names)


def _last_numbers(new: Statement, old: Statement) -> str | None:
    """Return the change of the numbers at the end of two otherwise equal notes, if the newer states a change."""
    ends = _LAST_NUMBER.search(old.text), _LAST_NUMBER.search(new.text)
    if not new.changes or not all(ends) or not _differ_only_in_values(new, old):
        return None
    before, after = (end[1] for end in ends if end)
    return f"{before} → {after}" if before != after else None


def _as_times(values: Values, others: Values) -> Values:
    """Read bare hours as times if the other note has a time: *at 10* and *at 9:30*."""
    if not any(kind == "time" for kind, _ in others):
        return values
    return tuple(("time" if _HOUR.fullmatch(value) else kind, value) for kind, value in values)


def _same_subject(new: Statement, old: Statement) -> bool:
    """Return whether two notes share a name, or share words and one of them has no name."""
    if new.names and old.names:
        return bool(set(new.names) & set(old.names))
    return bool(set(new.words) & set(old.words)) or not _stems(new).isdisjoint(_stems(old))


def _stems(one: Statement) -> frozenset[str]:
    return frozenset((*map(stem, one.names), *one.words))


def _same_attribute(new: Statement, old: Statement) -> bool:
    """Return whether two notes share an attribute, or two words; three if each has other words too."""
    shared = set(new.words) & set(old.words)
    # with other words on both sides, two shared words are often chance (ADR 81)
    apart = not (set(new.words) <= shared or set(old.words) <= shared)
    return bool(_attributes(new) & _attributes(old)) or len(shared) >= _LEAST_SHARED + apart


def _same_topic(new: Statement, old: Statement) -> bool:
    """Return whether two notes share two words, all words of the older one, or a word that both begin with."""
    shared = {*new.words, *map(stem, new.names)} & {*old.words, *map(stem, old.names)}
    old_words = {*old.words, *map(stem, old.names)}
    if len(shared) >= _LEAST_SHARED or old_words <= shared:
        return True
    return any(_begins_with(new.text, word) and _begins_with(old.text, word) for word in shared)


def _begins_with(text: str, word: str) -> bool:
    return word in stems(content_words(text)[:_FIRST_WORDS])


def _attributes(one: Statement) -> frozenset[int]:
    return frozenset(
        number for number, words in enumerate(_ATTRIBUTES) if not words.isdisjoint(one.words)
    )
