"""The benchmarks' own arithmetic, and the stores that they invent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from benchmarks import engines
from benchmarks.ingest import named
from benchmarks.latency import summary
from benchmarks.rounds import Call, Timed, many_at_once, one_by_one
from benchmarks.stores import BATCH, Store, fill
from graph.model.engines.config import Engine
from graph.model.memories.memory import NewMemory, Saved
from service.bootstrap import Service

ROW = {
    **{f"{name}_p50": 4.0 for name in ("floor", "hops0", "default", "all", "http")},
    **{"default_p95": 9.0, "http_p95": 6.0, "service_mb": 150.0, "server_mb": 900.0},
}
RATES = {"floor_rate": 400.0, "default_rate": 200.0, "http_rate": 100.0}


def test_a_store_is_the_same_at_every_run() -> None:
    first, again = Store.of("many", 1300), Store.of("many", 1300)
    assert first.batch(1000) == again.batch(1000)
    assert first.batch(0) != first.batch(1000)
    assert first.questions(5) == again.questions(5)


def test_batches_cover_a_store_and_end_with_it() -> None:
    store = Store.of("many", BATCH + 300)
    rows = [*store.batch(0), *store.batch(BATCH)]
    assert [row.external_id for row in rows] == [f"m{place}" for place in range(BATCH + 300)]
    assert len({row.scope for row in rows}) == 3
    assert len({row.scope for row in Store.of("one", 600).batch(0)}) == 1


def test_stores_are_kept_by_shape_and_size() -> None:
    assert Store.of("one", 10).home(Path("/kept")) == Path("/kept/one-10")


def test_the_last_line_names_the_worse_shape() -> None:
    better = {**ROW, "default_p50": 8.0, **RATES}
    worse = {**ROW, "default_p50": 12.0, **RATES, "default_rate": 120.0}
    line = summary({"many@5": better, "one@5": worse}, ["many", "one"], [5])
    assert (line["inprocess_ratio@5_many"], line["inprocess_ratio@5"]) == (2.0, 3.0)
    assert (line["throughput_ratio@5_many"], line["throughput_ratio@5"]) == (0.5, 0.3)
    assert line["http_throughput_ratio@5"] == 0.25
    assert line["http_p95_over_p50@5"] == 1.5


def test_the_line_of_engines_names_the_worst_ratio_and_the_slowest_law() -> None:
    row = {"p50_ratio": 1.0, "everyday_top3": 0.8, "locomo_turn@10": 0.7}
    rows: dict[Engine, dict[str, float]] = {
        "utility": row,
        "basic": {**row, "p50_ratio": 1.2},
        "actr": {**row, "p50_ratio": 0.9},
    }
    line = engines.summary(rows, {"saliency": 9.0, "basic": 5.0})
    assert (line["p50_ratio"], line["agent_steps_per_s"]) == (1.2, 5.0)
    assert (line["actr_p50_ratio"], line["actr_locomo"]) == (0.9, 0.7)


def test_one_table_has_every_engine_beside_the_default_and_its_law() -> None:
    rows: dict[Engine, dict[str, float]] = {
        "utility": {"p50_ratio": 1.0, "everyday_top3": 0.8},
        "basic": {"p50_ratio": 1.05, "everyday_top3": 0.1},
    }
    head, default, basic, more = engines.table(rows, {"basic": 9000.4, "weighted_all_parts": 6.0})
    assert head.split() == ["p50_ratio", "everyday_top3", "agents_per_s"]
    assert default.split() == ["utility", "1.000", "0.800", "-"]
    assert basic.split() == ["basic", "1.050", "0.100", "9,000"]
    assert more.split() == ["weighted_all_parts", "-", "-", "6"]


def test_every_law_is_measured_over_all_agents() -> None:
    rates = engines.measure_laws(1)
    assert {"saliency", "basic", "weighted", "actr", "generative"} <= rates.keys()
    assert min(rates.values()) > 0


def test_the_last_line_is_silent_on_throughput_that_was_not_measured() -> None:
    line = summary({"one@5": dict(ROW)}, ["one"], [5])
    assert not [name for name in line if "throughput" in name]


def test_ingest_is_a_ratio_to_the_bare_and_to_the_least() -> None:
    line = named(7, {"batch": {"bare": 100.0, "least": 200.0, "inprocess": 80.0, "http": 50.0}})
    assert line["batch_inprocess_ratio@7"] == 0.8
    assert line["batch_http_ratio_least@7"] == 0.25
    assert line["batch_least_per_s@7"] == 200.0


def test_percentiles_are_in_milliseconds_and_rates_per_second() -> None:
    timed = Timed([0.001, 0.003], wall=0.5)
    assert timed.percentile(50) == pytest.approx(2.0)
    assert timed.rate == 4.0


def test_each_question_is_asked_by_every_call_in_turn() -> None:
    asked: list[tuple[str, str]] = []

    def call(name: str) -> Call:
        async def ask(_client: int, question: tuple[str, str]) -> None:
            asked.append((name, question[1]))

        return ask

    calls = {name: call(name) for name in ("a", "b")}
    timed = asyncio.run(one_by_one(calls, [("o", "1"), ("o", "2"), ("o", "3")], warm_up=1))
    first = {"1": "ab", "2": "ba", "3": "ab"}  # whoever asks later finds what was read
    assert asked == [(name, text) for text, names in first.items() for name in names]
    assert [len(each.each) for each in timed.values()] == [2, 2]


def test_clients_share_a_round_and_the_first_round_is_not_counted() -> None:
    at_once, most, clients = 0, 0, set[int]()

    async def ask(client: int, _question: tuple[str, str]) -> None:
        nonlocal at_once, most
        at_once, most = at_once + 1, max(most, at_once + 1)
        clients.add(client)
        await asyncio.sleep(0)
        at_once -= 1

    questions = [("o", str(number)) for number in range(9)]
    timed = asyncio.run(many_at_once({"a": ask}, [questions, questions], clients=3))
    assert (most, clients) == (3, {0, 1, 2})
    assert len(timed["a"].each) == 9
    assert timed["a"].wall > 0


class CutOffError(Exception):
    """Stands for what ends a fill before its end."""


class Remembering:
    """Takes memories in, and may be cut off."""

    def __init__(self, until: int = 10**9) -> None:
        self.names: set[str | None] = set()
        self._until = until

    async def remember(self, rows: Sequence[NewMemory]) -> list[Saved]:
        await asyncio.sleep(0)
        if len(self.names) >= self._until:
            raise CutOffError
        known = [row.external_id in self.names for row in rows]
        self.names |= {row.external_id for row in rows}
        return [Saved("unchanged" if there else "created") for there in known]


def test_a_store_is_filled_once_and_a_fill_that_was_cut_off_goes_on() -> None:
    store = Store.of("many", 4300)
    kept = Remembering(until=2000)
    with pytest.raises(CutOffError):
        asyncio.run(fill(cast("Service", kept), store, 0))
    whole = Remembering()
    whole.names = kept.names - {f"m{place}" for place in range(1000)}  # the slower writer's hole
    asyncio.run(fill(cast("Service", whole), store, len(whole.names)))
    assert len(whole.names) == 4300
    assert asyncio.run(fill(cast("Service", whole), store, 4300)) == 0


def test_a_store_that_holds_more_is_refused() -> None:
    with pytest.raises(SystemExit, match="holds 11 memories, more than 10"):
        asyncio.run(fill(cast("Service", Remembering()), Store.of("many", 10), 11))
