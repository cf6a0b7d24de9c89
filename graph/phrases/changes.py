"""Patterns of words that state a change or an end."""

from __future__ import annotations

import re

_OTHER_VALUE = (
    r"moved?|moves|switch(?:ed|es|(?= to))|chang(?:ed|es)|raised|lowered|reduced|increased|decreased|renewed|extended|postponed"
    r"|rescheduled|pushed|slips|slipped|shifted|delayed|upgraded|updated|migrated|replaced|replaces|instead|went (?:up|down)"
)
_OTHER_STATE = r"now|nowadays|from now on|these days|became|becomes|promoted|took over|takes over|taken over|as of|is back|new"
OTHER_VALUE = re.compile(rf"\b(?:{_OTHER_VALUE})\b", re.IGNORECASE)
"""Words of a change of value: *moved*, *raised*, *instead*."""
CHANGE = re.compile(rf"\b(?:{_OTHER_VALUE}|{_OTHER_STATE})\b", re.IGNORECASE)
"""Words of any change: also *now*, *new*."""
END = re.compile(
    r"\b(?:no longer|not (?:\w+ ){0,3}any ?more|stopped|quit|gave up|given up|cancelled|canceled|got rid of|sold)\b",
    re.IGNORECASE,
)
"""Words of an end: *no longer*, *cancelled*."""
