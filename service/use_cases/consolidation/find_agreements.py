"""Detection of agreements and disputes of a channel's agents, and their storage as memories."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations

import numpy as np
from cachetools import LRUCache

from graph.expecting.polarity import polarity
from graph.kernel.scope import kind_in, name_in, tenant_of
from graph.kernel.values import Floats
from graph.model.consolidation.agreements import (
    AgreementNews,
    Dispute,
    Gathered,
    KnownAgreement,
    Statement,
)
from graph.model.consolidation.clusters import ConsolidationRun
from graph.model.memories.links import Lease
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.model.sharing.agreements import AGREEMENT, stances
from graph.ports.embedding import EmbeddersInUse
from graph.ports.utility import StrataConfigs
from graph.ports.world import Embedder, Identifiers
from graph.replacing.agreeing import (
    LEAST_SIMILARITY,
    Nearness,
    StatementRelation,
    can_be_compared,
    differing_words,
    group_agreeing,
    relation_of,
)
from graph.store.consolidation.store import ConsolidationStore
from service.use_cases.kernel.embedding import (
    embed_also,
    embed_any,
    slot_vector,
    stacked,
    with_embedder_in_use,
)

Pair = tuple[int, int]
Pairs = list[tuple[int, int, float]]

_LATEST = 1_000  # statements of a channel that are compared
_NEAREST = 8  # statements that each is compared with
_MAX_READ = 500  # pairs that a run reads, at about 8 ms each; the others wait for later runs
_CACHED_PAIRS = 50_000


@dataclass(frozen=True, slots=True)
class Comparer:
    """LRU cache of the relations of pairs of statements: the reader is slow."""

    cache: LRUCache[tuple[str, str, str], StatementRelation | None] = field(
        default_factory=lambda: LRUCache(_CACHED_PAIRS)
    )

    def relations(
        self,
        embedder: Embedder,
        texts: Sequence[tuple[str, str]],
        similarities: Sequence[float],
        max_read: int,
    ) -> list[StatementRelation | None]:
        """Return the relation of each pair; at most ``max_read`` new pairs are read, the others are None."""
        # one key for both orders: the result is the mean of both
        keys = [(embedder.name, min(pair), max(pair)) for pair in texts]
        new = [place for place, key in enumerate(keys) if key not in self.cache][:max_read]
        read = compare_texts(
            embedder, [texts[place] for place in new], [similarities[place] for place in new]
        )
        self.cache.update({keys[place]: each for place, each in zip(new, read, strict=True)})
        return [self.cache.get(key) for key in keys]


def compare_texts(
    embedder: Embedder, texts: Sequence[tuple[str, str]], similarities: Sequence[float]
) -> list[StatementRelation | None]:
    """Return the relation of each pair of texts; ``similarities`` are their cosines."""
    relations: list[StatementRelation | None] = [None] * len(texts)
    places = [place for place, pair in enumerate(texts) if can_be_compared(*pair)]
    phrases = [differing_words(*texts[place]).phrases for place in places]
    texts_to_embed = list(dict.fromkeys(text for pair in phrases if pair for text in pair))
    vectors = (
        dict(zip(texts_to_embed, embed_any(embedder, texts_to_embed), strict=True))
        if texts_to_embed
        else {}
    )
    topics = _topics(embedder, [texts[place] for place in places])
    for place, pair, topic in zip(places, phrases, topics, strict=True):
        rest = float(vectors[pair[0]] @ vectors[pair[1]]) if pair else None
        opposed = polarity(texts[place][0]) * polarity(texts[place][1]) < 0
        relations[place] = relation_of(
            *texts[place], Nearness(similarities[place], rest, topic, opposed)
        )
    return relations


def _topics(embedder: Embedder, texts: Sequence[tuple[str, str]]) -> Sequence[float | None]:
    """Return the probability that each pair has one topic, the reader's mean of both orders; None without a reader."""
    reader = embedder.reader
    if reader is None or not texts:
        return [None] * len(texts)
    both = [pair for one, other in texts for pair in ((one, other), (other, one))]
    means: list[float] = reader.replaced(both)[:, 0].reshape(-1, 2).mean(axis=1).tolist()
    return means


