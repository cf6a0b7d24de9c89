"""Moves of memories between strata that somebody asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from graph.kernel.values import State, Stratum
from graph.model.strata.gates import GateRun, Transition

Direction = Literal["promote", "demote"]


class Place(NamedTuple):
    """Stratum and state of a named memory; ``shared``: it is a channel's copy or pattern."""

    name: str
    uid: str
    stratum: Stratum
    state: State
    shared: bool


class Refusal(NamedTuple):
    """A name, and why what it names does not move."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Proven:
    """Conditions for a successful memory: its strata, the least Q and the least number of successes.

    No strata stand for all below ``long_term``. With a task only those that it was given, with a session only those of it.
    """

    min_q: float = 0.7
    min_successes: int = 3
    strata: tuple[Stratum, ...] = ()
    task_id: str | None = None
    session_id: str | None = None
    limit: int = 1000


@dataclass(frozen=True, slots=True)
class Moved:
    """Memories that moved or would, those that were refused with reasons, and the run to undo it by."""

    scope: str
    moves: tuple[Transition, ...]
    refused: tuple[Refusal, ...] = ()
    run: GateRun | None = None
