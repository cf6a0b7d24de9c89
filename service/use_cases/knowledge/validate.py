"""Validate insights by word: somebody says that one holds, or that it does not."""

from __future__ import annotations

from dataclasses import dataclass

from graph.kernel.errors import NotFoundError
from graph.kernel.scope import Caller, ScopeKind
from graph.knowledge.insights import add_evidence, judge, record_verdict
from graph.model.knowledge.executions import Changes, Counts, Evidence, Insight
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import TimedUseCase, watched
from service.use_cases.memories.guarding import Guard


@dataclass(frozen=True, slots=True)
class Verdict:
    """Word on an insight, with the task that showed it."""

    insight_id: str
    holds: bool
    task_id: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ValidateInsight(TimedUseCase):
    """Count somebody's word on an insight as five later observations.

    Raises
    ------
    NotFoundError
        If the scope has no such insight.
    InvalidInputError
        If the scope is not clear, or something may not be stored.
    """

    store: KnowledgeStore
    guard: Guard

    @watched("validate_insight")
    async def __call__(
        self, caller: Caller, verdict: Verdict, scope_kind: ScopeKind | None = None
    ) -> tuple[Insight, str]:
        """Return the insight as it is then, and its scope."""
        scope = caller.writable(scope_kind)
        description = (
            await self.guard.text(caller.tenant, verdict.description, "description")
            if verdict.description
            else ""
        )
        if verdict.task_id:
            self.guard.check_name(caller.tenant, verdict.task_id, "task_id")
        now = self.clock.now()
        outcome = "success" if verdict.holds else "failure"
        shown = Evidence(verdict.task_id, "", outcome, now.isoformat(), description)
        found: list[Insight] = []

        def decide(counts: Counts) -> Changes:
            known = [i for i in counts.insights.values() if i.uid == verdict.insight_id]
            if not known:
                raise NotFoundError("no such insight in this scope")
            if verdict.task_id:
                add_evidence(known[0], [shown])
            # a person's word stays until evidence speaks against it
            record_verdict(
                known[0], holds=verdict.holds, by="user" if caller.user_ids else "agent", now=now
            )
            judge(known, counts.state.held, now)
            found[:] = known
            return Changes(insights=known)

        await self.store.change(scope, None, decide, with_patterns=False)
        return found[0], scope
