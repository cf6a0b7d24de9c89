"""Commands of every kind of run: list, show, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagraph.cli.asking import Told, asking

if TYPE_CHECKING:
    from pydantic import BaseModel

    from stratagraph import Client, wire

Run = Annotated[str, typer.Argument(help="The run of an answer.")]
Shown = Annotated[int, typer.Option(help="How many to show.")]
Listed = Annotated[int, typer.Option(help="Runs at most.")]
SkipChanged = Annotated[
    bool, typer.Option("--skip-changed", help="Pass over what was changed since.")
]


@dataclass(frozen=True, slots=True)
class RunCommands:
    """One kind of run: the client's calls, and the format of runs and items.

    ``did`` describes what a run did, ``restored`` counts what an undo restored.
    """

    listing: Callable[[Client], Callable[[int], Any]]
    showing: Callable[[Client], Callable[[str, int], Any]]
    undoing: Callable[[Client], Callable[..., BaseModel]]
    did: Callable[[Any], str]
    items: Callable[[Sequence[Any]], None]
    restored: Callable[[Any], int]


def add_run_commands(app: typer.Typer, kind: RunCommands) -> None:
    """Add `list`, `show` and `undo` to a group."""

    @app.command("list")
    @asking
    def list_runs(limit: Listed = 20, *, client: Client) -> Told:
        """List the runs."""
        answer = kind.listing(client)(limit)
        yield answer
        for run in answer.items:
            print(run_line(run, kind.did(run)))

    @app.command("show")
    @asking
    def show(run: Run, limit: Shown = 20, *, client: Client) -> Told:
        """Show a run, and what it did."""
        answer = kind.showing(client)(run, limit)
        yield answer
        print(run_line(answer, kind.did(answer)))
        kind.items(answer.items)

    @app.command("undo")
    @asking
    def undo(run: Run, skip_changed: SkipChanged = False, *, client: Client) -> Told:
        """Undo what a run did."""
        answer = kind.undoing(client)(run, skip_changed=skip_changed)
        yield answer
        print(f"{kind.restored(answer)} are back")

    # Registered by their decorators; named here for the type checker.
    _ = (list_runs, show, undo)


def run_line(run: wire.RunView[Any], did: str) -> str:
    """Return a run as a line: uid, time, scope, actor, state, and what it did."""
    return (
        f"{run.run}  {run.started_at:%Y-%m-%d %H:%M}  {run.scope}  by {run.by}  {run.state}  {did}"
    )
