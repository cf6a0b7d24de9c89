"""`stratagraph episodes`: import, export, count and removal of episodes."""

from __future__ import annotations

import hashlib
import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.cli.transfer import ALL, ImportPosition, Input, counted, follow, output, progress
from stratagraph.errors import StratagraphError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stratagraph import Client

app = typer.Typer(
    no_args_is_help=True, help="Attempts at problems: the files of runs, counts, clearing."
)

ENDINGS = (".jsonl.gz", ".jsonl", ".ndjson", ".json")
Run = Annotated[str | None, typer.Option("--run", help="Only, or all, of this run.")]


@app.command("import")
@asking
def import_(
    files: Annotated[
        list[str],
        typer.Argument(help="Files of one run each, .gz compressed; - for standard input."),
    ],
    *,
    client: Client,
    run: Run = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check, write nothing.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Skip what landed before.")] = False,
) -> None:
    """Read episodes into a service; a bad line is told, the rest lands."""
    rejected = 0
    for file in files:
        rejected += _import_one(client, file, run or run_of(file), dry_run, resume)
    if rejected:
        raise typer.Exit(1)


@app.command("export")
@asking
def export(
    target: Annotated[
        str,
        typer.Argument(help="A folder, for a file per run; a file for all; - for standard output."),
    ],
    *,
    client: Client,
    run: Run = None,
) -> None:
    """Write episodes as lines of JSON, one file per run."""
    if target == ALL or target.endswith(ENDINGS):
        number = _export_one(client.export_episodes(run=run), target)
        print(f"Exported {number:,} episodes.", file=sys.stderr)
        return
    folder = Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StratagraphError(f"{folder} cannot be made: {error.strerror}") from error
    runs = [run] if run else ["", *client.count_episodes().runs]
    for each in runs:
        _export_run(client, folder, each)


@app.command("count")
@asking
def count(
    *,
    client: Client,
) -> Told:
    """Say how many episodes there are, and how much room is left."""
    counted = client.count_episodes()
    yield counted
    print(
        f"{counted.episodes:,} episodes of {counted.scope}: {counted.correct:,} right, "
        f"{counted.wrong:,} wrong, {counted.unjudged:,} not judged; {counted.problems:,} problems, "
        f"{counted.strategies:,} strategies"
    )
    budget = counted.budget
    most = "any number" if budget.episodes is None else f"{budget.episodes:,}"
    size = "" if budget.bytes is None else f" and {budget.bytes / 2**20:,.0f} MB"
    print(f"{counted.bytes / 2**20:,.1f} MB; room for {most}{size}, then {budget.policy}")
    for name, number in counted.runs.items():
        print(f"  {name}  {number:,}")


@app.command("clear")
@asking
def clear(
    *,
    client: Client,
    run: Run = None,
    domain: Annotated[str | None, typer.Option(help="Only of this domain.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove the episodes of one scope."""
    meant = client.clear(dry_run=True, domain=domain, run=run)
    print(f"{meant.matched:,} episodes of {meant.scope}, {meant.bytes:,} bytes")
    if dry_run or not meant.matched:
        return
    if not yes and not typer.confirm("Remove them?"):
        raise typer.Exit(1)
    gone = client.clear(domain=domain, run=run)
    print(
        f"Removed {gone.deleted:,} episodes, and {gone.problems:,} problems and "
        f"{gone.strategies:,} strategies that nothing was left on."
    )


def run_of(file: str) -> str | None:
    """Return the run that a file is named after."""
    if file == ALL:
        return None
    name = Path(file).name
    ending = next((each for each in ENDINGS if name.endswith(each)), "")
    return name.removesuffix(ending) or None


def _import_one(client: Client, file: str, run: str | None, dry_run: bool, resume: bool) -> int:
    with Input(file) as lines, progress("bytes") as bar:
        place = ImportPosition.of(file, [client.url, str(client.caller), run])
        done = place.line() if resume else 0
        parts = client.import_episodes(
            islice(lines, done, None), first_line=done + 1, dry_run=dry_run, run=run
        )
        _, total = follow(parts, lines, place, bar, dry_run=dry_run)
    said = counted(total, dry_run=dry_run) or "no episodes"
    bar.console.print(f"{file}: {said}", markup=False, highlight=False, soft_wrap=True)
    return total["rejected"]


def _export_one(lines: Iterator[bytes], file: str) -> int:
    number = 0
    with output(file) as out, progress("episodes") as bar:
        shown = bar.add_task("Exporting", total=None)
        for part in lines:
            out.write(part)
            number += part.count(b"\n")
            bar.update(shown, completed=number)
    return number


def _export_run(client: Client, folder: Path, run: str) -> None:
    lines = client.export_episodes(run=run)
    first = next(lines, None)
    if first is None:
        return
    path = folder / _file_name(run, first)
    number = _export_one(_all(first, lines), str(path))
    print(f"{path}: {number:,} episodes", file=sys.stderr)


def _file_name(run: str, first: bytes) -> str:
    """Name a file after its run, or after its first day if it has none."""
    if run:
        if run.strip(".") and not set(run) & set('/\\:*?"<>|'):
            return f"{run}.jsonl"
        raise UsageError(f"The run {run!r} cannot name a file; export it with --run to one.")
    line = first[: first.index(b"\n")]
    day = json.loads(line)["timestamp"][:10].replace("-", "")
    return f"episodic_{day}_m0_{hashlib.sha256(line).hexdigest()[:6]}.jsonl"


def _all(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest
