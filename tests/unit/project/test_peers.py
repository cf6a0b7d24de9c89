"""The bench of the rivals: what is read from its scripts, kept, compared and shown."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest

from benchmarks.peers.bench import Bench
from benchmarks.peers.figures import DEFAULT, Figures, Quality, Speed, figures_of
from benchmarks.peers.quoted import quoted
from benchmarks.peers.runs import Kept, Run, follow, missing
from benchmarks.peers.table import summary, table

ACCOUNT = """
### Ingest (turns/s)

| peer | own batch, 5 files (2,760) | batch, other 5 (3,122) | one by one | fill to 20k |
|---|---|---|---|---|
| neo4j-agent-memory 0.8.0 | 604.3 | 909.9 | 67.6 | 1104.3 |
| elsewhere 1 | 441.9 | 427.8 | 428.3 | 804.0 |

### Recall@10, short (<10 own results) and foreign results

| peer | mode | store size | questions | recall@10 | short | foreign |
|---|---|---|---|---|---|---|
| neo4j-agent-memory 0.8.0 | five | 2760 | 760 | 0.4017 | 0.289 | 0.102 |
| elsewhere 1 | five | 2760 | 760 | 0.4161 | 0.0 | 0.0 |
| elsewhere 1 | five/exact | 2760 | 760 | 0.8 | 0.0 | 0.0 |
| elsewhere 1 | ten | 8642 | 340 | 0.3847 | 0.0 | 0.0 |

### Latency, single client, ms (min/median over 3 rounds)

| peer | store | embedding | p50 | p95 | p99 | samples/round |
|---|---|---|---|---|---|---|
| elsewhere 1 | 2760 | in | 23.2/23.4 | 24.3/24.7 | 25.3/26.7 | 200 |
| elsewhere 1 [exact] | 2760 | in | 33.2/33.4 | 34.3/34.7 | 25.3/26.7 | 200 |
| elsewhere 1 | 2760 | out | 22.5/23.1 | 24.7/24.9 | 25.6/26.3 | 200 |

### 16 concurrent clients (two rounds: qps; p50/p95 ms)

| peer | store | qps | p50 | p95 | errors |
|---|---|---|---|---|---|
| elsewhere 1 | 2760 | 37.5 , 40.5 | 357.4/373.6 | 685.3/687.2 | 0 |

### Starvation and faults

- neo4j-agent-memory 0.8.0 default: returned 10, own 0, foreign 10
- elsewhere 1 default: returned 10, own 9, foreign 1

### One user holding 20,000 memories

