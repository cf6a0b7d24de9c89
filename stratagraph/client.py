"""`Client`: the calls of a Stratagraph service."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Client(Connected[httpx.Client]):
    """Speaks to a Stratagraph service.

    ``url`` and ``api_key``: where it is, and the key; else STRATAGRAPH_URL and STRATAGRAPH_API_KEY,
    else ``http://127.0.0.1:8400`` without a key. ``agent_id``, ``channel_ids``, ``user_ids``: whom
    the client stands for; each call can name others. ``timeout``: seconds for one attempt.
    ``retries``: how many repeats, or `Retries`; 0 for none. ``verify``: False, or a file or folder
    of authorities to trust in place of the machine's. ``cert``: the client's certificate, and
    perhaps its key. ``proxy``: its address. ``sleep`` waits between attempts.

    Every call raises a `StratagraphError`; docs/client.md says which.
    """

    def send(self, call: Call[A]) -> A:
        """Make one call of `stratagraph.calls`, or one of your own."""
        talk = self._exchange(call)
        came: Came = None
        while True:
            try:
                step: Step = talk.send(came)
            except StopIteration as done:
                return done.value
            came = self._do(step)

    def close(self) -> None:
        """Close the connections, also those of clients made by `as_agent`."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def remember(self, text: str, **fields: Unpack[RememberFields]) -> wire.RememberAnswer:
        """Remember one memory; the same memory sent twice is one."""
        return self.send(calls.remember(self._caller, text, fields))

    def remember_all(
        self,
        rows: Iterable[str | RowFields | wire.MemoryRequest],
        *,
        atomic: bool = False,
        **identity: Unpack[IdentityFields],
    ) -> wire.BatchAnswer:
        """Remember many, in as many requests as it takes; a faulty row is reported, the rest lands.

        With ``atomic`` it is all or nothing, and at most 1,000 rows.
        """
        return self._run(calls.remember_all(self._caller, rows, identity, atomic=atomic))

    def recall(
        self, text: str | None = None, **question: Unpack[RecallFields]
    ) -> wire.RecallAnswerView:
        """Recall what helps with a text, a ``vector``, or what is ``like`` a memory."""
        return self.send(calls.recall(self._caller, text, question))

    def retrieve(
        self, query: str, k: int = 5, domain: str | None = None, **fields: Unpack[RetrieveFields]
    ) -> wire.RetrievalAnswerView:
        """Find past attempts that help with a problem, and what they used."""
        return self.send(calls.retrieve(self._caller, query, k, domain, fields))

    def report_outcome(
        self,
        task_id: str,
        status: wire.Status,
        quality: float | None = None,
        used: Used | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.OutcomeView:
        """Say how a task ended: what it was given is ranked higher, or lower, from now on.

        ``used``: what was of use, as names or a share by name; then it alone is rewarded.
        """
        return self.send(
            calls.report_outcome(self._caller, task_id, status, quality, used, identity)
        )

    def report_signal(
        self, task_id: str, signal: wire.SignalName, **fields: Unpack[SignalFields]
    ) -> wire.SignalView:
        """Say what was heard of a task before it ends: a ``step``, or a judgement.

        One with an ``id`` counts once; one without is not tried again when it may have arrived.
        """
        return self.send(calls.report_signal(self._caller, task_id, signal, fields))

    def inject_reward(
        self, name: str, reward: float, reason: str, **fields: Unpack[InjectFields]
    ) -> wire.InjectView:
        """Reward one memory by hand, from -1 to 1; not tried again when it may have arrived."""
        return self.send(calls.inject_reward(self._caller, name, reward, reason, fields))

    def revert_reward(
        self, reward_uid: str, reason: str | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.RevertView:
        """Take a reward back; its task can be reported anew."""
        return self.send(calls.revert_reward(self._caller, reward_uid, reason, identity))

    def utility(self, name: str, **fields: Unpack[UtilityFields]) -> wire.UtilityView:
        """Read what one memory is worth and how it came to be; ``at``: also its Q as of a time."""
        return self.send(calls.utility(self._caller, name, fields))

    def extract_concepts(self, **fields: Unpack[ExtractFields]) -> wire.ExtractView:
        """Extract the concepts of a scope now, however many episodes wait."""
        return self.send(calls.extract_concepts(self._caller, fields))

    def archive_covered(self, **fields: Unpack[ArchiveFields]) -> wire.ArchiveView:
        """Archive the attempts that concepts cover, or (unless ``dry_run`` is False) only name them."""
        return self.send(calls.archive_covered(self._caller, fields))

    def restore_covered(self, **fields: Unpack[RestoreFields]) -> wire.RestoreView:
        """Bring back what concepts have archived; it is not archived again by itself."""
        return self.send(calls.restore_covered(self._caller, fields))

    def collect(self, **fields: Unpack[CollectFields]) -> wire.CollectAnswer:
        """Say which episodes help nobody and why; with ``dry_run=False`` let them go."""
        return self.send(calls.collect(self._caller, fields))

    def collections(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionsAnswer:
        """Read which runs collected."""
        return self.send(calls.collections(self._caller, limit, identity))

    def collection(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionAnswer:
        """Read one run, and what it keeps hidden."""
        return self.send(calls.collection(self._caller, run, limit, identity))

    def undo_collection(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.CollectionView:
        """Bring back what a run has hidden, until it is purged."""
        return self.send(calls.undo_collection(self._caller, run, identity, skip_changed))

    def run_gates(self, **fields: Unpack[CollectFields]) -> wire.GatesAnswer:
        """Say what would move between strata and why; with ``dry_run=False`` let it."""
        return self.send(calls.run_gates(self._caller, fields))

    def gate_runs(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunsAnswer:
        """Read which runs of the gates there were."""
        return self.send(calls.gate_runs(self._caller, limit, identity))

    def gate_run(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunAnswer:
        """Read one run of the gates, and what it moved."""
        return self.send(calls.gate_run(self._caller, run, limit, identity))

    def undo_gate_run(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.GateRunView:
        """Move back what a run of the gates moved."""
        return self.send(calls.undo_gate_run(self._caller, run, identity, skip_changed))

    def promote(self, names: Sequence[str], **fields: Unpack[MoveFields]) -> wire.MovesAnswer:
        """Move memories up, one stratum or ``to`` a named one."""
        return self.send(calls.move(self._caller, "promote", names, fields))

    def demote(self, names: Sequence[str], **fields: Unpack[MoveFields]) -> wire.MovesAnswer:
        """Move memories down, one stratum or ``to`` a named one."""
        return self.send(calls.move(self._caller, "demote", names, fields))

    def promote_successful(self, **fields: Unpack[PromotionFields]) -> wire.MovesAnswer:
        """Say what proved itself; with ``dry_run=False`` move it up."""
        return self.send(calls.promote_successful(self._caller, fields))

    def strata_analytics(
        self, days: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.StrataAnalyticsView:
        """What strata hold, what flows between them, how they fade, and what surprised."""
        return self.send(calls.strata_analytics(self._caller, days, identity))

    def provenance(
        self, name: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ProvenanceView:
        """Follow a memory down to what it came from."""
        return self.send(calls.provenance(self._caller, name, limit, identity))

    def consolidate(self, **fields: Unpack[ConsolidateFields]) -> wire.ConsolidateAnswer:
        """Say what would become one memory; with ``dry_run=False`` make it so."""
        return self.send(calls.consolidate(self._caller, fields))

    def consolidations(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationsAnswer:
        """Read which consolidations there were."""
        return self.send(calls.consolidations(self._caller, limit, identity))

    def consolidation(
        self, run: str, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationAnswer:
        """Read one consolidation, how far it is, and its clusters."""
        return self.send(calls.consolidation(self._caller, run, limit, identity))

    def undo_consolidation(
        self, run: str, *, skip_changed: bool = False, **identity: Unpack[IdentityFields]
    ) -> wire.ConsolidationView:
        """Bring back what a consolidation condensed, and remove what it made."""
        return self.send(calls.undo_consolidation(self._caller, run, identity, skip_changed))

    def predict(self, expected: Any, **fields: Unpack[PredictionFields]) -> wire.PredictionView:
        """Say what is expected, ahead of what happens."""
        return self.send(calls.predict(self._caller, expected, fields))

    def report_surprise(self, actual: Any, **fields: Unpack[SurpriseFields]) -> wire.SurpriseView:
        """Say what happened, and hear how surprising it is; with ``text`` it is remembered then."""
        return self.send(calls.report_surprise(self._caller, actual, fields))

    def surprises(self, **fields: Unpack[SurprisesFields]) -> wire.SurprisesAnswer:
        """Read what surprised, the newest first."""
        return self.send(calls.surprises(self._caller, fields))

    def join_channels(self, **identity: Unpack[IdentityFields]) -> wire.ChannelsAnswer:
        """Make the agent a member of the channels."""
        return self.send(calls.join_channels(self._caller, identity))

    def leave_channels(self, **identity: Unpack[IdentityFields]) -> wire.LeftAnswer:
        """End the agent's membership of the channels, and what it shares there."""
        return self.send(calls.leave_channels(self._caller, identity))

    def members(self, **identity: Unpack[IdentityFields]) -> wire.ChannelsAnswer:
        """List the channels of the agent, and the members of the channels."""
        return self.send(calls.members(self._caller, identity))

    def publish(self, name: str, **identity: Unpack[IdentityFields]) -> wire.PublicationView:
        """Share a copy of one of the agent's memories in the channel."""
        return self.send(calls.publish(self._caller, name, identity))

    def unpublish(self, name: str, **identity: Unpack[IdentityFields]) -> wire.UnpublishedView:
        """Take the copies of a memory out of the channels, or with none named out of all."""
        return self.send(calls.unpublish(self._caller, name, identity))

    def share_patterns(self, **identity: Unpack[IdentityFields]) -> wire.PatternsSharedView:
        """Look at the patterns of a channel's members, and share what enough of them hold."""
        return self.send(calls.share_patterns(self._caller, identity))

    def record_interaction(
        self, other_agent_id: str, outcome: float, **identity: Unpack[IdentityFields]
    ) -> wire.RelationshipView:
        """Tell how something that the agent had to do with another went: 0 badly, 1 well."""
        return self.send(calls.record_interaction(self._caller, other_agent_id, outcome, identity))

    def relationships(
        self, limit: int | None = None, **identity: Unpack[IdentityFields]
    ) -> wire.RelationshipsAnswer:
        """List what the agent had to do with others, the latest first."""
        return self.send(calls.relationships(self._caller, limit, identity))

    def get(self, name: str, **identity: Unpack[IdentityFields]) -> wire.SingleMemoryView:
        """Read one memory by its uid or ``external:<external_id>``."""
        return self.send(calls.get(self._caller, name, identity))

    def supersede(
        self, newer: str, older: str, **identity: Unpack[IdentityFields]
    ) -> wire.SupersessionView:
        """Say that a memory replaces another, which then holds no longer."""
        return self.send(calls.supersede(self._caller, newer, older, identity))

    def unsupersede(self, newer: str, older: str, **identity: Unpack[IdentityFields]) -> None:
        """Say that a memory does not replace another: that one holds again, and stays so."""
        return self.send(calls.unsupersede(self._caller, newer, older, identity))

    def delete(self, name: str, **identity: Unpack[IdentityFields]) -> None:
        """Remove one memory."""
        return self.send(calls.delete(self._caller, name, identity))

    def add_episode(self, episode: Episode, **where: Unpack[EpisodeWhere]) -> wire.AddEpisodeAnswer:
        """Add one attempt at a problem, with its problem and strategy; the same sent twice is one."""
        return self.send(calls.add_episode(self._caller, episode, where))

    def add_episodes(
        self, episodes: Iterable[Episode], **where: Unpack[EpisodeWhere]
    ) -> wire.AddEpisodesAnswer:
        """Add many, in as many requests as it takes; a faulty one is reported, the rest lands."""
        return self._run(calls.add_episodes(self._caller, episodes, where))

    def get_episode(self, name: str, **identity: Unpack[IdentityFields]) -> wire.EpisodeView:
        """Read one episode by its id or its uid, with what it hangs on."""
        return self.send(calls.get_episode(self._caller, name, identity))

    def erase_agent(self, agent_id: str) -> wire.ErasureView:
        """Erase an agent with all it left; ``erasure`` says how far it is."""
        return self.send(calls.erase_agent(agent_id))

    def erase_user(self, user_id: str) -> wire.ErasureView:
        """Erase a user with all that names it."""
        return self.send(calls.erase_user(user_id))

    def erase_session(
        self,
        session_id: str,
        scope_kind: wire.ScopeKind | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.ErasureView:
        """Erase a session of the scope that is written to."""
        return self.send(calls.erase_session(self._caller, session_id, scope_kind, identity))

    def erase_memory(self, name: str, **identity: Unpack[IdentityFields]) -> wire.ErasureView:
        """Erase one memory, and hear what went with it."""
        return self.send(calls.erase_memory(self._caller, name, identity))

    def erasure(self, name: str) -> wire.ErasureView:
        """Read how far an erasure is, or its receipt."""
        return self.send(calls.erasure(name))

    def check_graph(self, cursor: str | None = None, *, repair: bool = False) -> wire.CheckAnswer:
        """Check a part of the graph against itself, or mend it; with the key of who runs the service."""
        return self.send(calls.check_graph(cursor, repair=repair))

    def delete_episode(self, name: str, **identity: Unpack[IdentityFields]) -> None:
        """Remove one episode; what it hung on is counted anew."""
        return self.send(calls.delete_episode(self._caller, name, identity))

    def count_episodes(self, **scope: Unpack[EpisodeScope]) -> wire.EpisodeCountView:
        """Count the episodes of one scope, by verdict and run, beside its budget."""
        return self.send(calls.count_episodes(self._caller, scope))

    def size(self, **scope: Unpack[EpisodeScope]) -> int:
        """Say how many episodes one scope holds."""
        return (self.count_episodes(**scope)).episodes

    def clear(
        self, *, dry_run: bool = False, **fields: Unpack[ClearFields]
    ) -> wire.ClearEpisodesAnswer:
        """Remove the episodes of one scope, and what nothing hangs on then; or only say which."""
        return self.send(calls.clear_episodes(self._caller, fields, dry_run=dry_run))

    def export_episodes(self, **where: Unpack[EpisodeWhere]) -> Iterator[bytes]:
        """Export the episodes of one scope as lines of JSON, the earliest first.

        ``run``: only those of one run, or with an empty name of none. Yields whole lines, a thousand
        at a time.
        """
        walk = EpisodeExporting(self._caller, where)
        while (call := walk.call()) is not None:
            if lines := walk.take(self.send(call)):
                yield lines

    def import_episodes(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        dry_run: bool = False,
        **where: Unpack[EpisodeWhere],
    ) -> Iterator[ImportPart]:
        """Import lines that are episodes; sent again they change nothing.

        Yields what became of each part, up to 1,000 lines; a bad line is reported by its number.
        """
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
            if part := walk.take(self.send(call)):
                yield part

    def export(
        self,
        *,
        scope: Literal["tenant"] | None = None,
        vectors: bool = False,
        after: str | None = None,
        **identity: Unpack[IdentityFields],
    ) -> Iterator[bytes]:
        """Export what the client stands for, or the key's whole tenant, as JSON lines.

        Yields whole lines, some hundreds at a time. ``vectors``: with all of them. ``after``: go on
        behind a position line. What breaks is asked for again.
        """
        walk = Exporting(self._caller, scope, identity, vectors=vectors, after=after)
        while (call := walk.call()) is not None:
            if lines := walk.take(self.send(call)):
                yield lines

    def import_lines(
        self,
        lines: Iterable[Line],
        *,
        first_line: int = 1,
        agent_map: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **identity: Unpack[IdentityFields],
    ) -> Iterator[ImportPart]:
        """Import lines of an export, or rows by hand; sent again they change nothing.

        Yields what became of each part, up to 1,000 lines. ``first_line``: the number of the first,
        in a part of a file. ``agent_map``: what was one agent's becomes another's.
        """
        walk = Importing(
            self._caller,
            lines,
            identity,
            first_line=first_line,
            agent_map=agent_map or {},
            dry_run=dry_run,
        )
        while (call := walk.call()) is not None:
            if part := walk.take(self.send(call)):
                yield part

    def delete_many(self, **fields: Unpack[DeleteFields]) -> wire.DeleteAnswer:
        """Remove the memories of one scope that are meant; says only which unless ``dry_run=False``.

        What is meant: ``filters``, ``names`` or ``all=True``.
        """
        return self.send(calls.delete_many(self._caller, fields))

    def patch(
        self,
        name: str,
        changes: PatchFields,
        *,
        if_match: wire.MemoryView | str | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.AmendedView:
        """Change a memory: what is left out stays, None takes back to the default.

        With ``if_match``, a memory as it was read (or its entity tag), it is changed only if it is
        still the same; else `PreconditionFailedError`.
        """
        return self.send(calls.patch(self._caller, name, changes, if_match, identity))

    def list_memories(self, **fields: Unpack[ListFields]) -> wire.MemoryPage:
        """List one page of memories."""
        return self.send(calls.list_memories(self._caller, fields))

    def iterate(self, **fields: Unpack[ListFields]) -> Iterator[wire.MemoryView]:
        """List all memories, page after page as they are taken; ``limit`` is the size of a page."""
        for page in self._pages(calls.list_memories(self._caller, fields)):
            yield from page.items

    def count(self, **fields: Unpack[CountFields]) -> wire.MemoryCount:
        """Count memories, ``by`` groups if it is given."""
        return self.send(calls.count(self._caller, fields))

    def list_versions(self, name: str, **fields: Unpack[VersionsFields]) -> wire.VersionPage:
        """List one page of what a memory said before, the newest first."""
        return self.send(calls.list_versions(self._caller, name, fields))

    def iterate_versions(
        self, name: str, **fields: Unpack[VersionsFields]
    ) -> Iterator[wire.VersionView]:
        """List all that a memory said before, page after page as they are taken."""
        for page in self._pages(calls.list_versions(self._caller, name, fields)):
            yield from page.items

    def neighbourhood(
        self, name: str, **fields: Unpack[NeighbourhoodFields]
    ) -> wire.NeighbourhoodView:
        """Show what surrounds a memory, as nodes and edges to draw."""
        return self.send(calls.neighbourhood(self._caller, name, fields))

    def utility_analytics(self, **fields: Unpack[AnalyticsFields]) -> wire.UtilityAnalyticsView:
        """Measure utility over all that the caller reads."""
        return self.send(calls.utility_analytics(self._caller, fields))

    def query_episodes(self, **fields: Unpack[EpisodeQueryFields]) -> wire.EpisodeQueryView:
        """Query episodes by what is known of them and by similarity, or measure them.

        The ``object`` of an answer can be sent again: ``query_episodes(**answer.object)``.
        """
        return self.send(calls.query_episodes(self._caller, fields))

    def ask_episodes(
        self, question: str, **fields: Unpack[EpisodeAskFields]
    ) -> wire.EpisodeAskView:
        """Ask about episodes in words; the answer says as what they were understood."""
        return self.send(calls.ask_episodes(self._caller, question, fields))

    def reasoning_analytics(
        self, **fields: Unpack[ReasoningAnalyticsFields]
    ) -> wire.ReasoningAnalyticsView:
        """Measure attempts at large: by groups, over time, and where they fail."""
        return self.send(calls.reasoning_analytics(self._caller, fields))

    def utility_config(self) -> wire.ConfigView:
        """Show what is in force of utility, and where each value comes from."""
        return self.send(calls.utility_config())

    def change_utility_config(self, **fields: Unpack[ConfigFields]) -> wire.ConfigView:
        """Set values of the whole tenant while the service runs; None takes one back."""
        return self.send(calls.change_utility_config(self._caller, fields))

    def reset_utility_config(self, **identity: Unpack[IdentityFields]) -> wire.ConfigView:
        """Leave every value to the environment again."""
        return self.send(calls.reset_utility_config(self._caller, identity))

    def utility_config_changes(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> wire.ConfigChangePage:
        """List one page of who set what, the newest first."""
        return self.send(calls.utility_config_changes(limit, cursor))

    def strata_config(self) -> wire.ConfigView:
        """What is in force of strata, and where each value comes from."""
        return self.send(calls.strata_config())

    def change_strata_config(self, **fields: Unpack[StrataConfigFields]) -> wire.ConfigView:
        """Set values of strata while the service runs; None leaves one to the environment again."""
        return self.send(calls.change_strata_config(self._caller, fields))

    def reset_strata_config(self, **identity: Unpack[IdentityFields]) -> wire.ConfigView:
        """Leave every value of strata to the environment again."""
        return self.send(calls.reset_strata_config(self._caller, identity))

    def strata_config_changes(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> wire.ConfigChangePage:
        """List who set what of strata, newest first."""
        return self.send(calls.strata_config_changes(limit, cursor))

    def events(
        self,
        *,
        names: Sequence[wire.EventName] = (),
        agent: str | None = None,
        after: int | None = None,
        **identity: Unpack[IdentityFields],
    ) -> Iterator[wire.EventView | wire.GapView]:
        """Listen to what happens to utility, as it happens, until you stop or it fails for good.

        ``names`` and ``agent`` choose; ``after`` goes on behind an event's ``id`` (0: all that are
        kept), else it begins now. What breaks off is taken up where it was; events that expired
        meanwhile are told as one called ``stream:gap``.
        """
        heard = Listening(self._caller, names, agent, after, identity, self._retries)
        while True:
            came: Came = None
            try:
                with self._http.stream(**request_arguments(heard.request())) as answer:
                    if answer.is_success:
                        for line in answer.iter_lines():
                            if (event := heard.take(line)) is not None:
                                yield event
                    else:
                        answer.read()
                        came = answer
            except httpx.HTTPError as error:
                came = error
            pause = heard.pause(came, self.url)
            (self._sleep or time.sleep)(pause)

    def health(self) -> wire.HealthView:
        """Ask whether the process lives."""
        return self.send(calls.health())

    def ready(self) -> wire.HealthView:
        """Ask whether it can answer, and if not, what is missing; being unready is no error."""
        return self.send(calls.ready())

    def _pages(self, first: Call[P]) -> Iterator[P]:
        call: Call[P] | None = first
        while call is not None:
            page = self.send(call)
            yield page
            call = calls.following(call, page.next_cursor)

    def _open(self, options: dict[str, Any]) -> httpx.Client:
        return httpx.Client(**options)

    def _run(self, plan: Plan[T]) -> T:
        answer: Any = None
        while True:
            try:
                call = plan.send(answer)
            except StopIteration as done:
                return done.value
            answer = self.send(call)

    def _do(self, step: Step) -> Came:
        if not isinstance(step, Send):
            (self._sleep or time.sleep)(step.seconds)
            return None
        try:
            return self._http.request(**request_arguments(step))
        except httpx.HTTPError as error:
            return error
