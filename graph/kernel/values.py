"""The names that kinds, states and phases have, open ends of time, limits, and arrays."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import numpy as np
import numpy.typing as npt

from stratagraph.vocabulary import BuiltInStratum, Kind, LinkType, State, Status
from stratagraph.vocabulary import ContentType as ContentType
from stratagraph.vocabulary import PhaseName as Phase
from stratagraph.vocabulary import SaveStatus as SaveStatus

Stratum = str  # a built-in one, or one that the tenant has added

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
