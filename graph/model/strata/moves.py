"""Moves of memories between strata on request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from graph.kernel.values import State, Stratum
from graph.model.strata.gates import GateRun, Transition
from stratagraph.vocabulary import MoveDirection as MoveDirection


class Place(NamedTuple):
    """Stratum and state of a named memory; ``shared``: it is a channel's copy or pattern."""

    name: str
    uid: str
    stratum: Stratum
    state: State
    shared: bool


class Refusal(NamedTuple):
    """A name, and why its memory is not moved."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Proven:
    """Conditions for a successful memory: strata, minimum Q and minimum successes.

    No strata mean all below ``long_term``. A task limits it to the memories it was given, a session to its own.
    """

    min_q: float = 0.7
    min_successes: int = 3
    strata: tuple[Stratum, ...] = ()
    task_id: str | None = None
    session_id: str | None = None
    limit: int = 1000


@dataclass(frozen=True, slots=True)
class Moved:
    """Moved or planned memories, refused ones with reasons, and the run for undo."""

    scope: str
    moves: tuple[Transition, ...]
    refused: tuple[Refusal, ...] = ()
    run: GateRun | None = None
