"""Figures of candidates that do not run here, from the bench's own report of a full run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.peers.figures import DEFAULT, Figures, Quality, Speed

# Names in the report of candidates that can run here; others can only be quoted.
RUN_HERE = {"floor": "bare Cypher floor", "nam": "neo4j-agent-memory", "graphiti": "graphiti"}

_STARVED = re.compile(
    r"- (?P<peer>.+) (?P<mode>\S+): returned \d+, own (?P<own>\d+), foreign (?P<foreign>\d+)"
)
_NAME = re.compile(r"(?P<name>[^\[]+?)(?: \[(?P<mode>.+)\])?")


def quoted(account: Path, run_here: set[str]) -> dict[str, Figures]:
    """Read the report's candidates that were not run; nothing without a report."""
    text = account.read_text(encoding="utf-8") if account.is_file() else ""
    here = tuple(name for peer, name in RUN_HERE.items() if peer in run_here)
    found: dict[str, Figures] = {}
    for title, row in _rows(text):
        name = _NAME.fullmatch(row.get("peer", ""))
        if name is None or name["name"].startswith(here):
            continue
        figures = found.setdefault(name["name"], Figures(name["name"], quoted=True))
        _note(figures, title, row, name["mode"] or DEFAULT)
    for line in _STARVED.finditer(text):
        if line["peer"] in found:
            counts = int(line["own"]), int(line["foreign"])
            found[line["peer"]].starved[line["mode"]] = counts
    # Tables of single subjects use shorter names, and would only add nearly empty columns.
    return {name: figures for name, figures in found.items() if figures.quality}


def _rows(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    title, names = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            title, names = line.lstrip("# "), []
        elif not line.startswith("|"):
            names = []
        elif set(line) <= set("|- "):
            continue
        else:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if names:
                yield title, dict(zip(names, cells, strict=False))
            else:
                names = cells


def _note(figures: Figures, title: str, row: Mapping[str, str], mode: str) -> None:
    if title.startswith("Ingest"):
        figures.rates["ingest_batch"] = float(row["own batch, 5 files (2,760)"])
        figures.rates["ingest_one"] = float(row["one by one"])
    elif title.startswith("Recall@10"):
        tag, _, asked = row["mode"].partition("/")
        if tag == "five":
            figures.quality[int(row["store size"]), asked or DEFAULT] = Quality(
                int(row["questions"]),
                float(row["recall@10"]),
                float(row["short"]),
                float(row["foreign"]),
            )
    elif title.startswith("Latency") and row["embedding"] == "in":
        figures.speed[int(row["store"]), mode] = Speed(_last(row["p50"]), _last(row["p95"]))
    elif title.startswith("16 concurrent"):
        rates = [float(rate) for rate in row["qps"].split(",")]
        figures.qps[int(row["store"])] = sum(rates) / len(rates)
    elif title.startswith("One user"):
        rate = None if row["16 clients qps"] == "-" else float(row["16 clients qps"])
        figures.big[mode] = Speed(_mean(row["p50"]), _mean(row["p95"]), rate)


def _last(cell: str) -> float:
    """Return the median of a cell `least/median`."""
    return float(cell.rpartition("/")[2])


def _mean(cell: str) -> float:
    rounds = [float(part) for part in cell.split("/")]
    return sum(rounds) / len(rounds)
