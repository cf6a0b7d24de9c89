"""Condensing of clusters: their members, the text that replaces them, and what it inherits."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np

from graph.condensing.antecedents import ENOUGH, REACH, lacking, may_be_meant
from graph.condensing.facts import content_words, overlap
from graph.condensing.groups import Turn, groups
from graph.condensing.model import LEVELS, Source, Standing, inherited, kept_share
from graph.condensing.references import asks_something, goes_on
from graph.condensing.sentences import sentences
from graph.condensing.text import condense, outdated
from graph.condensing.turns import Sentence
from graph.kernel.errors import LanguageModelError
from graph.kernel.values import MAX_TAGS, MAX_TEXT_BYTES, BuiltInStratum, Stratum, Vector
from graph.model.consolidation.clusters import (
    Cluster,
    Condensing,
    Inherited,
    NearbyMemory,
    Outlined,
    PlannedCluster,
    SourceMemory,
    SourceStanding,
)
from graph.model.memories.memory import NewMemory, PreparedMemory
from graph.model.strata.config import StrataConfig
from graph.ports.embedding import EmbeddersInUse
from graph.ports.language import LanguageModel
from graph.ports.world import Embedder
from graph.replacing.detection import LEAST_SIMILARITY, Fact, replacement
from graph.scoring.retention import decay_rates, decay_weight, elapsed_days, slowed
from graph.scoring.strata import POLICIES
from service.use_cases.consolidation.wording import (
    INSTRUCTIONS,
    SCHEMA,
    is_usable,
    notes_of,
    prompt_of,
    token_limit,
)
from service.use_cases.kernel.embedding import (
    embed_also,
    embed_any,
    slot_vector,
    stacked,
)

_T = TypeVar("_T")
_USUAL_IMPORTANCE = 3
_SHORT_MEMORY = 80  # characters of a memory too short to condense
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_NO_DIRECTION = 1e-3  # length of the mean of unit vectors that cancel each other out
_PATIENCE = 8.0  # seconds for a language model; the worker's lease lasts longer


@dataclass(frozen=True, slots=True)
class CondensedCluster:
    """A cluster with its current memories, and the text that replaces them.

    ``told``: characters of the memories, written as the text is. ``by_rules``: each of its sentences is one of its sources;
    ``clear``: these name everybody whom they speak of.
    """

    cluster: Cluster
    sources: tuple[SourceMemory, ...]
    text: str
    told: int
    clear: bool = True
    by_rules: bool = True

    @property
    def is_gain(self) -> bool:
        """False if the text is longer than its memories or less clear: then these stay as they were said."""
        return len(self.text) <= self.told and (self.clear or not self.by_rules)

    @property
    def measured(self) -> Cluster:
        """The cluster with the characters of its sources, written as the text is, and of the text."""
        return replace(self.cluster, chars_before=self.told, chars_after=len(self.text))

    def mean_vector(self, dimension: int) -> Vector | None:
        """Return the mean direction of the sources' vectors, longer texts weighing more.

        None if a language model worded the text, or a source has no vector of this dimension.
        """
        vectors = [each.vector for each in self.sources]
        known = [each for each in vectors if each is not None and each.shape == (dimension,)]
        # a mean of some sources would not represent the others
        if not self.by_rules or len(known) < len(vectors):
            return None
        lengths = np.array([len(each.text) for each in self.sources], dtype=np.float32)
        mean = lengths @ np.stack(known)
        return mean if float(np.linalg.norm(mean)) > _NO_DIRECTION * float(lengths.sum()) else None


def condensing_level(config: StrataConfig, stratum: Stratum) -> BuiltInStratum:
    """Return the built-in stratum whose rules apply to memories condensed into a stratum."""
    kin = config.kin(stratum)
    # a custom stratum above *working* inherits from it, but nothing is condensed into *working* (ADR 73)
    return "short_term" if kin == "working" else kin


def cluster_memories(
    rows: Sequence[Outlined],
    pairs: Sequence[tuple[str, str, float]],
    level: BuiltInStratum,
) -> list[list[Outlined]]:
    """Cluster memories of one owner and one topic.

    ``level`` is the stratum whose rules apply. Single memories that are too short to condense are left out.
    """
    # by time, as sessions are; the uid last, so that equal times give reproducible clusters
    ordered = sorted(rows, key=lambda row: (row.alike, *_in_session(row)))
    # the most similar first: clusters have a limit, and fill in this order
    near = sorted(pairs, key=lambda pair: (-pair[2], pair[0], pair[1]))
    clusters: list[list[Outlined]] = []
    for _, alike in groupby(ordered, key=lambda row: row.alike):
        clusters += _grouped(list(alike), near, LEVELS[level].largest)
    return [group for group in clusters if len(group) > 1 or group[0].chars > _SHORT_MEMORY]


def _grouped(
    members: Sequence[Outlined], near: Sequence[tuple[str, str, float]], largest: int
) -> list[list[Outlined]]:
    places = {row.uid: place for place, row in enumerate(members)}
    joined = [(places[one], places[two]) for one, two, _ in near if one in places and two in places]
    turns = [
        Turn(
            session=row.session_id,
            seconds=row.occurred_at.timestamp(),
            # only the beginning of a long text is known here: `asks` has the mark at its end
            asks=row.asks if row.chars > len(row.beginning) else asks_something(row.beginning),
            goes_on=row.chars <= len(row.beginning) and goes_on(row.beginning),
            lines=row.lines,
        )
        for row in members
    ]
    by_group = groups(
        turns,
        stacked([row.vector for row in members]).astype(np.float64),
        np.array(joined, dtype=np.int64).reshape(-1, 2),
        largest=largest,
    )
    return [[members[place] for place in group] for group in by_group]


def contexts(
    rows: Sequence[Outlined], clusters: Sequence[Sequence[Outlined]]
) -> list[tuple[str, ...]]:
    """Return, for each cluster, the memories of its sessions whom its *he* or *she* may have been named in."""
    sessions: dict[str, list[Outlined]] = {}
    for row in sorted(rows, key=_in_session):
        if row.session_id is not None:
            sessions.setdefault(row.session_id, []).append(row)
    places = {row.uid: place for told in sessions.values() for place, row in enumerate(told)}
    return [_context(cluster, sessions, places) for cluster in clusters]


def _context(
    cluster: Sequence[Outlined], sessions: Mapping[str, list[Outlined]], places: Mapping[str, int]
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for row in cluster:
        gender = lacking(row.beginning) if row.session_id is not None else None
        if row.session_id is None or gender is None:
            continue
        place = places[row.uid]
        before = sessions[row.session_id][max(place - REACH, 0) : place]
        names: set[str] = set()
        for each in reversed(before):
            named = may_be_meant(each.beginning, gender)
            names |= named
            found |= {each.uid: None} if named else {}
            if len(names) >= ENOUGH:
                break
    return tuple(uid for uid in found if uid not in {row.uid for row in cluster})


@dataclass(frozen=True, slots=True)
class Condenser:
    """Writes the text that replaces a cluster, by a language model or by rules."""

    embedders: EmbeddersInUse
    language: LanguageModel | None = None

    async def prepare(
        self,
        rows: Sequence[PlannedCluster],
        scope: str,
        config: StrataConfig,
        now: datetime,
    ) -> tuple[list[Condensing], list[str]]:
        """Return the memories to write, and the uids of clusters that cannot be condensed."""
        condensed = await _condense_by_rules(rows, config)
        if self.language is not None:
            condensed = [await self._condense_by_model(each, self.language) for each in condensed]
        condensed = [each for each in condensed if each.is_gain]
        skipped = sorted({each.cluster.uid for each in rows} - {w.cluster.uid for w in condensed})
        if not condensed:
            return [], skipped
        used = self.embedders.reading
        vectors = await _vectors(condensed, used.embedder)
        texts = [each.text for each in condensed]
        # also for the slot that a re-embedding fills (ADR 11)
        others = await embed_also(self.embedders.also_writing, texts)
        ready = [
            _condensing(
                each,
                PreparedMemory(
                    new=_new_memory(each, scope),
                    uid=each.cluster.condensed_uid,
                    content_hash=_unique_hash(each),
                    recorded_at=now,
                    embedding=slot_vector(used, vector),
                    also=also,
                ),
            )
            for each, vector, also in zip(condensed, vectors, others, strict=True)
        ]
        return ready, skipped

    async def preview(self, rows: Sequence[PlannedCluster], config: StrataConfig) -> list[Cluster]:
        """Return clusters with the text that the rules would write; ``skipped`` if they cannot be condensed."""
        found = await _condense_by_rules(rows, config)
        condensed = {each.cluster.uid: each for each in found if each.is_gain}
        return [_previewed(each.cluster, condensed.get(each.cluster.uid)) for each in rows]

    async def _condense_by_model(
        self, condensed: CondensedCluster, language: LanguageModel
    ) -> CondensedCluster:
        question = prompt_of(condensed.sources, condensed.text)
        try:
            asking = language.fill(
                INSTRUCTIONS, question, SCHEMA, most_tokens=token_limit(condensed.text)
            )
            answer = await asyncio.wait_for(asking, _PATIENCE)
        # fall back to the text of the rules
        except (LanguageModelError, TimeoutError):
            return condensed
        text = str(answer.get("text", "")).strip()
        return (
            replace(condensed, text=text, by_rules=False)
            # a model may change a fact: each clause is compared with the notes (ADR 51)
            if is_usable(text, condensed.text, notes_of(condensed.sources))
            else condensed
        )


async def _condense_by_rules(
    rows: Sequence[PlannedCluster], config: StrataConfig
) -> list[CondensedCluster]:
    """Condense clusters by rules, without those that lost a memory or would not change."""
    # a cluster with a memory changed meanwhile waits for the next run
    whole = [each for each in rows if len(each.sources) == len(each.cluster.sources)]
    told = [_condensing_sources(each) for each in whole]
    # over the whole batch: a sentence may replace one of another cluster (ADR 51)
    replaced_by_cluster = await asyncio.to_thread(outdated, told, replaces, LEAST_SIMILARITY)
    drafts = [_Draft(*each) for each in zip(whole, told, replaced_by_cluster, strict=True)]
    return await asyncio.to_thread(_condense_drafts, drafts, config)


def _previewed(cluster: Cluster, condensed: CondensedCluster | None) -> Cluster:
    if condensed is None:
        return replace(cluster, state="skipped")
    return replace(condensed.measured, text=condensed.text)


class _Draft(NamedTuple):
    """Cluster to condense, what its memories say, and its sentences that another cluster replaces."""

    planned: PlannedCluster
    told: list[Source]
    outdated: frozenset[tuple[int, str]]


def _condense_drafts(drafts: Sequence[_Draft], config: StrataConfig) -> list[CondensedCluster]:
    condensed: list[CondensedCluster] = []
    for (cluster, sources, _), told, old in drafts:
        outdated = old | _replaced_sentences(sources)
        name = condensing_level(config, cluster.to_stratum)
        level, share = LEVELS[name], kept_share(name, config.compression_ratio)
        found = condense(told, level, share=share, replaces=replaces, outdated=outdated)
        # the headings of an episode may take more than was left out
        is_long = level.form == "episode" and len(found.text) > found.told
        text = found.plain if is_long else found.text
        # a single memory that stays word for word keeps its uid
        is_new = text.strip() and not (len(sources) == 1 and text == sources[0].text)
        if is_new and len(text.encode()) <= MAX_TEXT_BYTES:
            condensed.append(CondensedCluster(cluster, sources, text, found.told, found.clear))
    return condensed


def _condensing_sources(planned: PlannedCluster) -> list[Source]:
    """Return what the memories of a cluster say, each after those of its session that stand before it."""
    near = sorted((*planned.context, *planned.sources), key=_in_session, reverse=True)
    return [
        Source(each.text, each.speaker, each.occurred_at, _weight(each), _before(each, near))
        for each in planned.sources
    ]


def _before(
    source: SourceMemory, near: Sequence[NearbyMemory | SourceMemory]
) -> tuple[Source, ...] | None:
    if source.session_id is None:
        return None
    return tuple(
        Source(each.text, each.speaker)
        for each in near
        if each.session_id == source.session_id and _in_session(each) < _in_session(source)
    )


def _in_session(memory: NearbyMemory | SourceMemory | Outlined) -> tuple[datetime, int, str]:
    """Return a memory's place in its session, as a key."""
    return memory.occurred_at, memory.sequence or 0, memory.uid


