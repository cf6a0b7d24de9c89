"""Observation of executions: each task is counted once, and assigned to its patterns."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple

from graph.kernel.scope import Caller, ScopeKind
from graph.knowledge.ledger import apply_all, keys_of
from graph.model.knowledge.executions import Counts, ExecutionReport, Step
from graph.model.memories.privacy import Finding
from graph.ports.privacy import Recognizer
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.cleaning import Cleaner
from service.use_cases.memories.guarding import Guard

_SEVERAL = 8  # reports from which the redaction leaves the event loop
_TEXTS = ("query", "context", "goal", "thought")


class ObservedExecution(NamedTuple):
    """Result of a report: ``patterns`` are uids, None if its task was counted already."""

    task_id: str
    patterns: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ObserveExecutions(RecordingUseCase):
    """Count executions of tasks; a task counts once in its scope, by its first report.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, or something of a report may not be stored.
    """

    store: KnowledgeStore
    guard: Guard
    keep: timedelta

    @watched("observe_executions")
    async def __call__(
        self,
        caller: Caller,
        reports: Sequence[ExecutionReport],
        scope_kind: ScopeKind | None = None,
    ) -> tuple[ObservedExecution, ...]:
        """Return the result of each report, in order."""
        scope = caller.writable(scope_kind)
        now = self.clock.now()
        owned = {"agent_id": caller.agent_id or "", "user_id": _one(caller.user_ids)}
        cleaned = await self._cleaned(caller.tenant, reports, owned)

        def count(counts: Counts, fresh: Sequence[ExecutionReport]) -> list[list[str]]:
            # jobs are due by the time of the report, not of the execution
            counts.state.changed_at = self.clock.now()
            return apply_all(counts, fresh, lambda: self.identifiers.new_uid(now))

        found = await self.store.observe(scope, cleaned, keys_of(cleaned), now + self.keep, count)
        self.telemetry.count("executions", sum(each is not None for each in found))
        return tuple(
            ObservedExecution(report.task_id, None if uids is None else tuple(uids))
            for report, uids in zip(cleaned, found, strict=True)
        )

    async def _cleaned(
        self, tenant: str, reports: Sequence[ExecutionReport], owned: Mapping[str, Any]
    ) -> list[ExecutionReport]:
        for report in reports:
            # refused, not redacted: it identifies the task
            self.guard.check_name(tenant, report.task_id, "task_id")
        cleaner = await self.guard.cleaner(tenant)

        def clean() -> list[ExecutionReport]:
            # cached for a batch, as agents repeat texts
            redaction = Redaction(replace(cleaner, recognizer=CachedRecognizer(cleaner.recognizer)))
            return [replace(redaction.report(report), **owned) for report in reports]

        cleaned = clean() if len(reports) < _SEVERAL else await asyncio.to_thread(clean)
        for kind, number in cleaner.found.items():
            self.telemetry.count("redactions", number, type=kind)
        return cleaned


class CachedRecognizer:
    """A recogniser with a cache, for one batch."""

    def __init__(self, recognizer: Recognizer) -> None:
        self._recognizer = recognizer
        self._found: dict[tuple[str, str], Sequence[Finding]] = {}

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """See ``Recognizer.find``."""
        # with the context: under `phone` *5551234* is a phone number
        asked = (text, context)
        if asked not in self._found:
            self._found[asked] = self._recognizer.find(text, context)
        return self._found[asked]


class Redaction:
    """Redaction of one batch, with a cache of texts without personal data."""

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._clean: set[tuple[str, Any]] = set()

    def report(self, report: ExecutionReport) -> ExecutionReport:
        """Return a report with personal data redacted."""
        if self._cleaner.policy == "off":
            return report
        changes: dict[str, Any] = {name: self._text(getattr(report, name), name) for name in _TEXTS}
        changes["steps"] = tuple(map(self._step, report.steps))
        return replace(report, **changes)

    def _step(self, step: Step) -> Step:
        error, context = self._text(step.error, "error"), self._text(step.context, "context")
        parameters: dict[str, Any] = {}
        for name, value in step.parameters.items():
            parameters |= self._parameter(name, value)
        if parameters == step.parameters and error == step.error and context == step.context:
            return step
        return replace(step, parameters=parameters, error=error, context=context)

    def _text(self, text: str, name: str) -> str:
        if not text or (name, text) in self._clean:
            return text
        cleaned = self._cleaner.text(text, name)
        if cleaned == text:
            self._clean.add((name, text))
        return cleaned

    def _parameter(self, name: str, value: Any) -> Mapping[str, Any]:
        plain = isinstance(value, str | int | float | bool) or value is None
        known = (f"parameters.{name}", value)
        if plain and known in self._clean:
            return {name: value}
        # with its name, which may be personal data too
        cleaned = self._cleaner.value({name: value}, "parameters")
        if plain and cleaned == {name: value}:
            self._clean.add(known)
        return cleaned


def _one(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""
