"""Every Cypher statement of this project, one per file, named by its path.

``cypher/memory/save_memories.cypher`` is ``QUERIES["memory.save_memories"]``. A file opens with a
header of comments that says what it does, its parameters, what it returns and its mode. A file that
reads or writes vectors is written for slot ``a`` and says ``slots: a b``; the loader derives the
other, because index names and property keys cannot be parameters. ``embedding_other`` stands for
the slot that is not meant.

What only some calls need stands between lines ``//+ name`` and ``//- name``, and the header names it
as a part: ``Query.without`` derives the statement that lacks it. With all its parts a file is the
statement that people can paste.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
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
_FIELD = re.compile(r"(params|returns|mode|slots|parts):\s*(.*)")
_MARK = re.compile(r"^ *//[+-] ([a-z]+)\n", re.MULTILINE)
_PART = r"^ *//\+ {name}\n.*?^ *//- {name}\n"


class CypherFileError(ValueError):
    """A file under ``cypher/`` breaks a rule of its header; the message names file and rule."""


@dataclass(frozen=True, slots=True)
class Query:
    """One statement; ``text`` holds nothing that came from outside.

    ``marked`` is the same with the lines that open and close its parts.
    """

    name: str
    summary: str
    text: LiteralString
    params: frozenset[str]
    mode: Mode
    slots: tuple[Slot, ...]
    parts: tuple[str, ...] = ()
    marked: LiteralString = ""

    def for_slot(self, slot: Slot) -> LiteralString:
        """Return the statement for one of the two vector slots."""
        if slot not in self.slots:
            raise CypherFileError(f"{self.name}: has no slot {slot!r}, only {self.slots}")
        other: Slot = "b" if slot == "a" else "a"
        named = self.text.replace("embedding_a", f"embedding_{slot}")
        return named.replace("embedding_other", f"embedding_{other}")

    def without(self, *parts: str) -> Query:
        """Return the statement that lacks some of its parts, and the parameters they alone use."""
        return _without(self, parts) if parts else self


@cache
def _without(query: Query, parts: tuple[str, ...]) -> Query:
    unknown = set(parts) - set(query.parts)
    if unknown:
        raise CypherFileError(f"{query.name}: has no parts {sorted(unknown)}, only {query.parts}")
    marked = query.marked
    for name in parts:
        marked = _as_literal(_part(name).sub("", marked))
    text = _as_literal(_MARK.sub("", marked).strip())
    left = tuple(name for name in query.parts if f"//+ {name}\n" in marked)
    params = frozenset(_PARAMETER.findall(text))
    return replace(query, text=text, marked=marked, params=params, parts=left)


def _part(name: str) -> re.Pattern[str]:
    return re.compile(_PART.format(name=name), re.MULTILINE | re.DOTALL)


def _as_literal(text: str) -> LiteralString:
    return cast("LiteralString", text)  # the one cast: packaged files, never user input


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
    parts = tuple(_ASIDE.sub("", fields.get("parts", "")).split())
    marked = f"{statement}\n" if parts else ""
    if set(_MARK.findall(f"{statement}\n")) != set(parts) or any(
        not _part(part).search(marked) for part in parts
    ):
        raise CypherFileError(f"{name}: declare each part as `parts:`, and open and close it")
    text = _as_literal(_MARK.sub("", f"{statement}\n").strip())
    return Query(name, summary, text, declared, mode, slots, parts, _as_literal(marked))


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
    return tuple(_as_literal(part.rstrip(";").strip()) for part in parts if part)


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
