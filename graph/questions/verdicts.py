"""Verdicts: words for how attempts ended."""

from __future__ import annotations

from graph.questions import patterns
from graph.questions.periods import read_period
from graph.questions.scan import Scan


def read_verdict(scan: Scan) -> int | None:
    """Read a verdict at the position."""
    if (end := _read_nothing(scan)) is not None:
        return end
    if match := scan.match(patterns.NOT_ALL):
        scan.draft.not_all = True
        scan.draft.unread.append(match[0])
        return match.end()
    end = _read_end(scan)
    if (
        end is not None and scan.draft.not_all
    ):  # some failed: neither all that failed, nor the others
        scan.draft.verdicts.clear()
    return end


def _read_end(scan: Scan) -> int | None:
    if (end := _read_got_right(scan)) is not None:
        return end
    for verdicts, pattern in patterns.VERDICTS:
        if match := scan.match(pattern):
            if not _asks_whether(scan, match.end()):
                scan.draft.verdicts += verdicts
            return match.end()
    if (match := scan.match(patterns.WORKED)) and _is_verdict(scan, match.end()):
        scan.draft.verdicts.append(True)
        return match.end()
    if patterns.ASKED.search(scan.text, 0, scan.place) and (match := scan.match(patterns.SOLVE)):
        scan.draft.verdicts.append(True)
        return match.end()
    if patterns.BROKEN.search(scan.text, 0, scan.place) and (match := scan.match(patterns.BROKE)):
        scan.draft.verdicts.append(False)
        return match.end()
    match = scan.match(patterns.RIGHT) if scan.draft.measure in patterns.RATES else None
    return match.end() if match else None


def _asks_whether(scan: Scan, end: int) -> bool:
    """Return whether a question is about the verdict (`was the sql attempt right?`), which must not filter then."""
    if patterns.WHETHER.match(scan.text) is None:
        return False
    dated = read_period(scan.text, end + 1, scan.now) is not None
    return dated or patterns.LAST.match(scan.text, end) is not None


def _read_got_right(scan: Scan) -> int | None:
    """Read the last word of `get translations right`, and of `were the translations right yesterday?`."""
    right = scan.match(patterns.RIGHT)
    getting = patterns.GETTING.search(scan.text, 0, scan.place) if right else None
    if right is None:
        return None
    if _asks_whether(scan, right.end()):
        return right.end()
    if getting is None:
        return None
    scan.draft.verdicts.append(getting["not"] is None)
    return right.end()


def _is_verdict(scan: Scan, end: int) -> bool:
    """Return whether *worked* is a verdict: after an approach, or at the end of *which attempts … worked?*."""
    if patterns.WAY.search(scan.text, 0, scan.place):
        return True
    last = patterns.LAST.match(scan.text, end)
    goes_on = patterns.GOES_ON.match(scan.text, end) or read_period(scan.text, end + 1, scan.now)
    if patterns.THAT.search(scan.text, 0, scan.place) and (last or goes_on):
        return True
    return last is not None and patterns.WHICH.match(scan.text) is not None


def _read_nothing(scan: Scan) -> int | None:
    """Read the two parts of `nothing … worked`; the words between are read separately."""
    if scan.draft.nothing:
        for verdict, pattern in patterns.NOTHING_CAME:
            if match := scan.match(pattern):
                scan.draft.verdicts.append(verdict)
                scan.draft.nothing = False
                return match.end()
    lead = scan.match(patterns.NOTHING)
    scan.draft.nothing |= lead is not None
    if lead and scan.draft.by and patterns.OF_GROUP.search(scan.text, 0, scan.place):
        scan.draft.unread.append(lead[0])  # domains where nothing worked: some have other attempts
    return lead.end() if lead else None
