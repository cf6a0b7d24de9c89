"""`stratagraph consolidate`: memories become one; `stratagraph consolidations`: what was made so comes back."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.runs import Listed, Run, Shown, SkipChanged, run_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Show consolidations, and take them back.")

_PAUSE = 1.0  # seconds between two looks at a run that the worker goes on with


@asking
def consolidate(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would become one.")
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
    """Condense what rises between strata; with --dry-run only say what would become one."""
    answer = client.consolidate(
        strata=_strata(stratum), everything=everything, dry_run=dry_run, limit=limit
    )
    if answer.run is not None:
        run = _finished(client, answer.run.run, limit)
        answer = answer.model_copy(update={"run": run, "items": run.items})
    yield answer
    would = f"{answer.sources} would become {answer.total}"
    print(f"{answer.scope}: of {answer.looked} looked at, {would if dry_run else _did(answer.run)}")
    for line in _lines(answer.items):
        print(line)
    for pattern in answer.patterns:
        print(
            f"  {pattern.type}: {pattern.text} ({pattern.support} sessions, {pattern.confidence:.2f})"
        )
    if answer.run is not None:
        print(_line(answer.run))
        until = f"{answer.run.undo_until:%Y-%m-%d}"
        print(f"Take back until {until}: stratagraph consolidations undo {answer.run.run}")


@app.command("list")
@asking
def list_runs(limit: Listed = 20, *, client: Client) -> Told:
    """List the consolidations."""
    answer = client.consolidations(limit)
    yield answer
    for run in answer.items:
        print(_line(run))


@app.command("show")
@asking
def show(run: Run, limit: Shown = 20, *, client: Client) -> Told:
    """Show a consolidation, how far it is, and its clusters."""
    answer = client.consolidation(run, limit)
    yield answer
    print(_line(answer))
    for line in _lines(answer.items):
        print(line)


@app.command("undo")
@asking
def undo(run: Run, skip_changed: SkipChanged = False, *, client: Client) -> Told:
    """Bring back what a consolidation condensed."""
    answer = client.undo_consolidation(run, skip_changed=skip_changed)
    yield answer
    print(f"{answer.counts.get('restored', 0)} are back")


def _strata(names: Sequence[str] | None) -> list[wire.Stratum]:
    return [*(names or ())]  # pyright: ignore[reportReturnType] - the service says what is wrong


def _finished(client: Client, run: str, limit: int) -> wire.ConsolidationAnswer:
    """Look on while the worker works, and say how far it is; return the run with its clusters."""
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


def _line(run: wire.ConsolidationView) -> str:
    said = ", ".join(f"{name} {number}" for name, number in run.counts.items()) or "nothing"
    return run_line(run, said)


def _lines(items: Sequence[wire.ClusterView]) -> Iterator[str]:
    for item in items:
        cut = f", {item.chars_before} -> {item.chars_after} characters" if item.chars_after else ""
        yield (
            f"  {item.condensed}  {item.state:<9} {item.from_stratum} -> {item.to_stratum}  "
            f"of {len(item.sources)}{cut}"
        )
