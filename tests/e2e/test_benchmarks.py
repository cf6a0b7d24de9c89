"""Each benchmark of rates runs to its last line, on stores of a few memories."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import notes_chats
from graph.scoring.strata import STRATA
from tests.prepared_home import HomeCopy
from tests.unit.utility.test_utility_benchmark import write_problems

pytestmark = pytest.mark.slow


def run(*arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", *arguments, "--json"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_latency_ends_with_its_figures_and_keeps_its_store(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    prepared_home(tmp_path / "one-40")
    few = ("--sizes", "40", "--shapes", "one", "--queries", "4", "--warm-up", "1", "--clients", "2")
    line = run("benchmarks.latency", *few, "--home", str(tmp_path))
    for name in ("throughput_ratio", "http_throughput_ratio", "http_p95_over_p50", "server_mb"):
        assert line[f"{name}@40"] > 0
    assert (tmp_path / "one-40" / "data").is_dir()


def test_ingest_ends_with_its_figures(tmp_path: Path, prepared_home: HomeCopy) -> None:
    prepared_home(tmp_path / "many-0")
    few = (
        "--at",
        "0",
        "--batch",
        "5",
        "--rounds",
        "1",
        "--singles",
        "1",
        "--warm-up",
        "0",
        "--lag",
        "2",
    )
    line = run("benchmarks.ingest", *few, "--home", str(tmp_path))
    assert line["batch_http_ratio@0"] > 0
    assert line["single_inprocess_ratio@0"] > 0
    assert line["link_lag_1_s"] >= 0


def test_transfer_carries_every_memory_and_ends_with_its_figures(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    prepared_home(tmp_path / "many-30")
    line = run("benchmarks.transfer", "--sizes", "30", "--home", str(tmp_path))
    assert line["import_per_s@30"] > 0
    assert line["export_service_mb@30"] > 50
    assert line["export_file_mb@30"] > 0


def test_utility_ends_with_its_figures_and_goes_on_with_its_curves(
    tmp_path: Path, prepared_home: HomeCopy
) -> None:
    prepared_home(tmp_path / "gsm8k-20-7")
    write_problems(tmp_path, 20)
    few = ("--data", str(tmp_path), "--problems", "20", "--epochs", "2", "--home", str(tmp_path))
    line = run("benchmarks.utility", *few)
    for name in ("own", "graph", "exploration", "signed", "unit", "literal"):
        assert 0 <= line[f"heldout_{name}"] <= 2
        assert 0 <= line[f"seen_{name}"] <= 2
    assert line["heldout_vs_best"] == line["heldout_graph"]
    assert 0 <= line["similarity_only"] <= 1
    assert run("benchmarks.utility", *few) == line  # nothing is left to learn


def test_strata_ends_with_its_figures() -> None:
    parts = ("--only", "core,gates,consolidation", "--agents", "2")
    few = ("--events", "5", "--few", "40", "--many", "80", "--rounds", "1")
    line = run("benchmarks.strata", *parts, *few, "--warm", "0")
    for name in ("surprise_p95_ms", "compress_p95_ms", "gate_1k_ms", "gate_100k_s"):
        assert line[name] > 0
    assert line["consolidate_1k_s"] > 0
    assert line["recall_beside_ratio"] > 0


def test_erasure_leaves_nothing_and_ends_with_its_figures() -> None:
    line = run("benchmarks.erasure", "--memories", "60", "--beside", "20")
    assert (line["left"], line["others_changed"]) == (0, 0)
    assert line["hidden_per_s"] > 0
    assert line["removed_per_s"] > 0
    assert line["heap_mb"] > 0


def test_a_chat_is_printed_in_every_stratum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = (
        "# A move\n2026-03-02 18:00|Ana|The van comes on 9 May.\n2026-03-02 18:01|Ben|Great, thanks!\n"
        "---\ndirect|When does the van come?|9 May\n"
    )
    (tmp_path / "move.txt").write_text(said, encoding="utf-8")
    notes_chats.print_chats(tmp_path)
    printed = capsys.readouterr().out
    assert [stratum for stratum in STRATA if f"Into `{stratum}`" in printed] == [*STRATA[1:]]
    assert printed.count("Ana: The van comes on 9 May.") == len(STRATA) - 1