def _replaced_sentences(sources: Sequence[SourceMemory]) -> frozenset[tuple[int, str]]:
    """Return the single sentences of sources that a memory of the graph replaces, with their indices."""
    replaced = (
        (place, sentences(each.text)) for place, each in enumerate(sources) if each.replaced
    )
    # of several sentences it is unknown which one was replaced (ADR 61)
    return frozenset((place, rows[0]) for place, rows in replaced if len(rows) == 1)


async def _vectors(condensed: Sequence[CondensedCluster], embedder: Embedder) -> list[Vector]:
    """Return the vectors of texts: the mean of the sources, embedded only if there is none."""
    known = [each.mean_vector(embedder.dimension) for each in condensed]
    texts = [each.text for each, vector in zip(condensed, known, strict=True) if vector is None]
    embedded = iter(await asyncio.to_thread(embed_any, embedder, texts) if texts else ())
    return [next(embedded) if vector is None else vector for vector in known]


def _weight(source: SourceMemory) -> float:
    """Return the weight of a source: relative importance, raised by surprise and Q."""
    return source.importance / _USUAL_IMPORTANCE * (1.0 + source.surprise) * (0.5 + source.q_value)


def replaces(later: Sentence, earlier: Sentence) -> bool:
    """Return whether a sentence replaces an earlier one of the same speaker."""
    nearness = overlap(content_words(later.text), content_words(earlier.text))
    # fast path: most pairs of sentences share hardly a word
    if nearness < LEAST_SIMILARITY:
        return False
    days = [(row.day or _EPOCH.date()).toordinal() for row in (later, earlier)]
    newer, older = (
        Fact(row.text, row.speaker, day) for row, day in zip((later, earlier), days, strict=True)
    )
    return replacement(newer, older, nearness) is not None


