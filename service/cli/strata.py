"""`stratagraph strata`: memories go up or down between strata by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.asking import Told, asking
from service.cli.gates import show_items

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Move memories between strata by hand.")

Names = Annotated[list[str], typer.Argument(help="Uids or external:<external_id>.")]
To = Annotated[str | None, typer.Option(help="The stratum to move to; unset: the next one.")]


@app.command("promote")
@asking
def promote(names: Names, to: To = None, *, client: Client) -> Told:
    """Move memories up."""
    answer = client.promote(names, to=to)  # pyright: ignore[reportArgumentType] -- the service checks
    yield answer
    _show(answer)


@app.command("demote")
@asking
def demote(names: Names, to: To = None, *, client: Client) -> Told:
    """Move memories down."""
    answer = client.demote(names, to=to)  # pyright: ignore[reportArgumentType] -- the service checks
    yield answer
    _show(answer)


@app.command("successful")
@asking
def successful(
    task: Annotated[
        str | None, typer.Option(help="Only what this task was given; it was a success.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only of this session.")] = None,
    min_q: Annotated[float, typer.Option(help="At least this Q.")] = 0.7,
    min_successes: Annotated[int, typer.Option(help="At least so many successes.")] = 3,
    to: To = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it; else only say what would move.")
    ] = False,
    *,
    client: Client,
) -> Told:
    """Say what proved itself; with --apply, move it up."""
    answer = client.promote_successful(
        task_id=task,
        session_id=session,
        min_q=min_q,
        min_successes=min_successes,
        to=to,  # pyright: ignore[reportArgumentType] -- the service checks
        dry_run=not apply,
    )
    yield answer
    _show(answer)


def _show(answer: wire.MovesAnswer) -> None:
    print(f"{answer.scope}: {answer.total} {'would move' if answer.dry_run else 'moved'}")
    show_items(answer.items)
    for each in answer.refused:
        print(f"  {each.name}  stays: {each.why}")
    if answer.run is not None:
        until = f"{answer.run.undo_until:%Y-%m-%d}"
        print(f"Move back until {until}: stratagraph gates undo {answer.run.run}")
