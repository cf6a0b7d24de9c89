"""Stratagraph beside its rivals, in the rivals' own bench.

The bench is a given folder of scripts; its candidates run one after the other on the same Neo4j, wiped before each run.
Completed runs of an interrupted benchmark are reused.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.peers.bench import PEERS, SCRIPTS, SIZES, VARIANTS, Bench
from benchmarks.peers.database import open_neo4j
from benchmarks.peers.figures import Figures, figures_of
from benchmarks.peers.quoted import quoted
from benchmarks.peers.runs import FINISHED, Kept, make, missing
from benchmarks.peers.table import summary, table
from benchmarks.runner import add_common_arguments, print_result, say
from service.cli.serve import terminated_like_interrupted
from service.settings import Settings


def main() -> None:
    """Do the missing runs, print the table, and end with one line."""
    options = _options()
    bench = Bench(options.peers.resolve(), options.data.resolve(), options.venvs.resolve())
    bench.check()
    peers, scripts = options.only.split(","), options.scripts.split(",")
    _refuse_unknown(peers, scripts)
    bench.install(peers)
    kept = Kept(options.out)
    todo = missing(kept, peers, scripts, options.max)
    say(
        f"{len(peers) * len(scripts) - len(todo)} runs are kept in {options.out}, {len(todo)} to do"
    )
    if todo:
        _make(bench, kept, todo, options.max)
    candidates = compared(kept, bench.folder / "RESULTS.md")
    print(table(candidates))
    print_result(summary(candidates), as_json=options.json)


def compared(kept: Kept, account: Path) -> list[Figures]:
    """Return all candidates: ours first, then others, then quoted ones."""
    runs = kept.runs()
    measured = figures_of(runs)
    order = sorted(measured, key=_place)
    others = quoted(account, {run.peer for run in runs if run.script == "bench"})
    return [*(measured[name] for name in order), *others.values()]


def _place(name: str) -> int:
    return (*PEERS[:1], *VARIANTS, *PEERS[1:]).index(name)


def _options() -> argparse.Namespace:
    cache = Settings().cache.expanduser() / "peers"
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--peers", type=Path, required=True, help="folder of the bench: bench.py, peer_*.py, …"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of conversations (*.json)")
    parser.add_argument("--only", default=",".join(PEERS), help="some of these candidates")
    parser.add_argument("--scripts", default=",".join(SCRIPTS), help="some of these scripts")
    parser.add_argument("--max", type=int, default=20_000, choices=SIZES, help="memories at most")
    parser.add_argument("--out", type=Path, default=cache / "results", help="where runs are kept")
    parser.add_argument("--venvs", type=Path, default=cache / "venvs", help="rivals' environments")
    add_common_arguments(parser)
    return parser.parse_args()


def _refuse_unknown(peers: list[str], scripts: list[str]) -> None:
    for given, known in ((peers, (*PEERS, *VARIANTS)), (scripts, (*SCRIPTS,))):
        for name in given:
            if name not in known:
                raise SystemExit(f"{name!r} is none of {', '.join(known)}")


def _make(bench: Bench, kept: Kept, todo: list[tuple[str, str]], most: int) -> None:
    with terminated_like_interrupted(), open_neo4j() as server:
        for place, (peer, script) in enumerate(todo, start=1):
            say(f"run {place} of {len(todo)}: {peer}, {script}")
            log = kept.folder / f"{peer.replace(':', '-')}-{script}.log"
            run = make(bench, server, peer, script, most, SCRIPTS[script], log)
            kept.add(run)
            if run.ended != FINISHED:
                say(f"  {peer} {script} {run.ended}; its errors are in {log}")


if __name__ == "__main__":
    main()
