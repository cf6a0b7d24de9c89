"""`stratagraph reward`, `revert`, `utility`: what memories are worth, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.memory import (
    Agent,
    Channels,
    Key,
    Raw,
    Url,
    Users,
    connected,
    identity_of,
)

if TYPE_CHECKING:
    from stratagraph import wire

SIGNED = {"ignore_unknown_options": True}  # -1 is a value
Name = Annotated[str, typer.Argument(help="Uid, or external:<id>.")]


def reward(
    name: Name,
    value: Annotated[float, typer.Argument(help="-1 (harmful) to 1 (helpful).")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Reward one memory by hand."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.inject_reward(name, value, reason)
    if raw:
        print(view.model_dump_json())
        return
    print(f"{view.uid}  Q {view.q_before:.3f} -> {view.q_after:.3f}")
    print(f"Take it back: stratagraph revert {view.reward_uid}")


def revert(
    reward_uid: Annotated[str, typer.Argument(help="The reward_uid of an answer.")],
    reason: Annotated[str | None, typer.Option(help="Why; it is kept.")] = None,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Take a reward back."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.revert_reward(reward_uid, reason)
    if raw:
        print(view.model_dump_json())
        return
    print("taken back" if view.applied else "had been taken back before")
    for moved in view.restored:
        print(f"  {moved.uid}  Q {moved.q_before:.3f} -> {moved.q_after:.3f}")


def utility(
    name: Name,
    at: Annotated[str | None, typer.Option(help="Also Q as of this time (RFC 3339).")] = None,
    limit: Annotated[int | None, typer.Option(help="Entries at most.")] = None,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Show what one memory is worth, and how it came to be."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.utility(name, at=at, limit=limit)
    print(view.model_dump_json() if raw else _show(view))


def _show(view: wire.UtilityView) -> str:
    lines = [
        f"{view.uid}  Q {view.q_value:.3f} by {view.q_count} rewards",
        f"utility {view.utility:.3f} ± {view.q_error:.3f}, evidence {view.evidence:.2f}",
    ]
    if view.q_at is not None:
        lines.append(f"Q was {view.q_at:.3f} at that time")
    lines.extend(
        f"  {each.context}  Q {each.q_value:.3f} by {each.q_count} rewards"
        for each in view.contexts
    )
    if view.checkpoint is not None:
        lines.append(f"  {view.checkpoint.seq:5d}  checkpoint, Q {view.checkpoint.q_value:.3f}")
    lines.extend(_line(entry) for entry in view.history)
    return "\n".join(lines)


def _line(entry: wire.HistoryEntryView) -> str:
    return (
        f"  {entry.seq:5d}  {entry.recorded_at:%Y-%m-%d %H:%M}  {entry.kind:<7}  "
        f"{entry.reward:+.2f}  Q {entry.q_before:.3f} -> {entry.q_after:.3f}  {entry.reward_uid}"
        + ("  taken back" if entry.reverted else "")
    )
