"""`stratagraph gc`: what of episodes helps nobody goes, and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.runs import Listed, Run, Shown, SkipChanged, run_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Collect episodes that help nobody, and bring back.")


@app.command("run")
@asking
def collect(
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it; else only say what would go.")
    ] = False,
    limit: Shown = 20,
    *,
    client: Client,
) -> Told:
    """Say what would go and why; with --apply, let it go."""
    answer = client.collect(dry_run=not apply, limit=limit)
    yield answer
    counts = ", ".join(f"{number} {reason}" for reason, number in answer.counts.items())
    print(f"{answer.scope}: {answer.total} {'would go' if answer.dry_run else 'went'}"
          f"{f' ({counts})' if counts else ''}")  # fmt: skip
    _show_items(answer.items)
    if answer.run is not None:
        print(
            f"Bring back until {answer.run.purge_at:%Y-%m-%d}: stratagraph gc undo {answer.run.run}"
        )


@app.command("list")
@asking
def list_runs(limit: Listed = 20, *, client: Client) -> Told:
    """List the runs."""
    answer = client.collections(limit)
    yield answer
    for run in answer.items:
        print(_line(run))


@app.command("show")
@asking
def show(run: Run, limit: Shown = 20, *, client: Client) -> Told:
    """Show a run, and what it keeps hidden."""
    answer = client.collection(run, limit)
    yield answer
    print(_line(answer))
    _show_items(answer.items)


@app.command("undo")
@asking
def undo(run: Run, skip_changed: SkipChanged = False, *, client: Client) -> Told:
    """Bring back what a run has hidden."""
    answer = client.undo_collection(run, skip_changed=skip_changed)
    yield answer
    print(f"{answer.restored} are back")


def _line(run: wire.CollectionView) -> str:
    return run_line(run, f"{run.collected} collected, {run.restored} back, {run.purged} purged")


def _show_items(items: Sequence[wire.CollectableView]) -> None:
    for item in items:
        print(f"  {item.uid}  {item.reason:<14}  {item.why}")
