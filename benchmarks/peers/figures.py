"""Parsing of the figures printed by the bench's scripts."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, field
from statistics import mean, median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.peers.runs import Run

DEFAULT = "default"

_BIG = re.compile(r"\S+ (?P<mode>\S+) (?P<what>lat|conc16 qps (?P<qps>[\d.]+)) (?P<times>\{.*\})")
_TEN = re.compile(r"\S+ (?P<mode>\S+) (?P<row>\{.*\})")
_POISON = re.compile(r"\S+ (?P<tag>\S+) \| add: (?P<add>\S+) \| later good query: (?P<later>.*)")
_DEAD = re.compile(r"\[\S+\] (?P<step>[^:]+): (?P<what>.*) \((?P<seconds>[\d.]+)s\)$", re.DOTALL)
_ERROR = re.compile(r"(?P<name>\w+): ")
_HITS = re.compile(r"(?P<count>\d+) results")
_OWN = re.compile(r"(?P<count>\d+) results, own (?P<own>\d+)")
_CODE = re.compile(r"\((?P<status>4\d\d|5\d\d)\)")


@dataclass(frozen=True, slots=True)
class Quality:
    """Recall@10 of questions, the share with fewer than ten own results, and of foreign results."""

    questions: int
    recall: float
    short: float
    foreign: float


@dataclass(frozen=True, slots=True)
class Speed:
    """Milliseconds of one client's searches; searches per second of sixteen."""

    p50: float
    p95: float
    qps: float | None = None


@dataclass(slots=True)
class Figures:
    """All figures of one candidate; ``quoted``: not measured here. Modes are ways of querying it."""

    name: str
    version: str = ""
    quoted: bool = False
    quality: dict[tuple[int, str], Quality] = field(default_factory=dict[tuple[int, str], Quality])
    alone: dict[str, Quality] = field(default_factory=dict[str, Quality])
    speed: dict[tuple[int, str], Speed] = field(default_factory=dict[tuple[int, str], Speed])
    qps: dict[int, float] = field(default_factory=dict[int, float])
    rates: dict[str, float] = field(default_factory=dict[str, float])
    starved: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    big: dict[str, Speed] = field(default_factory=dict[str, Speed])
    faults: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    poisoned: dict[str, str] = field(default_factory=dict[str, str])
    dead: dict[str, str] = field(default_factory=dict[str, str])
    loads: dict[str, float] = field(default_factory=dict[str, float])
    unfinished: list[str] = field(default_factory=list[str])

    def best_recall(self, size: int) -> float | None:
        """Return the recall of its best mode at a size."""
        found = [quality.recall for (at, _), quality in self.quality.items() if at == size]
        return max(found, default=None)

    def foreign(self) -> float:
        """Return the largest share of foreign results of default queries."""
        shares = [quality.foreign for (_, mode), quality in self.quality.items() if mode == DEFAULT]
        starved = [foreign / 10 for mode, (_, foreign) in self.starved.items() if mode == DEFAULT]
        alone = [quality.foreign for mode, quality in self.alone.items() if mode == DEFAULT]
        return max([*shares, *starved, *alone], default=0.0)


def figures_of(runs: Iterable[Run]) -> dict[str, Figures]:
    """Read the runs of all candidates."""
    found: dict[str, Figures] = {}
    for run in runs:
        figures = found.setdefault(run.peer, Figures(run.peer))
        figures.version = run.version
        figures.loads[run.script] = run.load
        if run.ended != "finished":
            figures.unfinished.append(f"{run.script} {run.ended}")
        _READERS[run.script](figures, run.lines)
    return found


