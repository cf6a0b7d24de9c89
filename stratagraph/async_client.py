"""`AsyncClient`: what `Client` is, with `await`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import httpx

from stratagraph import calls
from stratagraph.calls import Call, Plan
from stratagraph.connected import Connected, request_arguments
from stratagraph.exchange import Came, Send, Step
from stratagraph.transfer import Exporting, Importing, ImportPart, Line

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Unpack

    from stratagraph import wire
    from stratagraph.fields import IdentityFields, RecallFields, RememberFields, RowFields

A = TypeVar("A")
T = TypeVar("T")


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

    async def report_outcome(
        self,
        task_id: str,
        status: wire.Status,
        quality: float | None = None,
        **identity: Unpack[IdentityFields],
    ) -> wire.OutcomeView:
        call = calls.report_outcome(self._caller, task_id, status, quality, identity)
        return await self.send(call)

    async def get(self, name: str, **identity: Unpack[IdentityFields]) -> wire.MemoryView:
        return await self.send(calls.get(self._caller, name, identity))

    async def delete(self, name: str, **identity: Unpack[IdentityFields]) -> None:
        return await self.send(calls.delete(self._caller, name, identity))

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

    async def health(self) -> wire.HealthView:
        return await self.send(calls.health())

    async def ready(self) -> wire.HealthView:
        return await self.send(calls.ready())

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