def _new_memory(condensed: CondensedCluster, scope: str) -> NewMemory:
    sources = condensed.sources
    return NewMemory(
        scope,
        condensed.text,
        # only values that all sources share: a note of two speakers has none
        agent_id=_common_value([each.agent_id for each in sources]),
        channel_id=_common_value([each.channel_id for each in sources]),
        user_id=_common_value([each.user_id for each in sources]),
        session_id=_common_value([each.session_id for each in sources]),
        speaker=_common_value([each.speaker for each in sources]),
        stratum=condensed.cluster.to_stratum,
        importance=max(each.importance for each in sources),
        tags=_most_common([tag for each in sources for tag in each.tags]),
        metadata=_common_entries([each.metadata for each in sources]),
        domain=_common_value([each.domain for each in sources]),
        phase=sources[0].phase,  # equal within a cluster
        source_type="consolidation",
        # the earliest: the note takes the place of its sources (ADR 36)
        occurred_at=min(each.occurred_at for each in sources),
    )


def _most_common(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the most frequent tags, as many as a memory may have, in alphabetical order."""
    counted = Counter(tags)
    kept = sorted(counted, key=lambda tag: (-counted[tag], tag))[:MAX_TAGS]
    return tuple(sorted(kept))


def _common_value(values: Sequence[_T | None]) -> _T | None:
    """Return the value that all have, else None."""
    return values[0] if len(set(values)) == 1 else None


def _common_entries(values: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the entries that all have in common."""
    first, *others = values
    alike = {
        name: entry
        for name, entry in first.items()
        if all(name in other and other[name] == entry for other in others)
    }
    return alike or None


def _condensing(condensed: CondensedCluster, prepared: PreparedMemory) -> Condensing:
    one_session = prepared.new.session_id is not None
    sequences = [each.sequence for each in condensed.sources if each.sequence is not None]
    placed = one_session and len(sequences) == len(condensed.sources)
    return Condensing(condensed.measured, prepared, min(sequences) if placed else None)


def inherit(sources: Sequence[SourceStanding], config: StrataConfig, now: datetime) -> Inherited:
    """Return the utility, counts and weight that a condensed memory takes over from its sources."""
    days = (now - _EPOCH) / _DAY
    had = inherited(
        [
            Standing(
                q_value=each.q_value,
                q_count=each.q_count,
                importance=each.importance,
                weight=weight,
                accesses=each.access_count,
                surprise=each.surprise,
                grace_until=each.grace_until,
            )
            for each, weight in zip(sources, _weights(sources, config, days), strict=True)
        ]
    )
    return Inherited(
        q_value=had.q_value,
        q_count=had.q_count,
        # the learning of all sources adds up, to the limit of what Q remembers (ADR 18)
        q_left=max(0.0, 1.0 - sum(1.0 - each.q_left for each in sources)),
        q_m2=_variance(sources, had.q_value),
        retrieval_count=sum(each.retrieval_count for each in sources),
        success_count=sum(each.success_count for each in sources),
        failure_count=sum(each.failure_count for each in sources),
        access_count=had.accesses,
        surprise=had.surprise or None,
        weight=had.weight,
        grace_until=_EPOCH + had.grace_until * _DAY if had.grace_until > 0 else None,
        last_reward_at=_latest([each.last_reward_at for each in sources]),
        last_accessed_at=_latest([each.last_accessed_at for each in sources]),
    )


def _variance(sources: Sequence[SourceStanding], mean: float) -> float:
    """Pool variances around different means, weighed as the mean is (Chan, Golub and LeVeque, 1983)."""
    taught = sum(each.q_count for each in sources)
    around = (each.q_count * (each.q_m2 + (each.q_value - mean) ** 2) for each in sources)
    return sum(around) / taught if taught else 0.0


def _weights(
    sources: Sequence[SourceStanding], config: StrataConfig, days: float
) -> Sequence[float]:
    def column(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array(values, dtype=np.float64)

    rate = decay_rates(
        column([config.terms(each.stratum).decay for each in sources]),
        column([each.importance for each in sources]),
        column([each.access_count for each in sources]),
    )
    rate = slowed(
        rate,
        column([each.q_value for each in sources]),
        column([POLICIES[config.kin(each.stratum)].utility_factor for each in sources]),
    )
    elapsed = elapsed_days(
        column([each.anchored_at for each in sources]),
        column([each.grace_until for each in sources]),
        days,
    )
    return decay_weight(column([each.w0 for each in sources]), elapsed, rate).tolist()


def _latest(times: Sequence[datetime | None]) -> datetime | None:
    return max((each for each in times if each is not None), default=None)


def _unique_hash(condensed: CondensedCluster) -> str:
    """Return a unique hash, so that a note in the same words stays another memory."""
    return hashlib.sha256(
        f"{condensed.cluster.condensed_uid}\n{condensed.text}".encode()
    ).hexdigest()
