"""Surprise: predictions, reported events, and memories of surprising ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import inf
from typing import Any

import numpy as np

from graph.kernel.embedding import SlotVector
from graph.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from graph.kernel.events import Event as Told
from graph.kernel.scope import Caller, ScopeKind
from graph.kernel.values import MAX_TAGS, Floats, Vector
from graph.model.memories.memory import NewMemory
from graph.model.strata.config import StrataConfig
from graph.model.strata.surprises import (
    Prediction,
    Surprised,
    SurpriseQuery,
    SurpriseRecord,
    SurpriseType,
)
from graph.ports.embedding import EmbeddersInUse
from graph.ports.events import NO_EVENTS, EventLog
from graph.ports.utility import ConfigsInUse, StrataConfigs
from graph.scoring.momentum import SurpriseWeights
from graph.scoring.surprise import initial_q, matching, raised_importance
from graph.store.strata.surprises import SurpriseStore
from service.use_cases.kernel.embedding import embed_any
from service.use_cases.kernel.watched import RecordingUseCase, UseCase, watched
from service.use_cases.memories.guarding import Guard
from service.use_cases.memories.remember import Remember
from service.use_cases.recall.meaning import Meanings
from service.use_cases.sharing.channels import PublishMemory
from service.use_cases.strata.gates import active_strata, days_of
from service.use_cases.strata.surprising import Event, texts_compared, user_of

_NEAREST = 8  # memories that an event may be like
_LATEST = 8  # reports that it may repeat
_TRIES = 3  # where others answer the same predictions meanwhile
_HIGHEST_GAIN = 0.2  # what a surprise adds to the first Q at most
TAG = "surprise"


@dataclass(frozen=True, slots=True)
class NewPrediction:
    """A prediction; without a name its uid is the name."""

    expected: Any
    context: str = "default"
    prediction_id: str | None = None
    confidence: float = 0.5
    stands: timedelta = timedelta(hours=1)
    scope_kind: ScopeKind | None = None


@dataclass(frozen=True, slots=True)
class EventReport:
    """An event, with its expectation: given here, or predicted before.

    ``match`` finds a prediction of the context if none is named. ``text`` is stored as a memory if the event is surprising.
    ``event_id`` makes it count once.
    """

    actual: Any
    context: str = "default"
    expected: Any = None
    prediction_id: str | None = None
    match: bool = True
    circumstances: Mapping[str, Any] | None = None
    text: str | None = None
    importance: int = 3
    tags: tuple[str, ...] = ()
    event_id: str | None = None
    scope_kind: ScopeKind | None = None


@dataclass(frozen=True, slots=True)
class Predict(RecordingUseCase):
    """Store a prediction; the same prediction sent twice is one.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, or something of it may not be stored.
    ConflictError
        If the name is of another prediction, or the strata are switched off.
    """

    store: SurpriseStore
    configs: StrataConfigs
    guard: Guard

    @watched("predict")
    async def __call__(self, caller: Caller, new: NewPrediction) -> Prediction:
        """Return the prediction as it is stored."""
        scope = caller.writable(new.scope_kind)
        active_strata(self.configs, caller.tenant)
        for name, field in ((new.context, "context"), (new.prediction_id, "prediction_id")):
            if name is not None:
                self.guard.check_name(caller.tenant, name, field)
        expected = await self.guard.value(caller.tenant, new.expected, "expected")
        now = self.clock.now()
        uid = self.identifiers.new_uid(now)
        wanted = Prediction(
            uid=uid,
            scope=scope,
            prediction_id=new.prediction_id or uid,
            context=new.context,
            expected=expected,
            confidence=new.confidence,
            made_at=now,
            expires_at=now + new.stands,
            user_id=user_of(caller),
        )
        stored = await self.store.predict(wanted)
        if _content_of(stored) != _content_of(wanted):
            raise ConflictError("this prediction_id stands for another prediction already")
        return stored


@dataclass(frozen=True, slots=True)
class ReportSurprise(RecordingUseCase):
    """Score the surprise of an event, update the momentum, and remember the event if it is surprising.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, something of it may not be stored, or there is nothing to hold it
        against.
    NotFoundError
        If the prediction that it names is not there.
    ConflictError
        If another event answered that prediction, or the strata are switched off.
    """

    store: SurpriseStore
    remember: Remember
    embedders: EmbeddersInUse
    meanings: Meanings
    configs: ConfigsInUse
    guard: Guard
    publish: PublishMemory
    events: EventLog = NO_EVENTS

    @watched("report_surprise")
    async def __call__(self, caller: Caller, report: EventReport) -> SurpriseRecord:
        """Return the surprise of an event; a repeated report is not measured again."""
        scope = caller.writable(report.scope_kind)
        config = active_strata(self.configs, caller.tenant)
        report = await self._guarded(caller.tenant, report)
        event, new = report.event_id, False
        # before embedding: a repeated report costs one read
        record = None if event is None else await self.store.reported(scope, event)
        if record is None:
            record, new = await self._measure(caller, scope, report, config)
        kept, joined = await self._keep(caller, report, record, config)
        if kept.surprising and (joined or (new and kept.memory_uid is None)):
            self._emit(kept)
        return kept

    async def _guarded(self, tenant: str, report: EventReport) -> EventReport:
        for field in ("context", "prediction_id", "event_id"):
            name: str | None = getattr(report, field)
            if name is not None:
                self.guard.check_name(tenant, name, field)
        cleaned = {
            field: await self.guard.value(tenant, getattr(report, field), field)
            for field in ("expected", "actual", "circumstances", "text", "tags")
        }
        return replace(report, **cleaned)

    async def _measure(
        self, caller: Caller, scope: str, report: EventReport, config: StrataConfig
    ) -> tuple[SurpriseRecord, bool]:
        """Measure an event; the flag is false if another report of the same event was faster."""
        for _ in range(_TRIES):
            now = self.clock.now()
            prediction = await self._prediction(scope, report, now)
            event = await self._event(caller, scope, report, prediction, config, now)
            record = await self.store.report(
                event.keys,
                (scope, report.event_id),
                None if prediction is None else prediction.uid,
                now,
                event.decide,
            )
            if record is not None:
                new = record.uid == event.uid
                self.telemetry.count("surprises", int(new), type=record.type)
                return record, new
        raise ConflictError("others answered the predictions of this context meanwhile: try again")

    async def _prediction(
        self, scope: str, report: EventReport, now: datetime
    ) -> Prediction | None:
        """Return the named prediction, else the most likely one of the context."""
        if report.prediction_id is not None:
            named = await self.store.prediction(scope, report.prediction_id)
            if named is None or named.expires_at <= now:
                raise NotFoundError("no such prediction stands in this scope")
            if named.matched_at is not None:
                raise ConflictError("another event answered this prediction already")
            return named
        if report.expected is not None or not report.match:
            return None
        waiting = await self.store.waiting(scope, report.context, now)
        made = np.array([days_of(one.made_at) for one in waiting])
        sure = np.array([one.confidence for one in waiting])
        place = matching(made, sure, at=days_of(now), within=inf)
        return waiting[place] if place >= 0 else None

    async def _event(
        self,
        caller: Caller,
        scope: str,
        report: EventReport,
        prediction: Prediction | None,
        config: StrataConfig,
        now: datetime,
    ) -> Event:
        expected = report.expected if prediction is None else prediction.expected
        # without an expectation only novelty is measured
        asked = report.text if expected is not None else report.text or _as_text(report.actual)
        pairs = texts_compared(expected, report.actual) if expected is not None else ()
        vectors = await self._vectors(pairs, report, asked)
        channel = caller.channel_ids[0] if len(caller.channel_ids) == 1 else None
        pooled = None if channel is None else caller.writable("channel")
        return Event(
            uid=self.identifiers.new_uid(now),
            scope=scope,
            context=report.context if prediction is None else prediction.context,
            expected=expected,
            actual=report.actual,
            at=now,
            expires_at=now + timedelta(days=config.surprise_days),
            weights=_weights(config),
            agent_id=caller.agent_id,
            channel_id=channel,
            user_id=user_of(caller),
            circumstances=report.circumstances,
            event_id=report.event_id,
            prediction_id=None if prediction is None else prediction.prediction_id,
            pooled=pooled if pooled != scope else None,
            similarities=None
            if asked is None
            else await self._similarities(scope, vectors[asked], report, now),
            vectors=vectors,
            read=await self._read(pairs),
            scale=(await self.meanings.scale(self.embedders.reading.embedder)).texts,
            learning=config.surprise_learning,
        )

    async def _read(self, pairs: Sequence[tuple[str, str]]) -> Mapping[tuple[str, str], float]:
        """Return the cross-encoder's log-odds of expectations and outcomes, if there is one."""
        reader = self.embedders.reading.embedder.reader if pairs else None
        if reader is None:
            return {}
        met = await asyncio.to_thread(reader.met, pairs)
        return dict(zip(pairs, met.tolist(), strict=True))

    async def _vectors(
        self, pairs: Sequence[tuple[str, str]], report: EventReport, asked: str | None
    ) -> Mapping[str, Vector]:
        """Embed all texts of an event at once."""
        texts = dict.fromkeys(text for pair in pairs for text in pair)
        every = list(texts) if asked is None or asked in texts else [*texts, asked]
        if not every:
            return {}
        embedder = self.embedders.reading.embedder
        rows = await asyncio.to_thread(embed_any, embedder, every, report.text)
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return dict(zip(every, rows.astype(np.float32), strict=True))

    async def _similarities(
        self, scope: str, vector: Vector, report: EventReport, now: datetime
    ) -> Floats:
        """Return the cosines with memories, and with the latest reports."""
        used = self.embedders.reading
        slot = SlotVector(used.slot, used.embedder.name, vector)
        known, records = await asyncio.gather(
            self.store.cosines(scope, slot, now, _NEAREST),
            self.store.history(SurpriseQuery((scope,), limit=_LATEST)),
        )
        reported = _as_text(report.actual)
        latest = [_as_text(record.actual) for record in records]
        others = [await self.meanings.text(used.embedder, text) for text in dict.fromkeys(latest)]
        # a repeated text is known, whatever its vector
        near = [float(vector @ other) for other in others] + [1.0] * (reported in latest)
        return np.concatenate([known, near])

    async def _keep(
        self, caller: Caller, report: EventReport, record: SurpriseRecord, config: StrataConfig
    ) -> tuple[SurpriseRecord, bool]:
        """Store a surprising event as a memory named after its surprise, share it, and link them last.

        Repeating an interrupted report finds the memory and does the rest; repeating a complete one finds the link, and
        shares nothing again. The flag says whether this call created the link.
        """
        if not record.surprising or report.text is None or record.memory_uid is not None:
            return record, False
        [saved] = await self.remember([self._memory(caller, report, record, config)])
        if saved.uid is None:
            raise InvalidInputError(saved.error or "the text cannot be remembered", field="text")
        await self._share(caller, record, saved.uid, config)
        joined = await self.store.link(record.uid, saved.uid)
        if joined is None:
            return record, False
        return replace(record, memory_uid=saved.uid), joined

    async def _share(
        self, caller: Caller, record: SurpriseRecord, memory_uid: str, config: StrataConfig
    ) -> None:
        """Publish the memory in the channel that the agent named, if it is a member and shares patterns."""
        own = caller.agent_id is not None and record.scope == caller.writable("agent")
        one = len(caller.channels) == 1
        if not (own and one and config.pattern_sharing):
            return
        with suppress(
            ConflictError, NotFoundError
        ):  # no member, or the memory was archived or removed
            await self.publish(caller, memory_uid)

    def _memory(
        self, caller: Caller, report: EventReport, record: SurpriseRecord, config: StrataConfig
    ) -> NewMemory:
        neutral = self.configs.of(caller.tenant).q_default
        gain = min(_HIGHEST_GAIN, 1.0 - neutral)
        first = initial_q(record.score, weights=_weights(config), neutral=neutral, gain=gain)
        grace = timedelta(days=config.surprise_grace_days)
        return NewMemory(
            scope=record.scope,
            text=report.text or "",
            external_id=f"surprise:{record.uid}",
            agent_id=caller.agent_id,
            channel_id=record.channel_id,
            user_id=record.user_id,
            stratum="episodic",
            importance=raised_importance(report.importance, record.score, weights=_weights(config)),
            tags=tuple(dict.fromkeys((TAG, *report.tags)))[:MAX_TAGS],
            event_id=report.event_id,
            occurred_at=record.at,
            initial_q=first,
            surprised=Surprised(record.score, record.at + grace),
        )

    def _emit(self, record: SurpriseRecord) -> None:
        data = {
            "surprise": record.uid,
            "memory": record.memory_uid,
            "type": record.type,
            "score": record.score,
        }
        uid, agent = self.identifiers.new_uid(self.clock.now()), record.agent_id or ""
        self.events.note(Told(uid, "memory:surprised", record.scope, agent, record.at, data))


@dataclass(frozen=True, slots=True)
class ListSurprises(UseCase):
    """List the surprises in the scopes of a caller, the newest first."""

    store: SurpriseStore

    @watched("list_surprises")
    async def __call__(
        self,
        caller: Caller,
        *,
        types: tuple[SurpriseType, ...] = (),
        contexts: tuple[str, ...] = (),
        since: datetime | None = None,
        before: str | None = None,
        surprising: bool = False,
        limit: int = 50,
    ) -> Sequence[SurpriseRecord]:
        """Return surprises of some types and contexts; ``before`` is the last one of the previous page."""
        asked = SurpriseQuery(caller.readable, types, contexts, since, before, surprising, limit)
        return await self.store.history(asked)


def _weights(config: StrataConfig) -> SurpriseWeights:
    return SurpriseWeights(threshold=config.surprise_threshold, literal=config.surprise_literal)


def _as_text(actual: Any) -> str:
    return actual if isinstance(actual, str) else json.dumps(actual, ensure_ascii=False)


def _content_of(prediction: Prediction) -> tuple[Any, ...]:
    return prediction.context, prediction.expected, prediction.confidence
