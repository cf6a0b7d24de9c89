"""Export and import of learned counts and templates, without texts and persons."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller, ScopeKind, kind_in, name_in
from graph.knowledge.noising import folded_words, sensitivity_of, with_noise
from graph.knowledge.sharing import (
    SORTS,
    MergeResult,
    NoiseParameters,
    SharedKnowledge,
    merge_file,
    shareable,
)
from graph.model.knowledge.executions import Counts
from graph.store.knowledge.sharing import KnowledgeSharing
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.guarding import Guard

MOST_SOURCES = 64


@dataclass(frozen=True, slots=True)
class SharingWish:
    """Limits of an export: least count, disclosed parameters, and ``epsilon`` of the noise."""

    least: int = 5
    named: tuple[str, ...] = ()
    epsilon: float | None = None


@dataclass(frozen=True, slots=True)
class ExportKnowledge(RecordingUseCase):
    """Export the own counts of one scope, without those of other sources.

    Raises
    ------
    InvalidInputError
        If the scope is not clear.
    """

    store: KnowledgeSharing
    guard: Guard
    draw: Callable[[], np.random.Generator] = np.random.default_rng

    @watched("export_knowledge")
    async def __call__(
        self, caller: Caller, wish: SharingWish, scope_kind: ScopeKind | None = None
    ) -> SharedKnowledge:
        """Return the counts that may be shared."""
        scope = caller.writable(scope_kind)
        now = self.clock.now()
        counts = await self.store.counted(scope, wish.least, lambda: self.identifiers.new_uid(now))
        # names of users are private whatever they look like
        people = {*await self.store.people(scope), *caller.user_ids}
        if kind_in(scope) == "user":
            people.add(name_in(scope))
        return await asyncio.to_thread(self._file, counts, wish, self._private(people))

    def _file(
        self, counts: Counts, wish: SharingWish, private: Callable[[str], bool]
    ) -> SharedKnowledge:
        now = self.clock.now()
        kept = shareable(counts, least=wish.least, named=wish.named, private=private)
        noise = None
        if wish.epsilon is not None:
            # the sensitivity of this file: fewer parameters need less noise
            noise = NoiseParameters(wish.epsilon, sensitivity_of(kept))
            kept = with_noise(kept, noise.scale, self.draw(), now)
        day = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return SharedKnowledge(counts.state.source, day, wish.least, noise=noise, **kept)

    def _private(self, people: Iterable[str]) -> Callable[[str], bool]:
        """Return a check whether a text has the name of a user, or other personal data."""
        # between blanks: *ann* is no part of *annex*
        names = [f" {' '.join(name)} " for name in map(folded_words, people) if name]

        def private(text: str) -> bool:
            said = f" {' '.join(folded_words(text))} "
            return any(name in said for name in names) or self.guard.finds(text)

        return private


@dataclass(frozen=True, slots=True)
class ImportKnowledge(RecordingUseCase):
    """Import the counts of another scope; a newer file of the same source replaces the older one.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, the file is this scope's own, or there are too many sources.
    """

    store: KnowledgeSharing
    guard: Guard

    @watched("import_knowledge")
    async def __call__(
        self, caller: Caller, file: SharedKnowledge, scope_kind: ScopeKind | None = None
    ) -> tuple[str, MergeResult, int]:
        """Return the scope, the result, and the number of records omitted as personal data."""
        scope = caller.writable(scope_kind)
        now = self.clock.now()
        clean = await asyncio.to_thread(self._clean, file)
        found: list[MergeResult] = []

        def decide(counts: Counts) -> Mapping[str, Sequence[str]]:
            _check_source(counts, clean.source)
            merged = merge_file(counts, clean, lambda: self.identifiers.new_uid(now), now)
            if merged.touched:
                counts.state.changed_at = now
            # replaced at each attempt: the transaction may be retried
            found[:] = [merged]
            return merged.touched

        keys = {name: [each.key for each in getattr(clean, name)] for name in SORTS}
        await self.store.adopt(scope, keys, decide)
        return scope, found[0], file.entries - clean.entries

    def _clean(self, file: SharedKnowledge) -> SharedKnowledge:
        """Remove personal data, as the exporter may have been less strict."""
        kept: dict[str, list[Any]] = defaultdict(list)
        for name in SORTS:
            for each in getattr(file, name):
                # of tables only the affected entries are removed
                for table in _tables(each):
                    for text in [text for text in table if self.guard.finds(text)]:
                        del table[text]
                if not any(map(self.guard.finds, _texts(each))):
                    kept[name].append(each)
        return replace(file, **{name: kept[name] for name in SORTS})


def _check_source(counts: Counts, source: str) -> None:
    # own counts would be doubled
    if source == counts.state.source:
        raise InvalidInputError(
            "source: the file was written by this scope; what it counted is here already",
            field="source",
        )
    if source not in counts.state.sources and len(counts.state.sources) >= MOST_SOURCES:
        raise InvalidInputError(
            f"source: this scope has taken files of {MOST_SOURCES} sources; import an empty file of one that is "
            "not needed any more to take back what it brought",
            field="source",
        )


def _texts(record: Any) -> list[str]:
    names = ("tool", "context", "error", "parameter", "pattern")
    return [each for each in (getattr(record, name, "") for name in names) if each] + list(
        getattr(record, "steps", ())
    )


def _tables(record: Any) -> list[dict[str, Any]]:
    names = ("contexts", "culprits", "after", "values", "shapes", "solutions", "ways")
    return [getattr(record, name) for name in names if getattr(record, name, None)]
