"""Aging of memories by stratum: the settings of one tenant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, NamedTuple

from graph.kernel.errors import InvalidInputError
from graph.kernel.values import (
    STRATA,
    BuiltInStratum,
    Phase,
    Stratum,
)  # read at run time, from the types of the settings
from graph.model.strata.own import FORM, RANGES, order_of, own_strata
from graph.model.strata.plugins import MemoryProfile
from graph.model.utility.settings import Range, setting, settings_of

Expiry = Literal["archive", "delete"]
Eviction = Literal["score", "smart"]
_NAMES = f"(?:{'|'.join(STRATA)})"
_ORDER = f"{_NAMES}(?: {_NAMES})*(?: [|] {_NAMES}(?: {_NAMES})*)?"
_THRESHOLDS = ("auto_promotion_threshold", "demotion_threshold")
_UNKNOWN: BuiltInStratum = "long_term"  # the rules of memories in a removed stratum


def _capacity(stratum: Stratum, default: int) -> int:
    text = f"Active memories of stratum `{stratum}` in one scope; 0: no limit."
    return setting(default, text, RANGES["capacity"])


def _retention(stratum: Stratum, hours: float) -> float:
    text = f"Hours that a memory of `{stratum}` is retained from when it was recorded; 0: no end."
    return setting(hours, text, RANGES["retention_hours"])


def _decay(stratum: Stratum, per_day: float) -> float:
    return setting(per_day, f"Base decay of `{stratum}` per day.", RANGES["decay"])


def _every(stratum: Stratum, runs: int) -> int:
    text = f"Every how many gate runs `{stratum}` is looked at."
    return setting(runs, text, RANGES["every"])


def _reads(phase: Phase, order: str) -> str:
    text = f"Strata that phase {phase} of a cycle reads first, and behind `|` those where these gave too little."
    return setting(order, text, form=_ORDER)


class StratumTerms(NamedTuple):
    """Limits of one stratum; None is no limit or no end, ``decay`` is per day."""

    capacity: int | None
    retention: timedelta | None
    decay: float
    every: int


class Fading(NamedTuple):
    """Decay of weights in a stratum.

    ``decay`` per day before it is slowed, the share of it that Q = 1 prevents, the factor of the weight after a
    success, and the maximum weight after successes.
    """

    decay: float
    spared: float
    raised: float
    most: float


@dataclass(frozen=True, slots=True)
class StrataConfig:
    """Settings of how memories age by stratum; each field can be changed at run time.

    Defaults are those of *Nested Learning / Continuum Memory System*, with numbers where it has words.

    Raises
    ------
    InvalidInputError
        If a value has another type or lies out of its range; the message names both.
    """

    strata: bool = setting(
        default=True,
        text="Let memories age by their stratum: retention, capacities, gates.",
        variable="MEMORY_STRATA_ENABLED",
    )
    working_capacity: int = _capacity("working", 50)
    working_retention_hours: float = _retention("working", 0.5)
    working_decay: float = _decay("working", 0.8)
    working_every: int = _every("working", 1)
    short_term_capacity: int = _capacity("short_term", 500)
    short_term_retention_hours: float = _retention("short_term", 24.0)
    short_term_decay: float = _decay("short_term", 0.3)
    short_term_every: int = _every("short_term", 3)
    episodic_capacity: int = _capacity("episodic", 10_000)
    episodic_retention_hours: float = _retention("episodic", 720.0)
    episodic_decay: float = _decay("episodic", 0.1)
    episodic_every: int = _every("episodic", 10)
    long_term_capacity: int = _capacity("long_term", 0)
    long_term_retention_hours: float = _retention("long_term", 0.0)
    long_term_decay: float = _decay("long_term", 0.05)
    long_term_every: int = _every("long_term", 50)
    semantic_capacity: int = _capacity("semantic", 0)
    semantic_retention_hours: float = _retention("semantic", 0.0)
    semantic_decay: float = _decay("semantic", 0.05)
    semantic_every: int = _every("semantic", 50)
    own_strata: str = setting(
        "",
        "Strata of your own: `name after stratum`, then any of `capacity=`, `retention_hours=`, `decay=` and `every=`; "
        "several with `;` between. What is left out is as in the stratum that it comes after.",
        form=FORM,
        reads=own_strata,
    )
    retention_check_seconds: float = setting(
        3600.0,
        "Seconds between two runs of the gates.",
        Range(1, 31_536_000),
        variable="RETENTION_CHECK_INTERVAL",
    )
    auto_promotion_threshold: float = setting(
        0.8,
        "Promotion score from which a memory rises, in [0, 2].",
        Range(0, 2),
        variable="AUTO_PROMOTION_THRESHOLD",
    )
    demotion_threshold: float = setting(
        0.1,
        "Promotion score below which a memory sinks, in [0, 1]; at most `auto_promotion_threshold`.",
        Range(0, 1),
    )
    expired: Expiry = setting(
        "archive",
        "Treatment of a memory whose time is over: it is archived, or deleted for good.",
    )
    eviction: Eviction = setting(
        "score",
        "Order in which memories leave a full stratum: first the lowest `score`; or `smart`: of `working` what a lasting "
        "memory was made of, then the oldest, of `long_term` and `semantic` the least important.",
    )
    consolidation_gate: float = setting(
        0.0,
        "Least importance, in [0, 1], that rises from `working`; importance 1 to 5 counts 0 to 1.",
        Range(0, 1),
    )
    consolidation_probability: float = setting(
        1.0, "Chance that what passes this gate rises, drawn once for each memory.", Range(0, 1)
    )
    consolidation_seed: int = setting(
        0, "Seed of these draws; another one draws all anew.", Range(0, 2**31 - 1)
    )
    undo_days: float = setting(
        30.0, "Days for which a run of the gates can be undone.", Range(0, 3650)
    )
    reward_weight_factor: float = setting(
        1.5,
        "Factor by which a success raises the weight of a memory, up to a weight of 2; 1: nothing.",
        Range(1, 10),
    )
    consolidation: bool = setting(
        default=True,
        text="Condense what rises between strata in the background; else it rises as it is.",
    )
    compression_ratio: float = setting(
        0.5,
        "Scale of the share of a text that stays as whole sentences when condensed: 0.5 is the usual share "
        "of each stratum, 1 twice that.",
        Range(0, 10),
        variable="COMPRESSION_RATIO",
    )
    surprise_threshold: float = setting(
        0.7,
        "Surprise above which an event is remembered as one, in [0, 1].",
        Range(0, 1),
        variable="SURPRISE_THRESHOLD",
    )
    surprise_literal: bool = setting(
        default=False,
        text="Score surprises by the formula of the source as it stands, `d / (m + 0.001)`, 1 at most.",
    )
    surprise_learning: bool = setting(
        default=True,
        text="Learn which outcomes are usual in each context, and measure surprise by that where it has predicted the context "
        "better than the fixed form.",
    )
    surprise_grace_days: float = setting(
        7.0, "Days for which the memory of a surprising event does not fade.", Range(0, 3650)
    )
    surprise_days: float = setting(
        90.0,
        "Days for which surprises are kept.",
        Range(1, 3650),
        variable="SURPRISE_HISTORY_TTL_DAYS",
    )
    surprise_keys: int = setting(
        1000,
        "Stimuli, signatures, actions, or pairs of these that a surprise plugin remembers; of more the rarest is forgotten.",
        Range(1, 10_000),
    )
    arousal_threshold: float = setting(
        0.5,
        "Surprise above which an agent thinks in SYSTEM_2, in [0, 1].",
        Range(0, 1),
    )
    memory_profile: MemoryProfile = setting(
        "MILLER_STANDARD",
        "Profile of how many memories a recall by arousal gives, from SYSTEM_1 to SYSTEM_2: 5 to 7, 3 to 5, 7 to 9 or 3 to 4.",
    )
    pattern_sharing: bool = setting(
        default=True,
        text="Share in a channel what several of its members hold: patterns, and the surprises of "
        "members.",
        variable="ENABLE_PATTERN_SHARING",
    )
    pattern_agents: int = setting(
        2,
        "Members of a channel that must hold a pattern before it is shared there.",
        Range(2, 1000),
    )
    pattern_confidence: float = setting(
        0.7,
        "Confidence from which a member's pattern counts for that, in [0, 1].",
        Range(0, 1),
    )
    cycles: bool = setting(
        default=True,
        text="Offer cycles of reasoning; needs `strata`.",
        variable="SERC_ENABLED",
    )
    cycle_observation_reads: str = _reads("observation", "working short_term | episodic")
    cycle_reasoning_reads: str = _reads("reasoning", "episodic long_term | semantic")
    cycle_planning_reads: str = _reads("planning", "long_term episodic semantic")
    cycle_action_reads: str = _reads("action", "working short_term | long_term")
    cycle_reflection_reads: str = _reads(
        "reflection", "working short_term episodic long_term semantic"
    )
    cycle_observation_writes: BuiltInStratum = setting(
        "working", "Stratum that phase observation of a cycle writes to."
    )
    cycle_reasoning_writes: BuiltInStratum = setting(
        "episodic", "Stratum that phase reasoning of a cycle writes to."
    )
    cycle_planning_writes: BuiltInStratum = setting(
        "short_term", "Stratum that phase planning of a cycle writes to."
    )
    cycle_action_writes: BuiltInStratum = setting(
        "working", "Stratum that phase action of a cycle writes to."
    )
    cycle_reflection_writes: BuiltInStratum = setting(
        "long_term", "Stratum that phase reflection of a cycle writes to."
    )
    cycle_enough: int = setting(
        3, "Memories from which the first strata of a phase gave enough.", Range(1, 200)
    )
    cycle_rules_relevance: float = setting(
        0.4,
        "Least relevance of a long_term or semantic memory in the phases reasoning and planning of a cycle, where lower "
        "than `min_relevance`.",
        Range(0, 1),
    )
    cycle_stale_minutes: float = setting(
        30.0,
        "Minutes after which an open cycle that nobody touched is abandoned.",
        Range(0.01, 525_600),
    )
    cycle_days: float = setting(
        90.0, "Days for which a cycle is kept after it was touched last.", Range(0.01, 3650)
    )
    cycle_surprise_high: float = setting(
        0.7, "Surprise from which a cycle is to observe again.", Range(0, 0.99)
    )
    cycle_surprise_moderate: float = setting(
        0.4, "Surprise from which a cycle reasons longer, or gets more memories.", Range(0, 1)
    )
    cycle_surprise_plan: float = setting(
        0.6, "Surprise from which a cycle that has a plan is to reconsider it.", Range(0, 1)
    )
    cycle_confidence: float = setting(
        0.7, "Confidence below which a step that nothing judged is verified.", Range(0, 1)
    )
    cycle_repair_after: int = setting(
        2, "Failures in a row from which a cycle repairs itself.", Range(1, 100)
    )
    loop_every: int = setting(
        5,
        "Ended cycles of a scope from which the outer loop looks at it; 0: never.",
        Range(0, 100_000),
    )

    def __post_init__(self) -> None:
        """Check every value."""
        for name, declared in STRATA_SETTINGS.items():
            declared.check(getattr(self, name))

    @property
    def order(self) -> tuple[Stratum, ...]:
        """All strata, built-in and own, from the shortest-lived to the longest-lived."""
        return order_of(self.own_strata)

    def kin(self, stratum: Stratum) -> BuiltInStratum:
        """Return the built-in stratum whose rules apply to a stratum: itself, or the nearest one below it."""
        own = own_strata(self.own_strata).get(stratum)
        if own is not None:
            return self.kin(own.after)
        return stratum if stratum in STRATA else _UNKNOWN

    def next_to(self, stratum: Stratum, step: int) -> Stratum | None:
        """Return the stratum a number of steps up, or down if negative; None if there is none."""
        order = self.order
        place = order.index(stratum) + step if stratum in order else -1
        return order[place] if 0 <= place < len(order) else None

    def below(self, stratum: Stratum) -> tuple[Stratum, ...]:
        """Return the strata below one."""
        return self.order[: self.order.index(stratum)]

    def terms(self, stratum: Stratum) -> StratumTerms:
        """Return the limits of a stratum; a removed one has no decay and no moves."""
        if stratum not in self.order:
            return StratumTerms(None, None, 0.0, 1)
        hours = float(self._number(stratum, "retention_hours"))
        return StratumTerms(
            capacity=int(self._number(stratum, "capacity")) or None,
            retention=timedelta(hours=hours) if hours else None,
            decay=float(self._number(stratum, "decay")),
            every=int(self._number(stratum, "every")),
        )

    def _number(self, stratum: Stratum, name: str) -> float:
        own = own_strata(self.own_strata).get(stratum)
        if own is None:
            return getattr(self, f"{stratum}_{name}")
        said = own.numbers.get(name)
        return self._number(own.after, name) if said is None else said

    def counts_put(self, stratum: Stratum) -> bool:
        """Return whether a capacity also includes memories stored in `long_term` directly."""
        return stratum == "long_term" and self.eviction == "smart" and self.long_term_capacity > 0

    @property
    def gates_working(self) -> bool:
        """Return whether not all of `working` may be promoted."""
        return self.consolidation_gate > 0 or self.consolidation_probability < 1

    @property
    def decay_rates(self) -> Mapping[Stratum, float]:
        """The base decay per day of each stratum."""
        return {stratum: self.terms(stratum).decay for stratum in self.order}


def check_thresholds(values: Mapping[str, object], changed: Collection[str]) -> None:
    """Refuse values by which a memory would be promoted and demoted at once.

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


def taken_away(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Stratum, ...]:
    """Return the strata that a change of values removes."""
    gone = order_of(str(before["own_strata"]))
    kept = order_of(str(after["own_strata"]))
    return tuple(stratum for stratum in gone if stratum not in kept)


STRATA_SETTINGS = settings_of(StrataConfig)
