"""Stated preferences and corrections; a new value replaces the old one, and users are separate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller, ScopeKind
from graph.kernel.values import END
from graph.knowledge.lessons import Habit, Lesson, agreed, lessons_of
from graph.model.knowledge.executions import (
    Correction,
    Preference,
    PreferenceChange,
    PreferenceKind,
    written,
)
from graph.store.knowledge.store import KnowledgeStore
from service.use_cases.kernel.watched import RecordingUseCase, watched
from service.use_cases.memories.guarding import Guard

_SESSION = timedelta(days=1)


class PreferenceResult(NamedTuple):
    """Written preferences, and the lesson in words."""

    changes: tuple[PreferenceChange, ...]
    lesson: str = ""


class Place(NamedTuple):
    """Where a preference applies: a context, a set, and optionally one session."""

    context: str = ""
    user_context: str = "default"
    session_id: str = ""
    user_id: str = ""


@dataclass(frozen=True, slots=True)
class SetPreference(RecordingUseCase):
    """State a preference; it replaces a stated or learned value.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, the value does not suit the kind, or something may not be stored.
    """

    store: KnowledgeStore
    guard: Guard

    @watched("set_preference")
    async def __call__(
        self,
        caller: Caller,
        stated: tuple[PreferenceKind, str, Any],
        place: Place,
        score: float,
        scope_kind: ScopeKind | None,
    ) -> PreferenceResult:
        """Return the preference."""
        kind, name, value = stated
        _check(kind, value)
        scope = preferring_scope(caller, scope_kind)
        self.guard.check_name(caller.tenant, name, "name")
        cleaned = await self.guard.value(caller.tenant, value, "value")
        now = self.clock.now()

        def decide(
            known: Sequence[Preference], _: Sequence[Correction]
        ) -> tuple[Sequence[PreferenceChange], Sequence[Correction]]:
            new = _preference(self.identifiers.new_uid(now), kind, name, cleaned, place, now)
            new.score = score
            return [_replacing(known, new)], []

        changes, _ = await self.store.prefer(scope, now, decide)
        return PreferenceResult(tuple(changes))


@dataclass(frozen=True, slots=True)
class Correct(RecordingUseCase):
    """Store a correction, and derive preferences from all corrections of the same parameter.

    Raises
    ------
    InvalidInputError
        If the scope is not clear, nothing was corrected, or something may not be stored.
    """

    store: KnowledgeStore
    guard: Guard

    @watched("correct")
    async def __call__(
        self,
        caller: Caller,
        original: Any,
        corrected: Any,
        place: Place,
        scope_kind: ScopeKind | None,
    ) -> PreferenceResult:
        """Return the derived preferences, and the lesson in words."""
        scope = preferring_scope(caller, scope_kind)
        if original == corrected:
            raise InvalidInputError("corrected: must differ from the original", field="corrected")
        cleaned = await self.guard.value(caller.tenant, [original, corrected], "corrected")
        lessons = lessons_of(*cleaned)
        now = self.clock.now()
        correction = Correction(
            uid=self.identifiers.new_uid(now),
            original=cleaned[0],
            corrected=cleaned[1],
            lesson="; ".join(lesson.text for lesson in lessons),
            **place._asdict(),
            at=now,
        )

        def decide(
            known: Sequence[Preference], before: Sequence[Correction]
        ) -> tuple[Sequence[PreferenceChange], Sequence[Correction]]:
            changes = [
                _learned(known, before, correction, lesson, place, self.identifiers.new_uid(now))
                for lesson in lessons
            ]
            return [change for change in changes if change is not None], [correction]

        changes, _ = await self.store.prefer(scope, now, decide)
        return PreferenceResult(tuple(changes), correction.lesson)


def preferring_scope(caller: Caller, scope_kind: ScopeKind | None) -> str:
    """Return the scope of preferences: that of a named user, as it applies to every agent."""
    if scope_kind is None and len(caller.user_ids) == 1:
        scope_kind = "user"
    return caller.writable(scope_kind)


def _learned(
    known: Sequence[Preference],
    before: Sequence[Correction],
    correction: Correction,
    lesson: Lesson,
    place: Place,
    uid: str,
) -> PreferenceChange | None:
    """Return the preference derived from all corrections of one parameter; a stated one may stay."""
    values = [lesson.value]
    for each in before:
        if (each.context, each.user_context, each.session_id) == (
            place.context,
            place.user_context,
            place.session_id,
        ):
            values += [
                past.value
                for past in lessons_of(each.original, each.corrected)
                if (past.kind, past.name) == (lesson.kind, lesson.name)
            ]
    agreement = agreed(values[::-1])
    new = _preference(uid, lesson.kind, lesson.name, agreement.value, place, correction.at)
    same = _same(known, new)
    if same is not None and same.source == "stated" and len(values) == 1:
        # a stated preference outweighs one correction, but not two
        return None
    new.source = "correction"
    # the latest lesson, if it is not outvoted
    new.lesson = lesson.text if written(agreement.value) == written(lesson.value) else ""
    new.score = agreement.confidence
    new.confirmed, new.judged = agreement.confirmed, agreement.judged
    change = _replacing(known, new)
    return PreferenceChange(change.preference, change.replaces, correction.uid)


def _same(known: Sequence[Preference], new: Preference) -> Preference | None:
    place = (new.kind, new.name, new.context, new.user_context, new.session_id)
    return next(
        (p for p in known if (p.kind, p.name, p.context, p.user_context, p.session_id) == place),
        None,
    )


def _replacing(known: Sequence[Preference], new: Preference) -> PreferenceChange:
    """Return the change: the known preference with new counts, or the new one in its place."""
    before = _same(known, new)
    if before is None:
        return PreferenceChange(new)
    # the same value: valid since it was first stated
    if written(before.value) == written(new.value):
        new.uid, new.valid_from = before.uid, before.valid_from
        new.lesson = new.lesson or before.lesson
        return PreferenceChange(new)
    return PreferenceChange(new, before.uid)


def _preference(
    uid: str, kind: PreferenceKind, name: str, value: Any, place: Place, now: datetime
) -> Preference:
    return Preference(
        uid=uid,
        kind=kind,
        name=name,
        value=value,
        **place._asdict(),
        valid_from=now,
        valid_to=END,
        expires_at=now + _SESSION if place.session_id else END,
    )


def habit_change(
    known: Sequence[Preference], habit: Habit, place: Place, uid: str, now: datetime
) -> PreferenceChange | None:
    """Return the default that follows from a habit; stated and corrected preferences take precedence."""
    agreement = habit.agreement
    new = _preference(uid, "parameter", habit.name, agreement.value, place, now)
    new.source = "behaviour"
    new.lesson = f"{habit.name} = {written(agreement.value)}"
    new.score = agreement.confidence
    new.confirmed, new.judged = agreement.confirmed, agreement.judged
    before = _same(known, new)
    return None if before is not None and before.source != "behaviour" else _replacing(known, new)


def _check(kind: PreferenceKind, value: Any) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == "tool" and not (number and -1 <= value <= 1):
        raise InvalidInputError("value: of a tool a number from -1 to 1", field="value")
    if kind == "error_handling" and value not in {"strict", "lenient"}:
        raise InvalidInputError("value: must be strict or lenient", field="value")
