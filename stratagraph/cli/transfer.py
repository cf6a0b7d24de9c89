"""`stratagraph export` and `import`: a service's graph as a file of lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from stratagraph.cli.asking import Agent, Channels, Key, Url, Users, connected, identity_of
from stratagraph.errors import StratagraphError, UsageError

if TYPE_CHECKING:
    from stratagraph import wire
    from stratagraph.transfer import ImportPart

_HEADER_BYTES = 1024 * 1024
_MEMORY = b'{"type":"memory"'
ALL = "-"

File = Annotated[str, typer.Argument(help="A file, with .gz compressed; - for standard streams.")]


class RateColumn(TextColumn):
    """Rate per second."""

    def __init__(self) -> None:
        super().__init__("")

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "", style="dim")


def export(
    file: File,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    tenant: Annotated[bool, typer.Option("--tenant", help="Everything of the tenant.")] = False,
    vectors: Annotated[bool, typer.Option("--vectors", help="With all vectors.")] = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Write what an agent reads, or a whole tenant, to a file of JSON lines."""
    if tenant and (agent or channel or user):
        raise UsageError("Say --tenant or name an agent, channels, users; not both.")
    identity = {} if tenant else identity_of(agent, channel, user)
    with connected(url, key, identity) as client, output(file) as out, progress("memories") as bar:
        shown, lines = bar.add_task("Exporting", total=None), b""
        for lines in client.export(scope="tenant" if tenant else None, vectors=vectors):
            out.write(lines)
            if lines.startswith(b'{"type":"header"'):
                bar.update(shown, total=json.loads(lines[: lines.index(b"\n")])["memories"])
            bar.advance(shown, lines.count(b"\n" + _MEMORY) + lines.startswith(_MEMORY))
        # the footer with its counts is among the last lines
        footer = lines[lines.rstrip().rfind(b"\n") + 1 :]
    counts: dict[str, int] = json.loads(footer)["counts"]
    said = ", ".join(f"{count:,} {_plural(kind, count)}" for kind, count in counts.items())
    print(f"Exported {said or 'nothing: there is nothing'}.", file=sys.stderr)


def _plural(kind: str, count: int) -> str:
    """Return the plural of a type of line; *rewarded* is unchanged."""
    if count == 1 or kind.endswith("ed"):
        return kind
    if kind.endswith("y"):
        return f"{kind[:-1]}ies"
    return f"{kind}es" if kind.endswith("ch") else f"{kind}s"


def import_(
    file: File,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    agent_map: Annotated[
        list[str] | None, typer.Option("--agent-map", help="OLD=NEW renames; repeatable.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check, write nothing.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Skip what landed before.")] = False,
    url: Url = None,
    key: Key = None,
) -> None:
    """Read a file of JSON lines into a service; a bad line is told, the rest lands."""
    identity = identity_of(agent, channel, user) if agent or channel or user else {}
    renamed = _renamed(agent_map or [])
    with (
        connected(url, key, identity) as client,
        Input(file) as lines,
        progress("bytes") as bar,
    ):
        place = ImportPosition.of(file, [client.url, sorted(renamed.items()), identity])
        done = place.line() if resume else 0
        # skipped here: the service would look up each stored line
        parts = client.import_lines(
            islice(lines, done, None), first_line=done + 1, agent_map=renamed, dry_run=dry_run
        )
        part, total = follow(parts, lines, place, bar, dry_run=dry_run)
    _conclude(part, total, dry_run=dry_run)


def follow(
    parts: Iterable[ImportPart],
    lines: Input,
    place: ImportPosition,
    bar: Progress,
    *,
    dry_run: bool,
) -> tuple[ImportPart | None, Counter[str]]:
    """Report each part, and save the position; return the last part, and all counts."""
    shown = bar.add_task("Checking" if dry_run else "Importing", total=lines.size)
    part, total = None, Counter[str]()
    for part in parts:
        for report in part.reports:
            said = f"{lines.file}:{_report(report)}"
            bar.console.print(said, markup=False, highlight=False, soft_wrap=True)
        total.update(part.counts.model_dump())
        bar.update(shown, completed=lines.position)
        if not dry_run:
            place.note(part.line)
    # a check keeps the position of an interrupted import
    if not dry_run:
        place.forget()
    return part, total


