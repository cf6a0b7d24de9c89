"""Checkers that have to ask somebody."""

from __future__ import annotations

from typing import Protocol

from graph.model.cycles.checks import Check, Finding


class CallbackChecker(Protocol):
    """Asks a checker of the agent's own at its address."""

    async def check(self, check: Check) -> Finding:
        """Ask, and return what it says; where nobody answers in time it is undecided."""
        ...