@dataclass(frozen=True, slots=True)
class AgreementFinder:
    """Finds agreements of several agents of a channel, and contradictions between them."""

    store: ConsolidationStore
    embedders: EmbeddersInUse
    configs: StrataConfigs
    identifiers: Identifiers
    comparer: Comparer = field(default_factory=Comparer)

    async def find_changes(self, scope: str, now: datetime) -> AgreementNews:
        """Return the changes of agreements and disputes since the last run; none for a scope that is no channel."""
        if kind_in(scope) != "channel":
            return AgreementNews()
        used = self.embedders.reading
        rows = await self.store.statements(scope, _LATEST, now, used.slot)
        known = await self.store.known_agreements(scope)
        min_agents = self.configs.strata_of(tenant_of(scope)).pattern_agents
        return await asyncio.to_thread(self._find_changes, used.embedder, rows, known, min_agents)

    def _find_changes(
        self,
        embedder: Embedder,
        rows: Sequence[Statement],
        known: Sequence[KnownAgreement],
        min_agents: int,
    ) -> AgreementNews:
        near = _near_pairs(rows)
        texts = [(rows[one].saying.text, rows[other].saying.text) for one, other, _ in near]
        relations = self.comparer.relations(embedder, texts, [each for *_, each in near], _MAX_READ)
        same = [pair for pair, each in zip(near, relations, strict=True) if each == "same"]
        contradicting = [
            pair for pair, each in zip(near, relations, strict=True) if each == "contradicts"
        ]
        groups = group_agreeing(len(rows), same, [pair[:2] for pair in contradicting])
        disputes, settled = _disputes(rows, contradicting, same)
        return AgreementNews(
            tuple(_agreement_changes(rows, groups, known, min_agents)),
            disputes,
            settled,
            {row.saying.uid: row.revision for row in rows},
            # a consolidation leaves these out, so that they stay in the words of each agent
            frozenset(rows[place].saying.uid for pair in contradicting for place in pair[:2])
            | {row.saying.uid for row in rows if row.gathered or row.votes},
            len(rows),
            frozenset(row.uid for row in known),
        )

    async def save(self, run: ConsolidationRun, now: datetime, lease: Lease | None) -> int:
        """Write the changes, and return how many agreements were created or changed."""
        changes = await self.find_changes(run.scope, now)

        async def write() -> int:
            gathered = await self._with_memories(run.scope, changes.gathered, now)
            ready = replace(changes, gathered=gathered)
            return await self.store.save_agreements(run.uid, ready, now, lease)

        return await with_embedder_in_use(self.embedders, write)

    async def _with_memories(
        self, scope: str, rows: Sequence[Gathered], now: datetime
    ) -> tuple[Gathered, ...]:
        """Add the memory to write to agreements without one."""
        texts = [row.text for row in rows if row.uid is None]
        if not texts:
            return tuple(rows)
        used = self.embedders.reading
        vectors = await asyncio.to_thread(embed_any, used.embedder, texts)
        others = await embed_also(self.embedders.also_writing, texts)
        made = iter(zip(vectors, others, strict=True))
        ready: list[Gathered] = []
        for row in rows:
            if row.uid is None:
                vector, also = next(made)
                uid = self.identifiers.new_uid(now)
                prepared = PreparedMemory(
                    new=_new_memory(scope, uid, row),
                    uid=uid,
                    # of its name, not of its text: a note in the same words is another memory
                    content_hash=hashlib.sha256(f"{AGREEMENT} {uid}".encode()).hexdigest(),
                    recorded_at=now,
                    embedding=slot_vector(used, vector),
                    also=also,
                )
                ready.append(replace(row, prepared=prepared))
            else:
                ready.append(row)
        return tuple(ready)


def _near_pairs(rows: Sequence[Statement]) -> Pairs:
    """Return similar pairs of statements of two agents: first the known ones, then the most similar."""
    matrix = stacked([row.vector for row in rows])
    cosines = (matrix @ matrix.T).astype(np.float64)
    pairs = {pair: float(cosines[pair]) for pair in _known_pairs(rows)}
    agents = np.array([row.saying.agent for row in rows])
    for place in range(len(rows)):
        pairs |= _nearest(cosines, agents, place)
    joined = set(_known_pairs(rows))
    return sorted(
        # known pairs first: more similar ones must not use up the pairs that a run may read
        ((*pair, near) for pair, near in pairs.items()),
        key=lambda row: (row[:2] not in joined, -row[2], row[:2]),
    )


def _nearest(
    cosines: Floats, agents: np.ndarray[tuple[int], np.dtype[np.str_]], place: int
) -> dict[Pair, float]:
    # an agent's own statements are not compared
    near = np.where(agents == agents[place], -1.0, cosines[place])
    best = np.argsort(-near, kind="stable")[:_NEAREST]
    nearest = [int(other) for other in best if near[other] >= LEAST_SIMILARITY]
    return {(min(place, other), max(place, other)): float(near[other]) for other in nearest}


