"""Moves of memories between strata and out of recall, and the gate runs that make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import get_args

import numpy as np
import numpy.typing as npt

from graph.kernel.runs import Run
from graph.kernel.values import Floats, State, Stratum
from stratagraph.vocabulary import GateState, TransitionAction, TransitionReason

TRANSITION_ACTIONS: tuple[TransitionAction, ...] = get_args(TransitionAction)


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingColumns:
    """Inputs of decay weights, columns of shape ``(n,)``; times are days since 1970, ``grace_until`` is 0 for none."""

    anchored_at: Floats
    grace_until: Floats
    initial: Floats
    importance: Floats
    accesses: Floats
    utility: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumRows(FadingColumns):
    """The active memories of one stratum of a scope by uid; ``asked`` is False if stored in ``long_term``."""

    uids: Sequence[str]
    revisions: Sequence[int]
    entered_at: Floats
    counted_from: Floats
    surprise: Floats
    evidence: npt.NDArray[np.bool_]
    asked: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        """Number of memories."""
        return len(self.uids)


@dataclass(frozen=True, slots=True)
class Transition:
    """Decision on one memory, with its reason and numbers.

    ``weight`` is its decay weight, ``score`` its promotion score; ``measured`` was compared with ``limit``.
    ``flagged``: an active memory is derived from it. ``uid`` is that of the move.
    """

    uid: str
    memory_uid: str
    revision: int
    action: TransitionAction
    reason: TransitionReason
    measured: float
    limit: float
    weight: float
    score: float
    from_stratum: Stratum
    to_stratum: Stratum
    to_state: State
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class GateRun(Run):
    """A gate run in one scope: numbers of examined, moved and restored memories."""

    state: GateState
    undo_until: datetime
    strata: tuple[Stratum, ...]
    finished_at: datetime | None = None
    looked: int = 0
    restored: int = 0
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class GatePlan:
    """The first planned moves, the number of examined memories, and of moves by action."""

    moves: tuple[Transition, ...]
    looked: int
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Number of planned moves."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Gated:
    """Result of a gate request: a plan alone, or the run that carried it out."""

    scope: str
    plan: GatePlan
    run: GateRun | None = None
