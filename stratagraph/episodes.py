"""Episodes for programs: the memory of *Memory Design for Self-Evolving Reasoning System*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from stratagraph.client import Client
from stratagraph.errors import NotFoundError


class EpisodicMemory:
    """Earlier attempts of an agent, over a client.

    ``client``: whom it stands for, and where; else one is made of ``options``, and closed with it.
    ``run``: what its episodes are of.
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
        """Add one attempt; the same sent twice is one."""
        self._client.add_episode(episode, run=self._run)

    def retrieve(self, query: str, k: int = 5, domain: str | None = None) -> list[dict[str, Any]]:
        """Return the episodes that help most with a problem, whole and best first."""
        found = self._client.retrieve(query, k, domain)
        return list(self._whole(result.uid for result in found.results))

    def size(self) -> int:
        """Say how many episodes there are."""
        return self._client.size()

    def clear(self) -> None:
        """Remove all episodes of whom the client stands for."""
        self._client.clear()

    def _whole(self, uids: Iterator[str]) -> Iterator[dict[str, Any]]:
        for uid in uids:
            try:
                yield self._client.get_episode(uid).episode
            except NotFoundError:
                continue  # removed since it was found
