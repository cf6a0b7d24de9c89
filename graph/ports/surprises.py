"""Surprises, predictions and surprise momentum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from graph.model.embedding import SlotVector
    from graph.model.links import Lease
    from graph.model.surprises import (
        MomentumKey,
        MomentumState,
        Prediction,
        SurpriseQuery,
        SurpriseRecord,
    )
    from graph.model.values import Floats

Decide = Callable[
    ["Mapping[MomentumKey, MomentumState]"],
    "tuple[SurpriseRecord, Mapping[MomentumKey, MomentumState]]",
]
"""What is usual by now to how surprising an event is, and what is usual from then on."""


class SurpriseStore(Protocol):
    """Keeps what was expected and what surprised, scope by scope."""

    async def predict(self, prediction: Prediction) -> Prediction:
        """Store a prediction, or return the one that has its name in its scope already."""
        ...

    async def prediction(self, scope: str, prediction_id: str) -> Prediction | None:
        """Read a prediction by its name."""
        ...

    async def waiting(self, scope: str, context: str, now: datetime) -> Sequence[Prediction]:
        """Read the predictions of a context that nothing answered and that still stand."""
        ...

    async def cosines(self, scope: str, vector: SlotVector, now: datetime, nearest: int) -> Floats:
        """Measure how near the nearest memories of a scope are, shape ``(n,)``."""
        ...

    async def report(
        self,
        keys: Sequence[MomentumKey],
        event: tuple[str, str | None],
        prediction_uid: str | None,
        now: datetime,
        decide: Decide,
    ) -> SurpriseRecord | None:
        """Decide on an event with what is usual locked, and store both.

        Returns the stored one if the scope has an event of that name, and None, with nothing written,
        if something else answered the prediction meanwhile.
        """
        ...

    async def reported(self, scope: str, event_id: str) -> SurpriseRecord | None:
        """Read the surprise of an event by its name."""
        ...

    async def link(self, surprise_uid: str, memory_uid: str) -> bool | None:
        """Join a surprise to the memory of its event; False if it was before, None if either is gone."""
        ...

    async def history(self, query: SurpriseQuery) -> Sequence[SurpriseRecord]:
        """Read surprises, the newest first."""
        ...

    async def expire(self, now: datetime, limit: int, lease: Lease) -> int:
        """Remove up to ``limit`` of each of predictions and surprises whose time is over.

        Raises
        ------
        LeaseLostError
            If another holds the lease by now; then nothing is removed.
        """
        ...