def _read_bench(figures: Figures, lines: Sequence[str]) -> None:
    times: dict[tuple[int, str], dict[int, Speed]] = {}
    rates: dict[int, list[float]] = {}
    first: dict[int, list[str]] = {}
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for row in rows:
        match row["phase"]:
            case "quality":
                _note_quality(figures, row)
                mode = row["tag"].partition("/")[2] or DEFAULT
                if row["tag"].startswith("five"):
                    first.setdefault(row["n"], []).append(mode)
            case "lat" if row["mode"] == "embed":
                mode = first[row["n"]][-1]  # the last query is timed next
                times.setdefault((row["n"], mode), {})[row["rnd"]] = Speed(row["p50"], row["p95"])
            case "conc":
                rates.setdefault(row["n"], []).append(row["qps"])
            case "ingest_batch" | "ingest_one":
                figures.rates[row["phase"]] = row["tps"]
            case "fill":
                figures.rates[f"fill@{row['n']}"] = row["tps"]
            case "starve":
                mode = row["mode"] or DEFAULT
                figures.starved[mode] = (row["mine"], row["foreign"])
            case "fault_add" | "fault_query":
                what = row["phase"].removeprefix("fault_")
                figures.faults[row["tag"], what] = _outcome(row["result"])
            case _:
                pass
    figures.speed |= {key: _middle(list(rounds.values())) for key, rounds in times.items()}
    figures.qps |= {size: mean(found) for size, found in rates.items()}


def _note_quality(figures: Figures, row: dict[str, Any]) -> None:
    tag, _, mode = row["tag"].partition("/")
    if tag == "five":
        figures.quality[row["n"], mode or DEFAULT] = Quality(
            row["questions"], row["recall10"], row["short_frac"], row["foreign_frac"]
        )


def _middle(rounds: Sequence[Speed]) -> Speed:
    return Speed(median(each.p50 for each in rounds), median(each.p95 for each in rounds))


def _read_ten(figures: Figures, lines: Sequence[str]) -> None:
    for line in lines:
        if found := _TEN.fullmatch(line):
            row = ast.literal_eval(found["row"])
            figures.alone[_mode(found["mode"])] = Quality(
                row["q"], row["recall10"], row["short"], row["foreign"]
            )


def _read_big(figures: Figures, lines: Sequence[str]) -> None:
    rounds: dict[str, list[Speed]] = {}
    rates: dict[str, float] = {}
    for line in lines:
        if found := _BIG.fullmatch(line):
            times, mode = ast.literal_eval(found["times"]), _mode(found["mode"])
            if found["qps"]:
                rates[mode] = float(found["qps"])
            else:
                rounds.setdefault(mode, []).append(Speed(times["p50"], times["p95"]))
    for mode, each in rounds.items():
        middle = _middle(each)
        figures.big[mode] = Speed(middle.p50, middle.p95, rates.get(mode))


def _read_poison(figures: Figures, lines: Sequence[str]) -> None:
    for line in lines:
        if found := _POISON.fullmatch(line):
            add = found["add"] if found["add"] == "stored" else "refused"
            own = _OWN.match(found["later"])
            failed = found["later"].removeprefix("QUERY FAILS ")
            later = f"{own['own']} own of {own['count']}" if own else _outcome(failed)
            figures.poisoned[found["tag"]] = f"{add}; then {later}"


def _read_dead(figures: Figures, lines: Sequence[str]) -> None:
    # An error message may have several lines.
    for text in re.split(r"\n(?=\[\S+\] )", "\n".join(lines)):
        if found := _DEAD.match(text.strip()):
            outcome = _outcome(found["what"])
            figures.dead[found["step"]] = f"{outcome} in {float(found['seconds']):.1f} s"


def _outcome(text: str) -> str:
    if text.startswith(("stored", "ok")):
        return text.split()[0]
    if hits := _HITS.match(text):
        return f"{hits['count']} results"
    status = _CODE.search(text)
    error = _ERROR.match(text)
    name = error["name"] if error else text.split(":")[0][:40]
    return f"{name} {status['status']}" if status else name


def _mode(text: str) -> str:
    return DEFAULT if text == "None" else text


_READERS: dict[str, Callable[[Figures, Sequence[str]], None]] = {
    "bench": _read_bench,
    "ten_only": _read_ten,
    "big": _read_big,
    "poison": _read_poison,
    "dead": _read_dead,
}
