"""`stratagraph consolidate` and `stratagraph consolidations`: condensing of memories, and its undo."""

from __future__ import annotations

import sys
import time
from collections import Counter
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.runs import RunCommands, Shown, add_run_commands, run_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Show consolidations, and take them back.")

_PAUSE = 1.0  # seconds between polls of a run that the worker continues


@asking
def consolidate(
    apply: Annotated[
        bool, typer.Option("--apply", help="Do it; else only say what would become one.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say it, whatever else is asked.")
    ] = False,
    stratum: Annotated[
        list[str] | None, typer.Option(help="Whose memories rise; again for more.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="Not only what has earned it.")
    ] = False,
    limit: Shown = 20,
    *,
    client: Client,
) -> Told:
    """Say what would become one memory; with --apply, condense it."""
    dry_run = dry_run or not apply
    answer = client.consolidate(
        strata=list(stratum or ()), everything=everything, dry_run=dry_run, limit=limit
    )
    if answer.run is not None:
        run = _finished(client, answer.run.run, limit)
        answer = answer.model_copy(update={"run": run, "items": run.items})
    yield answer
    would = f"{answer.sources} would become {answer.total}"
    print(f"{answer.scope}: of {answer.looked} looked at, {would if dry_run else _did(answer.run)}")
    if answer.reason:
        print(f"Nothing is condensed: {answer.reason}.")
    _show_items(answer.items)
    for pattern in answer.patterns:
        print(
            f"  {pattern.type}: {pattern.text} ({pattern.support} sessions, {pattern.confidence:.2f})"
        )
    if answer.run is not None:
        print(run_line(answer.run, _counted(answer.run)))
        until = f"{answer.run.undo_until:%Y-%m-%d}"
        print(f"Take back until {until}: stratagraph consolidations undo {answer.run.run}")


def _finished(client: Client, run: str, limit: int) -> wire.ConsolidationAnswer:
    """Poll a run until it is finished, with progress; return it with its clusters."""
    while (at := client.consolidation(run, limit)).state in ("planning", "running"):
        done = at.counts.get("condensed", 0) + at.counts.get("skipped", 0)
        print(f"{done} of {at.counts.get('clusters', 0)} clusters", file=sys.stderr)
        time.sleep(_PAUSE)
    return at


def _did(run: wire.ConsolidationView | None) -> str:
    counts: Counter[str] = Counter(run.counts if run else {})
    return (
        f"condensed {counts['sources']} memories into {counts['condensed']}; "
        f"clusters skipped: {counts['skipped']}; patterns found: {counts['patterns']}"
    )


def _counted(run: wire.ConsolidationView) -> str:
    return ", ".join(f"{name} {number}" for name, number in run.counts.items()) or "nothing"


def _show_items(items: Sequence[wire.ClusterView]) -> None:
    for item in items:
        cut = f", {item.chars_before} -> {item.chars_after} characters" if item.chars_after else ""
        print(
            f"  {item.condensed or '':26}  {item.state:<9} {item.from_stratum} -> {item.to_stratum}  "
            f"of {len(item.sources)}{cut}"
        )
        if item.text:
            print(indent(item.text, "    "))


add_run_commands(
    app,
    RunCommands(
        listing=lambda client: client.consolidations,
        showing=lambda client: client.consolidation,
        undoing=lambda client: client.undo_consolidation,
        did=_counted,
        items=_show_items,
        restored=lambda run: run.counts.get("restored", 0),
    ),
)
