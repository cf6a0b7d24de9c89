"""`stratagraph events`: events, one a line, until Ctrl-C."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagraph.cli.asking import Agent, Channels, Key, Raw, Url, Users, connected, identity_of

if TYPE_CHECKING:
    from stratagraph import wire


def events(
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    name: Annotated[
        list[str] | None, typer.Option(help="Only this event, such as memory:tracked; repeatable.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="Only what this agent brought about.")] = None,
    after: Annotated[
        int | None, typer.Option(help="Go on behind this number; 0: all kept.")
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="End after so many.")] = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Print what happens to utility, as it happens."""
    names: Any = name or ()
    with connected(url, key, identity_of(agent, channel, user)) as client:
        heard = client.events(names=names, agent=by, after=after)
        for place, event in enumerate(heard, start=1):
            print(event.model_dump_json() if raw else _line(event), flush=True)
            if place == count:
                return


def _line(event: wire.EventView | wire.GapView) -> str:
    if event.name == "stream:gap":
        return f"(gone: what came behind {event.after} and before {event.oldest})"
    facts = " ".join(f"{name}={json.dumps(value)}" for name, value in event.data.items())
    return f"{event.id}  {event.at:%H:%M:%S}  {event.name}  {facts}"
