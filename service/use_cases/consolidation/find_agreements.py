"""Search for what agents of a channel agree on and dispute, and its storage as memories."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations

import numpy as np
from cachetools import LRUCache

from graph.expecting.polarity import polarity
from graph.kernel.errors import EmbedderChangedError
from graph.kernel.scope import name_in, tenant_of
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
from service.use_cases.kernel.embedding import embed_also, embed_any, slot_vector

Pair = tuple[int, int]
Pairs = list[tuple[int, int, float]]

_LATEST = 1_000  # statements of a channel that are compared
_NEAREST = 8  # statements that each is compared with
_READ_AT_ONCE = (
    500  # pairs that a look reads, at about 8 ms; the nearest first, the rest at later looks
)
_KEPT_PAIRS = 50_000


@dataclass(frozen=True, slots=True)
class Comparer:
    """Tells how pairs of statements stand to each other; each pair of texts is read once."""

    kept: LRUCache[tuple[str, str, str], StatementRelation | None] = field(
        default_factory=lambda: LRUCache(_KEPT_PAIRS)
    )

    def stands(
        self,
        embedder: Embedder,
        texts: Sequence[tuple[str, str]],
        similarities: Sequence[float],
        most: int,
    ) -> list[StatementRelation | None]:
        """Return how each pair stands; of pairs that are not known, ``most`` are read, the others are None."""
        # one key for both orders: the reader's answer is the mean of both
        keys = [(embedder.name, min(pair), max(pair)) for pair in texts]
        new = [place for place, key in enumerate(keys) if key not in self.kept][:most]
        told = read_stands(
            embedder, [texts[place] for place in new], [similarities[place] for place in new]
        )
        self.kept.update({keys[place]: each for place, each in zip(new, told, strict=True)})
        return [self.kept.get(key) for key in keys]


def read_stands(
    embedder: Embedder, texts: Sequence[tuple[str, str]], similarities: Sequence[float]
) -> list[StatementRelation | None]:
    """Return how pairs of texts stand to each other; ``similarities`` are the cosines of each pair."""
    found: list[StatementRelation | None] = [None] * len(texts)
    places = [place for place, pair in enumerate(texts) if can_be_compared(*pair)]
    phrases = [differing_words(*texts[place]).phrases for place in places]
    said = list(dict.fromkeys(text for pair in phrases if pair for text in pair))
    vectors = dict(zip(said, embed_any(embedder, said), strict=True)) if said else {}
    topics = _topics(embedder, [texts[place] for place in places])
    for place, pair, topic in zip(places, phrases, topics, strict=True):
        rest = float(vectors[pair[0]] @ vectors[pair[1]]) if pair else None
        opposed = polarity(texts[place][0]) * polarity(texts[place][1]) < 0
        found[place] = relation_of(
            *texts[place], Nearness(similarities[place], rest, topic, opposed)
        )
    return found


def _topics(embedder: Embedder, texts: Sequence[tuple[str, str]]) -> Sequence[float | None]:
    """Return how surely each pair is about the same: the reader's mean both ways round; None without a reader."""
    reader = embedder.reader
    if reader is None or not texts:
        return [None] * len(texts)
    both = [pair for one, other in texts for pair in ((one, other), (other, one))]
    means: list[float] = reader.replaced(both)[:, 0].reshape(-1, 2).mean(axis=1).tolist()
    return means


