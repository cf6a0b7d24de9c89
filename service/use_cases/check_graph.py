"""Check the graph against itself, and mend what can be mended."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.model import FLAW_KINDS, Flaw
from graph.ports import UNWATCHED
from service.use_cases.embedding import embed_any
from service.use_cases.watched import watched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model import CheckKey, FlawKind
    from graph.ports import Clock, Embedder, EmbeddingStore, GraphChecks, Telemetry

Tell = Callable[[str, int], None]

_PAGE = 1000  # nodes
_EXAMPLES = 5
_MENDED_AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class CheckGraph:
    """Walk over the whole graph in pages; services may go on meanwhile.

    ``tell`` hears of each page: the walk, and how many nodes it has seen so far. ``load`` brings the
    embedder of the graph; it is asked for only where vectors are to be made.
    """

    checks: GraphChecks
    embeddings: EmbeddingStore
    load: Callable[[], Awaitable[Embedder]]
    clock: Clock
    tell: Tell
    telemetry: Telemetry = UNWATCHED

    @watched("check_graph")
    async def __call__(self, *, repair: bool = False) -> tuple[Flaw, ...]:
        """Return what is wrong by kind, mended or not; nothing: all is well."""
        found: defaultdict[FlawKind, list[CheckKey]] = defaultdict(list)
        counts: defaultdict[FlawKind, int] = defaultdict(int)
        mended: defaultdict[FlawKind, int] = defaultdict(int)
        dimension = (await self.embeddings.state()).embedder.dimension
        for walk in self.checks.walks:
            after: CheckKey | None = None
            seen = 0
            while True:
                page = await self.checks.page(walk, after, _PAGE, dimension)
                for kind, keys in page.found.items():
                    counts[kind] += len(keys)
                    found[kind] += keys[: _EXAMPLES - len(found[kind])]
                    if repair:
                        mended[kind] += await self._mend(kind, keys)
                seen += page.seen
                self.tell(walk, seen)
                if page.last is None:
                    break
                after = page.last
        return tuple(
            Flaw(kind, counts[kind], tuple(found[kind]), mended[kind])
            for kind in FLAW_KINDS
            if counts[kind]
        )

    async def _mend(self, kind: FlawKind, keys: Sequence[CheckKey]) -> int:
        done = 0
        for start in range(0, len(keys), _MENDED_AT_ONCE):
            some = keys[start : start + _MENDED_AT_ONCE]
            if kind == "vectors":
                done += await self._embed([key[0] for key in some])
            else:
                done += await self.checks.mend(kind, some, self.clock.now())
        return done

    async def _embed(self, uids: Sequence[str]) -> int:
        """Make vectors of what memories say; one that came from a client is made of the text from here on."""
        texts = [(uid, text) for uid, text in await self.checks.texts(uids) if text]
        if not texts:
            return 0
        embedder = await self.load()
        state = await self.embeddings.state()
        vectors = await asyncio.to_thread(embed_any, embedder, [text for _, text in texts])
        rows = [(uid, text, vector) for (uid, text), vector in zip(texts, vectors, strict=True)]
        return await self.embeddings.save_vectors(state.slot, embedder.name, rows)
