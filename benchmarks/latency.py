"""Latency of a recall beside the bare vector query, in one run, on the same driver and pool.

Two shapes of store: many scopes of a few hundred memories, and one scope that holds all. Profiles:
no hops, the defaults, everything (two hops, twenty results, explained).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np

from benchmarks.floor import bare_search
from benchmarks.runner import (
    Running,
    add_common_arguments,
    print_result,
    progress,
    running_service,
    say,
)
from graph.model import NewMemory
from graph.scope import Caller
from service.bootstrap import Connection, Service, open_service
from service.bootstrap.managed import running_connection
from service.settings import Settings
from service.use_cases.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

_SHAPES = ("many", "one")
_SCOPE_SIZE = 500
_SESSION_SIZE = 20
_BATCH = 1000
_WARM_UP = 150
_SEED = 7
_SPEAKERS = ("Ann", "Bob")
_PROFILES: dict[str, dict[str, Any]] = {
    "hops0": {"hops": 0},
    "default": {},
    "all": {"hops": 2, "k": 20, "explain": True},
}


@dataclass(frozen=True, slots=True)
class Words:
    """Texts whose words are as unevenly frequent as those of a language (Zipf)."""

    vocabulary: tuple[str, ...]
    cumulative: np.ndarray[Any, np.dtype[np.float64]]

    @classmethod
    def make(cls, rng: np.random.Generator, size: int = 20_000) -> Words:
        """Invent a vocabulary."""
        letters = np.array(list("aeioulnrstdmkbpgfvh"))
        words = (
            "".join(letters[rng.integers(len(letters), size=int(rng.integers(3, 10)))].tolist())
            for _ in range(size * 2)
        )
        vocabulary = tuple(dict.fromkeys(words))[:size]
        weights = 1.0 / np.arange(2, len(vocabulary) + 2)
        return cls(vocabulary, np.cumsum(weights / weights.sum()))

    def text(self, rng: np.random.Generator, low: int, high: int) -> str:
        """Write one text of that many words."""
        count = int(rng.integers(low, high))
        last = len(self.vocabulary) - 1
        places = np.minimum(np.searchsorted(self.cumulative, rng.random(count)), last)
        return " ".join(self.vocabulary[int(place)] for place in places)


def main() -> None:
    """Measure, print, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="memories, ascending")
    parser.add_argument("--shapes", default=",".join(_SHAPES), help="many, one, or both")
    parser.add_argument("--queries", type=int, default=200, help="queries per figure")
    add_common_arguments(parser)
    options = parser.parse_args()
    sizes = sorted(int(size) for size in options.sizes.split(","))
    figures: dict[str, dict[str, float]] = {}
    for shape in options.shapes.split(","):
        with running_service() as running:
            measured = asyncio.run(_measure_shape(running, shape, sizes, options.queries))
            figures |= {f"{shape}@{size}": row for size, row in measured.items()}
    _print_table(figures)
    print_result(_summary(figures, sizes), as_json=options.json)


async def _measure_shape(
    running: Running, shape: str, sizes: list[int], queries: int
) -> dict[int, dict[str, float]]:
    rng = np.random.default_rng(_SEED)
    words = Words.make(rng)
    connection = running_connection(running.home)
    rows: dict[int, dict[str, float]] = {}
    async with open_service(Settings(neo4j_uri=connection.uri), connection) as service:
        stored = 0
        for size in sizes:
            started = time.perf_counter()
            await _fill(service, words, rng, shape, stored, size)
            rate = (size - stored) / (time.perf_counter() - started)
            stored = size
            say(f"  {shape}: {size:,} memories, {rate:.0f}/s; measuring")
            await asyncio.sleep(3)
            rows[size] = {"ingest_per_s": rate}
            rows[size] |= await _measure(
                service, connection, running, words, rng, shape, size, queries
            )
    return rows


def _owner(shape: str, place: int) -> str:
    return "one" if shape == "one" else f"agent-{place // _SCOPE_SIZE}"


async def _fill(
    service: Service, words: Words, rng: np.random.Generator, shape: str, start: int, end: int
) -> None:
    for first in range(start, end, _BATCH):
        places = range(first, min(first + _BATCH, end))
        answers = await service.remember([_memory(words, rng, shape, place) for place in places])
        refused = [answer for answer in answers if answer.status != "created"]
        if refused:
            raise SystemExit(f"{len(refused)} memories were not created: {refused[0]}")
        progress("remembered", places[-1] + 1, end)