| peer | p50 | p95 | 16 clients qps |
|---|---|---|---|
| elsewhere 1 | 180.0 / 179.0 | 226.0 / 222.0 | - |
| nameless | 1.0 / 1.0 | 2.0 / 2.0 | 5 |
"""


def run(peer: str, script: str, lines: list[str], most: int = 2760, ended: str = "finished") -> Run:
    return Run(
        peer, script, most, "2026-01-01T00:00:00+00:00", f"{peer} 1.0", ended, 1.0, lines, 2.5
    )


def bench_lines(recall: float, p50: float, qps: float, foreign: float = 0.0) -> list[str]:
    quality = {"phase": "quality", "questions": 760, "short_frac": 0.1, "foreign_frac": foreign}
    times = {"phase": "lat", "n": 2760, "mode": "embed", "p95": 2 * p50}
    rows = [
        {"phase": "setup", "s": 1.0},
        {"phase": "ingest_batch", "turns": 2760, "s": 10.0, "tps": 276.0},
        {**quality, "tag": "five", "n": 2760, "recall10": recall},
        *({**times, "rnd": rnd, "p50": p50 + rnd - 1} for rnd in range(3)),
        {**times, "mode": "noembed", "rnd": 0, "p50": 99.0},
        {"phase": "conc", "n": 2760, "rnd": 0, "qps": qps - 1, "errors": 0},
        {"phase": "conc", "n": 2760, "rnd": 1, "qps": qps + 1, "errors": 0},
        {**quality, "tag": "five/wide", "n": 2760, "recall10": recall + 0.1},
        *({**times, "rnd": rnd, "p50": 3 * p50} for rnd in range(3)),
        {"phase": "ingest_one", "turns": 100, "s": 2.0, "tps": 50.0},
        {**quality, "tag": "ten", "n": 4000, "recall10": 0.1},
        {"phase": "fill", "n": 20000, "s": 10.0, "tps": 1500.0, "complete": True},
        {"phase": "starve", "mode": None, "returned": 10, "mine": 8, "foreign": 2},
        {"phase": "starve", "mode": "wide", "returned": 10, "mine": 0, "foreign": 10},
        {"phase": "fault_add", "tag": "1MB", "result": "stored", "s": 0.1},
        {"phase": "fault_query", "tag": "1MB", "result": "7 results [('a', 'b')]", "s": 0.1},
        {"phase": "fault_add", "tag": "nan_vec", "result": "BadError: no (422)\n  why", "s": 0.1},
        {"phase": "fault_query", "tag": "nan_vec", "result": "OtherError: no way", "s": 0.1},
    ]
    return [json.dumps(row) for row in rows]


def test_the_lines_of_the_bench_are_read() -> None:
    found = figures_of([run("nam", "bench", bench_lines(0.4, 10.0, 100.0, 0.3))])["nam"]
    assert found.version == "nam 1.0"
    assert found.unfinished == []
    assert found.loads == {"bench": 2.5}
    assert found.quality == {
        (2760, DEFAULT): Quality(760, 0.4, 0.1, 0.3),
        (2760, "wide"): Quality(760, 0.5, 0.1, 0.3),
    }
    assert found.speed == {(2760, DEFAULT): Speed(10.0, 20.0), (2760, "wide"): Speed(30.0, 20.0)}
    assert found.qps == {2760: 100.0}
    assert found.rates == {"ingest_batch": 276.0, "ingest_one": 50.0, "fill@20000": 1500.0}
    assert found.starved == {DEFAULT: (8, 2), "wide": (0, 10)}
    assert found.faults == {
        ("1MB", "add"): "stored",
        ("1MB", "query"): "7 results",
        ("nan_vec", "add"): "BadError 422",
        ("nan_vec", "query"): "OtherError",
    }
    assert found.best_recall(2760) == 0.5
    assert found.best_recall(20_000) is None
    assert found.foreign() == 0.3


def test_the_lines_of_the_other_scripts_are_read() -> None:
    big = [
        "nam load 20000 12.3",
        "nam None lat {'p50': 10.0, 'p95': 20.0, 'p99': 30.0, 'cnt': 60}",
        "nam None lat {'p50': 12.0, 'p95': 24.0, 'p99': 30.0, 'cnt': 60}",
        "nam None conc16 qps 99.5 {'p50': 1.0, 'p95': 2.0, 'p99': 3.0, 'cnt': 500}",
        "nam wide lat {'p50': 5.0, 'p95': 6.0, 'p99': 7.0, 'cnt': 60}",
    ]
    ten = ["nam None {'q': 5, 'recall10': 0.5, 'foreign': 0.4, 'short': 0.2}", "something else"]
    poison = [
        "nam control | add: stored | later good query: 10 results, own 9, bad row in them False",
        "nam nan_vec | add: BadError | later good query: QUERY FAILS WorseError: no: never",
    ]
    dead = [
        '[nam] setup on closed port: ConnectionError: "nobody: really (none\',)):" (0.0s)',
        "[nam] search live: ok [('u', 'd')] (0.1s)",
        "[nam] search after kill: ServiceError: 'two",
        "lines (503)' (32.25s)",
    ]
    found = figures_of(
        [
            run("nam", "big", big),
            run("nam", "ten_only", ten),
            run("nam", "poison", poison, ended="failed with 1"),
            run("nam", "dead", dead),
        ]
    )["nam"]
    assert found.big == {DEFAULT: Speed(11.0, 22.0, 99.5), "wide": Speed(5.0, 6.0, None)}
    assert found.alone == {DEFAULT: Quality(5, 0.5, 0.2, 0.4)}
    assert found.poisoned == {
        "control": "stored; then 9 own of 10",
        "nan_vec": "refused; then WorseError",
    }
    assert found.dead == {
        "setup on closed port": "ConnectionError in 0.0 s",
        "search live": "ok in 0.1 s",
        "search after kill": "ServiceError 503 in 32.2 s",
    }
    assert found.unfinished == ["poison failed with 1"]
    assert found.foreign() == 0.4


def test_who_did_not_run_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "RESULTS.md").write_text(ACCOUNT)
    found = quoted(tmp_path / "RESULTS.md", {"nam", "floor"})
    assert list(found) == ["elsewhere 1"]
    there = found["elsewhere 1"]
    assert there.quoted
    assert there.quality[2760, DEFAULT] == Quality(760, 0.4161, 0.0, 0.0)
    assert there.best_recall(2760) == 0.8
    assert set(there.quality) == {(2760, DEFAULT), (2760, "exact")}
    assert there.speed == {(2760, DEFAULT): Speed(23.4, 24.7), (2760, "exact"): Speed(33.4, 34.7)}
    assert there.qps == {2760: 39.0}
    assert there.rates == {"ingest_batch": 441.9, "ingest_one": 428.3}
    assert there.starved == {DEFAULT: (9, 1)}
    assert set(quoted(tmp_path / "RESULTS.md", set())) == {
        "neo4j-agent-memory 0.8.0",
        "elsewhere 1",
    }
    assert quoted(tmp_path / "nothing.md", set()) == {}


def test_the_summary_compares_with_the_best_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "RESULTS.md").write_text(ACCOUNT)
    big = "x None lat {'p50': 10.0, 'p95': 20.0, 'p99': 30.0, 'cnt': 60}"
    rate = "x None conc16 qps 50.0 {'p50': 1.0, 'p95': 2.0, 'p99': 3.0, 'cnt': 500}"
    measured = figures_of(
        [
            run("stratagraph", "bench", bench_lines(0.7, 10.0, 150.0)),
            run("stratagraph", "big", [big, rate]),
            run("floor", "bench", bench_lines(0.5, 1.0, 900.0)),
            run("nam", "bench", bench_lines(0.2, 20.0, 100.0)),
            run("nam", "big", [big.replace("10.0", "40.0"), rate]),
            run("graphiti", "bench", bench_lines(0.3, 40.0, 120.0)),
        ]
    )
    candidates = [*measured.values(), *quoted(tmp_path / "RESULTS.md", set(measured)).values()]
    assert summary(candidates) == pytest.approx(
        {
            "foreign": 0.2,
            "recall10@2760": 0.7,
            "best_rival_recall10@2760": 0.8,
            "p50_vs_best_server_rival@2760": 0.5,
            "qps_vs_best_server_rival@2760": 1.25,
            "p50_vs_best_server_rival@one_user": 0.25,
            "qps_vs_best_server_rival@one_user": 1.0,
            "ingest_batch_vs_best_server_rival": 1.0,
            "ingest_one_vs_best_server_rival": 1.0,
        }
    )
    assert summary([Figures("nam")]) == {}


def test_the_table_has_a_column_for_each_and_no_empty_row(tmp_path: Path) -> None:
    (tmp_path / "RESULTS.md").write_text(ACCOUNT)
    measured = figures_of([run("stratagraph", "bench", bench_lines(0.7, 10.0, 150.0))])
    rows = table([*measured.values(), *quoted(tmp_path / "RESULTS.md", {"nam"}).values()]).split(
        "\n"
    )
    assert rows[0] == "|  | Stratagraph | elsewhere 1 |"
    assert rows[1] == "| --- | --- | --- |"
    assert "| measured | stratagraph 1.0 | quoted |" in rows
    assert "| machine's load before bench, big | 2.5, – | – |" in rows
    assert "| recall@10, 2,760 | 0.700; wide 0.800 | 0.416; exact 0.800 |" in rows
    assert "| one client, p50 / p95 ms, 2,760 | 10.0 / 20.0; wide 30.0 / 20.0 " in rows[7]
    assert "| starvation: own / foreign of 10 | 8 / 2; wide 0 / 10 | 9 / 1 |" in rows
    assert "| NaN vector, add | BadError 422 | – |" in rows
    assert "| one user with 20,000: p50 / p95 ms | – | 179.5 / 224.0 |" in rows
    assert not any("each conversation" in row or "not finished" in row for row in rows)


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "results")
    assert missing(kept, ["nam", "floor"], ["bench", "big"], 2760) == [
        ("nam", "bench"),
        ("floor", "bench"),
        ("nam", "big"),
        ("floor", "big"),
    ]
    kept.add(run("nam", "bench", ["old"]))
    kept.add(run("nam", "bench", ["new"]))
    kept.add(run("nam", "big", []))
    with (tmp_path / "results" / "runs.jsonl").open("a") as file:
        file.write('{"peer": "floor", "script": "be')  # killed while it wrote
    again = Kept(tmp_path / "results")
    assert missing(again, ["nam"], ["bench", "big"], 2760) == []
    assert missing(again, ["nam"], ["bench", "big"], 20_000) == [("nam", "bench")]
    assert [each.lines for each in again.runs()] == [["new"], []]
    again.add(run("floor", "bench", ["broken"], ended="failed with 1"))
    assert not again.has("floor", "bench", 2760)
    again.add(run("floor", "bench", ["slow"], ended="stopped after 9 s"))
    assert again.has("floor", "bench", 2760)


def test_a_run_is_followed_to_its_end_or_to_its_limit() -> None:
    said = "print('one', flush=True); print('two')"
    assert follow([sys.executable, "-c", said], "x", 30.0) == (["one", "two"], "finished")
    assert follow([sys.executable, "-c", "raise SystemExit(3)"], "x", 30.0) == ([], "failed with 3")
    # Whoever started the tests may have them ignore SIGINT, and a child inherits that.
    heeds = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL)"
    sleeps = f"{heeds}; print('up', flush=True); time.sleep(60)"
    started = time.monotonic()
    lines, ended = follow([sys.executable, "-c", sleeps], "x", 1.0)
    assert (lines, ended) == (["up"], "stopped after 1 s")
    assert time.monotonic() - started < 30


def test_a_folder_that_is_no_bench_is_refused(tmp_path: Path) -> None:
    peers, data = tmp_path / "peers", tmp_path / "data"
    peers.mkdir()
    data.mkdir()
    bench = Bench(peers, data, tmp_path / "venvs")
    with pytest.raises(SystemExit, match=r"--peers: .* has no common\.py, .*not part of this"):
        bench.check()
    for name in ("common", "bench", "ten_only", "big", "poison", "dead"):
        (peers / f"{name}.py").touch()
    (peers / "install.sh").touch()
    with pytest.raises(SystemExit, match="--data: no LoCoMo conversation"):
        bench.check()
    (data / "1.json").write_text("{}")
    bench.check()


def test_few_conversations_get_one_more_turn(tmp_path: Path) -> None:
    data, laid = tmp_path / "data", tmp_path / "laid"
    data.mkdir()
    laid.mkdir()
    (data / "1.json").write_text("{}")
    bench = Bench(tmp_path, data, tmp_path / "venvs")
    bench.lay_out(laid)
    assert sorted(file.name for file in laid.iterdir()) == ["1.json", "zz-one-turn.json"]
    assert json.loads((laid / "zz-one-turn.json").read_text())["qa"] == []
