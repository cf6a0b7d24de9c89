"""`stratagraph channels`: who shares in which channel, joining and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Key, Raw, Url, connected

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel

    from stratagraph import wire

app = typer.Typer(no_args_is_help=True, help="Show, join and leave channels.")

Channels = Annotated[list[str], typer.Argument(help="The channels.")]
Agent = Annotated[str, typer.Option("--agent", help="The agent.")]


@app.command("list")
def list_channels(agent: Agent, url: Url = None, key: Key = None, raw: Raw = False) -> None:
    """List the channels that an agent is a member of."""
    with connected(url, key, {"agent_id": agent}) as client:
        found = client.members()
    _tell(found, _memberships(found.items), raw=raw)


@app.command("show")
def show(channels: Channels, url: Url = None, key: Key = None, raw: Raw = False) -> None:
    """Show the members of channels, and how many memories each shares there."""
    with connected(url, key, {"channel_ids": channels}) as client:
        found = client.members()
    _tell(found, _memberships(found.items), raw=raw)


@app.command("join")
def join(
    channels: Channels, agent: Agent, url: Url = None, key: Key = None, raw: Raw = False
) -> None:
    """Make an agent a member of channels; what it shares there, every member sees."""
    with connected(url, key, {"agent_id": agent, "channel_ids": channels}) as client:
        joined = client.join_channels()
    _tell(joined, _memberships(joined.items), raw=raw)


@app.command("leave")
def leave(
    channels: Channels, agent: Agent, url: Url = None, key: Key = None, raw: Raw = False
) -> None:
    """End an agent's membership of channels, and with it all that it shares there."""
    with connected(url, key, {"agent_id": agent, "channel_ids": channels}) as client:
        left = client.leave_channels()
    lines = (
        f"{one.channel_id}  {agent} left; {one.copies} copies went"
        if one.was_member
        else f"{one.channel_id}  {agent} was no member"
        for one in left.items
    )
    _tell(left, lines, raw=raw)


def _memberships(items: Iterable[wire.MembershipView]) -> Iterable[str]:
    return (
        f"{one.channel_id}  {one.agent_id}  since {one.joined_at:%Y-%m-%d %H:%M}  shares {one.copies}"
        for one in items
    )


def _tell(answer: BaseModel, lines: Iterable[str], *, raw: bool) -> None:
    if raw:
        print(answer.model_dump_json(by_alias=True))
        return
    for line in lines:
        print(line)
