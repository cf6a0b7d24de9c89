"""`AsyncClient`: what `Client` is, with `await`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import httpx

from stratagraph import calls
from stratagraph.calls import Call, Plan
from stratagraph.connected import Connected, request_arguments
from stratagraph.episode_lines import EpisodeExporting
from stratagraph.exchange import Came, Send, Step
from stratagraph.listening import Listening
from stratagraph.transfer import Exporting, Importing, ImportPart, Line

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Unpack

    from stratagraph import wire
    from stratagraph.calls.episodes import Episode
    from stratagraph.fields import (
        AnalyticsFields,
        ArchiveFields,
        ClearFields,
        CollectFields,
        ConfigFields,
        ConsolidateFields,
        CountFields,
        DeleteFields,
        EpisodeAskFields,
        EpisodeQueryFields,
        EpisodeScope,
        EpisodeWhere,
        ExtractFields,
        IdentityFields,
        InjectFields,
        ListFields,
        MoveFields,
        NeighbourhoodFields,
        PatchFields,
        PredictionFields,
        PromotionFields,
        ReasoningAnalyticsFields,
        RecallFields,
        RememberFields,
        RestoreFields,
        RetrieveFields,
        RowFields,
        SignalFields,
        StrataConfigFields,
        SurpriseFields,
        SurprisesFields,
        Used,
        UtilityFields,
        VersionsFields,
    )

A = TypeVar("A")
T = TypeVar("T")
P = TypeVar("P", "wire.MemoryPage", "wire.VersionPage")


class AsyncClient(Connected[httpx.AsyncClient]):
    """What `Client` is, with ``await``; its methods are described there."""

    async def send(self, call: Call[A]) -> A:
        """Make one call of `stratagraph.calls`, or one of your own."""
        talk = self._exchange(call)
        came: Came = None
        while True:
            try:
                step: Step = talk.send(came)
            except StopIteration as done:
                return done.value
            came = await self._do(step)

    async def close(self) -> None:
        """Close the connections, also those of clients made by `as_agent`."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def remember(self, text: str, **fields: Unpack[RememberFields]) -> wire.RememberAnswer:
        return await self.send(calls.remember(self._caller, text, fields))

    async def remember_all(
        self,
        rows: Iterable[str | RowFields | wire.MemoryRequest],
        *,
        atomic: bool = False,
        **identity: Unpack[IdentityFields],
    ) -> wire.BatchAnswer:
        return await self._run(calls.remember_all(self._caller, rows, identity, atomic=atomic))

    async def recall(
        self, text: str | None = None, **question: Unpack[RecallFields]
    ) -> wire.RecallAnswerView:
        return await self.send(calls.recall(self._caller, text, question))

    async def retrieve(
        self, query: str, k: int = 5, domain: str | None = None, **fields: Unpack[RetrieveFields]
    ) -> wire.RetrievalAnswerView:
        """Find past attempts that help with a problem, and what they used."""
        return await self.send(calls.retrieve(self._caller, query, k, domain, fields))

    async def report_outcome(
        self,
        task_id: str,
        status: wire.Status,
        quality: float | None = None,
        used: Used | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.OutcomeView:
        call = calls.report_outcome(self._caller, task_id, status, quality, used, identity)
        return await self.send(call)

    async def report_signal(
        self, task_id: str, signal: wire.SignalName, **fields: Unpack[SignalFields]
    ) -> wire.SignalView:
        return await self.send(calls.report_signal(self._caller, task_id, signal, fields))

    async def inject_reward(
        self, name: str, reward: float, reason: str, **fields: Unpack[InjectFields]
    ) -> wire.InjectView:
        return await self.send(calls.inject_reward(self._caller, name, reward, reason, fields))

    async def revert_reward(
        self, reward_uid: str, reason: str | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.RevertView:
        return await self.send(calls.revert_reward(self._caller, reward_uid, reason, identity))

    async def utility(self, name: str, **fields: Unpack[UtilityFields]) -> wire.UtilityView:
        return await self.send(calls.utility(self._caller, name, fields))

    async def extract_concepts(self, **fields: Unpack[ExtractFields]) -> wire.ExtractView:
        return await self.send(calls.extract_concepts(self._caller, fields))

    async def archive_covered(self, **fields: Unpack[ArchiveFields]) -> wire.ArchiveView:
        return await self.send(calls.archive_covered(self._caller, fields))

    async def restore_covered(self, **fields: Unpack[RestoreFields]) -> wire.RestoreView:
        return await self.send(calls.restore_covered(self._caller, fields))

    async def collect(self, **fields: Unpack[CollectFields]) -> wire.CollectAnswer:
        return await self.send(calls.collect(self._caller, fields))

    async def collections(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionsAnswer:
        return await self.send(calls.collections(self._caller, limit, identity))

    async def collection(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionAnswer:
        return await self.send(calls.collection(self._caller, run, limit, identity))

    async def undo_collection(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionView:
        return await self.send(calls.undo_collection(self._caller, run, identity, skip_changed))

    async def run_gates(self, **fields: Unpack[CollectFields]) -> wire.GatesAnswer:
        return await self.send(calls.run_gates(self._caller, fields))

    async def gate_runs(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunsAnswer:
        return await self.send(calls.gate_runs(self._caller, limit, identity))

    async def gate_run(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunAnswer:
        return await self.send(calls.gate_run(self._caller, run, limit, identity))

    async def undo_gate_run(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunView:
        return await self.send(calls.undo_gate_run(self._caller, run, identity, skip_changed))

    async def promote(self, names: Sequence[str], **fields: Unpack[MoveFields]) -> wire.MovesAnswer:
        return await self.send(calls.move(self._caller, "promote", names, fields))

    async def demote(self, names: Sequence[str], **fields: Unpack[MoveFields]) -> wire.MovesAnswer:
        return await self.send(calls.move(self._caller, "demote", names, fields))

    async def promote_successful(self, **fields: Unpack[PromotionFields]) -> wire.MovesAnswer:
        return await self.send(calls.promote_successful(self._caller, fields))

    async def strata_analytics(
        self, days: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.StrataAnalyticsView:
        return await self.send(calls.strata_analytics(self._caller, days, identity))

    async def provenance(
        self, name: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ProvenanceView:
        return await self.send(calls.provenance(self._caller, name, limit, identity))

    async def consolidate(self, **fields: Unpack[ConsolidateFields]) -> wire.ConsolidateAnswer:
        return await self.send(calls.consolidate(self._caller, fields))

    async def consolidations(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationsAnswer:
        return await self.send(calls.consolidations(self._caller, limit, identity))

    async def consolidation(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationAnswer:
        return await self.send(calls.consolidation(self._caller, run, limit, identity))

    async def undo_consolidation(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationView:
        return await self.send(calls.undo_consolidation(self._caller, run, identity, skip_changed))

    async def predict(
        self, expected: Any, **fields: Unpack[PredictionFields]
    ) -> wire.PredictionView:
        return await self.send(calls.predict(self._caller, expected, fields))

    async def report_surprise(
        self, actual: Any, **fields: Unpack[SurpriseFields]
    ) -> wire.SurpriseView:
        return await self.send(calls.report_surprise(self._caller, actual, fields))

    async def surprises(self, **fields: Unpack[SurprisesFields]) -> wire.SurprisesAnswer:
        return await self.send(calls.surprises(self._caller, fields))

    async def join_channels(self, **identity: Unpack[IdentityFields]) -> wire.ChannelsAnswer:
        return await self.send(calls.join_channels(self._caller, identity))

    async def leave_channels(self, **identity: Unpack[IdentityFields]) -> wire.LeftAnswer:
        return await self.send(calls.leave_channels(self._caller, identity))

    async def members(self, **identity: Unpack[IdentityFields]) -> wire.ChannelsAnswer:
        return await self.send(calls.members(self._caller, identity))

    async def publish(self, name: str, **identity: Unpack[IdentityFields]) -> wire.PublicationView:
        return await self.send(calls.publish(self._caller, name, identity))

    async def unpublish(
        self, name: str, **identity: Unpack[IdentityFields]
    ) -> wire.UnpublishedView:
        return await self.send(calls.unpublish(self._caller, name, identity))

    async def share_patterns(self, **identity: Unpack[IdentityFields]) -> wire.PatternsSharedView:
        return await self.send(calls.share_patterns(self._caller, identity))

    async def record_interaction(
        self, other_agent_id: str, outcome: float, **identity: Unpack[IdentityFields]
    ) -> wire.RelationshipView:
        return await self.send(
            calls.record_interaction(self._caller, other_agent_id, outcome, identity)
        )

    async def relationships(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.RelationshipsAnswer:
        return await self.send(calls.relationships(self._caller, limit, identity))

    async def get(self, name: str, **identity: Unpack[IdentityFields]) -> wire.SingleMemoryView:
        return await self.send(calls.get(self._caller, name, identity))

    async def supersede(
        self, newer: str, older: str, **identity: Unpack[IdentityFields]
    ) -> wire.SupersessionView:
        return await self.send(calls.supersede(self._caller, newer, older, identity))

    async def unsupersede(self, newer: str, older: str, **identity: Unpack[IdentityFields]) -> None:
        return await self.send(calls.unsupersede(self._caller, newer, older, identity))

    async def delete(self, name: str, **identity: Unpack[IdentityFields]) -> None:
        return await self.send(calls.delete(self._caller, name, identity))

    async def add_episode(
        self, episode: Episode, **where: Unpack[EpisodeWhere]
    ) -> wire.AddEpisodeAnswer:
        return await self.send(calls.add_episode(self._caller, episode, where))

    async def add_episodes(
        self, episodes: Iterable[Episode], **where: Unpack[EpisodeWhere]
    ) -> wire.AddEpisodesAnswer:
        return await self._run(calls.add_episodes(self._caller, episodes, where))

    async def get_episode(self, name: str, **identity: Unpack[IdentityFields]) -> wire.EpisodeView:
        return await self.send(calls.get_episode(self._caller, name, identity))

    async def erase_agent(self, agent_id: str) -> wire.ErasureView:
        return await self.send(calls.erase_agent(agent_id))

    async def erase_user(self, user_id: str) -> wire.ErasureView:
        return await self.send(calls.erase_user(user_id))

    async def erase_session(
        self,
        session_id: str,
        scope_kind: wire.ScopeKind | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.ErasureView:
        return await self.send(calls.erase_session(self._caller, session_id, scope_kind, identity))

    async def erase_memory(self, name: str, **identity: Unpack[IdentityFields]) -> wire.ErasureView:
        return await self.send(calls.erase_memory(self._caller, name, identity))

    async def erasure(self, name: str) -> wire.ErasureView:
        return await self.send(calls.erasure(name))

    async def check_graph(
        self, cursor: str | None = None, *, repair: bool = False
    ) -> wire.CheckAnswer:
        return await self.send(calls.check_graph(cursor, repair=repair))

    async def delete_episode(self, name: str, **identity: Unpack[IdentityFields]) -> None:
        return await self.send(calls.delete_episode(self._caller, name, identity))

    async def count_episodes(self, **scope: Unpack[EpisodeScope]) -> wire.EpisodeCountView:
        return await self.send(calls.count_episodes(self._caller, scope))

    async def size(self, **scope: Unpack[EpisodeScope]) -> int:
        return (await self.count_episodes(**scope)).episodes

    async def clear(
        self, *, dry_run: bool = False, **fields: Unpack[ClearFields]
    ) -> wire.ClearEpisodesAnswer:
        return await self.send(calls.clear_episodes(self._caller, fields, dry_run=dry_run))

    async def export_episodes(self, **where: Unpack[EpisodeWhere]) -> AsyncIterator[bytes]:
        walk = EpisodeExporting(self._caller, where)
        while (call := walk.call()) is not None:
            if lines := walk.take(await self.send(call)):
                yield lines

    async def import_episodes(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        dry_run: bool = False,
        **where: Unpack[EpisodeWhere],
    ) -> AsyncIterator[ImportPart]:
        walk = Importing(
            self._caller,
            lines,
            where,
            first_line=first_line,
            agent_map={},
            dry_run=dry_run,
            path="/v1/episodes/import",
            more=calls.stated({"run": where.get("run"), "scope_kind": where.get("scope_kind")}),
        )
        while (call := walk.call()) is not None:
            if part := walk.take(await self.send(call)):
                yield part

    async def export(
        self,
        *,
        scope: Literal["tenant"] | None = None,
        vectors: bool = False,
        after: str | None = None,
        **identity: Unpack[IdentityFields],
    ) -> AsyncIterator[bytes]:
        walk = Exporting(self._caller, scope, identity, vectors=vectors, after=after)
        while (call := walk.call()) is not None:
            if lines := walk.take(await self.send(call)):
                yield lines

    async def import_lines(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        agent_map: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **identity: Unpack[IdentityFields],
    ) -> AsyncIterator[ImportPart]:
        walk = Importing(
            self._caller,
            lines,
            identity,
            first_line=first_line,
            agent_map=agent_map or {},
            dry_run=dry_run,
        )
        while (call := walk.call()) is not None:
            if part := walk.take(await self.send(call)):
                yield part

    async def delete_many(self, **fields: Unpack[DeleteFields]) -> wire.DeleteAnswer:
        return await self.send(calls.delete_many(self._caller, fields))

    async def patch(
        self,
        name: str,
        changes: PatchFields,
        *,
        if_match: wire.MemoryView | str | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.AmendedView:
        return await self.send(calls.patch(self._caller, name, changes, if_match, identity))

    async def list_memories(self, **fields: Unpack[ListFields]) -> wire.MemoryPage:
        return await self.send(calls.list_memories(self._caller, fields))

    async def iterate(self, **fields: Unpack[ListFields]) -> AsyncIterator[wire.MemoryView]:
        async for page in self._pages(calls.list_memories(self._caller, fields)):
            for item in page.items:
                yield item

    async def count(self, **fields: Unpack[CountFields]) -> wire.MemoryCount:
        return await self.send(calls.count(self._caller, fields))

    async def list_versions(self, name: str, **fields: Unpack[VersionsFields]) -> wire.VersionPage:
        return await self.send(calls.list_versions(self._caller, name, fields))

    async def iterate_versions(
        self, name: str, **fields: Unpack[VersionsFields]
    ) -> AsyncIterator[wire.VersionView]:
        async for page in self._pages(calls.list_versions(self._caller, name, fields)):
            for item in page.items:
                yield item

    async def neighbourhood(
        self, name: str, **fields: Unpack[NeighbourhoodFields]
    ) -> wire.NeighbourhoodView:
        return await self.send(calls.neighbourhood(self._caller, name, fields))

    async def utility_analytics(
        self, **fields: Unpack[AnalyticsFields]
    ) -> wire.UtilityAnalyticsView:
        return await self.send(calls.utility_analytics(self._caller, fields))

    async def query_episodes(self, **fields: Unpack[EpisodeQueryFields]) -> wire.EpisodeQueryView:
        return await self.send(calls.query_episodes(self._caller, fields))

    async def ask_episodes(
        self, question: str, **fields: Unpack[EpisodeAskFields]
    ) -> wire.EpisodeAskView:
        return await self.send(calls.ask_episodes(self._caller, question, fields))

    async def reasoning_analytics(
        self, **fields: Unpack[ReasoningAnalyticsFields]
    ) -> wire.ReasoningAnalyticsView:
        return await self.send(calls.reasoning_analytics(self._caller, fields))

    async def utility_config(self) -> wire.ConfigView:
        return await self.send(calls.utility_config())

    async def change_utility_config(self, **fields: Unpack[ConfigFields]) -> wire.ConfigView:
        return await self.send(calls.change_utility_config(self._caller, fields))

    async def reset_utility_config(self, **identity: Unpack[IdentityFields]) -> wire.ConfigView:
        return await self.send(calls.reset_utility_config(self._caller, identity))

    async def utility_config_changes(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> wire.ConfigChangePage:
        return await self.send(calls.utility_config_changes(limit, cursor))

    async def strata_config(self) -> wire.ConfigView:
        return await self.send(calls.strata_config())

    async def change_strata_config(self, **fields: Unpack[StrataConfigFields]) -> wire.ConfigView:
        return await self.send(calls.change_strata_config(self._caller, fields))

    async def reset_strata_config(self, **identity: Unpack[IdentityFields]) -> wire.ConfigView:
        return await self.send(calls.reset_strata_config(self._caller, identity))

    async def strata_config_changes(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> wire.ConfigChangePage:
        return await self.send(calls.strata_config_changes(limit, cursor))

    async def events(
        self,
        *,
        names: Sequence[wire.EventName] = (),
        agent: str | None = None,
        after: int | None = None,
        **identity: Unpack[IdentityFields],
    ) -> AsyncIterator[wire.EventView | wire.GapView]:
        heard = Listening(self._caller, names, agent, after, identity, self._retries)
        while True:
            came: Came = None
            try:
                async with self._http.stream(**request_arguments(heard.request())) as answer:
                    if answer.is_success:
                        async for line in answer.aiter_lines():
                            if (event := heard.take(line)) is not None:
                                yield event
                    else:
                        await answer.aread()
                        came = answer
            except httpx.HTTPError as error:
                came = error
            pause = heard.pause(came, self.url)
            await (self._sleep or asyncio.sleep)(pause)

    async def health(self) -> wire.HealthView:
        return await self.send(calls.health())

    async def ready(self) -> wire.HealthView:
        return await self.send(calls.ready())

    async def _pages(self, first: Call[P]) -> AsyncIterator[P]:
        call: Call[P] | None = first
        while call is not None:
            page = await self.send(call)
            yield page
            call = calls.following(call, page.next_cursor)

    def _open(self, options: dict[str, Any]) -> httpx.AsyncClient:
        return httpx.AsyncClient(**options)

    async def _run(self, plan: Plan[T]) -> T:
        answer: Any = None
        while True:
            try:
                call = plan.send(answer)
            except StopIteration as done:
                return done.value
            answer = await self.send(call)

    async def _do(self, step: Step) -> Came:
        if not isinstance(step, Send):
            await (self._sleep or asyncio.sleep)(step.seconds)
            return None
        try:
            return await self._http.request(**request_arguments(step))
        except httpx.HTTPError as error:
            return error