def counted(total: Mapping[str, int], *, dry_run: bool) -> str:
    """Report what was stored, or checked."""
    if dry_run:
        return f"{sum(total.values()):,} checked, {total.get('rejected', 0):,} rejected"
    return ", ".join(f"{count:,} {name}" for name, count in total.items() if count)


def _conclude(part: ImportPart | None, total: Mapping[str, int], *, dry_run: bool) -> None:
    said = counted(total, dry_run=dry_run)
    print(said[:1].upper() + said[1:] if said else "Nothing to import", file=sys.stderr)
    # last: valid lines were stored all the same
    if part is not None and part.complete is False:
        raise StratagraphError("The file is cut or was changed: its footer counts other lines.")
    if total.get("rejected"):
        raise typer.Exit(1)


def _report(report: wire.LineReport) -> str:
    where = f" {report.field}:" if report.field else ""
    return f"{report.line}:{where} {report.message} ({report.type})"


def _renamed(pairs: list[str]) -> dict[str, str]:
    renamed = {old: new for old, _, new in (pair.partition("=") for pair in pairs)}
    if not all(old and new for old, new in renamed.items()):
        raise UsageError("--agent-map takes OLD=NEW.")
    return renamed


@contextmanager
def progress(what: str) -> Generator[Progress]:
    console = Console(stderr=True)
    count = "{task.completed:,.0f} " + what
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(count),
        RateColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield bar


@contextmanager
def output(file: str) -> Generator[IO[bytes]]:
    """Write to a temporary file, which is renamed when complete."""
    if file == ALL:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(file)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as raw, _packing(path, raw) as out:
            yield out
        part.replace(path)
    except OSError as error:
        raise StratagraphError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


def _packing(path: Path, raw: IO[bytes]) -> Any:
    # Without name and time, so that equal graphs give equal files.
    return (
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) if path.suffix == ".gz" else nullcontext(raw)
    )


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise StratagraphError(f"{path} cannot be read: {error.strerror}") from error


class Input:
    """The lines of a file, with the current line."""

    def __init__(self, file: str) -> None:
        self._raw = sys.stdin.buffer if file == ALL else _opened(Path(file))
        packed = file.endswith(".gz")
        self._lines = cast("IO[bytes]", gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
        self.file = file
        self.size = None if file == ALL else Path(file).stat().st_size

    @property
    def position(self) -> int:
        """Number of bytes read from the file."""
        # compressed bytes, as only the size of the file is known in advance
        return self._raw.tell() if self.size is not None else 0

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines
        except (OSError, EOFError) as error:
            raise StratagraphError(f"{self.file} cannot be read to its end: {error}") from error

    def __enter__(self) -> Input:
        return self

    def __exit__(self, *_: object) -> None:
        if self.size is not None:
            self._raw.close()


class ImportPosition:
    """Position of an import, saved in a small file beside its own."""

    def __init__(self, path: Path | None, seal: str) -> None:
        self._path = path
        self._seal = seal

    @classmethod
    def of(cls, file: str, meaning: object) -> ImportPosition:
        """Return the position for a file, a service and options, by their hash."""
        if file == ALL:
            return cls(None, "")
        path = Path(file)
        with path.open("rb") as raw:
            # beginning and size: reading all of a large file takes as long as importing it
            start = hashlib.sha256(raw.read(_HEADER_BYTES)).hexdigest()
        sealed = json.dumps([path.stat().st_size, start, meaning], default=str)
        seal = hashlib.sha256(sealed.encode()).hexdigest()
        return cls(path.with_name(f"{path.name}.importing"), seal)

    def line(self) -> int:
        """Return the last stored line.

        Raises
        ------
        StratagraphError
            If file, service or options are not those of the import that was interrupted.
        """
        if self._path is None:
            raise UsageError("--resume needs a file; standard input cannot be read again.")
        if not self._path.exists():
            return 0
        said = json.loads(self._path.read_text(encoding="utf-8"))
        if said["seal"] != self._seal:
            raise StratagraphError(
                f"{self._path} is of another file, service or options. Import without --resume: "
                "what is there stays as it is."
            )
        return int(said["line"])

    def note(self, line: int) -> None:
        """Save the last stored line."""
        if self._path is not None:
            fresh = self._path.with_name(f"{self._path.name}.new")
            # written elsewhere and renamed: an interrupted write would lose the position
            fresh.write_text(json.dumps({"line": line, "seal": self._seal}), encoding="utf-8")
            fresh.replace(self._path)

    def forget(self) -> None:
        """Remove the file."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