def _known_pairs(rows: Sequence[Statement]) -> list[Pair]:
    """Return the pairs in one agreement, and those known to contradict each other."""
    places = {row.saying.uid: place for place, row in enumerate(rows)}
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for uid in row.gathered:
            groups.setdefault(uid, []).append(place)
    pairs = {pair for members in groups.values() for pair in combinations(members, 2)}
    pairs |= {
        (min(place, places[uid]), max(place, places[uid]))
        for place, row in enumerate(rows)
        for uid in row.contradicts
        if uid in places
    }
    return sorted(pairs)


def _disputes(
    rows: Sequence[Statement], contradicting: Pairs, same: Pairs
) -> tuple[tuple[Dispute, ...], tuple[tuple[str, str], ...]]:
    """Return the new contradictions, and the known ones that are resolved."""
    known = {
        (min(row.saying.uid, uid), max(row.saying.uid, uid))
        for row in rows
        for uid in row.contradicts
    }

    def named(pair: tuple[int, int, float]) -> tuple[str, str]:
        one, other = rows[pair[0]].saying.uid, rows[pair[1]].saying.uid
        return min(one, other), max(one, other)

    sayings = {row.saying.uid: row.saying for row in rows}
    new = {named(pair): pair[2] for pair in contradicting if named(pair) not in known}
    disputes = tuple(
        Dispute(sayings[one], sayings[other], near) for (one, other), near in sorted(new.items())
    )
    return disputes, tuple(sorted(known & {named(pair) for pair in same}))


def _agreement_changes(
    rows: Sequence[Statement],
    groups: Iterable[Sequence[int]],
    known: Sequence[KnownAgreement],
    min_agents: int,
) -> list[Gathered]:
    """Return the new, changed and ended agreements."""
    agreements = [_agreement([rows[place] for place in group], min_agents) for group in groups]
    current = [row for row in agreements if row is not None]
    texts = {row.saying.uid: row.saying.text for row in rows}
    continued = _continued(current, known, texts)
    changes = [
        row if uid is None else replace(row, uid=uid, change="updated")
        for row, uid in zip(current, continued, strict=True)
        if uid is None or set(row.statements) != set(_agreement_of(known, uid).statements)
    ]
    ended = [one for one in known if one.uid not in continued]
    return changes + [Gathered(one.text, one.statements, (), "withdrawn", one.uid) for one in ended]


def _agreement_of(known: Sequence[KnownAgreement], uid: str) -> KnownAgreement:
    return next(one for one in known if one.uid == uid)


def _agreement(members: Sequence[Statement], min_agents: int) -> Gathered | None:
    """Return the agreement of statements; None if too few agents hold them."""
    sayings = [row.saying for row in members]
    votes = [vote for row in members for vote in row.votes]
    agents = tuple(agent for agent, holds in stances(sayings, (), votes) if holds)
    if len(agents) < min_agents:
        return None
    uids = tuple(saying.uid for saying in sayings)
    latest = max(saying.at for saying in sayings)
    return Gathered(_representative(members), uids, agents, "created", at=latest)


def _representative(members: Sequence[Statement]) -> str:
    """Return the text closest to the mean of all; the first of ties."""
    vectors = [row.vector for row in members if row.vector is not None]
    if len(vectors) < len(members):
        return members[0].saying.text
    matrix = np.stack(vectors)
    # rounded, so that the first of ties wins whatever the rounding errors
    return members[int((matrix @ matrix.sum(axis=0)).round(5).argmax())].saying.text


def _continued(
    current: Sequence[Gathered], known: Sequence[KnownAgreement], texts: Mapping[str, str]
) -> list[str | None]:
    """Return the known agreement that each continues: the one with most common statements, if its text is still one."""
    shared = sorted(
        (-len(common), place, one.uid)
        for place, row in enumerate(current)
        for one in known
        if (common := set(row.statements) & set(one.statements))
        # its text is one of its statements: without that one it ends, and another begins
        and one.text in {texts[uid] for uid in row.statements}
    )
    continued: list[str | None] = [None] * len(current)
    for _, place, uid in shared:
        if continued[place] is None and uid not in continued:
            continued[place] = uid
    return continued


def _new_memory(scope: str, uid: str, row: Gathered) -> NewMemory:
    return NewMemory(
        scope,
        row.text,
        external_id=f"{AGREEMENT}:{uid}",
        channel_id=name_in(scope),
        stratum="semantic",
        source_type=AGREEMENT,
        occurred_at=row.at,
    )
