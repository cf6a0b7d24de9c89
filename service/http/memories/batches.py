"""Batches of rows: each validated separately, stored together, answered in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from graph.kernel.errors import BudgetExceededError, InvalidInputError, StratagraphError
from graph.model.memories.memory import NewMemory, Saved
from service.faults import FaultyRequestError
from service.use_cases.memories.remember import Remember
from stratagraph import wire

_BUDGET = "budget"  # the field of a row beyond the budget of its scope


class RememberOptions(BaseModel):
    """Query parameters of a batch."""

    model_config = ConfigDict(extra="forbid")

    atomic: bool = Field(
        default=False, description="Store all rows or none: one faulty row refuses the batch."
    )


def is_batch(decoded: object, name: str) -> bool:
    """Return whether a body has rows under a name."""
    return isinstance(decoded, dict) and name in decoded


def read_rows(
    read: Callable[[object], NewMemory], rows: Sequence[object]
) -> list[NewMemory | Saved]:
    """Read each row; invalid ones are rejected."""
    return [_read_row(read, row) for row in rows]


async def remember_rows(
    remember: Remember,
    rows: Sequence[NewMemory | Saved],
    *,
    name: str,
    atomic: bool,
    to_view: Callable[[Saved], Saved] = lambda saved: saved,
) -> list[Saved]:
    """Store the valid rows; ``name`` is the field with the rows, ``to_view`` converts an answer to its view.

    Raises
    ------
    BudgetExceededError
        If there is room for none of them, or not for all of an atomic batch.
    FaultyRequestError
        If the batch is atomic and not every row can be stored.
    """
    unread = [(at, row) for at, row in enumerate(rows) if isinstance(row, Saved)]
    if atomic and unread:
        raise _atomic_refusal(unread, name)
    fit = [row for row in rows if isinstance(row, NewMemory)]
    answered = [to_view(saved) for saved in (await remember(fit, atomic=atomic) if fit else ())]
    no_room = [saved.field == _BUDGET for saved in answered]
    if no_room and not unread and (all(no_room) or (atomic and any(no_room))):
        raise BudgetExceededError
    if atomic and any(saved.status == "rejected" for saved in answered):
        # A row rejected only because of another names no field.
        numbered = list(enumerate(answered))
        raise _atomic_refusal([each for each in numbered if each[1].field] or numbered, name)
    rest = iter(answered)
    return [next(rest) if isinstance(row, NewMemory) else row for row in rows]


def refusal_of(saved: Saved) -> StratagraphError:
    """Return why the only row of a request was not stored."""
    if saved.field == _BUDGET:
        return BudgetExceededError()
    return FaultyRequestError([fault_of_row(saved)])


def fault_of_row(saved: Saved, prefix: str = "") -> wire.FaultView:
    """Return the fault of a row, with its place."""
    message = (saved.error or "cannot be stored").removeprefix(f"{saved.field}: ")
    return wire.FaultView(field=f"{prefix}{saved.field or ''}".rstrip(".") or None, message=message)


def _read_row(read: Callable[[object], NewMemory], row: object) -> NewMemory | Saved:
    try:
        return read(row)
    except FaultyRequestError as error:
        first = error.faults[0]
        return Saved("rejected", error=first.message, field=first.field)
    except InvalidInputError as error:
        return Saved("rejected", error=error.message, field=error.field)


def _atomic_refusal(rejected: Sequence[tuple[int, Saved]], name: str) -> FaultyRequestError:
    faults = [fault_of_row(row, f"{name}.{at}.") for at, row in rejected]
    return FaultyRequestError(faults, "the batch is atomic, and not every row can be stored")
