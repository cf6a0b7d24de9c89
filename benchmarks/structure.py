"""Size and repetition of the code itself: functions, files, copies, and how many places one change touches.

It reads the product's packages (graph, service, stratagraph, cypher) as text and runs nothing of
them. A file whose first line holds the word "Generated" is generated; all others are written by hand.

- ``files``, ``lines``: Python files and their lines, blank ones too; ``generated_…`` of them.
- ``functions``, ``median_function``, ``longest_function``: methods and inner functions too; a function
  is as long as from its ``def`` to its last line, with its docstring and without its decorators.
- ``cypher_files``, ``median_cypher``: statements, and lines of one without comments and blank lines.
- ``tests_per_line``: lines of the tests' Python to a line of the product's.
- ``comments_per_100``: comments to a hundred lines; docstrings are none.
- ``protocols``: classes that name ``Protocol`` as a base.
- ``modules_over_400``: Python files of more than 400 lines.
- ``duplicated_pairs``: pairs of places whose code has the same shape over six or more logical lines.
- ``setting_files``: files written by hand that declare the run-time setting ``z_limit``: they must change
  when such a setting is added or renamed. A Python file declares a name where it is an annotated field
  of a class, a parameter with ``Annotated``, or a text of its own, such as a key of a table. A statement
  in Cypher declares what it names. Who only reads the value declares nothing.
- ``field_files``: files of the recipe for a field of a memory in CONTRIBUTING.md, which a test carries out.
- ``endpoint_files``: Python files written by hand that name the endpoint that rewards a memory by hand
  (``inject_reward``, ``INJECT_REWARD``, ``InjectReward``), in code or as a text of its own; it has a route,
  a call of both clients, a command and a tool.
"""

from __future__ import annotations

import argparse
import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from tokenize import COMMENT, NAME
from typing import TYPE_CHECKING

from benchmarks.repeated import repeated, shaped_lines, tokens
from benchmarks.runner import add_common_arguments, print_result, say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from tokenize import TokenInfo

PRODUCT = ("graph", "service", "stratagraph", "cypher")
SETTING = "z_limit"
FIELD_RECIPE = "## Add a field"
ENDPOINT = frozenset({"inject_reward", "INJECT_REWARD", "InjectReward"})

_ROOT = Path(__file__).resolve().parents[1]
_LONG_MODULE = 400


