"""Reading of candidates together with a question: which texts are read, and what reading tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from graph.condensing.sentences import spoken
from graph.kernel.values import Floats, Ints
from graph.model.recall.candidates import CandidatePool, Recallable
from graph.ports.world import PairReader
from graph.questions.content import content_words, stems, text_stems
from graph.scoring.relevance import Flags, takes_over
from graph.scoring.weights import RankingWeights

_LINES = 8  # of a condensed memory, those that share most words with the question


@dataclass(frozen=True, slots=True)
class Reading:
    """Log-odds that each candidate answers the question, shape ``(n,)``, NaN where it was not read.

    ``asked_now`` are those for the question with *now* at its end, if it was asked so. ``in_doubt``, of shape ``(n,)`` or ``()``: whether they change the strength of what
    was read, or only tell which of two the newer one replaces. ``instead`` are the log-odds that the newer note of each row ``(newer, first)`` of
    ``rivals`` answers in place of the first result, shape ``(r,)``.
    """

    log_odds: Floats
    asked_now: Floats | None = None
    in_doubt: Flags = field(default_factory=lambda: np.array(True))
    rivals: Ints = field(default_factory=lambda: np.zeros((0, 2), dtype=np.int64))
    instead: Floats = field(default_factory=lambda: np.zeros(0))

    def of(self, places: Ints) -> Reading:
        """Return what was read of some candidates, in their order."""
        size = len(self.log_odds)
        rivals, inside = among(self.rivals, places, size)
        return replace(
            self,
            log_odds=self.log_odds[places],
            asked_now=None if self.asked_now is None else self.asked_now[places],
            in_doubt=np.broadcast_to(self.in_doubt, (size,))[places],
            rivals=rivals,
            instead=self.instead[inside],
        )


def among(pairs: Ints, places: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the pairs of candidates that are both among some of ``size``, renumbered in their order, and their rows."""
    index = np.full(size, -1)
    index[places] = np.arange(len(places))
    renumbered = index[pairs].reshape(-1, 2)
    rows = np.flatnonzero((renumbered >= 0).all(axis=1))
    return renumbered[rows], rows


def read(
    reader: PairReader, pool: CandidatePool, question: str, wanted: Ints, by_line: Iterable[int]
) -> Floats:
    """Return the log-odds that each wanted candidate answers a question, shape ``(n,)``; NaN for the others.

    Those ``by_line`` are read line by line too, and the best of what was read of each counts.
    """
    texts = [(int(place), told(pool, int(place))) for place in wanted]
    texts += [
        (int(place), line) for place in by_line for line in _lines(pool, int(place), question)
    ]
    answered = reader.answers(question, [text for _, text in texts])
    log_odds = np.full(len(pool), -np.inf)
    # not by plain indexing: of several lines of a candidate it would keep the last, not the best
    np.maximum.at(log_odds, np.array([place for place, _ in texts], dtype=np.int64), answered)
    return np.where(np.isneginf(log_odds), np.nan, log_odds)


def read_rivals(
    reader: PairReader,
    pool: CandidatePool,
    question: str,
    rivals: Ints,
    reading: Reading | None,
    relevance: Floats,
    weights: RankingWeights,
) -> Reading:
    """Read a question with the first result and each newer note that may answer in its place, rows ``(newer, first)``.

    Returns the reading with their log-odds; what it has read is not read again.
    """
    if reading is None:
        reading = Reading(np.full(len(pool), np.nan), in_doubt=np.array(False))
    newer, first = rivals[:, 0], int(rivals[0, 1])
    known = reading.log_odds
    unread = np.setdiff1d(np.union1d(newer, [first]), np.flatnonzero(~np.isnan(known)))
    answers = np.where(np.isnan(known), read(reader, pool, question, unread, ()), known)
    notes = [(told(pool, first), told(pool, int(place))) for place in newer]
    instead = takes_over(
        reader.answers_instead(question, notes),
        answers[newer],
        float(answers[first]),
        relevance[newer] / relevance[first],
        weights=weights.succession,
    )
    return replace(reading, rivals=rivals, instead=instead)


def is_turn(pool: CandidatePool, place: int) -> bool:
    """Tell whether a candidate was said in a session."""
    return pool.memories[int(place)].session_id is not None


def told(pool: CandidatePool, place: int) -> str:
    """Return the text of a candidate as it is read: a turn with its speaker, and with the question that it follows."""
    if not is_turn(pool, place):
        return pool.memories[place].text
    # *Two. Both sheep* answers only behind its question (ADR 76)
    return "\n".join(_spoken(pool.memories[at]) for at in (*_asked_before(pool, place), place))


def _asked_before(pool: CandidatePool, place: int) -> list[int]:
    inward = np.flatnonzero(pool.edges[:, 1] == place)
    before = [int(pool.edges[at, 0]) for at in inward if pool.edge_types[int(at)] == "NEXT"]
    return [at for at in before if pool.memories[at].text.rstrip().endswith("?")]


def _spoken(turn: Recallable) -> str:
    return turn.text if turn.speaker is None else f"{turn.speaker}: {turn.text}"


def _lines(pool: CandidatePool, place: int, question: str) -> Sequence[str]:
    """Return what the lines of a memory say, without who says it; none of a memory of one line."""
    text = pool.memories[place].text.strip()
    if "\n" not in text:
        return ()
    asked = stems(content_words(question))
    # without speakers: with them .591 instead of .636 of the held chat's answers came among three
    # (ADR 86)
    lines = [line.said for line in spoken(text, None)]
    return sorted(lines, key=lambda line: -len(asked & text_stems(line)))[:_LINES]
