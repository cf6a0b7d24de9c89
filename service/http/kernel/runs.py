"""Routes of every kind of run: list, show, undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from fastapi import APIRouter

from graph.kernel.runs import Run
from graph.kernel.scope import Caller
from service.bootstrap import Service
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import uid_of
from service.use_cases.kernel.runs import ListRuns, UndoRun
from stratagraph import wire
from stratagraph.operations.declaration import Operation

R = TypeVar("R", bound=Run)
Item = TypeVar("Item")
RunName = Annotated[str, uid_of("The `run` of an answer.")]


@dataclass(frozen=True, slots=True)
class RunKind(Generic[R, Item]):
    """One kind of run: its operations, use cases and views."""

    lists: Operation[Any]
    shows: Operation[Any]
    undoes: Operation[Any]
    listing: Callable[[Service], ListRuns[R, Item]]
    undoing: Callable[[Service], UndoRun[R]]
    view: Callable[[R], wire.Answer]
    item_view: Callable[[Item], wire.Answer]


def serve_runs(router: APIRouter, kind: RunKind[Any, Any]) -> None:
    """Register the three routes of a kind."""

    @serves(router, kind.lists)
    async def list_runs(caller: Caller, asked: wire.RunsRequest, service: Bound) -> wire.Answer:
        runs = await kind.listing(service)(caller, asked.limit)
        return kind.lists.gives(items=tuple(map(kind.view, runs)))

    @serves(router, kind.shows)
    async def show_run(
        run: RunName, caller: Caller, asked: wire.RunItemsRequest, service: Bound
    ) -> wire.Answer:
        found, done = await kind.listing(service).one(caller, run, asked.limit)
        items = tuple(map(kind.item_view, done))
        return kind.shows.gives(**kind.view(found).model_dump(), items=items)

    @serves(router, kind.undoes)
    async def undo_run(
        run: RunName, caller: Caller, body: wire.UndoRequest, service: Bound
    ) -> wire.Answer:
        done = await kind.undoing(service)(caller, run, skip_changed=body.skip_changed)
        return kind.view(done)

    # Registered by their decorators; named here for the type checker.
    _ = (list_runs, show_run, undo_run)
