"""`stratagraph reward`, `revert`, `utility`: manual rewards, and the utility of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking

if TYPE_CHECKING:
    from stratagraph import Client, wire

SIGNED = {"ignore_unknown_options": True}  # -1 is a value, not an option
Name = Annotated[str, typer.Argument(help="Uid, or external:<id>.")]


@asking
def reward(
    name: Name,
    value: Annotated[float, typer.Argument(help="-1 (harmful) to 1 (helpful).")],
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    *,
    client: Client,
) -> Told:
    """Reward one memory by hand."""
    view = client.inject_reward(name, value, reason)
    yield view
    print(f"{view.uid}  Q {view.q_before:.3f} -> {view.q_after:.3f}")
    print(f"Take it back: stratagraph revert {view.reward_uid}")


@asking
def revert(
    reward_uid: Annotated[str, typer.Argument(help="The reward_uid of an answer.")],
    reason: Annotated[str | None, typer.Option(help="Why; it is kept.")] = None,
    *,
    client: Client,
) -> Told:
    """Take a reward back."""
    view = client.revert_reward(reward_uid, reason)
    yield view
    print("taken back" if view.applied else "had been taken back before")
    for moved in view.restored:
        print(f"  {moved.uid}  Q {moved.q_before:.3f} -> {moved.q_after:.3f}")


@asking
def utility(
    name: Name,
    at: Annotated[str | None, typer.Option(help="Also Q as of this time (RFC 3339).")] = None,
    limit: Annotated[int | None, typer.Option(help="Entries at most.")] = None,
    *,
    client: Client,
) -> Told:
    """Show what one memory is worth, and how it came to be."""
    view = client.utility(name, at=at, limit=limit)
    yield view
    print(_show(view))


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
