"""Check the consistency of the graph, and repair it where possible."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from graph.kernel.errors import InvalidInputError
from graph.model.erasure.checking import (
    FLAW_KINDS,
    CheckKey,
    CheckPlace,
    CheckReport,
    Flaw,
    FlawKind,
)
from graph.ports.world import Embedder
from graph.store.erasure.checking import GraphChecks
from graph.store.operation.embedding import EmbeddingStore
from service.use_cases.kernel.embedding import embed_any
from service.use_cases.kernel.watched import TimedUseCase, watched


class _FlawCounts:
    """Counts and first examples of flaws, by kind."""

    def __init__(self) -> None:
        self._counts: Counter[FlawKind] = Counter()
        self._mended: Counter[FlawKind] = Counter()
        self._examples: defaultdict[FlawKind, list[CheckKey]] = defaultdict(list)

    def add(self, kind: FlawKind, keys: Sequence[CheckKey], mended: int) -> None:
        self._counts[kind] += len(keys)
        self._mended[kind] += mended
        self._examples[kind] += keys[: _EXAMPLES - len(self._examples[kind])]

    def flaws(self) -> tuple[Flaw, ...]:
        return tuple(
            Flaw(kind, self._counts[kind], tuple(self._examples[kind]), self._mended[kind])
            for kind in FLAW_KINDS
            if self._counts[kind]
        )


Tell = Callable[[str, int], None]


def _silent(_walk: str, _seen: int) -> None:
    pass


_PAGE = 1000  # nodes
_EXAMPLES = 5
_MENDED_AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class CheckGraph(TimedUseCase):
    """Check the whole graph in pages, while services run.

    ``tell`` is called after each page with the walk and its number of nodes so far. ``load`` loads the embedder of the
    graph; it is only called if vectors are missing.
    """

    checks: GraphChecks
    embeddings: EmbeddingStore
    load: Callable[[], Awaitable[Embedder]]
    tell: Tell = _silent

    @watched("check_graph")
    async def __call__(
        self,
        *,
        repair: bool = False,
        place: CheckPlace | None = None,
        most: timedelta | None = None,
    ) -> CheckReport:
        """Check from a place on, for ``most`` if given; return the flaws, repaired or not.

        Raises
        ------
        InvalidInputError
            If there is no such place.
        """
        walks = list(self.checks.walks)
        place = place or CheckPlace(walks[0])
        if place.walk not in walks:
            raise InvalidInputError("cursor: is not one that a check gave", field="cursor")
        flaws = _FlawCounts()
        seen = Counter[str]()
        ends = None if most is None else self.clock.now() + most
        dimension = (await self.embeddings.state()).embedder.dimension
        for walk in walks[walks.index(place.walk) :]:
            after = place.after if walk == place.walk else None
            while True:
                # at least one page: each call makes progress
                if seen and ends is not None and self.clock.now() >= ends:
                    return CheckReport(flaws.flaws(), seen, CheckPlace(walk, after))
                page = await self.checks.page(walk, after, _PAGE, dimension)
                for kind, keys in page.found.items():
                    flaws.add(kind, keys, await self._repair(kind, keys) if repair else 0)
                seen[walk] += page.seen
                self.tell(walk, seen[walk])
                if page.last is None:
                    break
                after = page.last
        return CheckReport(flaws.flaws(), seen)

    async def _repair(self, kind: FlawKind, keys: Sequence[CheckKey]) -> int:
        done = 0
        for start in range(0, len(keys), _MENDED_AT_ONCE):
            batch = keys[start : start + _MENDED_AT_ONCE]
            if kind == "vectors":
                done += await self._embed([key[0] for key in batch])
            else:
                done += await self.checks.mend(kind, batch, self.clock.now())
        return done

    async def _embed(self, uids: Sequence[str]) -> int:
        """Embed the texts of memories; this also replaces vectors of clients."""
        # memories erased meanwhile have no text
        texts = [(uid, text) for uid, text in await self.checks.texts(uids) if text]
        if not texts:
            return 0
        # loaded lazily: a check without such flaws needs no model
        embedder = await self.load()
        state = await self.embeddings.state()
        vectors = await asyncio.to_thread(embed_any, embedder, [text for _, text in texts])
        rows = [(uid, text, vector) for (uid, text), vector in zip(texts, vectors, strict=True)]
        return await self.embeddings.save_vectors(state.slot, embedder.name, rows)
