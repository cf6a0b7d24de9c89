"""`stratagraph gc`: what of episodes helps nobody goes, and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.memory import Agent, Channels, Key, Raw, Url, Users, connected, identity_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import wire

app = typer.Typer(no_args_is_help=True, help="Collect episodes that help nobody, and bring back.")

Run = Annotated[str, typer.Argument(help="The run of an answer.")]


@app.command("run")
def collect(
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it; else only say what would go.")
    ] = False,
    limit: Annotated[int, typer.Option(help="How many to show.")] = 20,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Say what would go and why; with --apply, let it go."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.collect(dry_run=not apply, limit=limit)
    if raw:
        print(answer.model_dump_json())
        return
    counts = ", ".join(f"{number} {reason}" for reason, number in answer.counts.items())
    print(f"{answer.scope}: {answer.total} {'would go' if answer.dry_run else 'went'}"
          f"{f' ({counts})' if counts else ''}")  # fmt: skip
    _show_items(answer.items)
    if answer.run is not None:
        print(
            f"Bring back until {answer.run.purge_at:%Y-%m-%d}: stratagraph gc undo {answer.run.run}"
        )


@app.command("list")
def list_runs(
    limit: Annotated[int, typer.Option(help="Runs at most.")] = 20,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """List the runs."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.collections(limit)
    if raw:
        print(answer.model_dump_json())
        return
    for run in answer.items:
        print(_line(run))


@app.command("show")
def show(
    run: Run,
    limit: Annotated[int, typer.Option(help="How many to show.")] = 20,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Show a run, and what it keeps hidden."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.collection(run, limit)
    if raw:
        print(answer.model_dump_json())
        return
    print(_line(answer))
    _show_items(answer.items)


@app.command("undo")
def undo(
    run: Run,
    skip_changed: Annotated[
        bool, typer.Option("--skip-changed", help="Pass over what was changed since.")
    ] = False,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Bring back what a run has hidden."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.undo_collection(run, skip_changed=skip_changed)
    print(answer.model_dump_json() if raw else f"{answer.restored} are back")


def _line(run: wire.CollectionView) -> str:
    return (
        f"{run.run}  {run.started_at:%Y-%m-%d %H:%M}  {run.scope}  by {run.by}  {run.state}  "
        f"{run.collected} collected, {run.restored} back, {run.purged} purged"
    )


def _show_items(items: Sequence[wire.CollectableView]) -> None:
    for item in items:
        print(f"  {item.uid}  {item.reason:<14}  {item.why}")
