"""Precision and recall of redaction on written cases, false positives on clean texts, and time.

`python -m benchmarks.privacy --data <folder>` reads every string of the `.json` and `.jsonl` files there.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from graph.model.memories.privacy import PII_TYPES
from graph.privacy.light import LightRecognizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from graph.model.memories.privacy import PiiType
    from graph.ports.privacy import Recognizer

CASES = Path(__file__).with_name("privacy_cases.txt")
_MARK = re.compile(r"\[\[([A-Z_]+) ((?:(?!\[\[).)+?)\]\]")
_SHOWN = 20

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Case:
    """A text and its personal data: type, start, end."""

    part: str
    text: str
    places: frozenset[Place]


@dataclass(slots=True)
class Score:
    """Counts of findings, correct findings, and misses, by type."""

    right: Counter[str] = field(default_factory=Counter[str])
    wrong: Counter[str] = field(default_factory=Counter[str])
    missed: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])

    def precision(self, kind: str | None = None) -> float:
        """Return the share of findings that are correct."""
        return _share(_of(self.right, kind), _of(self.wrong, kind))

    def recall(self, kind: str | None = None) -> float:
        """Return the share of personal data that was found, with type and exact ends."""
        return _share(_of(self.right, kind), _of(self.missed, kind))


def read_cases(path: Path = CASES) -> list[Case]:
    """Read the table of cases; lines that begin with ## are section titles."""
    cases: list[Case] = []
    part = ""
    for line in path.read_text().splitlines():
        if line.startswith("## "):
            part = line[3:]
        elif line and not line.startswith("# "):
            cases.append(_case(part, line))
    return cases


def score(recognizer: Recognizer, cases: Sequence[Case]) -> Score:
    """Compare findings with labels."""
    result = Score()
    for case in cases:
        found = frozenset((one.type, one.start, one.end) for one in recognizer.find(case.text))
        for kinds, places in (
            (result.right, found & case.places),
            (result.wrong, found - case.places),
            (result.missed, case.places - found),
        ):
            kinds.update(kind for kind, _, _ in places)
        if found != case.places:
            result.faults.append(f"{case.text}  found {_excerpts(case.text, found)}")
    return result


def strings_under(folder: Path) -> Iterator[str]:
    """Yield every string of the JSON files under a folder."""
    for path in sorted(folder.rglob("*.json*")):
        lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
        for line in lines:
            yield from _strings(json.loads(line))


def table(result: Score) -> str:
    """Format a score as a table, a row for each type."""
    rows = ["| type | written | precision | recall |", "|---|---|---|---|"]
    for kind in (*PII_TYPES, None):
        written = _of(result.right, kind) + _of(result.missed, kind)
        rows.append(
            f"| {kind or 'all'} | {written} | {result.precision(kind):.3f} | {result.recall(kind):.3f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Print the tables, false positives, and texts per second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder of texts in which nobody is named by number"
    )
    parser.add_argument(
        "--presidio", action="store_true", help="the extra `pii` in place of the light one"
    )
    parser.add_argument("--faults", action="store_true", help="show each case that went wrong")
    asked = parser.parse_args()
    recognizer = _recognizer(presidio=asked.presidio)
    cases = read_cases()
    parts = dict.fromkeys(case.part for case in cases)
    for part in parts:
        chosen = [case for case in cases if case.part == part]
        result = score(recognizer, chosen)
        print(f"\n{part}: {len(chosen)} cases\n\n{table(result)}")
        if asked.faults:
            print(*result.faults, sep="\n")
    if asked.data:
        _measure_texts(recognizer, asked.data)


def _recognizer(*, presidio: bool) -> Recognizer:
    if not presidio:
        return LightRecognizer()
    from graph.privacy.presidio import PresidioRecognizer

    return PresidioRecognizer()


def _measure_texts(recognizer: Recognizer, folder: Path) -> None:
    texts = list(strings_under(folder))
    started = time.perf_counter()
    found = [(text, one) for text in texts for one in recognizer.find(text)]
    seconds = time.perf_counter() - started
    for text, one in found[:_SHOWN]:
        print(one.type, repr(text[max(0, one.start - 20) : one.end + 10]))
    kinds: Counter[PiiType] = Counter(one.type for _, one in found)
    print(
        f"\n{len(texts)} texts, {sum(map(len, texts))} characters: found {dict(kinds)}; "
        f"{len(texts) / seconds:.0f} texts/s, {seconds / len(texts) * 1e6:.0f} µs a text"
    )


def _case(part: str, line: str) -> Case:
    text, places, last = "", set[Place](), 0
    for match in _MARK.finditer(line):
        text += line[last : match.start()]
        places.add((match[1], len(text), len(text) + len(match[2])))
        text += match[2]
        last = match.end()
    return Case(part, text + line[last:], frozenset(places))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in cast("dict[str, Any]", value).values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _strings(each)


def _of(counts: Counter[str], kind: str | None) -> int:
    return counts.total() if kind is None else counts[kind]


def _share(right: int, other: int) -> float:
    return right / (right + other) if right + other else 1.0


def _excerpts(text: str, places: frozenset[Place]) -> list[str]:
    return [f"{kind} {text[start:end]}" for kind, start, end in sorted(places)]


if __name__ == "__main__":
    main()
