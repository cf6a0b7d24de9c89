"""`stratagraph gc`: garbage collection of episodes, and its undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.runs import RunCommands, Shown, add_run_commands

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


def _did(run: wire.CollectionView) -> str:
    return f"{run.collected} collected, {run.restored} back, {run.purged} purged"


def _show_items(items: Sequence[wire.CollectableView]) -> None:
    for item in items:
        print(f"  {item.uid}  {item.reason:<14}  {item.why}")


add_run_commands(
    app,
    RunCommands(
        listing=lambda client: client.collections,
        showing=lambda client: client.collection,
        undoing=lambda client: client.undo_collection,
        did=_did,
        items=_show_items,
        restored=lambda run: run.restored,
    ),
)
