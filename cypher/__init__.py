"""Every Cypher statement of this project, one per file, named by its path.

``cypher/memory/save_memories.cypher`` is ``QUERIES["memory.save_memories"]``. A file opens with a
header of comments that says what it does, its parameters, what it returns and its mode. A file that
reads or writes vectors is written for slot ``a`` and says ``slots: a b``; the loader derives the
other, because index names and property keys cannot be parameters. ``embedding_other`` stands for
the slot that is not meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Literal, LiteralString, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

Mode = Literal["read", "write", "schema"]
Slot = Literal["a", "b"]

_PARAMETER = re.compile(r"\$([a-z_]+)")
_DECLARED = re.compile(r"(?:^|,)\s*([a-z_]+) [A-Z]")
_ASIDE = re.compile(r"\{[^}]*\}|\([^)]*\)")
_HEADER_LINE = re.compile(r"//\s?(.*)")
_FIELD = re.compile(r"(params|returns|mode|slots):\s*(.*)")


class CypherFileError(ValueError):
    """A file under ``cypher/`` breaks a rule of its header; the message names file and rule."""


@dataclass(frozen=True, slots=True)
class Query:
    """One statement; ``text`` holds nothing that came from outside."""

    name: str
    summary: str
    text: LiteralString
    params: frozenset[str]
    mode: Mode
    slots: tuple[Slot, ...]

    def for_slot(self, slot: Slot) -> LiteralString:
        """Return the statement for one of the two vector slots."""
        if slot not in self.slots:
            raise CypherFileError(f"{self.name}: has no slot {slot!r}, only {self.slots}")
        other: Slot = "b" if slot == "a" else "a"
        named = self.text.replace("embedding_a", f"embedding_{slot}")
        return named.replace("embedding_other", f"embedding_{other}")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema and the way back."""

    number: int
    name: str
    up: tuple[LiteralString, ...]
    down: tuple[LiteralString, ...]


def parse(name: str, source: str) -> Query:
    """Read one file.

    Raises
    ------
    CypherFileError
        If the header is incomplete, or declares other parameters than the statement uses.
    """
    header, statement = _split(source)
    fields = _fields(header)
    summary = header[0] if header else ""
    if not summary or {"params", "returns", "mode"} - fields.keys():
        raise CypherFileError(f"{name}: the header needs a summary, params, returns and mode")
    mode = fields["mode"]
    if mode not in ("read", "write", "schema"):
        raise CypherFileError(f"{name}: mode is {mode!r}, not read, write or schema")
    declared = frozenset(_DECLARED.findall(_ASIDE.sub("", fields["params"])))
    used = frozenset(_PARAMETER.findall(statement))
    if declared != used:
        raise CypherFileError(f"{name}: declares {sorted(declared)} but uses {sorted(used)}")
    slots = cast("tuple[Slot, ...]", tuple(fields.get("slots", "").split()))
    if ("embedding_a" in statement) != bool(slots) or "embedding_b" in statement:
        raise CypherFileError(f"{name}: write vectors for slot a and declare `slots: a b`")
    text = cast("LiteralString", statement)  # the one cast: packaged files, never user input
    return Query(name, summary, text, declared, mode, slots)


def _split(source: str) -> tuple[list[str], str]:
    header: list[str] = []
    lines = source.strip().splitlines()
    for index, line in enumerate(lines):
        match = _HEADER_LINE.fullmatch(line)
        if match is None:
            return header, "\n".join(lines[index:]).strip()
        header.append(match[1].strip())
    return header, ""


def _fields(header: list[str]) -> dict[str, str]:
    """Collect the fields; a line without a field's name continues the one before it."""
    fields: dict[str, str] = {}
    current = ""
    for line in header[1:]:
        match = _FIELD.fullmatch(line)
        if match:
            current = match[1]
            fields[current] = match[2]
        elif current and line:
            fields[current] += " " + line
        else:
            current = ""
    return fields


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}.")
        elif entry.name.endswith(".cypher"):
            yield prefix + entry.name.removesuffix(".cypher"), entry.read_text(encoding="utf-8")


def _statements(source: str) -> tuple[LiteralString, ...]:
    code = "\n".join(line for line in source.splitlines() if not line.startswith("//"))
    parts = [part.strip() for part in code.split(";\n")]
    return tuple(cast("LiteralString", part.rstrip(";").strip()) for part in parts if part)


def load(folder: Traversable) -> tuple[Mapping[str, Query], tuple[Migration, ...]]:
    """Read a tree of files: statements by name, and the migrations of ``schema/`` in order.

    Raises
    ------
    CypherFileError
        If a statement's header is wrong, or a migration lacks its up or down half.
    """
    queries: dict[str, Query] = {}
    halves: dict[str, dict[str, tuple[LiteralString, ...]]] = {}
    for name, source in _walk(folder):
        if name.startswith("schema."):
            step, _, half = name.removeprefix("schema.").rpartition(".")
            halves.setdefault(step, {})[half] = _statements(source)
        else:
            queries[name] = parse(name, source)
    return queries, tuple(_migration(step, pair) for step, pair in sorted(halves.items()))


def _migration(step: str, pair: dict[str, tuple[LiteralString, ...]]) -> Migration:
    number, _, name = step.partition("_")
    if pair.keys() != {"up", "down"} or not number.isdecimal():
        raise CypherFileError(f"schema/{step}: needs NNNN_name.up.cypher and NNNN_name.down.cypher")
    return Migration(int(number), name, pair["up"], pair["down"])


QUERIES, MIGRATIONS = load(resources.files("cypher"))
