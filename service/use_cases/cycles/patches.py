"""Patches of failures: generated from repaired ones, applied and verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph.kernel.errors import ConflictError, required
from graph.kernel.scope import Caller
from graph.model.cycles.checks import Check, Finding
from graph.model.cycles.cycle import Change, Cycle, CycleStory, Step
from graph.model.cycles.patches import Evidence, Patch, PatchQuery, PatchState
from graph.model.episodes.attempts import EpisodeFilters
from graph.model.episodes.retrieval import RetrievedEpisode
from graph.model.memories.memory import Link, NewMemory
from graph.model.recall.candidates import Filters
from graph.model.utility.rewards import UsedName
from graph.ports.utility import StrataConfigs
from graph.store.cycles.patches import PatchStore
from graph.store.cycles.store import CycleStore
from service.use_cases.cycles.executions import ToolLessons, error_of
from service.use_cases.cycles.phases import active_config, find_cycle
from service.use_cases.cycles.steps import CheckSteps
from service.use_cases.episodes.retrieval_request import RetrieveRequest
from service.use_cases.episodes.retrieve import RetrieveEpisodes
from service.use_cases.kernel.watched import RecordingUseCase, TimedUseCase, UseCase, watched
from service.use_cases.memories.remember import Remember
from service.use_cases.recall.recall import Recall
from service.use_cases.recall.request import RecallRequest
from service.use_cases.utility.outcome import ReportOutcome

UNKNOWN_PATCH = "no such patch of this caller"
TAGS = ("self-repair", "learning")
_SAME_PROBLEM = 0.93  # cosine from which two goals are one problem in other words
_ATTEMPTS = 10
_LESSONS = 3
_SHOWN = 1000
_NO_SOURCES = ("pattern", "tool_error")
_CAUSES = {
    "arithmetic": "A calculation was done wrong.",
    "grounding": "A number was taken that is neither given nor computed.",
    "answer": "The answer is not what was computed.",
    "consistency": "Other tries at the same agree on another answer.",
    "json_schema": "The value has another form than is asked for.",
    "regex": "The text has another form than is asked for.",
    "unit_range": "A quantity has the wrong unit or lies out of its range.",
    "sql": "The statement does not parse.",
    "http_status": "The service that was asked refused or failed.",
    "callback": "The agent's own checker refused it.",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Description of a failed step, and the checks that would confirm a repair; ``error`` is that of its tool."""

    problem: str
    cause: str
    plan: tuple[Check, ...]
    tool: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class GeneratePatch(RecordingUseCase):
    """Generate a patch of the last failure of a cycle from repairs of similar failures.

    Evidence are right attempts at the same or similar problems, error patterns of verified patches, and known solutions of
    tool errors. Without any the patch is incomplete and lists what is missing. Until the last patch is judged, it is
    returned again.

    Raises
    ------
    NotFoundError
        If the caller has no such cycle.
    ConflictError
        If nothing failed in it, or cycles are switched off.
    """

    cycles: CycleStore
    patches: PatchStore
    retrieve: RetrieveEpisodes
    recall: Recall
    tools: ToolLessons
    configs: StrataConfigs

    @watched("generate_patch")
    async def __call__(self, caller: Caller, name: str) -> Patch:
        """Return the patch."""
        active_config(self.configs, caller.tenant)
        cycle = await find_cycle(self.cycles, [caller.home], name)
        story = await self.cycles.story(caller.readable, cycle)
        failure = failure_of(story)
        if failure is None:
            raise ConflictError("nothing failed in this cycle: there is nothing to repair")
        query = PatchQuery((cycle.scope,), cycle.uid, limit=1)
        last = next(iter(await self.patches.list(query, caller.readable)), None)
        # one patch at a time, so that a check judges one repair
        if last is not None and last.state in ("proposed", "applied"):
            return last
        attempts = await self._attempts(caller, cycle)
        known = await self._patterns(caller, cycle, failure)
        solutions: Sequence[Evidence] = ()
        if failure.tool is not None:
            solutions = await self.tools.lessons([cycle.scope], failure.tool, failure.error)
        now = self.clock.now()
        patch = draft_patch(cycle, failure, attempts, [*solutions, *known])
        patch = replace(
            patch,
            uid=self.identifiers.new_uid(now),
            number=last.number + 1 if last else 1,
            made_at=now,
        )
        self.telemetry.count("patches", state=patch.state)
        return await self.patches.save(patch, caller.readable, cycle.episode_uid)

    async def _attempts(self, caller: Caller, cycle: Cycle) -> Sequence[RetrievedEpisode]:
        request = RetrieveRequest(
            caller=caller,
            query=cycle.goal,
            k=_ATTEMPTS,
            mode="all",
            filters=EpisodeFilters(verdicts=(True,)),
            failures=0,
        )
        own = cycle.task_id
        found = (await self.retrieve(request)).results
        # of the same scope: erasing an attempt must also erase its quotations
        return [
            one
            for one in found
            # not the attempt of this cycle itself
            if one.content.external_id != own
            and one.role == "success"
            and one.content.scope == cycle.scope
        ]

    async def _patterns(self, caller: Caller, cycle: Cycle, failure: Failure) -> list[Evidence]:
        request = RecallRequest(
            caller=caller,
            text=failure.problem,
            phase="reasoning",
            k=_LESSONS,
            filters=Filters(kinds=("pattern",), tags_any=("self-repair",)),
        )
        return [
            Evidence(one.memory.uid, "pattern", round(one.relevance, 4), one.memory.text[:_SHOWN])
            for one in (await self.recall(request)).results
            if one.memory.scope == cycle.scope
        ]


