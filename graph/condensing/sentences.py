"""Sentences of a text: boundaries, speakers, repeats and centrality."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graph.condensing.facts import content_words, dates, form, names, negated, numbers
from graph.condensing.tokens import tokens
from graph.kernel.words import MONTHS

Floats = npt.NDArray[np.float64]

_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Capt|Lt|Sgt|Hr|Fr|[A-Z]|(?:[A-Z]\.)+[A-Z]|z\. ?B|e\.g|i\.e"
    r"|(?i:vs|approx|incl|excl|inkl|exkl|zzgl|bzw|ca|resp|reg|ref|dept|tel|ext|cf|Str))\.$"
)
# *No. 5* is no end, *He said no. Then …* is one
_NUMBERING = re.compile(r"(?:^|[\s(])(?i:No|Nos|Nr|p|pp|vol|fig|ch|sec|max|min)\.$")
# no end only before a small letter: *6 a.m. sharp*
_DOTTED = re.compile(r"(?:^|[\s(])(?:(?:\w\.)+\w|etc)\.$")
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_LONGEST_ABBREVIATED = 32  # characters read on either side of a possible end
_MONTH_OR_SMALL = re.compile(
    r"[a-zäöü]|(?:Jan|Feb|Mär|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec)"
)
_MONTHS = [month.capitalize() for month in MONTHS]
_DAY = rf"\d{{1,2}} (?:{'|'.join(_MONTHS)}) \d{{4}}"
_WORD = r"[\w.'’-]+"
# one word, or a name of several; *The import of Acme failed: it has semicolons* has no speaker
_NAME = (
    rf"(?:[A-ZÀ-Þ]{_WORD}(?: (?:[A-ZÀ-Þ]{_WORD}|[A-ZÀ-Þ]|von|van|de|der|of|and)){{1,4}}|{_WORD})"
)
# within 60 characters: before a later colon there is a sentence, no speaker
_SPOKEN = re.compile(rf"^(?=.{{1,60}}: )(?:({_NAME})(?: \(({_DAY})\))?|({_DAY})): ")
_DAMPING = 0.85
_LEAST_REPEATED = 0.9
_QUESTION_WEIGHT = 0.6  # a question has less information than its answer


class Spoken(NamedTuple):
    """A line of a text with its speaker and day, if it names them."""

    speaker: str | None
    said: str
    day: date | None = None


def spoken(text: str, speaker: str | None) -> list[Spoken]:
    """Parse the lines of a text, which may name speaker and day: *Nora (5 May 2026): I like tea*."""
    return [_spoken(line, speaker) for line in text.split("\n") if line.strip()]


def _spoken(line: str, speaker: str | None) -> Spoken:
    match = _SPOKEN.match(line)
    who = match[1] if match else None
    # in a memory of another speaker a line *Anna: …* is a quotation
    if match is None or not line[match.end() :].strip() or (who and speaker not in {None, who}):
        return Spoken(speaker, line.strip())
    written = match[2] or match[3]
    return Spoken(who or speaker, line[match.end() :].strip(), _day(written) if written else None)


def _day(written: str) -> date | None:
    """Parse *4 September 2026*; None for a day that does not exist."""
    day, month, year = written.split()
    try:
        return date(int(year), _MONTHS.index(month) + 1, int(day))
    except ValueError:
        return None


def sentences(text: str) -> list[str]:
    """Split a text into sentences, not at abbreviations, initials and German ordinals."""
    parts: list[str] = []
    end = 0
    for match in _END.finditer(text):
        # 32 characters on either side: the whole text at each end would be quadratic
        before = text[max(end, match.start() - _LONGEST_ABBREVIATED) : match.start()]
        after = text[match.end() : match.end() + _LONGEST_ABBREVIATED]
        # the end of a line always ends a sentence
        if "\n" not in match[0] and _goes_on(before, after):
            continue
        parts.append(text[end : match.end()].strip())
        end = match.end()
    parts.append(text[end:].strip())
    return [part for part in parts if part]


def _goes_on(before: str, after: str) -> bool:
    if _ABBREVIATED.search(before) or (after[:1].isdigit() and _NUMBERING.search(before)):
        return True
    if after[:1].islower() and _DOTTED.search(before):
        return True
    return bool(_ORDINAL.search(before)) and bool(_MONTH_OR_SMALL.match(after))


def repeats(rows: Sequence[str], whose: Sequence[object] = ()) -> dict[int, int]:
    """Map each sentence that repeats an earlier one to that earlier one.

    A repeat has the same speaker and day (``whose``) and the same facts. Its words occur in the earlier sentence in the
    same order, with nearly all of that one's content words.
    """
    order = [[form(word) for word in tokens(row)] for row in rows]
    content = [content_words(row) for row in rows]
    facts = [
        (whose[place] if whose else None, numbers(row), names(row), negated(row), dates(row))
        for place, row in enumerate(rows)
    ]
    repeated: dict[int, int] = {}
    for later in range(len(rows)):
        for earlier in range(later):
            # another speaker or other facts: no repeat, however similar the words
            if earlier in repeated or facts[earlier] != facts[later]:
                continue
            enough = len(content[later]) >= _LEAST_REPEATED * len(content[earlier])
            if enough and content[later] and _is_subsequence(order[later], order[earlier]):
                repeated[later] = earlier
                break
    return repeated


def _is_subsequence(words: Sequence[str], others: Sequence[str]) -> bool:
    remaining = iter(others)
    return all(word in remaining for word in words)


def centrality(rows: Sequence[str]) -> Floats:
    """Return the centrality of each sentence: TextRank over shared words.

    The result has the shape ``(n,)`` and adds up to 1 (Mihalcea and Tarau, 2004).
    """
    count = len(rows)
    if not count:
        return np.zeros(0)
    joined = _shared(rows)
    sums = joined.sum(axis=1, keepdims=True)
    # a sentence that shares no word links to all sentences alike
    steps = np.where(sums > 0, joined / np.where(sums > 0, sums, 1.0), 1.0 / count)
    start = np.full(count, (1.0 - _DAMPING) / count)
    # solved, not iterated: faster for few sentences (ADR 65)
    return np.linalg.solve(np.eye(count) - _DAMPING * steps.T, start).astype(np.float64)


def worth_keeping(rows: Sequence[str], weights: Floats) -> list[int]:
    """Rank sentences by information per length, times their weights, the best first."""
    rank = centrality(rows) * len(rows)
    information = np.array(
        [
            len(content_words(row))
            # facts count twice: questions ask for them
            + 2.0 * (len(names(row)) + len(numbers(row)) + len(dates(row)) + len(negated(row)))
            for row in rows
        ]
    )
    question_factor = np.array(
        [_QUESTION_WEIGHT if row.endswith(("?", "？")) else 1.0 for row in rows]
    )
    # the root of the length: otherwise a single name would outrank every sentence
    lengths = np.array([5.0 + len(row) ** 0.5 for row in rows])
    score = (information + rank) * question_factor * weights / lengths
    return np.lexsort((np.arange(len(rows)), -score)).tolist()


def _shared(rows: Sequence[str]) -> Floats:
    words = [content_words(row) for row in rows]
    joined = np.zeros((len(rows), len(rows)))
    for one, first in enumerate(words):
        for two in range(one):
            shared = len(first & words[two])
            if shared:
                size = np.log1p(len(first)) + np.log1p(len(words[two]))
                joined[one, two] = joined[two, one] = shared / size
    return joined