@dataclass(frozen=True, slots=True)
class AgreementFinder:
    """Finds what several agents of a channel say alike, and where they contradict each other."""

    store: ConsolidationStore
    embedders: EmbeddersInUse
    configs: StrataConfigs
    identifiers: Identifiers
    comparer: Comparer = field(default_factory=Comparer)

    async def news(self, scope: str, now: datetime) -> AgreementNews:
        """Return what differs from what the graph says; nothing for a scope that is no channel."""
        if scope.split("/")[1] != "channel":
            return AgreementNews()
        used = self.embedders.reading
        rows = await self.store.statements(scope, _LATEST, now, used.slot)
        known = await self.store.known_agreements(scope)
        least = self.configs.strata_of(tenant_of(scope)).pattern_agents
        return await asyncio.to_thread(self._news, used.embedder, rows, known, least)

    def _news(
        self,
        embedder: Embedder,
        rows: Sequence[Statement],
        known: Sequence[KnownAgreement],
        least: int,
    ) -> AgreementNews:
        near = _near_pairs(rows)
        texts = [(rows[one].saying.text, rows[other].saying.text) for one, other, _ in near]
        told = self.comparer.stands(embedder, texts, [each for *_, each in near], _READ_AT_ONCE)
        same = [pair for pair, each in zip(near, told, strict=True) if each == "same"]
        apart = [pair for pair, each in zip(near, told, strict=True) if each == "contradicts"]
        groups = group_agreeing(len(rows), same, [pair[:2] for pair in apart])
        disputes, settled = _disputes(rows, apart, same)
        return AgreementNews(
            tuple(_changes(rows, groups, known, least)),
            disputes,
            settled,
            {row.saying.uid: row.revision for row in rows},
            # these stay as each agent said them, so a consolidation leaves them out
            frozenset(rows[place].saying.uid for pair in apart for place in pair[:2])
            | {row.saying.uid for row in rows if row.gathered or row.votes},
            len(rows),
            frozenset(row.uid for row in known),
        )

    async def save(self, run: ConsolidationRun, now: datetime, lease: Lease | None) -> int:
        """Write what differs, and return how many agreements were made or changed."""
        news = await self.news(run.scope, now)
        # once more where the slot that is read has changed meanwhile
        for last in (False, True):
            ready = replace(
                news, group_agreeing=await self._prepared(run.scope, news.gathered, now)
            )
            try:
                return await self.store.save_agreements(run.uid, ready, now, lease)
            except EmbedderChangedError:
                if last:
                    raise
                await self.embedders.refresh()
        return 0

    async def _prepared(
        self, scope: str, rows: Sequence[Gathered], now: datetime
    ) -> tuple[Gathered, ...]:
        """Give those that have no memory yet the one to write."""
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
                    new=_new(scope, uid, row),
                    uid=uid,
                    # of its name, not of its words: somebody's note in the same words stays another
                    # memory
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
    """Return pairs of near statements of two agents: first what the graph joins, then the nearest."""
    sizes = Counter(len(row.vector) for row in rows if row.vector is not None)
    if not sizes:
        return []
    size = sizes.most_common(1)[0][0]
    matrix = np.zeros((len(rows), size), dtype=np.float32)
    for place, row in enumerate(rows):
        if row.vector is not None and len(row.vector) == size:
            matrix[place] = row.vector
    cosines = (matrix @ matrix.T).astype(np.float64)
    pairs = {pair: float(cosines[pair]) for pair in _joined(rows)}
    agents = np.array([row.saying.agent for row in rows])
    for place in range(len(rows)):
        pairs |= _nearest(cosines, agents, place)
    joined = set(_joined(rows))
    return sorted(
        # what the graph joins comes first: nearer pairs must not use up what a look may read
        ((*pair, near) for pair, near in pairs.items()),
        key=lambda row: (row[:2] not in joined, -row[2], row[:2]),
    )


def _nearest(
    cosines: Floats, agents: np.ndarray[tuple[int], np.dtype[np.str_]], place: int
) -> dict[Pair, float]:
    # an agent agrees with itself anyway
    near = np.where(agents == agents[place], -1.0, cosines[place])
    best = np.argsort(-near, kind="stable")[:_NEAREST]
    found = [int(other) for other in best if near[other] >= LEAST_SIMILARITY]
    return {(min(place, other), max(place, other)): float(near[other]) for other in found}


def _joined(rows: Sequence[Statement]) -> list[Pair]:
    """Return the pairs that are gathered in one agreement, or known to contradict each other."""
    places = {row.saying.uid: place for place, row in enumerate(rows)}
    groups: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for uid in row.gathered:
            groups.setdefault(uid, []).append(place)
    found = {pair for members in groups.values() for pair in combinations(members, 2)}
    found |= {
        (min(place, places[uid]), max(place, places[uid]))
        for place, row in enumerate(rows)
        for uid in row.contradicts
        if uid in places
    }
    return sorted(found)


