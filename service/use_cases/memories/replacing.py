"""Replacements among near facts: read together where the embedder reads pairs, else by what the texts tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph.condensing.facts import content_words
from graph.condensing.model import Source
from graph.condensing.turns import read
from graph.model.memories.links import NearFact
from graph.model.memories.superseding import Supersession
from graph.ports.world import PairReader
from graph.replacing.detection import (
    PARTLY,
    WITHOUT_CHANGE,
    Fact,
    Replacement,
    are_statements,
    comparable,
    replacement,
    states_change,
)

_SECONDS_PER_DAY = 86_400.0
_READ = 8  # nearest facts; they and the next line hold 93 % of 721 replaced facts
_NEAR_ENOUGH = 0.5
_LONGEST_EVIDENCE = 1_000  # characters: as an export takes it
_SENTENCES = 2  # of a condensed memory that share most words with the newer note
_LEAST = 0.55  # probability below which a replacement is suspected at most
_SUSPECTED = 0.35  # probability below which nothing is noted (ADR 74)


@dataclass(frozen=True, slots=True)
class FactPair:
    """Two facts, the older of which the newer may replace; ``similarity`` is the cosine of their texts, in [-1, 1]."""

    newer: Fact
    older: Fact
    similarity: float


def supersessions(
    itself: NearFact, others: Sequence[NearFact], least: float, reader: PairReader | None
) -> tuple[Supersession, ...]:
    """Return which of the nearest facts one replaces, and which replace it, whichever was stored first.

    ``others`` come nearest first; ``least`` is the confidence from which a replaced fact stops holding. A condensed
    one goes on holding, as its other sentences may: it only stands behind what replaces one of them. A replacement is
    suspected between single notes alone, not between turns of sessions.
    """
    ordered = [
        (*pair, other.similarity)
        for other in others
        # a condensed note replaces nothing: its sentences are older than it is
        for pair in _in_order(itself, other)
        if not pair[0].condensed
    ]
    pairs = [FactPair(_fact(newer), _fact(older), near) for newer, older, near in ordered]
    # single notes only: a turn is seldom all that was said of a thing
    told = replacements(pairs, reader, least=_LEAST if itself.session_id else _SUSPECTED)
    found: dict[tuple[str, str], Supersession] = {}
    for (newer, older, _), each in zip(ordered, told, strict=True):
        key = (newer.uid, older.uid)
        if each is None or (each.suspected and not (_stands_alone(newer) and _stands_alone(older))):
            continue
        if key in found and found[key].confidence >= each.confidence:
            continue
        # which of its sentences is meant
        said = f"{each.evidence}: {older.text}" if older.condensed else each.evidence
        found[key] = Supersession(
            newer.uid,
            older.uid,
            min(each.confidence, PARTLY) if older.condensed else each.confidence,
            said[:_LONGEST_EVIDENCE],
            "detected",
            # other sentences of a condensed one may still hold
            decisive=each.confidence >= least and not older.condensed and not each.suspected,
            suspected=each.suspected,
            # not written if one of them changed meanwhile
            revisions=(newer.revision, older.revision),
        )
    return tuple(found.values())


def _stands_alone(fact: NearFact) -> bool:
    return not (fact.session_id or fact.condensed)


def _in_order(itself: NearFact, other: NearFact) -> Iterator[tuple[NearFact, NearFact]]:
    """Yield the newer and the older of two, if one comes later; of a condensed one each sentence that is like the other."""
    later = itself.is_later_than(other)
    # of one moment nothing replaces anything
    if later is None:
        return
    for one in _sentences(other, itself.text) if other.condensed else (other,):
        yield (itself, one) if later else (one, itself)


# a condensed text holds several facts: each is compared alone
def _sentences(condensed: NearFact, text: str) -> list[NearFact]:
    """Return the statements that share most words with a text, each as a fact of its own."""
    words = content_words(text)
    told = [
        (len(words & content_words(row.text)), row)
        for row in read([Source(condensed.text, condensed.speaker)])
        if not row.asks
    ]
    told.sort(key=lambda each: -each[0])
    return [
        replace(condensed, text=row.text, speaker=row.speaker)
        for shared, row in told[:_SENTENCES]
        if shared
    ]


def _fact(near: NearFact) -> Fact:
    return Fact(near.text, near.speaker, near.begins.timestamp() / _SECONDS_PER_DAY)


def replacements(
    pairs: Sequence[FactPair], reader: PairReader | None, least: float = _LEAST
) -> list[Replacement | None]:
    """Find out for each pair whether the later fact replaces the earlier; the nearest pairs come first.

    A reader judges the nearest, and confirms what the texts tell of the others. ``least`` is the probability from which a
    replacement is at least suspected, in [0, 1].
    """
    told = [replacement(pair.newer, pair.older, pair.similarity) for pair in pairs]
    if reader is None:
        return told
    suspects = least < _LEAST
    places = [
        p
        for p, pair in enumerate(pairs)
        if told[p] is not None or _worth_reading(p, pair, suspects=suspects)
    ]
    read = reader.replaced([(pairs[p].older.text, pairs[p].newer.text) for p in places])
    found: list[Replacement | None] = [None] * len(pairs)
    for place, (whole, partly) in zip(places, read.tolist(), strict=True):
        if whole + partly >= _LEAST and comparable(pairs[place].newer, pairs[place].older):
            found[place] = _judged(whole, partly, told[place], pairs[place])
        elif whole + partly >= least:
            found[place] = Replacement(whole + partly, "read together", suspected=True)
    return found


def _worth_reading(place: int, pair: FactPair, *, suspects: bool) -> bool:
    near = place < _READ and pair.similarity >= _NEAR_ENOUGH
    alike = are_statements if suspects else comparable  # another number only makes it less sure
    return near and alike(pair.newer, pair.older)


def _judged(whole: float, partly: float, told: Replacement | None, pair: FactPair) -> Replacement:
    # partly: it stands behind, and goes on holding
    sure = whole if whole > partly else min(whole + partly, PARTLY)
    if told is not None:
        return Replacement(max(sure, told.confidence), f"read together; {told.evidence}")
    changed = states_change(pair.newer, pair.older)
    # without a word that tells of a change two facts may both hold
    return Replacement(sure if changed else min(sure, WITHOUT_CHANGE), "read together")
