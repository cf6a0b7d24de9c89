"""Agreements and disputes of a channel: statements, votes, and what follows from both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

AGREEMENT = "agreement"
"""Source type of the memories that the service makes of what agents agree on."""


@dataclass(frozen=True, slots=True)
class Saying:
    """Statement of one agent in a channel."""

    uid: str
    agent: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Vote:
    """The vote of an agent on a statement."""

    agent: str
    statement: str
    agrees: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class Position:
    """A statement of a channel: who holds it, who holds an opposite one, and the votes on both.

    ``agreed``: it is an agreement, held by several agents.
    """

    uid: str
    channel: str
    text: str
    agreed: bool
    at: datetime
    held: tuple[Saying, ...]
    against: tuple[Saying, ...] = ()
    votes: tuple[Vote, ...] = ()

    @property
    def supporters(self) -> tuple[str, ...]:
        """Agents that hold it, sorted."""
        return tuple(agent for agent, holds in self._stances() if holds)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Agents that hold an opposite statement, sorted."""
        return tuple(agent for agent, holds in self._stances() if not holds)

    def _stances(self) -> list[tuple[str, bool]]:
        return stances(self.held, self.against, self.votes)


def stances(
    held: Iterable[Saying], against: Iterable[Saying], votes: Iterable[Vote]
) -> list[tuple[str, bool]]:
    """Return by agent whether it holds a statement, by its latest statement or vote.

    Agreement with an opposite statement counts against; disagreement with one does not count. At equal times a vote has
    priority.
    """
    own = {saying.uid for saying in held}
    told = [(saying.agent, saying.at, 0, True) for saying in held]
    told += [(saying.agent, saying.at, 0, False) for saying in against]
    told += [
        (vote.agent, vote.at, 1, vote.agrees and vote.statement in own)
        for vote in votes
        if vote.agrees or vote.statement in own
    ]
    told.sort(key=lambda row: (row[1], row[2]))
    return sorted({agent: holds for agent, _, _, holds in told if agent}.items())
