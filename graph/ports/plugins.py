"""Surprise plugins of agents, and the important memories that an arousal asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.plugins import PluginSettings, PluginState, SurprisePlugin

T = TypeVar("T")
Decide = Callable[["Mapping[str, SurprisePlugin]"], "tuple[T, Mapping[str, PluginState]]"]
"""Plugins by scope, as they stand, to an answer and what they have learned then."""


class PluginStore(Protocol):
    """Keeps one surprise plugin for each agent's scope."""

    async def attach(
        self, scope: str, settings: PluginSettings, now: datetime
    ) -> tuple[SurprisePlugin, bool]:
        """Attach a plugin; one with other settings takes the place of what was there, and begins anew.

        Returns the plugin as it stands, and whether it began anew.
        """
        ...

    async def detach(self, scope: str) -> None:
        """Remove a plugin with what it has learned."""
        ...

    async def attached(self, scopes: Sequence[str]) -> Mapping[str, SurprisePlugin]:
        """Read the plugins of some scopes; one without a plugin is left out."""
        ...

    async def learn(self, scopes: Sequence[str], now: datetime, decide: Decide[T]) -> T:
        """Let plugins learn with all of them locked; what ``decide`` raises leaves nothing written.

        ``decide`` may be called again after a clash.
        """
        ...
