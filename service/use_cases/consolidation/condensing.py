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

from graph.condensing.facts import content_words, overlap
from graph.condensing.groups import Turn, groups
from graph.condensing.model import LEVELS, Source, Standing, inherited, kept_share
from graph.condensing.sentences import sentences
from graph.condensing.text import condense, outdated
from graph.condensing.turns import Sentence, asks_something, goes_on
from graph.kernel.errors import LanguageModelError
from graph.kernel.values import MAX_TAGS, MAX_TEXT_BYTES, BuiltInStratum, Floats, Stratum, Vector
from graph.model.consolidation.clusters import (
    Cluster,
    Condensing,
    Inherited,
    Outlined,
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
    asked,
    notes_of,
    room_for,
    usable,
)
from service.use_cases.kernel.embedding import embed_also, embed_any, slot_vector

_T = TypeVar("_T")
_USUAL_IMPORTANCE = 3
_SHORT = 80  # characters of a memory that says too little to be said shorter
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_NO_DIRECTION = 1e-3  # length of a mean of unit vectors that cancel each other out
_PATIENCE = 8.0  # seconds for a language model; the worker's lease lasts longer


@dataclass(frozen=True, slots=True)
class Worded:
    """A cluster with its current memories, and the text that replaces them.

    ``by_rules``: each of its sentences is one of a source.
    """

    cluster: Cluster
    sources: tuple[SourceMemory, ...]
    text: str
    by_rules: bool = True

    @property
    def measured(self) -> Cluster:
        """The cluster with the characters of its sources and of the text."""
        before = sum(len(each.text) for each in self.sources)
        return replace(self.cluster, chars_before=before, chars_after=len(self.text))

    def mean_vector(self, dimension: int) -> Vector | None:
        """Return the mean direction of the sources' vectors, longer texts weighing more.

        None if a language model worded the text, or a source has no vector of this dimension.
        """
        vectors = [each.vector for each in self.sources]
        known = [each for each in vectors if each is not None and each.shape == (dimension,)]
        # a mean of some sources alone would not be found by what the others say
        if not self.by_rules or len(known) < len(vectors):
            return None
        lengths = np.array([len(each.text) for each in self.sources], dtype=np.float32)
        mean = lengths @ np.stack(known)
        return mean if float(np.linalg.norm(mean)) > _NO_DIRECTION * float(lengths.sum()) else None


def level_of(config: StrataConfig, stratum: Stratum) -> BuiltInStratum:
    """Return the stratum by whose rules memories are condensed on their way into one."""
    kin = config.kin(stratum)
    # an own stratum right above *working* inherits from it, and nothing is condensed into *working*
    # (ADR 73)
    return "short_term" if kin == "working" else kin


def cluster_up(
    rows: Sequence[Outlined],
    pairs: Sequence[tuple[str, str, float]],
    level: BuiltInStratum,
) -> list[list[Outlined]]:
    """Say which memories become one: alike in whose they are, and of one topic.

    ``level`` is the stratum whose rules hold on the way up. A memory alone is left out where it is too
    short to be said shorter.
    """
    # by time: sessions are cut along it; the uid last, so that equal times give the same groups
    # again
    ordered = sorted(rows, key=lambda row: (row.alike, row.occurred_at, row.sequence or 0, row.uid))
    # the nearest first: groups have a limit, and fill in this order
    near = sorted(pairs, key=lambda pair: (-pair[2], pair[0], pair[1]))
    found: list[list[Outlined]] = []
    for _, alike in groupby(ordered, key=lambda row: row.alike):
        found += _grouped(list(alike), near, LEVELS[level].largest)
    return [group for group in found if len(group) > 1 or group[0].chars > _SHORT]


def _grouped(
    members: Sequence[Outlined], near: Sequence[tuple[str, str, float]], largest: int
) -> list[list[Outlined]]:
    places = {row.uid: place for place, row in enumerate(members)}
    joined = [(places[one], places[two]) for one, two, _ in near if one in places and two in places]
    turns = [
        Turn(
            session=row.session_id,
            seconds=row.occurred_at.timestamp(),
            # of a long text only the beginning is known here: the mark at its end is believed
            asks=row.asks if row.chars > len(row.beginning) else asks_something(row.beginning),
            goes_on=row.chars <= len(row.beginning) and goes_on(row.beginning),
            lines=row.lines,
        )
        for row in members
    ]
    found = groups(
        turns,
        _matrix(members),
        np.array(joined, dtype=np.int64).reshape(-1, 2),
        largest=largest,
    )
    return [[members[place] for place in group] for group in found]


