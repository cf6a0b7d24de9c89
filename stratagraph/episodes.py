"""Episodes for programs: the memory of *Memory Design for Self-Evolving Reasoning System*."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from stratagraph.calls import Call, Caller, encoded, stated
from stratagraph.client import Client


class EpisodicMemory:
    """What an agent did before, over a client.

    ``client``: whom it stands for, and where; else one is made of ``options``. ``run``: what its
    episodes are of.
    """

    def __init__(
        self, client: Client | None = None, run: str | None = None, **options: Any
    ) -> None:
        self._client = client or Client(**options)
        self._run = run

    def add_episode(self, episode: dict[str, Any]) -> None:
        """Add one attempt; the same sent twice is one."""
        self._client.add_episode(episode, run=self._run)

    def retrieve(self, query: str, k: int = 5, domain: str | None = None) -> list[dict[str, Any]]:
        """Return the episodes that help most with a problem, best first."""
        body = {"query": query, "k": k, "domain": domain}
        found = self._client.send(_retrieve(self._client.caller, body))
        return [result["episode"] for result in found]

    def size(self) -> int:
        """Say how many episodes there are."""
        return self._client.size()

    def clear(self) -> None:
        """Remove all episodes of whom the client stands for."""
        self._client.clear()


def _retrieve(caller: Caller, body: Mapping[str, Any]) -> Call[list[dict[str, Any]]]:
    sent = encoded(stated(body) | caller.fields({}))
    return Call("POST", "/v1/episodes/retrieve", _results, body=sent)


def _results(content: bytes) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads(content)["results"])
