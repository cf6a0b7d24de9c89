"""Read and remove single memories."""

from __future__ import annotations

from dataclasses import dataclass

from graph.kernel.errors import required
from graph.kernel.scope import Caller
from graph.model.erasure.receipts import Erasure, Subject
from graph.model.memories.memory import Memory
from graph.store.memories.store import MemoryStore
from service.use_cases.erasure.erase import Erase
from service.use_cases.kernel.watched import UseCase, watched

UNKNOWN = "no such memory in the scopes of this caller"


@dataclass(frozen=True, slots=True)
class GetMemory(UseCase):
    """Read one memory by uid or ``external:<id>``.

    Raises
    ------
    NotFoundError
        If there is none in the caller's scopes.
    """

    store: MemoryStore

    @watched("get_memory")
    async def __call__(self, caller: Caller, name: str) -> Memory:
        """Return the memory."""
        return required(await self.store.get_with_supersessions(caller.readable, name), UNKNOWN)


@dataclass(frozen=True, slots=True)
class DeleteMemory(UseCase):
    """Erase one memory and all that was derived from it; the gap in its session is closed.

    Raises
    ------
    NotFoundError
        If there is none in the caller's scopes.
    """

    store: MemoryStore
    erase: Erase

    @watched("delete_memory")
    async def __call__(self, caller: Caller, name: str) -> Erasure:
        """Return the erasure; the memory is hidden from now on."""
        memory = required(await self.store.get(caller.readable, name), UNKNOWN)
        return await self.erase(Subject("memory", memory.scope, memory.uid))