def _disputes(
    rows: Sequence[Statement], apart: Pairs, same: Pairs
) -> tuple[tuple[Dispute, ...], tuple[tuple[str, str], ...]]:
    """Return the contradictions that are not known, and the known ones that say the same by now."""
    known = {
        (min(row.saying.uid, uid), max(row.saying.uid, uid))
        for row in rows
        for uid in row.contradicts
    }

    def named(pair: tuple[int, int, float]) -> tuple[str, str]:
        one, other = rows[pair[0]].saying.uid, rows[pair[1]].saying.uid
        return min(one, other), max(one, other)

    sayings = {row.saying.uid: row.saying for row in rows}
    new = {named(pair): pair[2] for pair in apart if named(pair) not in known}
    disputes = tuple(
        Dispute(sayings[one], sayings[other], near) for (one, other), near in sorted(new.items())
    )
    return disputes, tuple(sorted(known & {named(pair) for pair in same}))


def _changes(
    rows: Sequence[Statement],
    groups: Iterable[Sequence[int]],
    known: Sequence[KnownAgreement],
    least: int,
) -> list[Gathered]:
    """Return what becomes of agreements: those that come to be, change, and end."""
    found = [_gathered([rows[place] for place in group], least) for group in groups]
    wanted = [row for row in found if row is not None]
    texts = {row.saying.uid: row.saying.text for row in rows}
    taken = _matched(wanted, known, texts)
    changes = [
        row if uid is None else replace(row, uid=uid, change="updated")
        for row, uid in zip(wanted, taken, strict=True)
        if uid is None or set(row.statements) != set(_of(known, uid).statements)
    ]
    ended = [one for one in known if one.uid not in taken]
    return changes + [Gathered(one.text, one.statements, (), "withdrawn", one.uid) for one in ended]


def _of(known: Sequence[KnownAgreement], uid: str) -> KnownAgreement:
    return next(one for one in known if one.uid == uid)


def _gathered(members: Sequence[Statement], least: int) -> Gathered | None:
    """Return what statements that say the same become; None where too few agents hold them."""
    sayings = [row.saying for row in members]
    votes = [vote for row in members for vote in row.votes]
    agents = tuple(agent for agent, holds in stances(sayings, (), votes) if holds)
    if len(agents) < least:
        return None
    uids = tuple(saying.uid for saying in sayings)
    latest = max(saying.at for saying in sayings)
    return Gathered(_worded(members), uids, agents, "created", at=latest)


def _worded(members: Sequence[Statement]) -> str:
    """Return the text that is nearest to what all say; of equal ones the first."""
    vectors = [row.vector for row in members if row.vector is not None]
    if len(vectors) < len(members):
        return members[0].saying.text
    matrix = np.stack(vectors)
    # rounded: of equal ones the first has to win, not the one that rounding errors favour
    return members[int((matrix @ matrix.sum(axis=0)).round(5).argmax())].saying.text


def _matched(
    wanted: Sequence[Gathered], known: Sequence[KnownAgreement], texts: Mapping[str, str]
) -> list[str | None]:
    """Return for each the agreement that it goes on: the one that it shares most with, in words that are still said."""
    shared = sorted(
        (-len(common), place, one.uid)
        for place, row in enumerate(wanted)
        for one in known
        if (common := set(row.statements) & set(one.statements))
        # it is worded as one of its statements: without that one it ends, and another begins
        and one.text in {texts[uid] for uid in row.statements}
    )
    taken: list[str | None] = [None] * len(wanted)
    for _, place, uid in shared:
        if taken[place] is None and uid not in taken:
            taken[place] = uid
    return taken


def _new(scope: str, uid: str, row: Gathered) -> NewMemory:
    return NewMemory(
        scope,
        row.text,
        external_id=f"{AGREEMENT}:{uid}",
        channel_id=name_in(scope),
        stratum="semantic",
        source_type=AGREEMENT,
        occurred_at=row.at,
    )
