"""Every Cypher statement of this project, one per file, named by its path.

``cypher/memories/save_memories.cypher`` is ``QUERIES["memories.save_memories"]``. A file opens with a
header of comments that says what it does, its parameters, what it returns and its mode. A file that
reads or writes vectors is written for slot ``a`` and says ``slots: a b``; the loader derives the
other, because index names and property keys cannot be parameters. ``embedding_other`` stands for
the slot that is not meant.

What only some calls need stands between lines ``//+ name`` and ``//- name``, and the header names it
as a part: ``Query.without`` derives the statement that lacks it.

Statements that differ by a label, an order or a few lines are the choices of one file. What only some of
them need stands behind a line ``//= name other``, up to the next one or to a bare ``//=``, and the header
names the choices. The first choice is the file as it stands; the lines of the others begin with ``//|``, and
``Query.choose`` derives them. With its first choice and all its parts a file is the statement that people can
paste.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, LiteralString, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

Mode = Literal["read", "write", "schema"]
Slot = Literal["a", "b"]

_PARAMETER = re.compile(r"\$([a-z_]+)")
_DECLARED = re.compile(r"(?:^|,)\s*([a-z_]+) [A-Z]")
_ASIDE = re.compile(r"\{[^}]*\}|\([^)]*\)")
_HEADER_LINE = re.compile(r"//(?![=+])\s?(.*)")
_FIELD = re.compile(r"(params|returns|mode|slots|parts|choices):\s*(.*)")
_MARK = re.compile(r"^ *//[+-] ([a-z]+)\n", re.MULTILINE)
_PART = r"^ *//\+ {name}\n.*?^ *//- {name}\n"
_CHOICE = re.compile(r" *//=([a-z_ ]*)\n")
_UNCHOSEN = re.compile(r"^//\| ?")


_NO_CHOICES: Mapping[str, Query] = MappingProxyType({})


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
    choices: Mapping[str, Query] = field(
        default_factory=lambda: _NO_CHOICES, compare=False, repr=False
    )

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

    def choose(self, choice: str) -> Query:
        """Return the statement of one choice, with the slots, parts and parameters that it uses."""
        if choice not in self.choices:
            raise CypherFileError(f"{self.name}: has no choice {choice!r}, only {[*self.choices]}")
        return self.choices[choice]


def _chosen(written: str, choice: str, first: str) -> Iterator[str]:
    """Yield the lines of one choice, those of other choices than the first without their ``//|``."""
    block: list[str] | None = None
    for line in written.splitlines(keepends=True):
        mark = _CHOICE.fullmatch(line)
        if mark:
            block = mark[1].split() or None
        elif block is None:
            yield line
        elif choice in block:
            yield line if first in block else _UNCHOSEN.sub("", line)


def _from_marked(query: Query) -> Query:
    """Return the query with all that follows from its marked statement."""
    text = _as_literal(_MARK.sub("", query.marked).strip())
    slots = query.slots if "embedding_" in text else ()
    parts = tuple(name for name in query.parts if f"//+ {name}\n" in query.marked)
    params = frozenset(_PARAMETER.findall(text))
    return replace(query, text=text, params=params, slots=slots, parts=parts)


@cache
def _without(query: Query, parts: tuple[str, ...]) -> Query:
    unknown = set(parts) - set(query.parts)
    if unknown:
        raise CypherFileError(f"{query.name}: has no parts {sorted(unknown)}, only {query.parts}")
    marked = query.marked
    for name in parts:
        marked = _as_literal(_part(name).sub("", marked))
    return _from_marked(replace(query, marked=marked))


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
    slots = cast("tuple[Slot, ...]", tuple(fields.get("slots", "").split()))
    parts = tuple(_ASIDE.sub("", fields.get("parts", "")).split())
    choices = tuple(_ASIDE.sub("", fields.get("choices", "")).split())
    written = _as_literal(f"{statement}\n")
    query = Query(name, summary, "", frozenset(), mode, slots, parts, written)
    _check_choices(query, choices)
    _check_statement(query, frozenset(_DECLARED.findall(_ASIDE.sub("", fields["params"]))))
    if not choices:
        return _from_marked(query)
    chosen = {choice: _choose(query, choice, choices[0]) for choice in choices}
    return replace(chosen[choices[0]], name=name, choices=chosen)


def _choose(query: Query, choice: str, first: str) -> Query:
    marked = _as_literal("".join(_chosen(query.marked, choice, first)))
    return _from_marked(replace(query, name=f"{query.name}.{choice}", marked=marked))


def _check_choices(query: Query, choices: tuple[str, ...]) -> None:
    """Refuse choices that are not declared, left open, or whose lines stand in the statement as it is pasted."""
    first = choices[0] if choices else ""
    block: list[str] = []
    named: set[str] = set()
    commented = True
    for line in query.marked.splitlines(keepends=True):
        mark = _CHOICE.fullmatch(line)
        if mark:
            block = mark[1].split()
            named.update(block)
        else:
            commented &= bool(_UNCHOSEN.match(line)) == (bool(block) and first not in block)
    if block or named != set(choices) or not commented:
        raise CypherFileError(
            f"{query.name}: declare each choice as `choices:`, close it, and begin the lines of all "
            "but the first with //|"
        )


def _check_statement(query: Query, declared: frozenset[str]) -> None:
    """Refuse a statement whose parameters, slots or parts are not those that the header declares."""
    lines = query.marked.splitlines(keepends=True)
    marked = "".join(_UNCHOSEN.sub("", line) for line in lines)
    used = frozenset(_PARAMETER.findall(marked))
    if declared != used:
        raise CypherFileError(f"{query.name}: declares {sorted(declared)} but uses {sorted(used)}")
    if ("embedding_a" in marked) != bool(query.slots) or "embedding_b" in marked:
        raise CypherFileError(f"{query.name}: write vectors for slot a and declare `slots: a b`")
    if set(_MARK.findall(marked)) != set(query.parts) or any(
        not _part(part).search(marked) for part in query.parts
    ):
        raise CypherFileError(f"{query.name}: declare each part as `parts:`, and open and close it")


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
        If a statement's header is wrong, or a migration lacks its way up or down.
    """
    queries: dict[str, Query] = {}
    migrations: list[Migration] = []
    for name, source in _walk(folder):
        if name.startswith("schema."):
            migrations.append(_migration(name.removeprefix("schema."), source))
        else:
            queries[name] = parse(name, source)
    return queries, tuple(migrations)


def _migration(step: str, source: str) -> Migration:
    number, _, name = step.partition("_")
    up, down = (_statements("".join(_chosen(f"{source}\n", way, "up"))) for way in ("up", "down"))
    if not number.isdecimal() or not up or not down or up == down:
        raise CypherFileError(
            f"schema/{step}: needs a number in its name, and the choices //= up and //= down"
        )
    return Migration(int(number), name, up, down)


QUERIES, MIGRATIONS = load(resources.files("cypher"))
