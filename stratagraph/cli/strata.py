"""`stratagraph strata`: statistics of strata, and moves between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.gates import show_items

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(
    no_args_is_help=True, help="Look at strata, and move memories between them by hand."
)

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


@app.command("show")
@asking
def show(
    days: Annotated[int, typer.Option(help="How far back to look.")] = 30, *, client: Client
) -> Told:
    """Show what strata hold, what flows between them, and how they fade."""
    found = client.strata_analytics(days)
    yield found
    weights = {each.stratum: each.ahead for each in found.decay}
    for each in found.population:
        ahead = {at.days: at.mean for at in weights[each.stratum]}
        left = f"weight {ahead[0]:.2f}, in 30 days {ahead[30]:.2f}" if ahead else ""
        print(f"{each.stratum:<11}{each.active:>8} active {each.archived:>8} archived  {left}")
    for flow in found.flow:
        way = f"{flow.from_stratum or '-'} -> {flow.to_stratum or 'out of recall'}"
        print(f"{flow.day}  {flow.action:<8}{flow.memories:>6}  {way}")
    saved = found.consolidation
    if saved.runs:
        print(
            f"{saved.runs - saved.undone} runs condensed {saved.sources} memories to {saved.condensed}, "
            f"{saved.chars_before} characters to {saved.chars_after}"
        )
    for group in found.surprises["agent"]:
        print(f"{group.name or '-'}: {group.surprising} of {group.events} events surprised")


@app.command("sources")
@asking
def sources(
    name: Annotated[str, typer.Argument(help="Uid, or external:<id>.")], *, client: Client
) -> Told:
    """Show what a memory came from, down to its sources."""
    found = client.provenance(name)
    yield found
    nodes = {each.uid: each for each in found.nodes}
    for edge in found.edges:
        node = nodes.get(edge.source)
        says = f"  {node.state}  {node.text[:60]}" if node else ""
        print(f"{'  ' * (edge.depth - 1)}{edge.type}  {edge.source}{says}")
    if found.withheld:
        print("Some of it lies in scopes that you do not read.")


def _show(answer: wire.MovesAnswer) -> None:
    print(f"{answer.scope}: {answer.total} {'would move' if answer.dry_run else 'moved'}")
    show_items(answer.items)
    for each in answer.refused:
        print(f"  {each.name}  stays: {each.why}")
    if answer.run is not None:
        until = f"{answer.run.undo_until:%Y-%m-%d}"
        print(f"Move back until {until}: stratagraph gates undo {answer.run.run}")