def failure_of(story: CycleStory) -> Failure | None:
    """Return the failure of the last failed step; None without one."""
    failed = next((step for step in reversed(story.steps) if step.outcome == "failure"), None)
    if failed is None:
        return None
    wrong = [finding for finding in failed.findings if finding.verdict == "failed"]
    if wrong:
        # the first failed check is the cause; later ones often follow from it
        first = wrong[0]
        plan = tuple({finding.checker: Check(finding.checker) for finding in wrong}.values())
        where = f"step {failed.position}, {failed.phase}"
        return Failure(f"{first.checker} ({where}): {first.why}", _CAUSES[first.checker], plan)
    return _failed_call(failed)


def _failed_call(step: Step) -> Failure:
    call = next(call for call in reversed(step.calls) if call.status == "failure")
    error = error_of(call)[:_SHOWN]
    suffix = f": {error}" if error else ""
    problem = f"{call.tool} failed (step {step.position}, {step.phase}){suffix}"
    cause = f"The call of {call.tool} was refused or failed with these arguments."
    # The status of the same tool called again: `value` is that status.
    again = Check("json_schema", {"schema": {"const": "success"}})
    return Failure(problem, cause, (again,), call.tool, error)


def draft_patch(
    cycle: Cycle,
    failure: Failure,
    attempts: Sequence[RetrievedEpisode],
    lessons: Sequence[Evidence],
) -> Patch:
    """Return a draft of a patch from right attempts and lessons; incomplete without any."""
    same = [one for one in attempts if one.similarity >= _SAME_PROBLEM]
    evidence = [_evidence_of(one) for one in (same or attempts[:_LESSONS])]
    evidence = [*evidence, *lessons]
    answers = Counter(one.answer for one in same if one.answer)
    correction = ""
    if same:
        correction = f"Follow a right attempt at this problem: {evidence[0].text}"
    elif lessons:
        # the first line of a tool's lesson is what to do, the second one where it worked
        first = lessons[0]
        correction = first.text.partition("\n")[0] if first.kind == "tool_error" else first.text
    elif attempts:
        correction = f"Work as a right attempt at a similar problem did: {evidence[0].text}"
    missing = [
        text
        for lacks, text in (
            (not attempts, "a right attempt at this problem or a similar one"),
            (not lessons, "an error pattern of a verified repair"),
        )
        if lacks
    ]
    state: PatchState = "proposed" if correction else "incomplete"
    return Patch(
        uid="",
        scope=cycle.scope,
        cycle_uid=cycle.uid,
        number=1,
        made_at=cycle.touched_at,
        problem=failure.problem,
        cause=failure.cause,
        correction=correction,
        plan=failure.plan,
        missing=tuple(missing),
        evidence=tuple(evidence),
        state=state,
        answers=tuple(answer for answer, _ in answers.most_common()),
    )


def _evidence_of(one: RetrievedEpisode) -> Evidence:
    steps = "; ".join(
        f"{step.action} → {step.observation}" if step.observation else step.action
        for step in one.steps
        if step.action
    )
    text = f"{steps}; answer {one.answer}" if one.answer else steps
    kind = "repaired" if one.similarity >= _SAME_PROBLEM else "similar"
    return Evidence(one.content.uid, kind, round(one.similarity, 4), text[:_SHOWN])


async def find_patch(store: PatchStore, caller: Caller, uid: str, scopes: Sequence[str]) -> Patch:
    """Return a patch of these scopes."""
    return required(await store.find(scopes, uid, caller.readable), UNKNOWN_PATCH)


def as_applied(patch: Patch, now: datetime) -> Patch:
    """Return a proposed patch as applied; an applied one unchanged.

    Raises
    ------
    ConflictError
        If it is incomplete, or was judged.
    """
    if patch.state == "applied":
        return patch
    if patch.state != "proposed":
        raise ConflictError(f"this patch is {patch.state}: only a proposed one is applied")
    return replace(patch, state="applied", applied_at=now)


def as_judged(patch: Patch, findings: Sequence[Finding], now: datetime) -> Patch:
    """Return an applied patch as judged: a failed check refutes it, passing all planned checks verifies it.

    Otherwise it stays applied. A judged one stays unchanged.

    Raises
    ------
    ConflictError
        If it was not applied.
    """
    if patch.state in ("verified", "refuted"):
        return patch
    if patch.state != "applied":
        raise ConflictError(f"this patch is {patch.state}: apply it first")
    state: PatchState = "applied"
    passed = {finding.checker for finding in findings if finding.verdict == "passed"}
    if any(finding.verdict == "failed" for finding in findings):
        state = "refuted"
    elif passed and all(check.checker in passed for check in patch.plan):
        state = "verified"
    judged_at = now if state != "applied" else None
    return replace(patch, state=state, findings=tuple(findings), judged_at=judged_at)


