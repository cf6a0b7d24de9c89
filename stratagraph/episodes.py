"""Episodes for programs: the memory of *Memory Design for Self-Evolving Reasoning System*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from stratagraph.client import Client
from stratagraph.errors import NotFoundError


class EpisodicMemory:
    """Past attempts of an agent, by a client.

    ``client``: address and identity; else one is created from ``options``, and closed with it. ``run``: the run of its
    episodes.
    """

    def __init__(
        self, client: Client | None = None, run: str | None = None, **options: Any
    ) -> None:
        self._client = client or Client(**options)
        self._owned = client is None
        self._run = run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the client, unless it was given."""
        if self._owned:
            self._client.close()

    def add_episode(self, episode: dict[str, Any]) -> None:
        """Add one attempt; a repeated one is stored once."""
        self._client.add_episode(episode, run=self._run)

    def retrieve(self, query: str, k: int = 5, domain: str | None = None) -> list[dict[str, Any]]:
        """Return the complete episodes that help most with a problem, best first."""
        found = self._client.retrieve(query, k, domain)
        return list(self._whole(result.uid for result in found.results))

    def size(self) -> int:
        """Return the number of episodes."""
        return self._client.size()

    def clear(self) -> None:
        """Remove all episodes of the client's agent."""
        self._client.clear()

    def _whole(self, uids: Iterator[str]) -> Iterator[dict[str, Any]]:
        for uid in uids:
            try:
                yield self._client.get_episode(uid).episode
            except NotFoundError:
                continue  # removed since it was found
