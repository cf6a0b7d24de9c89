"""Shared parts of commands that call a running service: address, caller, and `--json`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from stratagraph.errors import StratagraphError, UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from stratagraph import Client

# At a terminal an early error is better than many retries.
ATTEMPTS = 3

Url = Annotated[
    str | None,
    typer.Option(
        help="Where the service answers; unset: STRATAGRAPH_URL, or the one on this home."
    ),
]
Key = Annotated[str | None, typer.Option(help="API key; unset: STRATAGRAPH_API_KEY.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Agent that acts.")]
Channels = Annotated[
    list[str] | None, typer.Option("--channel", help="Channel to read; may be repeated.")
]
Users = Annotated[list[str] | None, typer.Option("--user", help="User to read; repeatable.")]
Raw = Annotated[bool, typer.Option("--json", help="Print the answer as it came.")]

_WHO = {"agent": Agent, "channel": Channels, "user": Users}
_WHERE = {"url": Url, "key": Key}
_CLIENT = "client"


@dataclass(frozen=True, slots=True)
class KnownService:
    """Address and key of a service, from the settings of an installed server."""

    url: str | None = None
    key: str | None = None


Told: TypeAlias = "Iterator[BaseModel]"
"""Output of a command with `--json`: the answer, before the command says the same to people."""


def asking(command: Callable[..., Told | None]) -> Callable[..., None]:
    """Give a command the client of its options.

    Its parameter ``client`` becomes `--agent`, `--channel` and `--user`, and `--url` and `--key` come last. A command
    that yields its answer also has `--json`, which prints the answer and stops.
    """
    has_raw = inspect.isgeneratorfunction(command)

    def run(*, agent: Any, channel: Any, user: Any, url: Any, key: Any, **options: Any) -> None:
        raw = has_raw and options.pop("raw")
        with connected(url, key, identity_of(agent, channel, user)) as client:
            for answer in command(client=client, **options) or ():
                if raw:
                    print(answer.model_dump_json(by_alias=True))
                    return

    said = inspect.signature(command, eval_str=True, locals={"Client": None})
    parameters: list[inspect.Parameter] = []
    for name, parameter in said.parameters.items():
        parameters += _options(_WHO, None) if name == _CLIENT else [parameter]
    parameters += _options(_WHERE, None)
    parameters += _options({"raw": Raw}, default=False) if has_raw else []
    keyword = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    run.__signature__ = inspect.Signature(keyword)  # pyright: ignore[reportFunctionMemberAccess] -- it may have one
    run.__annotations__ = {}
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    return run


def _options(types: Mapping[str, Any], default: object) -> list[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, annotation in types.items()
    ]


def identity_of(
    agent: str | None, channels: list[str] | None, users: list[str] | None
) -> dict[str, Any]:
    if agent is None and not channels and not users:
        raise UsageError("Say who asks: --agent NAME, --channel NAME or --user NAME.")
    return {"agent_id": agent, "channel_ids": channels or (), "user_ids": users or ()}


@contextmanager
def connected(url: str | None, key: str | None, identity: Mapping[str, Any]) -> Generator[Client]:
    """Connect to the named service, else to that of an installed server."""
    from stratagraph import Client, Retries, errors

    known = _known_service()
    try:
        with Client(
            url or known.url, key or known.key, **identity, retries=Retries(attempts=ATTEMPTS)
        ) as client:
            yield client
    except errors.ConnectionFailedError as error:
        raise StratagraphError(f"{error.message}\nAnother service is named by --url.") from error


def _known_service() -> KnownService:
    for place in entry_points(group="stratagraph.service"):
        return place.load()()
    return KnownService()


def read(text: str) -> str:
    return sys.stdin.read() if text == "-" else text
