"""Condensing of several texts to a shorter one with the source of each piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.condensing.facts import content_words, only_facts
from graph.condensing.model import Condensed, Piece
from graph.condensing.sentences import repeats, sentences, spoken, worth_keeping

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from graph.condensing.model import Source
    from graph.condensing.sentences import Floats

MOST_SENTENCES = 100
"""More are not weighed against each other: of what comes after, the facts stay."""

_SHORT = 80


@dataclass(frozen=True, slots=True)
class _Sentence:
    source: int
    whose: tuple[str | None, date | None]
    """Who says it, and on which day."""
    text: str


def condense(
    sources: Sequence[Source],
    *,
    share: float,
    embed: Callable[[Sequence[str]], Floats] | None = None,
) -> Condensed:
    """Make one text of several.

    Sentences that tell most for their length stay whole, up to ``share`` of all characters; of the
    others stay names, numbers, dates, negated clauses and the words that the same speaker had not said
    on that day. What one says twice on a day stands once. One short text stays as it is, and no text
    becomes longer.

    Parameters
    ----------
    sources
        Memories in the order in which they are to be told.
    share
        Share of the text that stays whole, in [0, 1].
    embed
        Sentences to rows of unit length; without it, sentences are near that share words.

    Raises
    ------
    ValueError
        If the share lies outside [0, 1].
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share must lie in [0, 1], not {share}")
    told = [one for place, source in enumerate(sources) for one in _told(place, source)]
    if len(sources) == 1 and (len(sources[0].text) <= _SHORT or share == 1):
        return Condensed(sources[0].text, (Piece(0, sources[0].text, whole=True),))
    weighed = [one.text for one in told[:MOST_SENTENCES]]
    same = repeats(weighed, [one.whose for one in told])
    whole = _whole(weighed, same, share, embed)
    pieces = _pieces(told, whole, same)
    text = _written(sources, told, pieces)
    if len(sources) == 1 and len(text) >= len(sources[0].text):
        return Condensed(sources[0].text, (Piece(0, sources[0].text, whole=True),))
    return Condensed(text, tuple(piece for _, piece in pieces))


def _told(place: int, source: Source) -> list[_Sentence]:
    day = source.at.date() if source.at is not None else None
    return [
        _Sentence(place, (speaker, day), sentence)
        for speaker, said in spoken(source.text, source.speaker)
        for sentence in sentences(said)
    ]


def _whole(
    rows: Sequence[str],
    same: dict[int, int],
    share: float,
    embed: Callable[[Sequence[str]], Floats] | None,
) -> set[int]:
    left = share * sum(map(len, rows))
    kept: set[int] = set()
    if not rows or not left:
        return kept
    for place in worth_keeping(rows, embed(rows) if embed else None):
        if place not in same and len(rows[place]) <= left:
            kept.add(place)
            left -= len(rows[place])
    return kept


def _pieces(
    told: Sequence[_Sentence], whole: set[int], same: dict[int, int]
) -> list[tuple[int, Piece]]:
    said: dict[object, set[str]] = {one.whose: set() for one in told}
    for place in whole:
        said[told[place].whose] |= content_words(told[place].text)
    found: list[tuple[int, Piece]] = []
    for place, one in enumerate(told):
        if place in same:
            continue
        also = {told[later].source for later, earlier in same.items() if earlier == place}
        text = one.text if place in whole else only_facts(one.text, said[one.whose])
        if text:
            others = tuple(sorted(also - {one.source}))
            found.append((place, Piece(one.source, text, place in whole, others)))
    return found


def _written(
    sources: Sequence[Source], told: Sequence[_Sentence], pieces: Sequence[tuple[int, Piece]]
) -> str:
    """Write one line per source and speaker, with the day where sources are of several days."""
    days = {source.at.date() for source in sources if source.at is not None}
    lines: list[str] = []
    last: tuple[int, str | None] | None = None
    for place, piece in pieces:
        (speaker, _), at = told[place].whose, sources[piece.source].at
        if (piece.source, speaker) == last:
            lines[-1] += (" " if lines[-1][-1] in ".!?…。！？" else ". ") + piece.text
            continue
        day = f"{at.day} {at:%B %Y}" if at is not None and len(days) > 1 else ""
        start = f"{speaker} ({day})" if speaker and day else speaker or day
        lines.append(f"{start}: {piece.text}" if start else piece.text)
        last = (piece.source, speaker)
    return "\n".join(lines)
