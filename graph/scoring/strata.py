"""Policies of the strata: what each keeps, for how long and how much, in one frozen place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import Literal

Eviction = Literal["score", "consolidated", "importance"]
Purge = Literal["archive", "delete"]

STRATA = ("working", "short_term", "episodic", "long_term", "semantic")
"""From the most fleeting to the most lasting."""

_MINUTES, _HOURS = 1 / 1440, 1 / 24


@dataclass(frozen=True, slots=True)
class StratumPolicy:
    """Policy for the memories of one stratum; times in days."""

    retention: float
    """Days that a memory stays, counted from when it was recorded, or demoted to here; may be infinite."""
    capacity: float
    """Most memories of one agent that it holds; may be infinite."""
    base_rate: float
    """Decay per day before importance, accesses and utility slow it, ``>= 0``."""
    utility_factor: float
    """Share of its decay that a memory of Q = 1 is spared, in [0, 1]."""
    update_every: int
    """The stratum is looked at in each so many runs of the gates, ``>= 1``."""
    min_dwell: float
    """Days that a memory must have been here before it may rise or sink."""
    promote_at: float = 0.8
    """Promotion score from which a memory rises; infinity for never."""
    demote_below: float = 0.0
    """Promotion score under which a memory sinks; 0 for never."""
    condense_at: float = 0.0
    """Promotion score from which a memory is condensed at the end of its time; below it is archived."""
    reward_cap: float = 2.0
    """Weight that rewards do not raise a memory above, ``>= 1``."""
    purge: Purge = "archive"
    """Treatment of memories that do not fit: archived out of recall, or deleted."""
    eviction: Eviction = "score"
    """Order in which a full stratum gives memories up."""

    def __post_init__(self) -> None:
        """Refuse what no stratum can be.

        Raises
        ------
        ValueError
            If a number is out of its range.
        """
        shares = 0 <= self.utility_factor <= 1
        lasting = min(self.retention, self.capacity, self.base_rate, self.min_dwell) >= 0
        levels = min(self.promote_at, self.demote_below, self.condense_at) >= 0
        if not (shares and lasting and levels and self.update_every >= 1 and self.reward_cap >= 1):
            raise ValueError(f"out of range: {self}")
        if self.demote_below > self.promote_at:
            raise ValueError("a memory would rise and sink at once")


POLICIES: Mapping[str, StratumPolicy] = MappingProxyType(
    {
        "working": StratumPolicy(
            # thirty minutes, a day, thirty days: the times of the source
            retention=30 * _MINUTES,
            capacity=50,
            base_rate=0.8,
            utility_factor=0.1,
            update_every=1,
            min_dwell=10 * _MINUTES,
            condense_at=0.3,
        ),
        "short_term": StratumPolicy(
            retention=24 * _HOURS,
            capacity=500,
            base_rate=0.3,
            utility_factor=0.2,
            update_every=3,
            min_dwell=6 * _HOURS,
            condense_at=0.3,
        ),
        "episodic": StratumPolicy(
            retention=30.0,
            capacity=10_000,
            base_rate=0.1,
            utility_factor=0.3,
            update_every=10,
            min_dwell=7.0,
            demote_below=0.1,
            condense_at=0.2,
        ),
        "long_term": StratumPolicy(
            retention=inf,  # what lasts has no end
            capacity=inf,
            base_rate=0.05,
            utility_factor=0.4,
            update_every=50,
            min_dwell=30.0,
            demote_below=0.1,
        ),
        "semantic": StratumPolicy(
            retention=inf,
            capacity=inf,
            base_rate=0.05,
            utility_factor=0.4,
            update_every=50,
            min_dwell=30.0,
            promote_at=inf,  # nothing is above it
        ),
    }
)
"""Policies that hold unless a tenant sets others (ADR of the strata)."""


def due(run: int, policies: Mapping[str, StratumPolicy]) -> tuple[str, ...]:
    """Name the strata that a run of the gates looks at.

    Takes those with ``run mod update_every = 0``.

    Parameters
    ----------
    run
        Number of the run, ``>= 0``; the run 0 looks at all.
    policies
        Policy of each stratum, in the order of the strata.

    Returns
    -------
    tuple
        Names in that order; no shape.

    Raises
    ------
    ValueError
        If the number is negative.

    References
    ----------
    *Nested Learning / Continuum Memory System*, "Memory Strata" (update frequency).

    Examples
    --------
    >>> due(6, POLICIES)
    ('working', 'short_term')
    """
    if run < 0:
        raise ValueError(f"there is no run {run}")
    # 0 is a multiple of all: the first run looks at all
    return tuple(name for name, policy in policies.items() if run % policy.update_every == 0)
