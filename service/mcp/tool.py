"""What a tool is: its names, what it takes and gives, and the request of the HTTP API that a call becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, get_args

from service.mcp.inputs import Who

if TYPE_CHECKING:
    from stratagraph import wire

Given = TypeVar("Given", bound=Who)
Toolset = Literal["core", "episodes", "strata", "sharing", "admin"]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of the HTTP API."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Tool(Generic[Given]):
    """What a model sees of a tool, and what becomes of a call.

    ``shows`` names the fields that are listed beside who asks; the others are taken all the same. Empty: all.
    """

    name: str
    title: str
    description: str
    takes: type[Given]
    asks: Callable[[Given], Ask]
    toolset: Toolset = "core"
    shows: tuple[str, ...] = ()
    reads: bool = False
    repeats: bool = False
    removes: bool = False

    def ask(self, given: Who) -> Ask:
        """Return what this call asks of the HTTP API."""
        return self.asks(cast("Given", given))


def body_of(
    request: type[wire.Request], given: Who, path: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """Return what was given as the body of a request; what stands in its path is left out."""
    fields = {name: value for name, value in given.given().items() if name not in path}
    asked = request.model_validate(fields, by_alias=False, by_name=True)
    return asked.model_dump(mode="json", by_alias=True, exclude_unset=True)
