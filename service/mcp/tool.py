"""`Tool`: what a language model sees of an operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast, get_args

from service.mcp.inputs import Who
from stratagraph.call import Call, Caller
from stratagraph.operations.declaration import Operation

Given = TypeVar("Given", bound=Who)
Toolset = Literal[
    "core", "episodes", "strata", "engines", "cycles", "knowledge", "sharing", "admin"
]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)


@dataclass(frozen=True, slots=True)
class Tool(Generic[Given]):
    """Tool as a model sees it, and the operation that a call becomes: that of its input, unless it names one.

    ``shows`` names the fields that are listed beside who asks; the others are taken all the same. Empty: all.
    ``hides``: fields of the answer that are of no use to a model. ``renames``: fields of the tool that the operation
    names otherwise. ``asks`` makes the request where it is not the operation's alone.
    """

    name: str
    title: str
    description: str
    takes: type[Given]
    operation: Operation[Any] | None = None
    toolset: Toolset = "core"
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict[str, str])
    asks: Callable[[Given], Call[Any]] | None = None
    reads: bool = False
    repeats: bool = False
    removes: bool = False

    def call(self, given: Who) -> Call[Any]:
        """Return the request that a call of the tool becomes."""
        if self.asks is not None:
            return self.asks(cast("Given", given))
        operation = self.operation or self.takes.operation
        if operation is None:
            raise TypeError(f"{self.name} names no operation")
        named = {self.renames.get(name, name): value for name, value in given.given().items()}
        return request_of(operation, named)


def request_of(operation: Operation[Any], given: Mapping[str, Any]) -> Call[Any]:
    """Return the request of an operation by whoever ``given`` names."""
    return operation.call(Caller(), given)
