"""The names that kinds, states and phases have, open ends of time, limits, and arrays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

Kind = Literal[
    "observation", "problem", "episode", "concept", "strategy", "pattern", "insight", "preference"
]
BuiltInStratum = Literal["working", "short_term", "episodic", "long_term", "semantic"]
Stratum = str  # a built-in one, or one that the tenant has added
State = Literal["active", "archived", "hidden"]
Phase = Literal["observation", "reasoning", "planning", "action", "reflection"]
ContentType = Literal["text", "structured", "embedding"]
Status = Literal["success", "failure", "partial", "timeout"]
LinkType = Literal["SIMILAR_TO", "REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM"]
SaveStatus = Literal["created", "updated", "unchanged", "duplicate", "rejected"]

KINDS: tuple[Kind, ...] = get_args(Kind)
STRATA: tuple[BuiltInStratum, ...] = get_args(BuiltInStratum)
STATES: tuple[State, ...] = get_args(State)
PHASES: tuple[Phase, ...] = get_args(Phase)
STATUSES: tuple[Status, ...] = get_args(Status)
LINK_TYPES: tuple[LinkType, ...] = get_args(LinkType)

# An open end is a far date, as the vector index has no `IS NULL OR …`.
BEGINNING = datetime(1, 1, 2, tzinfo=UTC)
END = datetime(9999, 1, 1, tzinfo=UTC)

MAX_TEXT_BYTES = 100_000
MAX_TAGS = 64  # per memory
MAX_JSON_BYTES = 65_536
MAX_EPISODE_BYTES = 1_048_576
MAX_RESULTS = 200
MAX_HOPS = 2

Vector = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
