"""The settings of strata: what the environment says of them."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field, model_validator

from service.variables import seed_name


class StrataSettings(BaseModel):
    """How memories age; each can be set per tenant while the service runs."""

    strata: bool = Field(
        default=True,
        validation_alias=seed_name("MEMORY_STRATA_ENABLED", "strata"),
        description="Let memories age by their stratum: retention, capacities, gates.",
    )
    working_capacity: int = Field(
        default=50,
        ge=0,
        le=10_000_000,
        description="Active memories of stratum `working` in one scope; 0: no limit.",
    )
    working_retention_hours: float = Field(
        default=0.5,
        ge=0,
        le=876_000,
        description="Hours from when it was recorded until a memory of `working` has had its time; 0: no end.",
    )
    working_decay: float = Field(
        default=0.8, ge=0, le=100, description="Base decay of `working` per day."
    )
    working_every: int = Field(
        default=1, ge=1, le=10_000, description="Every how many gate runs `working` is looked at."
    )
    short_term_capacity: int = Field(
        default=500,
        ge=0,
        le=10_000_000,
        description="Active memories of stratum `short_term` in one scope; 0: no limit.",
    )
    short_term_retention_hours: float = Field(
        default=24.0,
        ge=0,
        le=876_000,
        description="Hours from when it was recorded until a memory of `short_term` has had its time; 0: no end.",
    )
    short_term_decay: float = Field(
        default=0.3, ge=0, le=100, description="Base decay of `short_term` per day."
    )
    short_term_every: int = Field(
        default=3,
        ge=1,
        le=10_000,
        description="Every how many gate runs `short_term` is looked at.",
    )
    episodic_capacity: int = Field(
        default=10_000,
        ge=0,
        le=10_000_000,
        description="Active memories of stratum `episodic` in one scope; 0: no limit.",
    )
    episodic_retention_hours: float = Field(
        default=720.0,
        ge=0,
        le=876_000,
        description="Hours from when it was recorded until a memory of `episodic` has had its time; 0: no end.",
    )
    episodic_decay: float = Field(
        default=0.1, ge=0, le=100, description="Base decay of `episodic` per day."
    )
    episodic_every: int = Field(
        default=10, ge=1, le=10_000, description="Every how many gate runs `episodic` is looked at."
    )
    long_term_capacity: int = Field(
        default=0,
        ge=0,
        le=10_000_000,
        description="Active memories of stratum `long_term` in one scope; 0: no limit.",
    )
    long_term_retention_hours: float = Field(
        default=0.0,
        ge=0,
        le=876_000,
        description="Hours from when it was recorded until a memory of `long_term` has had its time; 0: no end.",
    )
    long_term_decay: float = Field(
        default=0.05, ge=0, le=100, description="Base decay of `long_term` per day."
    )
    long_term_every: int = Field(
        default=50,
        ge=1,
        le=10_000,
        description="Every how many gate runs `long_term` is looked at.",
    )
    semantic_capacity: int = Field(
        default=0,
        ge=0,
        le=10_000_000,
        description="Active memories of stratum `semantic` in one scope; 0: no limit.",
    )
    semantic_retention_hours: float = Field(
        default=0.0,
        ge=0,
        le=876_000,
        description="Hours from when it was recorded until a memory of `semantic` has had its time; 0: no end.",
    )
    semantic_decay: float = Field(
        default=0.05, ge=0, le=100, description="Base decay of `semantic` per day."
    )
    semantic_every: int = Field(
        default=50, ge=1, le=10_000, description="Every how many gate runs `semantic` is looked at."
    )
    retention_check_seconds: float = Field(
        default=3600.0,
        ge=1,
        le=31_536_000,
        validation_alias=seed_name("RETENTION_CHECK_INTERVAL", "retention_check_seconds"),
        description="Seconds between two looks at what memories have become.",
    )
    auto_promotion_threshold: float = Field(
        default=0.8,
        ge=0,
        le=2,
        validation_alias=seed_name("AUTO_PROMOTION_THRESHOLD", "auto_promotion_threshold"),
        description="Promotion score from which a memory rises, in [0, 2].",
    )
    demotion_threshold: float = Field(
        default=0.1,
        ge=0,
        le=1,
        description="Promotion score below which a memory sinks, in [0, 1]; at most `auto_promotion_threshold`.",
    )
    expired: Literal["archive", "delete"] = Field(
        default="archive",
        description="What becomes of a memory whose time is over: it is archived, or deleted for good.",
    )
    undo_days: float = Field(
        default=30.0,
        ge=0,
        le=3650,
        description="Days for which a run of the gates can be undone.",
    )
    reward_weight_factor: float = Field(
        default=1.5,
        ge=1,
        le=10,
        description="What a success multiplies the weight of a memory by, up to a weight of 2; 1: nothing.",
    )
    consolidation: bool = Field(
        default=True,
        description="Condense what rises between strata in the background; else it rises as it is.",
    )
    compression_ratio: float = Field(
        default=0.5,
        ge=0,
        le=10,
        validation_alias=seed_name("COMPRESSION_RATIO", "compression_ratio"),
        description="How much of a text stays as whole sentences when it is condensed: 0.5 is the usual share of each stratum, 1 twice that.",
    )
    surprise_threshold: float = Field(
        default=0.7,
        ge=0,
        le=1,
        validation_alias=seed_name("SURPRISE_THRESHOLD", "surprise_threshold"),
        description="Surprise above which an event is remembered as one, in [0, 1].",
    )
    surprise_literal: bool = Field(
        default=False,
        description="Score surprises by the formula of the source as it stands, `d / (m + 0.001)`, 1 at most.",
    )
    surprise_grace_days: float = Field(
        default=7.0,
        ge=0,
        le=3650,
        description="Days for which the memory of a surprising event does not fade.",
    )
    surprise_days: float = Field(
        default=90.0,
        ge=1,
        le=3650,
        validation_alias=seed_name("SURPRISE_HISTORY_TTL_DAYS", "surprise_days"),
        description="Days for which surprises are kept.",
    )
    pattern_sharing: bool = Field(
        default=True,
        validation_alias=seed_name("ENABLE_PATTERN_SHARING", "pattern_sharing"),
        description="Share in a channel what several of its members hold: patterns, and the surprises of members.",
    )
    pattern_agents: int = Field(
        default=2,
        ge=2,
        le=1000,
        description="Members of a channel that must hold a pattern before it is shared there.",
    )
    pattern_confidence: float = Field(
        default=0.7,
        ge=0,
        le=1,
        description="Confidence from which a member's pattern counts for that, in [0, 1].",
    )

    @model_validator(mode="after")
    def _rises_above_what_sinks(self) -> Self:
        if self.demotion_threshold > self.auto_promotion_threshold:
            raise ValueError(
                f"STRATAGRAPH_DEMOTION_THRESHOLD ({self.demotion_threshold:g}) lies above "
                f"STRATAGRAPH_AUTO_PROMOTION_THRESHOLD ({self.auto_promotion_threshold:g}): a memory "
                "would rise and sink at once"
            )
        return self
