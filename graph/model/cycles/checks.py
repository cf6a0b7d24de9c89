"""Verification of steps: what a checker is asked, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

CheckerName = Literal[
    "arithmetic",
    "grounding",
    "answer",
    "consistency",
    "json_schema",
    "regex",
    "unit_range",
    "sql",
    "http_status",
    "callback",
]
CHECKER_NAMES: tuple[CheckerName, ...] = get_args(CheckerName)
Verdict = Literal["passed", "failed", "undecided"]


@dataclass(frozen=True, slots=True)
class Check:
    """One question to a checker; ``given`` holds what it needs, by name."""

    checker: CheckerName
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Finding:
    """Verdict of a checker, and the reason.

    ``at`` is the place of what is wrong among the lines of a text, from 0.
    """

    checker: CheckerName
    verdict: Verdict
    why: str
    at: int | None = None


def passed(checker: CheckerName, why: str) -> Finding:
    """Return the verdict that a step holds."""
    return Finding(checker, "passed", why)


def failed(checker: CheckerName, why: str, at: int | None = None) -> Finding:
    """Return the verdict that a step is wrong."""
    return Finding(checker, "failed", why, at)


def undecided(checker: CheckerName, why: str) -> Finding:
    """Return that a checker cannot tell; this is never a pass."""
    return Finding(checker, "undecided", why)