@dataclass(frozen=True)
class Source:
    """A file of the project: its path below the root, and its text."""

    path: str
    text: str

    @cached_property
    def tokens(self) -> list[TokenInfo]:
        return tokens(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @property
    def is_generated(self) -> bool:
        return "Generated" in self.text.partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Function:
    """A function, where it begins, and how many lines it has."""

    path: str
    name: str
    line: int
    length: int


def sources(folders: Iterable[str], ending: str, root: Path = _ROOT) -> list[Source]:
    """Read the files of folders that end so, ordered by path."""
    return [
        Source(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
        for folder in folders
        for path in sorted((root / folder).rglob(f"*{ending}"))
    ]


def functions(source: Source) -> list[Function]:
    """Return every function of a Python file, with methods and inner ones."""
    return [
        Function(source.path, node.name, node.lineno, (node.end_lineno or 0) - node.lineno + 1)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def comments(source: Source) -> int:
    """Count the comments of a Python file."""
    return sum(token.type == COMMENT for token in source.tokens)


def protocols(source: Source) -> int:
    """Count the classes that name ``Protocol`` as a base."""
    return sum(
        any(ast.unparse(base).partition("[")[0].endswith("Protocol") for base in node.bases)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef)
    )


def statement(source: Source) -> list[str]:
    """Return the lines of a Cypher file without comments and blank lines, with those of all its choices."""
    written = (line.removeprefix("//|") for line in source.text.splitlines())
    lines = (line.partition("//")[0].rstrip() for line in written)
    return [line for line in lines if line]


def declares(source: Source, name: str) -> bool:
    """Return whether a file must change when a name is added or renamed."""
    if source.path.endswith(".cypher"):
        return any(re.search(rf"\b{name}\b", line) for line in statement(source))
    return name in _declared(source.tree)


def _declared(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = (line.target for line in node.body if isinstance(line, ast.AnnAssign))
            yield from (field.id for field in fields if isinstance(field, ast.Name))
        elif isinstance(node, ast.arg):
            if node.annotation and ast.unparse(node.annotation).startswith("Annotated["):
                yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def names(source: Source, wanted: Collection[str]) -> bool:
    """Return whether a Python file has one of the names in its code, or as a complete string."""
    texts = (node.value for node in ast.walk(source.tree) if isinstance(node, ast.Constant))
    return any(token.type == NAME and token.string in wanted for token in source.tokens) or any(
        text in wanted for text in texts if isinstance(text, str)
    )


def by_hand(files: Iterable[Source]) -> list[Source]:
    """Leave out generated files."""
    return [file for file in files if not file.is_generated]


def sizes(files: Sequence[Source]) -> dict[str, float]:
    """Return totals of Python files."""
    found = [function for file in files for function in functions(file)]
    lines = sum(file.lines for file in files)
    generated = [file for file in files if file.is_generated]
    return {
        "files": len(files),
        "lines": lines,
        "generated_files": len(generated),
        "generated_lines": sum(file.lines for file in generated),
        "functions": len(found),
        "median_function": median([function.length for function in found] or [0]),
        "longest_function": max((function.length for function in found), default=0),
        "comments_per_100": 100 * sum(map(comments, files)) / max(lines, 1),
        "protocols": sum(map(protocols, files)),
        "modules_over_400": sum(file.lines > _LONG_MODULE for file in files),
    }


def touched(python: Sequence[Source], cypher: Sequence[Source]) -> dict[str, float]:
    """Count the hand-written files that one change touches."""
    mine = by_hand(python)
    declaring = [*mine, *by_hand(cypher)]
    return {
        "setting_files": sum(declares(file, SETTING) for file in declaring),
        "endpoint_files": sum(names(file, ENDPOINT) for file in mine),
    }


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def measures(root: Path = _ROOT, show: int = 0) -> dict[str, float]:
    """Count everything below a root, and list the longest copies."""
    python, cypher = sources(PRODUCT, ".py", root), sources(PRODUCT, ".cypher", root)
    counted = sizes(python)
    pairs = repeated(shaped_lines(file.path, file.tokens) for file in by_hand(python))
    for pair in pairs[:show]:
        one, other = pair.one, pair.other
        say(f"{pair.length:4} {one.path}:{one.number} ~ {other.path}:{other.number}")
    return {
        **counted,
        "cypher_files": len(cypher),
        "median_cypher": median([len(statement(file)) for file in cypher] or [0]),
        "tests_per_line": sum(file.lines for file in sources(("tests",), ".py", root))
        / max(counted["lines"], 1),
        "duplicated_pairs": len(pairs),
        **touched(python, cypher),
        "field_files": len(recipe_files(_text(root / "CONTRIBUTING.md"), FIELD_RECIPE)),
    }


def recipe_files(text: str, heading: str) -> list[str]:
    """Return the files that the numbered steps of a recipe change by hand, in order."""
    _, _, recipe = text.partition(f"{heading}\n")
    steps = re.search(r"^1\..*?(?=\n\n)", recipe, re.DOTALL | re.MULTILINE)
    named = re.findall(r"`([\w/]+\.(?:py|md))`", steps.group() if steps else "")
    return [path for path in dict.fromkeys(named) if not path.startswith(("tests/", "docs/gen"))]


def table(values: Mapping[str, float]) -> str:
    """Format the numbers as a table, a row for each."""
    rows = (f"| `{name}` | {round(value, 2):,g} |" for name, value in values.items())
    return "\n".join(("| name | count |", "|---|---|", *rows))


def main() -> None:
    """Count, print the table, and end with one line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=Path, default=_ROOT, help="another checkout to count")
    parser.add_argument(
        "--show", type=int, default=0, help="how many of the longest copies to name"
    )
    add_common_arguments(parser)
    options = parser.parse_args()
    values = measures(options.root.resolve(), options.show)
    if not options.json:
        print(table(values))
    print_result(values, as_json=options.json)


if __name__ == "__main__":
    main()