def _matrix(members: Sequence[Outlined]) -> Floats:
    """Return the vectors as rows; one that is missing, or of another length, as zeros."""
    # two lengths: the graph is going over to another embedder
    sizes = Counter(len(row.vector) for row in members if row.vector is not None)
    size = sizes.most_common(1)[0][0] if sizes else 1
    matrix = np.zeros((len(members), size))
    for place, row in enumerate(members):
        if row.vector is not None and len(row.vector) == size:
            matrix[place] = row.vector
    return matrix


@dataclass(frozen=True, slots=True)
class Condenser:
    """Writes the text that replaces a cluster, by a language model or by rules."""

    embedders: EmbeddersInUse
    language: LanguageModel | None = None

    async def prepare(
        self,
        rows: Sequence[tuple[Cluster, tuple[SourceMemory, ...]]],
        scope: str,
        config: StrataConfig,
        now: datetime,
    ) -> tuple[list[Condensing], list[str]]:
        """Return what is to be written, and the uids of clusters that nothing is gained from."""
        worded = await _word(rows, config)
        if self.language is not None:
            worded = [await self._reworded(each, self.language) for each in worded]
        skipped = sorted({cluster.uid for cluster, _ in rows} - {w.cluster.uid for w in worded})
        if not worded:
            return [], skipped
        used = self.embedders.reading
        vectors = await _vectors(worded, used.embedder)
        texts = [each.text for each in worded]
        # for the slot that is filled, too, while the graph is re-embedded (ADR 11)
        others = await embed_also(self.embedders.also_writing, texts)
        ready = [
            _condensing(
                each,
                PreparedMemory(
                    new=_new(each, scope),
                    uid=each.cluster.condensed_uid,
                    content_hash=_hash(each),
                    recorded_at=now,
                    embedding=slot_vector(used, vector),
                    also=also,
                ),
            )
            for each, vector, also in zip(worded, vectors, others, strict=True)
        ]
        return ready, skipped

    async def preview(
        self, rows: Sequence[tuple[Cluster, tuple[SourceMemory, ...]]], config: StrataConfig
    ) -> list[Cluster]:
        """Return clusters with the text that the rules would write; ``skipped`` where nothing is gained."""
        worded = {each.cluster.uid: each for each in await _word(rows, config)}
        return [_previewed(cluster, worded.get(cluster.uid)) for cluster, _ in rows]

    async def _reworded(self, worded: Worded, language: LanguageModel) -> Worded:
        question = asked(worded.sources, worded.text)
        try:
            asking = language.fill(
                INSTRUCTIONS, question, SCHEMA, most_tokens=room_for(worded.text)
            )
            answer = await asyncio.wait_for(asking, _PATIENCE)
        # too late, or of no use: the text of the rules is there already
        except (LanguageModelError, TimeoutError):
            return worded
        text = str(answer.get("text", "")).strip()
        return (
            replace(worded, text=text, by_rules=False)
            # a model may change a fact: each clause is held against the notes (ADR 51)
            if usable(text, worded.text, notes_of(worded.sources))
            else worded
        )


async def _word(
    rows: Sequence[tuple[Cluster, tuple[SourceMemory, ...]]], config: StrataConfig
) -> list[Worded]:
    """Write by rules; a cluster is left out that lost a memory, or that would stay as it is."""
    whole = [
        # whole or not at all: what was changed meanwhile leaves its cluster to the next run
        (cluster, sources)
        for cluster, sources in rows
        if len(sources) == len(cluster.sources)
    ]
    # over the whole batch: a later sentence replaces one of another cluster, too (ADR 51)
    gone = await asyncio.to_thread(
        outdated, [_told(sources) for _, sources in whole], replaces, LEAST_SIMILARITY
    )
    drafts = [_Draft(*each, old) for each, old in zip(whole, gone, strict=True)]
    return await asyncio.to_thread(_written, drafts, config)


def _previewed(cluster: Cluster, worded: Worded | None) -> Cluster:
    if worded is None:
        return replace(cluster, state="skipped")
    return replace(worded.measured, text=worded.text)


class _Draft(NamedTuple):
    """Cluster that is to be worded, with the sentences that another cluster's replace."""

    cluster: Cluster
    sources: tuple[SourceMemory, ...]
    outdated: frozenset[tuple[int, str]]


def _written(drafts: Sequence[_Draft], config: StrataConfig) -> list[Worded]:
    found: list[Worded] = []
    for cluster, sources, old in drafts:
        gone = old | _replaced(sources)
        name = level_of(config, cluster.to_stratum)
        level, share = LEVELS[name], kept_share(name, config.compression_ratio)
        text = condense(_told(sources), level, share=share, replaces=replaces, outdated=gone).text
        # a single memory that stays word for word keeps its uid
        told_anew = text.strip() and not (len(sources) == 1 and text == sources[0].text)
        # longer than a memory may be: the sources stay
        if told_anew and len(text.encode()) <= MAX_TEXT_BYTES:
            found.append(Worded(cluster, sources, text))
    return found


