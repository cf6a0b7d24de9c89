"""Verification of steps: input and result of checkers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from stratagraph.vocabulary import CheckerName, Verdict

CHECKER_NAMES: tuple[CheckerName, ...] = get_args(CheckerName)


@dataclass(frozen=True, slots=True)
class Check:
    """Request to a checker; ``given`` holds its arguments."""

    checker: CheckerName
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Finding:
    """Verdict of a checker, with the reason.

    ``at`` is the index of the first wrong line of a text.
    """

    checker: CheckerName
    verdict: Verdict
    why: str
    at: int | None = None


def passed(checker: CheckerName, why: str) -> Finding:
    """Return a finding that a step holds."""
    return Finding(checker, "passed", why)


def failed(checker: CheckerName, why: str, at: int | None = None) -> Finding:
    """Return a finding that a step is wrong."""
    return Finding(checker, "failed", why, at)


def undecided(checker: CheckerName, why: str) -> Finding:
    """Return a finding without a verdict, which never counts as a pass."""
    return Finding(checker, "undecided", why)
