"""Questions why attempts succeed or fail: they ask for the divergence of right and wrong attempts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph.questions import patterns
from graph.questions.drafts import Draft
from graph.questions.scan import Scan
from graph.questions.words import LEADING, NOUN


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{text})(?![\w-])", re.IGNORECASE)


_WHY = _pattern(r"(?:explain\s+)?why|how\s+come|for\s+(?:what|which)\s+reasons?")
_CAUSE = _pattern(
    r"(?:what(?:['’]s|\s+(?:is|are|was|were))?\s+)?(?:the\s+)?(?:(?:main|usual|common|typical|most\s+common|root)\s+)?"
    r"(?:reasons?|causes?)\s+(?:for|of|that|why|behind)"
    r"|(?:what|which)(?:\s+(?:steps?|moves?))?\s+(?:makes?|made|caus(?:es?|ed)|leads?\s+to|led\s+to)"
)
_WHICH = r"(?:which|what)\s+(?:first\s+)?"
_AT_STEP = _pattern(rf"(?:at|in|on)\s+{_WHICH}(?:steps?|points?|stages?|moves?)")
_PART = _pattern(
    r"(?:part(?:ed|s)?(?:\s+ways)?|diverg(?:e[sd]?|ing|ences?)|differ(?:s|ed|ences?|ent|ently)?|separat(?:e[sd]?|ing)"
    r"|distinguish(?:e[sd]|ing)?|(?:tells?|told|sets?)\s+(?=.*\bapart\b)|apart|split|compar(?:e[sd]?|ing|isons?)|against|versus|vs\.?"
    r"|(?:do|did|does)(?:\s*n['’]?t|\s+not)(?=\s*[?.!]*$|\s+(?:in|on|at|with|by|for|about|since|last|this)\b))(?:\s+(?:between|of|to|with|from))?"
)
_STEP = _pattern(
    rf"(?:(?:at|in|on|from)\s+)?{_WHICH}(?:steps?|points?|stages?|actions?|tools?|moves?)"
)
_FROM = _pattern(
    r"(?:from|between)(?=\s+(?:the\s+)?(?:wrong|bad|right|good|incorrect|correct|fail\w+|un?success\w+))"
)
_GOOD, _BAD = _pattern(r"right|good"), _pattern(r"wrong|bad")
_ATTRIBUTE = re.compile(rf"\s+(?:[\w-]+\s+)?(?:{NOUN})(?!\w)", re.IGNORECASE)
_START = re.compile(r"(?<![\w-])\w")


def asks_contrast(text: str) -> bool:
    """Return whether a question asks why attempts succeed or fail, or where right and wrong ones diverge.

    `why` needs a predicative verdict (`why do they fail`), unlike `why are failed runs slow`. A comparison needs both
    verdicts.
    """
    verdicts = list(_verdicts(text))
    sides = {verdict for _, verdict in verdicts}
    sides |= {side for side, plain in ((True, _GOOD), (False, _BAD)) if plain.search(text)}
    if sides == {True, False} and _PART.search(text):
        return True
    if (cause := _CAUSE.search(text)) and any(
        match.start() >= cause.end() for match, _ in verdicts
    ):
        return True
    why = _WHY.search(text) or _AT_STEP.search(text)
    return why is not None and any(
        match.start() >= why.end() and not _ATTRIBUTE.match(text, match.end())
        for match, _ in verdicts
    )


def _verdicts(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the verdicts of a text with their matches."""
    end = 0
    for start in _START.finditer(text):
        if start.start() < end:
            continue
        for verdicts, pattern in patterns.VERDICTS:
            match = pattern.match(text, start.start())
            if match and verdicts in ((True,), (False,)):
                yield match, verdicts == (True,)
                end = match.end()
                break


def read_contrast(scan: Scan) -> int | None:
    """Read words that ask for a divergence; verdicts become the compared sides."""
    if not scan.contrasts:
        return None
    for pattern in (_CAUSE, _STEP, _WHY, _PART):
        if match := scan.match(pattern):
            scan.draft.divergence = True
            scan.draft.said.setdefault("divergence", match[0])
            return match.end()
    if joint := scan.match(_FROM):
        return joint.end()
    for verdict, plain in ((True, _GOOD), (False, _BAD)):
        if side := scan.match(plain):
            scan.draft.verdicts.append(verdict)
            return side.end()
    return None


def ends_topic(scan: Scan) -> bool:
    """Return whether a topic ends here, at a verdict that ends the question: `why do attempts about joins fail?`."""
    verdict_patterns = patterns.NOTHING_CAME if scan.draft.nothing else patterns.VERDICTS
    which = patterns.WHICH.match(scan.text) is not None
    patterns_here = [pattern for _, pattern in verdict_patterns] + (
        [patterns.WORKED] if which else []
    )
    return (scan.contrasts or scan.draft.nothing or which) and any(
        (match := scan.match(pattern)) is not None and patterns.LAST.match(scan.text, match.end())
        for pattern in patterns_here
    )


def settle_contrast(draft: Draft) -> None:
    """Finish a question for a divergence; with a measure, an order or unjudged attempts it is dropped."""
    if not draft.divergence:
        return
    numbers = draft.measure or draft.compared or draft.by or draft.order
    stressed = any(word.lower() in LEADING for word in draft.unread)
    if numbers or stressed or None in draft.verdicts:
        draft.divergence = False
        draft.unread.append(draft.said["divergence"])
    else:
        draft.verdicts.clear()