def _memory(words: Words, rng: np.random.Generator, shape: str, place: int) -> NewMemory:
    speaker = _SPEAKERS[place % 2]
    return NewMemory(
        scope=Caller("local", _owner(shape, place)).writable(),
        text=f"{speaker}: {words.text(rng, 8, 30)}",
        agent_id=_owner(shape, place),
        session_id=f"session-{place // _SESSION_SIZE}",
        speaker=speaker,
        external_id=f"m{place}",
    )


async def _measure(
    service: Service,
    connection: Connection,
    running: Running,
    words: Words,
    rng: np.random.Generator,
    shape: str,
    size: int,
    queries: int,
) -> dict[str, float]:
    asked = [
        (_owner(shape, int(rng.integers(size))), words.text(rng, 5, 12))
        for _ in range(_WARM_UP + queries)
    ]
    seconds: dict[str, list[float]] = {}
    async with httpx.AsyncClient(base_url=running.url, timeout=60.0) as http:
        for owner, text in asked:  # interleaved, so that a slow moment of the machine hits all
            for name, call in _calls(service, connection, http, owner, text):
                started = time.perf_counter()
                await call()
                seconds.setdefault(name, []).append(time.perf_counter() - started)
    row: dict[str, float] = {}
    for name, values in seconds.items():
        kept = np.array(values[_WARM_UP:]) * 1000
        row[f"{name}_p50"] = float(np.percentile(kept, 50))
        row[f"{name}_p95"] = float(np.percentile(kept, 95))
    return row


def _calls(
    service: Service, connection: Connection, http: httpx.AsyncClient, owner: str, text: str
) -> Iterator[tuple[str, Callable[[], Awaitable[object]]]]:
    caller = Caller("local", owner)

    async def floor() -> object:
        embedding = service.embedders.reading.embedder.embed([text])[0]
        driver = service.database.driver
        return await bare_search(driver, connection.database, embedding, caller.readable[:1])

    yield "floor", floor
    for name, extra in _PROFILES.items():
        request = RecallRequest(caller, text=text, **extra)
        yield name, lambda request=request: service.recall(request)

    async def over_http() -> object:
        answer = await http.post("/v1/recall", json={"agent_id": owner, "text": text})
        answer.raise_for_status()
        return json.loads(answer.content)

    yield "http", over_http


def _print_table(figures: dict[str, dict[str, float]]) -> None:
    names = ["floor", *_PROFILES, "http"]
    print(f"{'store':>12} " + "".join(f"{name + ' p50 / p95 / ratio':>27}" for name in names))
    for store, row in figures.items():
        cells = [
            f"{row[f'{n}_p50']:.2f} / {row[f'{n}_p95']:.2f} / {_ratio(row, n):.2f}" for n in names
        ]
        rate = f"   ingest {row['ingest_per_s']:.0f}/s"
        print(f"{store:>12} " + "".join(f"{cell:>27}" for cell in cells) + rate)


def _ratio(row: dict[str, float], name: str) -> float:
    return row[f"{name}_p50"] / row["floor_p50"]


def _summary(figures: dict[str, dict[str, float]], sizes: list[int]) -> dict[str, float]:
    out: dict[str, float] = {}
    for size in sizes:
        rows = {
            shape: figures[f"{shape}@{size}"] for shape in _SHAPES if f"{shape}@{size}" in figures
        }
        for shape, row in rows.items():
            out[f"inprocess_ratio@{size}_{shape}"] = _ratio(row, "default")
            out[f"inprocess_ratio@{size}_{shape}_hops0"] = _ratio(row, "hops0")
            out[f"http_ratio@{size}_{shape}"] = _ratio(row, "http")
            out[f"p50_ms@{size}_{shape}"] = row["default_p50"]
            out[f"floor_p50_ms@{size}_{shape}"] = row["floor_p50"]
        for name in ("inprocess_ratio", "http_ratio"):
            out[f"{name}@{size}"] = max(out[f"{name}@{size}_{shape}"] for shape in rows)
        out[f"inprocess_ratio@{size}_hops0"] = max(_ratio(row, "hops0") for row in rows.values())
        out[f"p50_ms@{size}"] = max(row["default_p50"] for row in rows.values())
        out[f"floor_p50_ms@{size}"] = max(row["floor_p50"] for row in rows.values())
    return out


if __name__ == "__main__":
    main()
