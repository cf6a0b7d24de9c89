"""`stratagraph gates`: promotion, demotion and removal by gates, and its undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.runs import RunCommands, Shown, add_run_commands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Run the gates of strata, and move back.")


@app.command("run")
@asking
def run_gates(
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it; else only say what would move.")
    ] = False,
    limit: Shown = 20,
    *,
    client: Client,
) -> Told:
    """Say what would move and why; with --apply, let it."""
    answer = client.run_gates(dry_run=not apply, limit=limit)
    yield answer
    counts = ", ".join(f"{number} {action}" for action, number in answer.counts.items())
    print(
        f"{answer.scope}: of {answer.looked} {answer.total} "
        f"{'would move' if answer.dry_run else 'moved'}{f' ({counts})' if counts else ''}"
    )
    show_items(answer.items)
    if answer.run is not None and answer.total:
        until = f"{answer.run.undo_until:%Y-%m-%d}"
        print(f"Move back until {until}: stratagraph gates undo {answer.run.run}")


def _did(run: wire.GateRunView) -> str:
    counts = ", ".join(f"{number} {action}" for action, number in run.counts.items()) or "none"
    return f"of {run.looked}: {counts}; {run.restored} back"


def show_items(items: Sequence[wire.TransitionView]) -> None:
    """Print moves, one a line."""
    for item in items:
        to = item.to_stratum if item.to_state == "active" else item.to_state
        print(f"  {item.uid}  {item.action:<8} {item.from_stratum} -> {to}  {item.why}")


add_run_commands(
    app,
    RunCommands(
        listing=lambda client: client.gate_runs,
        showing=lambda client: client.gate_run,
        undoing=lambda client: client.undo_gate_run,
        did=_did,
        items=show_items,
        restored=lambda run: run.restored,
    ),
)