@dataclass(frozen=True, slots=True)
class ApplyPatch(TimedUseCase):
    """Record that a patch is being applied.

    Raises
    ------
    NotFoundError
        If the caller has no such patch.
    ConflictError
        If it is incomplete or was judged, or cycles are switched off.
    """

    patches: PatchStore
    configs: StrataConfigs

    @watched("apply_patch")
    async def __call__(self, caller: Caller, uid: str) -> Patch:
        """Return the patch."""
        active_config(self.configs, caller.tenant)
        patch = await find_patch(self.patches, caller, uid, [caller.home])
        now = self.clock.now()
        return await self.patches.change(patch, caller.readable, lambda held: as_applied(held, now))


@dataclass(frozen=True, slots=True)
class VerifyPatch(TimedUseCase):
    """Verify an applied patch: it becomes a memory, or its evidence loses utility.

    Raises
    ------
    NotFoundError
        If the caller has no such patch.
    ConflictError
        If it was not applied, or cycles are switched off.
    """

    cycles: CycleStore
    patches: PatchStore
    check: CheckSteps
    remember: Remember
    outcome: ReportOutcome
    configs: StrataConfigs

    @watched("verify_patch")
    async def __call__(self, caller: Caller, uid: str, checks: Sequence[Check]) -> Patch:
        """Return the judged patch."""
        active_config(self.configs, caller.tenant)
        patch = await find_patch(self.patches, caller, uid, [caller.home])
        if patch.state not in ("verified", "refuted"):
            findings = await self.check(checks)
            now = self.clock.now()
            patch = await self.patches.change(
                patch, caller.readable, lambda held: as_judged(held, findings, now)
            )
            self.telemetry.count("patches", state=patch.state)
        # idempotent, so that an interrupted call can be repeated
        if patch.state in ("verified", "refuted"):
            await self._reward(caller, patch)
        if patch.state == "verified" and patch.memory_uid is None:
            patch = await self._store_correction(caller, patch)
        return patch

    async def _reward(self, caller: Caller, patch: Patch) -> None:
        # evidence of tool errors is counted by executions, not by rewards
        used = tuple(UsedName(each.uid) for each in patch.evidence if each.kind != "tool_error")
        if used:
            status = "success" if patch.state == "verified" else "failure"
            await self.outcome(caller, f"patch:{patch.uid}", status, None, used)

    async def _store_correction(self, caller: Caller, patch: Patch) -> Patch:
        """Store the correction as a lasting error pattern, and return the cycle to solver mode."""
        own = [each.uid for each in patch.evidence if each.kind not in _NO_SOURCES]
        places = await self._existing(caller, own)
        row = NewMemory(
            scope=caller.home,
            text=f"When {patch.problem} — {patch.correction}"[:10_000],
            kind="pattern",
            external_id=f"patch:{patch.uid}",  # one memory for each patch, however often it is sent
            agent_id=caller.agent_id,
            stratum="long_term",
            importance=4,
            tags=TAGS,
            source_type="patch",
            links=tuple(Link("DERIVED_FROM", uid) for uid in places),
        )
        [saved] = await self.remember([row])
        patch = await self.patches.change(
            patch, caller.readable, lambda held: replace(held, memory_uid=saved.uid)
        )
        cycle = await self.cycles.find([caller.home], patch.cycle_uid)
        if cycle is not None and cycle.state == "open":
            await self.cycles.change(cycle, f"repaired {patch.uid}", (), recovered)
        return patch

    async def _existing(self, caller: Caller, uids: Sequence[str]) -> list[str]:
        if not uids:
            return []
        # evidence that was erased meanwhile is no source any more
        return sorted(await self.remember.store.find([caller.home], uids))


def recovered(cycle: Cycle) -> Change:
    """Return a repaired cycle, in solver mode."""
    if cycle.state != "open":
        return Change(cycle)
    # a cycle that ended meanwhile stays as it is
    return Change(replace(cycle, mode="solver", failures=0))


@dataclass(frozen=True, slots=True)
class ReadPatches(UseCase):
    """List patches of the scopes of a caller, and show one.

    Raises
    ------
    NotFoundError
        If a requested one does not exist.
    """

    cycles: CycleStore
    patches: PatchStore

    @watched("read_patches")
    async def __call__(
        self,
        caller: Caller,
        cycle: str | None,
        state: PatchState | None,
        before: str | None,
        limit: int,
    ) -> Sequence[Patch]:
        """Return the latest, newest first."""
        scopes = tuple(sorted({caller.home, *caller.readable}))
        uid = None if cycle is None else (await find_cycle(self.cycles, scopes, cycle)).uid
        query = PatchQuery(scopes, uid, (state,) if state else (), before, limit)
        return await self.patches.list(query, caller.readable)

    async def one(self, caller: Caller, uid: str) -> Patch:
        """Return one patch."""
        return await find_patch(self.patches, caller, uid, caller.readable)
