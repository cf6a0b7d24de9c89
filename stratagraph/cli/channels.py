"""`stratagraph channels`: members, joining and leaving, and agreements of channels."""

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


@app.command("agreements")
def agreements(
    channels: Channels,
    disputed: Annotated[
        bool | None, typer.Option("--disputed/--undisputed", help="Only these.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Statements at most.")] = 20,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """List what channels agree on and dispute, the surest first."""
    with connected(url, key, {"channel_ids": channels}) as client:
        found = client.agreements(limit, disputed=disputed)
    _tell(found, map(_agreement, found.items), raw=raw)


@app.command("agree")
def agree(
    channel: Annotated[str, typer.Argument(help="The channel.")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be gathered.")
    ] = False,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Gather what several agents of a channel say alike, and what they dispute."""
    with connected(url, key, {"channel_ids": [channel]}) as client:
        done = client.agree(dry_run=dry_run)
    lines = [f"{done.channel_id}: {done.looked} statements compared"]
    lines += [f"  {one.change}: {one.text} ({', '.join(one.agents)})" for one in done.agreements]
    lines += [
        f"  disputed: {one.one.text} ({one.one.agent_id}) | {one.other.text} ({one.other.agent_id})"
        for one in done.disagreements
    ]
    if done.run is not None:
        lines.append(
            f"Take back: stratagraph consolidations undo {done.run.run} --channel {channel}"
        )
    _tell(done, lines, raw=raw)


@app.command("vote")
def vote(
    memory: Annotated[str, typer.Argument(help="The memory.")],
    agent: Agent,
    channel: Annotated[str, typer.Option("--channel", help="The channel.")],
    agrees: Annotated[
        bool, typer.Option("--agree/--disagree", help="Whether the agent agrees.")
    ] = True,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the vote back.")] = False,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Agree or disagree with a memory of a channel, or withdraw the vote."""
    with connected(url, key, {"agent_id": agent, "channel_ids": [channel]}) as client:
        done = client.vote(memory, None if withdraw else agrees)
    _tell(done, [_agreement(done)], raw=raw)


def _agreement(one: wire.AgreementView) -> str:
    against = f", against: {', '.join(one.opponents)}" if one.opponents else ""
    mark = "agreed" if one.agreed else "said"
    return (
        f"{one.lower:.2f}-{one.upper:.2f}  {mark}  {one.text}  "
        f"(for: {', '.join(one.supporters) or 'nobody'}{against})  {one.uid}"
    )


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
