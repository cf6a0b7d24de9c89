"""How memories age, by stratum: what one tenant has set."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from graph.errors import InvalidInputError
from graph.model.ranges import Range, check_value
from graph.model.values import STRATA

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from graph.model.values import Stratum

Expiry = Literal["archive", "delete"]
_THRESHOLDS = ("auto_promotion_threshold", "demotion_threshold")

_BY_STRATUM = {
    "capacity": Range(0, 10_000_000),
    "retention_hours": Range(0, 876_000),
    "decay": Range(0, 100),
    "every": Range(1, 10_000),
}
_WHOLE = frozenset(f"{stratum}_{part}" for stratum in STRATA for part in ("capacity", "every")) | {
    "pattern_agents"
}
STRATA_CHOICES: Mapping[str, tuple[str, ...]] = {"expired": get_args(Expiry)}
STRATA_RANGES: Mapping[str, Range] = {
    **{f"{stratum}_{part}": span for stratum in STRATA for part, span in _BY_STRATUM.items()},
    "retention_check_seconds": Range(1, 31_536_000),
    "auto_promotion_threshold": Range(0, 2),
    "demotion_threshold": Range(0, 1),
    "undo_days": Range(0, 3650),
    "reward_weight_factor": Range(1, 10),
    "compression_ratio": Range(0, 10),
    "surprise_threshold": Range(0, 1),
    "surprise_grace_days": Range(0, 3650),
    "surprise_days": Range(1, 3650),
    "pattern_agents": Range(2, 1000),
    "pattern_confidence": Range(0, 1),
}


class StratumTerms(NamedTuple):
    """What holds of one stratum: None is without limit or end; ``decay`` per day."""

    capacity: int | None
    retention: timedelta | None
    decay: float
    every: int


class Fading(NamedTuple):
    """What happens to weights in a stratum.

    ``decay`` per day before anything slows it, the share of it that Q = 1 spares, what a success
    multiplies the weight by, and the weight that no success raises it above.
    """

    decay: float
    spared: float
    raised: float
    most: float


@dataclass(frozen=True, slots=True)
class StrataConfig:
    """What can be set of the strata while the service runs; names are those of the settings.

    Defaults are those of *Nested Learning / Continuum Memory System*, with numbers where it has words.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range; the message names both.
    """

    strata: bool = True
    working_capacity: int = 50
    working_retention_hours: float = 0.5
    working_decay: float = 0.8
    working_every: int = 1
    short_term_capacity: int = 500
    short_term_retention_hours: float = 24.0
    short_term_decay: float = 0.3
    short_term_every: int = 3
    episodic_capacity: int = 10_000
    episodic_retention_hours: float = 720.0
    episodic_decay: float = 0.1
    episodic_every: int = 10
    long_term_capacity: int = 0
    long_term_retention_hours: float = 0.0
    long_term_decay: float = 0.05
    long_term_every: int = 50
    semantic_capacity: int = 0
    semantic_retention_hours: float = 0.0
    semantic_decay: float = 0.05
    semantic_every: int = 50
    retention_check_seconds: float = 3600.0
    auto_promotion_threshold: float = 0.8
    demotion_threshold: float = 0.1
    expired: Expiry = "archive"
    undo_days: float = 30.0
    reward_weight_factor: float = 1.5
    consolidation: bool = True
    compression_ratio: float = 0.5
    surprise_threshold: float = 0.7
    surprise_literal: bool = False
    surprise_grace_days: float = 7.0
    surprise_days: float = 90.0
    pattern_sharing: bool = True
    pattern_agents: int = 2
    pattern_confidence: float = 0.7

    def __post_init__(self) -> None:
        """Check every value."""
        for field in fields(self):
            check_strata_value(field.name, getattr(self, field.name))

    def terms(self, stratum: Stratum) -> StratumTerms:
        """Return what holds of a stratum."""
        hours: float = getattr(self, f"{stratum}_retention_hours")
        return StratumTerms(
            capacity=getattr(self, f"{stratum}_capacity") or None,
            retention=timedelta(hours=hours) if hours else None,
            decay=getattr(self, f"{stratum}_decay"),
            every=getattr(self, f"{stratum}_every"),
        )

    @property
    def decay_rates(self) -> Mapping[Stratum, float]:
        """The base decay per day of each stratum."""
        return {stratum: self.terms(stratum).decay for stratum in STRATA}


def check_thresholds(values: Mapping[str, object], changed: Collection[str]) -> None:
    """Refuse values in force by which a memory would rise and sink at once.

    Raises
    ------
    InvalidInputError
        If what sinks lies above what rises; its field is the first of the two that is ``changed``.
    """
    rises, sinks = values["auto_promotion_threshold"], values["demotion_threshold"]
    if isinstance(rises, int | float) and isinstance(sinks, int | float) and sinks > rises:
        field = next((name for name in _THRESHOLDS if name in changed), _THRESHOLDS[0])
        raise InvalidInputError(
            f"demotion_threshold ({sinks:g}) must not lie above auto_promotion_threshold ({rises:g})",
            field=field,
        )


STRATA_FIELDS: tuple[str, ...] = tuple(field.name for field in fields(StrataConfig))


def check_strata_value(name: str, value: object) -> None:
    """Refuse a value that a field of :class:`StrataConfig` cannot have.

    Raises
    ------
    InvalidInputError
        If there is no such field, or the value has another type or lies out of its range.
    """
    if name not in STRATA_FIELDS:
        raise InvalidInputError("there is no such setting of strata", field=name)
    allowed = STRATA_CHOICES.get(name) or STRATA_RANGES.get(name)
    check_value(name, value, allowed, whole=name in _WHOLE)
