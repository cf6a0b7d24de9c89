"""Alternatives of different kinds, such as `sql or by bob`: filters cannot express them, so they are unread."""

from __future__ import annotations

import re

from graph.questions.clauses import CLAUSES
from graph.questions.scan import Scan
from graph.questions.words import DANGLING, FILLERS, WORD

_OR = re.compile(r"(?:and/)?or\s+(?!so\b)", re.IGNORECASE)
_VERDICTS = frozenset({"verdicts"})
_TIMES = frozenset({"occurred_from", "occurred_to"})
_BLANK = re.compile(r"[\s,]*")


def read_alternative(scan: Scan) -> int | None:
    """Add what follows `or` to the unread words, unless it is another verdict; return its end."""
    joint = scan.match(_OR)
    if joint is None or not scan.last:
        return None
    aside = scan.aside(joint.end())
    while True:
        end = next((end for end in (clause(aside) for clause in CLAUSES) if end is not None), None)
        word = WORD.match(aside.text, aside.place)
        if end is not None or word is None or word[0].lower() not in FILLERS - DANGLING:
            break
        aside.place = _BLANK.match(aside.text, word.end()).end()  # pyright: ignore[reportOptionalMemberAccess] -- may be empty
    # *right or wrong*, *May or June* are read completely
    further = aside.draft.verdicts and scan.last == _VERDICTS
    touching = aside.draft.occurred_from and scan.last and scan.last <= _TIMES
    if end is not None and (further or touching):
        return None
    behind = end or (word.end() if word else joint.end())
    scan.draft.unread.append(scan.text[scan.place : behind].strip())
    return behind
