"""Words that tell that something is otherwise than before, or is over."""

from __future__ import annotations

import re

CHANGE = re.compile(
    r"\b(?:now|nowadays|from now on|these days|moved?|moves|switch(?:ed|es|(?= to))|chang(?:ed|es)|raised|lowered|reduced"
    r"|increased|decreased|renewed|extended|postponed|rescheduled|pushed|slips|slipped|shifted|delayed|upgraded|updated"
    r"|migrated|replaced|replaces|became|becomes|promoted|took over|takes over|taken over|instead|as of|went (?:up|down)"
    r"|is back|new)\b",
    re.IGNORECASE,
)
"""Words of another state: *moved*, *now*, *instead*."""
END = re.compile(
    r"\b(?:no longer|not (?:\w+ ){0,3}any ?more|stopped|quit|gave up|given up|cancelled|canceled|got rid of|sold)\b",
    re.IGNORECASE,
)
"""Words of an end: *no longer*, *cancelled*."""