def _told(sources: Sequence[SourceMemory]) -> list[Source]:
    return [Source(each.text, each.speaker, each.occurred_at, _weight(each)) for each in sources]


def _replaced(sources: Sequence[SourceMemory]) -> frozenset[tuple[int, str]]:
    """Return the sources of one sentence that a memory of the graph replaces, by place and sentence."""
    found = ((place, sentences(each.text)) for place, each in enumerate(sources) if each.replaced)
    # of several sentences nobody says which one was replaced (ADR 61)
    return frozenset((place, rows[0]) for place, rows in found if len(rows) == 1)


async def _vectors(worded: Sequence[Worded], embedder: Embedder) -> list[Vector]:
    """Return the vectors of texts; one that keeps sentences of its sources needs no embedding."""
    known = [each.mean_vector(embedder.dimension) for each in worded]
    texts = [each.text for each, vector in zip(worded, known, strict=True) if vector is None]
    embedded = iter(await asyncio.to_thread(embed_any, embedder, texts) if texts else ())
    return [next(embedded) if vector is None else vector for vector in known]


def _weight(source: SourceMemory) -> float:
    """Return how much a source matters: importance over the usual, raised by surprise and by a good Q."""
    return source.importance / _USUAL_IMPORTANCE * (1.0 + source.surprise) * (0.5 + source.q_value)


def replaces(later: Sentence, earlier: Sentence) -> bool:
    """Say whether a sentence replaces what an earlier one of the same speaker says."""
    nearness = overlap(content_words(later.text), content_words(earlier.text))
    # the cheap look first: most pairs of sentences share hardly a word
    if nearness < LEAST_SIMILARITY:
        return False
    days = [(row.day or _EPOCH.date()).toordinal() for row in (later, earlier)]
    newer, older = (
        Fact(row.text, row.speaker, day) for row, day in zip((later, earlier), days, strict=True)
    )
    return replacement(newer, older, nearness) is not None


def _new(worded: Worded, scope: str) -> NewMemory:
    sources = worded.sources
    return NewMemory(
        scope,
        worded.text,
        # only what all sources have: a note of two speakers is said by neither
        agent_id=_same([each.agent_id for each in sources]),
        channel_id=_same([each.channel_id for each in sources]),
        user_id=_same([each.user_id for each in sources]),
        session_id=_same([each.session_id for each in sources]),
        speaker=_same([each.speaker for each in sources]),
        stratum=worded.cluster.to_stratum,
        importance=max(each.importance for each in sources),
        tags=_most_common([tag for each in sources for tag in each.tags]),
        metadata=_shared([each.metadata for each in sources]),
        domain=_same([each.domain for each in sources]),
        phase=sources[0].phase,  # they are alike in it
        source_type="consolidation",
        # the first of them: the note stands where they stood (ADR 36)
        occurred_at=min(each.occurred_at for each in sources),
    )


def _most_common(tags: Sequence[str]) -> tuple[str, ...]:
    """Return as many tags as a memory may have, those of most sources first, in alphabetical order."""
    counted = Counter(tags)
    kept = sorted(counted, key=lambda tag: (-counted[tag], tag))[:MAX_TAGS]
    return tuple(sorted(kept))


def _same(values: Sequence[_T | None]) -> _T | None:
    """Return what all of them say, else nothing."""
    return values[0] if len(set(values)) == 1 else None


def _shared(values: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return the entries that all of them have alike."""
    first, *others = values
    alike = {
        name: entry
        for name, entry in first.items()
        if all(name in other and other[name] == entry for other in others)
    }
    return alike or None


def _condensing(worded: Worded, prepared: PreparedMemory) -> Condensing:
    one_session = prepared.new.session_id is not None
    sequences = [each.sequence for each in worded.sources if each.sequence is not None]
    placed = one_session and len(sequences) == len(worded.sources)
    return Condensing(worded.measured, prepared, min(sequences) if placed else None)


def inherit(sources: Sequence[SourceStanding], config: StrataConfig, now: datetime) -> Inherited:
    """Return what a memory begins with that takes the place of others."""
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
        # what each source was taught counts, up to as much as Q remembers (ADR 18)
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
    gone = elapsed_days(
        column([each.anchored_at for each in sources]),
        column([each.grace_until for each in sources]),
        days,
    )
    return decay_weight(column([each.w0 for each in sources]), gone, rate).tolist()


def _latest(times: Sequence[datetime | None]) -> datetime | None:
    return max((each for each in times if each is not None), default=None)


def _hash(worded: Worded) -> str:
    """Return a hash that no other memory has, so that a note in the same words stays another one."""
    return hashlib.sha256(f"{worded.cluster.condensed_uid}\n{worded.text}".encode()).hexdigest()
