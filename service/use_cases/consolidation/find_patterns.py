"""Search for patterns in a scope, and their storage as memories."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from graph.condensing.patterns import patterns, worded
from graph.condensing.recounting import Recount
from graph.kernel.errors import EmbedderChangedError
from graph.model.consolidation.clusters import ConsolidationRun, KnownPattern, SeenPattern
from graph.model.consolidation.patterns import FoundPattern, Happening
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.ports.embedding import EmbeddersInUse
from graph.ports.world import Identifiers
from graph.questions.content import content_words
from graph.store.consolidation.store import ConsolidationStore
from service.use_cases.kernel.embedding import embed_also, embed_any, slot_vector

News = list[tuple[FoundPattern, tuple[str, ...], str | None]]
"""Patterns with what they rest on, and the uid of a known one."""
_LATEST = 10_000  # memories of a scope that are looked at
_FEW_WORDS = 8  # a longer text hardly recurs word for word
_RECURRING = 3  # sessions in which a word recurs, as a pattern does
_SAME = 0.005  # a confidence that moved less is the same


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """Finds patterns across the sessions of a scope."""

    store: ConsolidationStore
    embedders: EmbeddersInUse
    identifiers: Identifiers

    async def news(self, scope: str) -> News:
        """Return patterns that are not known as they are now: what they rest on, and the uid of a known one."""
        rows, known = await asyncio.gather(
            self.store.happenings(scope, _LATEST), self.store.known_patterns(scope)
        )
        told = await asyncio.to_thread(labelled, [happening for _, happening in rows])
        if not (known or any(happening.labels or happening.shape for happening in told)):
            return []
        found = await asyncio.to_thread(patterns, told)
        lost = known.keys() - {each.external_id for each in found}
        found += await asyncio.to_thread(_recounted, told, [known[name] for name in sorted(lost)])
        return [
            (each, tuple(rows[place][0] for place in each.evidence), held.uid if held else None)
            for each in found
            if (held := known.get(each.external_id)) is None
            or (held.kept and held.support != each.support)
            or (held.kept and abs(held.confidence - each.confidence) > _SAME)
        ]

    async def save(
        self,
        run: ConsolidationRun,
        now: datetime,
        lease: Lease | None,
        news: News | None = None,
    ) -> int:
        """Write what is new, as found a moment ago or looked for now; return how many."""
        news = await self.news(run.scope) if news is None else news
        # once more where the slot that is read has changed meanwhile
        for last in (False, True):
            rows = await self._prepared(run.scope, news, now)
            try:
                return await self.store.save_patterns(run.uid, rows, lease)
            except EmbedderChangedError:
                if last:
                    raise
                await self.embedders.refresh()
        return 0

    async def _prepared(
        self,
        scope: str,
        news: News,
        now: datetime,
    ) -> list[SeenPattern]:
        texts = [found.text for found, _, _ in news]
        if not texts:
            return []
        used = self.embedders.reading
        vectors = await asyncio.to_thread(embed_any, used.embedder, texts)
        others = await embed_also(self.embedders.also_writing, texts)
        rows: list[SeenPattern] = []
        for (found, evidence, known), vector, also in zip(news, vectors, others, strict=True):
            if known is not None:
                rows.append(SeenPattern(found, evidence, known))
                continue
            uid = self.identifiers.new_uid(now)
            prepared = PreparedMemory(
                new=_new(scope, found),
                uid=uid,
                # of its signature: the same pattern is the same in every scope and run (ADR 33)
                content_hash=hashlib.sha256(found.signature.encode()).hexdigest(),
                recorded_at=now,
                embedding=slot_vector(used, vector),
                also=also,
            )
            rows.append(SeenPattern(found, evidence, uid, prepared))
        return rows


def labelled(happenings: Iterable[Happening]) -> list[Happening]:
    """Name memories without tags and actions by their own words, if they are few; numbers differ each time.

    What a text has of recurring words is one label where it recurs as a whole; else each of them is one: what is
    watered differs, that it is watered recurs.
    """
    told = list(happenings)
    rows = [_words(happening) for happening in told]
    whole = _recurring(told, [[" ".join(row)] for row in rows])
    words = _recurring(told, rows)
    common = [[word for word in row if word in words] or [" ".join(row)] for row in rows]
    common = [
        row if " ".join(row) in whole else some for row, some in zip(rows, common, strict=True)
    ]
    together = _recurring(told, [[" ".join(row)] for row in common])
    return [
        replace(happening, labels=_labels(some, together)) if row else happening
        for happening, row, some in zip(told, rows, common, strict=True)
    ]


def _recurring(told: Sequence[Happening], rows: Iterable[Sequence[str]]) -> Set[str]:
    """Return the labels that stand in enough sessions."""
    sessions: dict[str, set[str | None]] = {}
    for happening, row in zip(told, rows, strict=True):
        for label in row:
            sessions.setdefault(label, set()).add(happening.session)
    return {label for label, found in sessions.items() if len(found) >= _RECURRING}


def _labels(words: Sequence[str], together: Set[str]) -> tuple[str, ...]:
    joined = " ".join(words)
    return (joined,) if joined in together else tuple(words)


def _words(happening: Happening) -> list[str]:
    words = [word for word in content_words(happening.text) if not word[0].isdigit()]
    return [] if happening.labels or len(words) > _FEW_WORDS else words


def _recounted(
    told: Sequence[Happening], known: Sequence[KnownPattern]
) -> tuple[FoundPattern, ...]:
    """Say how those stand now that are not found again: what no longer holds would stay shared."""
    recount = Recount(told)
    return tuple(
        FoundPattern(
            type_, each.items, *recount.of(type_, each.items), (), worded(type_, each.items)
        )
        for each in known
        if (type_ := each.type) is not None
    )


def _new(scope: str, found: FoundPattern) -> NewMemory:
    _, kind, *rest = scope.split("/", 2)
    name = rest[0] if rest else None
    return NewMemory(
        scope,
        found.text,
        kind="pattern",
        external_id=found.external_id,
        agent_id=name if kind == "agent" else None,
        channel_id=name if kind == "channel" else None,
        user_id=name if kind == "user" else None,
        content_type="structured",
        structured={"pattern_type": found.type, "items": list(found.items)},
        stratum="semantic",
        tags=("pattern", found.type),
        source_type="consolidation",
    )
