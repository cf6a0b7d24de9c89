"""Sentences of a text: boundaries, duplicates, and central ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graph.condensing.facts import content_words, dates, form, names, negated, numbers
from graph.condensing.tokens import tokens

Floats = npt.NDArray[np.float64]

_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Rev|Capt|Lt|Sgt|Hr|Fr|[A-Z]|(?:[A-Z]\.)+[A-Z]|z\. ?B|e\.g|i\.e"
    r"|(?i:vs|approx|incl|excl|inkl|exkl|zzgl|bzw|ca|resp|reg|ref|dept|tel|ext|cf|Str))\.$"
)
# *No. 5* goes on, *He said no. Then …* does not
_COUNTED = re.compile(r"(?:^|[\s(])(?i:No|Nos|Nr|p|pp|vol|fig|ch|sec|max|min)\.$")
# It goes on before a small letter alone: 6 a.m. sharp.
_DOTTED = re.compile(r"(?:^|[\s(])(?:(?:\w\.)+\w|etc)\.$")
_ORDINAL = re.compile(r"(?:^|\s)\d{1,2}\.$")
_LONGEST_ABBREVIATED = 32  # characters: all that is read on either side of an end
_MONTH_OR_SMALL = re.compile(
    r"[a-zäöü]|(?:Jan|Feb|Mär|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec)"
)
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAY = rf"\d{{1,2}} (?:{'|'.join(_MONTHS)}) \d{{4}}"
_WORD = r"[\w.'’-]+"
# One word, or a name of several: "The import of Acme failed: it has semicolons" is nobody's.
_NAME = (
    rf"(?:[A-ZÀ-Þ]{_WORD}(?: (?:[A-ZÀ-Þ]{_WORD}|[A-ZÀ-Þ]|von|van|de|der|of|and)){{1,4}}|{_WORD})"
)
# within 60 characters: what stands before a later colon is a sentence
_SPOKEN = re.compile(rf"^(?=.{{1,60}}: )(?:({_NAME})(?: \(({_DAY})\))?|({_DAY})): ")
_DAMPING = 0.85
_SAME = 0.9
_QUESTION = 0.6  # a question tells less than its answer


class Spoken(NamedTuple):
    """Line of a text: who says it, what, and on which day, as far as the line says so."""

    speaker: str | None
    said: str
    day: date | None = None


def spoken(text: str, speaker: str | None) -> list[Spoken]:
    """Take a text apart by lines, as a condensed one is written: *Nora (5 May 2026): I like tea*."""
    return [_spoken(line, speaker) for line in text.split("\n") if line.strip()]


def _spoken(line: str, speaker: str | None) -> Spoken:
    found = _SPOKEN.match(line)
    who = found[1] if found else None
    # in a memory of one speaker a line *Anna: …* quotes her
    if found is None or not line[found.end() :].strip() or (who and speaker not in {None, who}):
        return Spoken(speaker, line.strip())
    written = found[2] or found[3]
    return Spoken(who or speaker, line[found.end() :].strip(), _day(written) if written else None)


def _day(written: str) -> date | None:
    """Read *4 September 2026*; None of a day that no month has."""
    day, month, year = written.split()
    try:
        return date(int(year), _MONTHS.index(month) + 1, int(day))
    except ValueError:
        return None


def sentences(text: str) -> list[str]:
    """Cut a text where its sentences end; an abbreviation, an initial or a German ordinal ends none."""
    found: list[str] = []
    end = 0
    for match in _END.finditer(text):
        # 32 characters on either side: a look at the whole text at each end takes the square of it
        before = text[max(end, match.start() - _LONGEST_ABBREVIATED) : match.start()]
        after = text[match.end() : match.end() + _LONGEST_ABBREVIATED]
        # an end of a line ends a sentence whatever stands before it
        if "\n" not in match[0] and _goes_on(before, after):
            continue
        found.append(text[end : match.end()].strip())
        end = match.end()
    found.append(text[end:].strip())
    return [part for part in found if part]


def _goes_on(before: str, after: str) -> bool:
    if _ABBREVIATED.search(before) or (after[:1].isdigit() and _COUNTED.search(before)):
        return True
    if after[:1].islower() and _DOTTED.search(before):
        return True
    return bool(_ORDINAL.search(before)) and bool(_MONTH_OR_SMALL.match(after))


def repeats(rows: Sequence[str], whose: Sequence[object] = ()) -> dict[int, int]:
    """Map each sentence that says what an earlier one said to that earlier one.

    It is of the same person and day, as ``whose`` tells, and says nothing that the earlier one does not:
    its words stand there in their order, and with them nearly all that the earlier one has to tell.
    """
    order = [[form(word) for word in tokens(row)] for row in rows]
    told = [content_words(row) for row in rows]
    strict = [
        (whose[place] if whose else None, numbers(row), names(row), negated(row), dates(row))
        for place, row in enumerate(rows)
    ]
    found: dict[int, int] = {}
    for later in range(len(rows)):
        for earlier in range(later):
            # other facts or another speaker: no words can make up for that
            if earlier in found or strict[earlier] != strict[later]:
                continue
            enough = len(told[later]) >= _SAME * len(told[earlier])
            if enough and told[later] and _stand_in(order[later], order[earlier]):
                found[later] = earlier
                break
    return found


def _stand_in(words: Sequence[str], others: Sequence[str]) -> bool:
    rest = iter(others)
    return all(word in rest for word in words)


def centrality(rows: Sequence[str]) -> Floats:
    """Return the centrality of each sentence: TextRank over shared words.

    The result has the shape ``(n,)`` and adds up to 1 (Mihalcea and Tarau, 2004).
    """
    count = len(rows)
    if not count:
        return np.zeros(0)
    joined = _shared(rows)
    sums = joined.sum(axis=1, keepdims=True)
    # a sentence that shares no word is as near to all others
    steps = np.where(sums > 0, joined / np.where(sums > 0, sums, 1.0), 1.0 / count)
    start = np.full(count, (1.0 - _DAMPING) / count)
    # solved, not iterated: few sentences, and quicker so (ADR 65)
    return np.linalg.solve(np.eye(count) - _DAMPING * steps.T, start).astype(np.float64)


def worth_keeping(rows: Sequence[str], weights: Floats) -> list[int]:
    """Order sentences by what they tell for their length times their weights, the best first."""
    rank = centrality(rows) * len(rows)
    told = np.array(
        [
            len(content_words(row))
            # facts weigh double: they are what questions ask for
            + 2.0 * (len(names(row)) + len(numbers(row)) + len(dates(row)) + len(negated(row)))
            for row in rows
        ]
    )
    asks = np.array([_QUESTION if row.endswith(("?", "？")) else 1.0 for row in rows])
    # by the root of the length: else one word of a name would beat every sentence
    lengths = np.array([5.0 + len(row) ** 0.5 for row in rows])
    score = (told + rank) * asks * weights / lengths
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
