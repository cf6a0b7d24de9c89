"""Detection of replacements among similar facts, by a cross-encoder (reader of pairs) or by the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

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
from graph.replacing.onset import onset
from graph.scoring.replaced import replaced_probability

_SECONDS_PER_DAY = 86_400.0
_MAX_READ = 8  # most similar facts; these limits cover 93 % of 721 replaced facts
_LEAST_COSINE = 0.5
_LONGEST_EVIDENCE = 1_000  # characters, the limit of an export
_SENTENCES = 2  # of a condensed memory that share most words with the newer note
_LEAST_CONFIDENT = 0.55  # probability below which a replacement is suspected at most
_LEAST_WORDED = 0.2  # the same, if the words show the replacement
_LEAST_SURE = 0.4  # the same, from what was read and the cosine (ADR 95)
_ABOUT_ONE = 0.7  # cosine of two facts of which one usually replaces the other
_LEAST_SUSPECTED = 0.35  # probability below which nothing is recorded (ADR 74)


@dataclass(frozen=True, slots=True)
class FactPair:
    """Two facts, of which the newer may replace the older, and the cosine of their texts, in [-1, 1]."""

    newer: Fact
    older: Fact
    similarity: float


def supersessions(
    itself: NearFact, others: Sequence[NearFact], least: float, reader: PairReader | None
) -> tuple[Supersession, ...]:
    """Return which of the most similar facts one replaces, and which replace it, whichever was stored first.

    ``others`` are sorted by similarity; ``least`` is the confidence from which a replaced fact ends. A condensed fact never
    ends, as its other sentences may hold: it is only ranked lower. Suspected replacements are limited to single notes.
    """
    ordered = [
        (*pair, _similarity(other))
        for other in others
        # a condensed note replaces nothing: its sentences are older than the note
        for pair in _newer_and_older(itself, other)
        if not pair[0].condensed
    ]
    pairs = [FactPair(_fact(newer), _fact(older), near) for newer, older, near in ordered]
    # suspected between single notes only: a turn is seldom a complete statement
    results = replacements(
        pairs, reader, least=_LEAST_CONFIDENT if itself.session_id else _LEAST_SUSPECTED
    )
    by_pair: dict[tuple[str, str], Supersession] = {}
    for (newer, older, _), each in zip(ordered, results, strict=True):
        key = (newer.uid, older.uid)
        if each is None or (
            each.suspected and not (_is_single_note(newer) and _is_single_note(older))
        ):
            continue
        if key in by_pair and by_pair[key].confidence >= each.confidence:
            continue
        evidence = f"{each.evidence}: {older.text}" if older.condensed else each.evidence
        by_pair[key] = Supersession(
            newer.uid,
            older.uid,
            min(each.confidence, PARTLY) if older.condensed else each.confidence,
            evidence[:_LONGEST_EVIDENCE],
            "detected",
            # other sentences of a condensed one may still hold
            decisive=each.confidence >= least and not older.condensed and not each.suspected,
            suspected=each.suspected,
            # so that it is not written if one of them changed meanwhile
            revisions=(newer.revision, older.revision),
            starts=onset(newer.text, newer.begins),
        )
    return tuple(by_pair.values())


def _similarity(other: NearFact) -> float:
    """Return the cosine to a fact; for a sentence of a condensed text at least that of two facts about one thing."""
    # the vector is of the whole text, and says little of one sentence
    near = other.similarity
    return max(near, _ABOUT_ONE) if other.condensed and near >= _LEAST_COSINE else near


def _is_single_note(fact: NearFact) -> bool:
    return not (fact.session_id or fact.condensed)


def _newer_and_older(itself: NearFact, other: NearFact) -> Iterator[tuple[NearFact, NearFact]]:
    """Yield the newer and the older of two facts; of a condensed one each similar sentence."""
    later = itself.is_later_than(other)
    # facts of the same time do not replace each other
    if later is None:
        return
    for one in _sentences(other, itself.text) if other.condensed else (other,):
        yield (itself, one) if later else (one, itself)


def _sentences(condensed: NearFact, text: str) -> list[NearFact]:
    """Return the statements of a condensed text that share most words with another text, each as a fact."""
    words = content_words(text)
    by_overlap = [
        (len(words & content_words(row.text)), row)
        for row in read([Source(condensed.text, condensed.speaker)])
        if not row.asks
    ]
    by_overlap.sort(key=lambda each: -each[0])
    return [
        replace(condensed, text=row.text, speaker=row.speaker)
        for shared, row in by_overlap[:_SENTENCES]
        if shared
    ]


def _fact(near: NearFact) -> Fact:
    return Fact(near.text, near.speaker, near.begins.timestamp() / _SECONDS_PER_DAY)


def replacements(
    pairs: Sequence[FactPair], reader: PairReader | None, least: float = _LEAST_CONFIDENT
) -> list[Replacement | None]:
    """Return for each pair, the most similar first, whether the newer fact replaces the older.

    A reader judges the most similar pairs, and confirms the replacements that the words show. ``least`` is the probability
    from which a replacement is at least suspected, in [0, 1].
    """
    by_words = [replacement(pair.newer, pair.older, pair.similarity) for pair in pairs]
    if reader is None:
        return by_words
    suspects = least < _LEAST_CONFIDENT
    places = [
        p
        for p, pair in enumerate(pairs)
        if by_words[p] is not None or _worth_reading(p, pair, suspects=suspects)
    ]
    read = reader.replaced([(pairs[p].older.text, pairs[p].newer.text) for p in places])
    cosines = np.array([pairs[p].similarity for p in places]).clip(-1.0, 1.0)
    sure = replaced_probability(read[:, 0].astype(np.float64), cosines)
    results: list[Replacement | None] = [None] * len(pairs)
    for place, (whole, partly), known in zip(places, read.tolist(), sure.tolist(), strict=True):
        pair, worded = pairs[place], by_words[place]
        enough = _LEAST_CONFIDENT if worded is None else _LEAST_WORDED
        changed = known >= _LEAST_SURE and comparable(pair.newer, pair.older)
        if changed and whole + partly >= enough:
            # the mean: by the probability alone, two notes that still held were hidden (ADR 95)
            confidence = (whole + known) / 2.0 if whole > partly else min(known, PARTLY)
            results[place] = _by_reader(confidence, worded, pair)
        elif whole + partly >= least:
            confidence = min(whole + partly, _LEAST_CONFIDENT)
            results[place] = Replacement(confidence, "read together", suspected=True)
    return results


def _worth_reading(place: int, pair: FactPair, *, suspects: bool) -> bool:
    near = place < _MAX_READ and pair.similarity >= _LEAST_COSINE
    alike = (
        are_statements if suspects else comparable
    )  # other identifiers only lower the confidence
    return near and alike(pair.newer, pair.older)


def _by_reader(confidence: float, by_words: Replacement | None, pair: FactPair) -> Replacement:
    if by_words is not None:
        return Replacement(
            max(confidence, by_words.confidence), f"read together; {by_words.evidence}"
        )
    changed = states_change(pair.newer, pair.older)
    # without a word of change both facts may hold
    return Replacement(confidence if changed else min(confidence, WITHOUT_CHANGE), "read together")
