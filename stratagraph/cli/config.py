"""`stratagraph config`: run-time settings of utility or strata, on a running service."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from stratagraph.cli.asking import (
    Agent,
    Channels,
    Key,
    Raw,
    Url,
    Users,
    connected,
    identity_of,
)
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from stratagraph import Client, wire

_CHANGES = 50  # maximum number of listed changes


def config(
    values: Annotated[
        list[str] | None,
        typer.Argument(help="name=value sets one, name= leaves it to the environment again."),
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Leave all to the environment.")] = False,
    changes: Annotated[bool, typer.Option("--changes", help="List who set what.")] = False,
    strata: Annotated[bool, typer.Option("--strata", help="Of strata, not of utility.")] = False,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Show what is in force of utility or strata, or set it while the service runs."""
    if sum((bool(values), reset, changes)) > 1:
        raise UsageError("Give either values, --reset or --changes.")
    wanted = _parsed(values or [])
    identity = identity_of(agent, channel, user) if wanted or reset else {}
    with connected(url, key, identity) as client:
        ask = _strata(client) if strata else _utility(client)
        if changes:
            page = ask.changes(limit=_CHANGES)
            print(page.model_dump_json() if raw else _show_changes(page))
            return
        if reset:
            view = ask.reset()
        elif wanted:
            view = ask.change(**wanted)
        else:
            view = ask.show()
    print(view.model_dump_json() if raw else _show(view))


class _Section(NamedTuple):
    """The calls for one group of settings."""

    show: Callable[[], wire.ConfigView]
    change: Callable[..., wire.ConfigView]
    reset: Callable[[], wire.ConfigView]
    changes: Callable[..., wire.ConfigChangePage]


def _utility(client: Client) -> _Section:
    return _Section(
        client.utility_config,
        client.change_utility_config,
        client.reset_utility_config,
        client.utility_config_changes,
    )


def _strata(client: Client) -> _Section:
    return _Section(
        client.strata_config,
        client.change_strata_config,
        client.reset_strata_config,
        client.strata_config_changes,
    )


def _parsed(pairs: list[str]) -> Any:
    """Parse `name=value` pairs; values are JSON, else text."""
    wanted: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError("Say name=value, such as learning_rate=0.2.")
        wanted[name] = _value(value)
    return wanted


def _value(text: str) -> object:
    if not text:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def _show(view: wire.ConfigView) -> str:
    width = max(len(name) for name in view.values)
    return "\n".join(
        f"{name:<{width}}  {json.dumps(held.value):<10}  {_value_line(held)}"
        for name, held in view.values.items()
    )


def _value_line(held: wire.ConfigValueView) -> str:
    if held.source == "environment":
        return held.variable
    return "set at run time" if held.source == "runtime" else "default"


def _show_changes(page: wire.ConfigChangePage) -> str:
    if not page.items:
        return "Nothing was set at run time yet."
    return "\n".join(
        f"{change.changed_at:%Y-%m-%d %H:%M:%S}  {change.actor}  {change.name}: "
        f"{json.dumps(change.old)} -> "
        + ("left to the environment" if change.new is None else json.dumps(change.new))
        for change in page.items
    )
