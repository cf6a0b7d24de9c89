"""Base of the stores: one database, and methods that write to it in one transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from types import CoroutineType
from typing import Any, Concatenate, ParamSpec, TypeVar

from graph.database.driver import Database, Transaction

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """A store on one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """See ``Database.write``."""
        return await self._database.write(work)


S = TypeVar("S", bound=Store)


def in_transaction(
    method: Callable[Concatenate[S, Transaction, P], Awaitable[T]],
) -> Callable[Concatenate[S, P], CoroutineType[Any, Any, T]]:
    """Run each call of a store's method in its own transaction, repeated after a transient error."""

    @wraps(method)
    async def run(self: S, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.write(lambda transaction: method(self, transaction, *args, **kwargs))

    return run
