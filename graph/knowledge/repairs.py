"""Repairs: successful calls after a failed one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graph.model.knowledge.executions import Step, written

AGAIN = "the same call again"


class Repair(NamedTuple):
    """Successful call after a failed one; ``solution`` is empty if there was none."""

    solution: str
    worked: bool


def repair_of(steps: Sequence[Step], place: int) -> Repair:
    """Return the repair of a failed step: the next successful call.

    >>> from graph.model.knowledge.executions import Step
    >>> failed = Step("pay", {"card": "a"}, ok=False)
    >>> repair_of([failed, Step("pay", {"card": "b"})], 0)
    Repair(solution='pay with another card', worked=True)
    >>> repair_of([failed, Step("list_cards"), Step("pay", {"card": "b"})], 0)
    Repair(solution='list_cards, then pay with another card', worked=True)
    """
    failed = steps[place]
    later = [step for step in steps[place + 1 :] if step.ok]
    if not later:
        return Repair("", worked=False)
    first = later[0]
    again = next((step for step in later if step.tool == failed.tool), None)
    if first.tool == failed.tool:
        return Repair(change(failed, first), worked=True)
    # another tool helped, and the failed one was not called again
    if again is None:
        return Repair(first.tool, worked=True)
    return Repair(f"{first.tool}, then {change(failed, again)}", worked=True)


def change(failed: Step, worked: Step) -> str:
    """Describe how a successful call differs from a failed one of the same tool."""
    names = sorted({*failed.parameters, *worked.parameters})
    parts: list[str] = []
    for name in names:
        if name not in worked.parameters:
            parts.append(f"without {name}")
        elif name not in failed.parameters:
            parts.append(f"with {name}")
        elif written(failed.parameters[name]) != written(worked.parameters[name]):
            parts.append(f"with another {name}")
    return f"{worked.tool} {', '.join(parts)}" if parts else AGAIN
