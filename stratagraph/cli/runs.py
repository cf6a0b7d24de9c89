"""Parts that commands on the three kinds of run share: their options, and a run in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from stratagraph import wire

Run = Annotated[str, typer.Argument(help="The run of an answer.")]
Shown = Annotated[int, typer.Option(help="How many to show.")]
Listed = Annotated[int, typer.Option(help="Runs at most.")]
SkipChanged = Annotated[
    bool, typer.Option("--skip-changed", help="Pass over what was changed since.")
]


def run_line(run: wire.CollectionView | wire.GateRunView | wire.ConsolidationView, did: str) -> str:
    """Tell a run: which, where, by whom, how far it is, and what it did."""
    return (
        f"{run.run}  {run.started_at:%Y-%m-%d %H:%M}  {run.scope}  by {run.by}  {run.state}  {did}"
    )
