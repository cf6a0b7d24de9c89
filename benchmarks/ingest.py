"""Ingestion of memories per second beside a bare `UNWIND … CREATE`, until the answer.

Batches and single writes, by the use case and over HTTP, into an empty store and into a filled one; every row is in a
session, so that it is linked by `NEXT`. The bare rows have all properties of a stored memory, and hence the same index
costs; the minimal rows have uid, scope and text. Linking in the background is timed separately.
"""

from __future__ import annotations

import argparse
import asyncio
import time
import uuid
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.floor import (
    WRITTEN,
    bare_create,
    remove_written,
    stored_properties,
)
from benchmarks.lean_http import connected
from benchmarks.runner import (
    Running,
    add_common_arguments,
    add_home_argument,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
    say,
)
from benchmarks.stores import Store, Words, refill
from graph.model.memories.memory import NewMemory

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from benchmarks.lean_http import LeanConnection
    from service.bootstrap import Service

    Write = Callable[["list[str]"], Awaitable[object]]

_SESSION_SIZE = 20
_SINGLES_EACH = 10  # single writes that warm up for each batch that does
_POLL_SECONDS = 0.05
_WAYS = ("bare", "least", "inprocess", "http")


@dataclass(frozen=True, slots=True)
class WritePaths:
    """Write paths: each takes texts and returns when they are stored."""

    service: Service
    http: LeanConnection
    prefix: str
    template: Mapping[str, Any]
    times: Mapping[str, Any]
    _numbers: Iterator[int]

    @classmethod
    async def open(cls, service: Service, http: LeanConnection, prefix: str) -> WritePaths:
        """Store one memory, and use its properties for bare rows."""
        new = NewMemory(f"local/agent/{prefix}-bare", "a first one", speaker="Ann")
        [saved] = await service.remember([new])
        assert saved.uid is not None  # noqa: S101 -- a new scope refuses nothing
        stored = await stored_properties(service.database.driver, saved.uid)
        del stored["embedding_a"]
        times = {name: value for name, value in stored.items() if hasattr(value, "iso_format")}
        template = {name: value for name, value in stored.items() if name not in times}
        return cls(service, http, prefix, template, times, count())

    def by_name(self) -> dict[str, Write]:
        """Return every path by name."""
        return {
            "bare": self._bare,
            "least": self._least,
            "inprocess": self._in_process,
            "http": self._over_http,
        }

    async def _bare(self, texts: list[str]) -> None:
        rows = [{**self.template, **self._row(text)} for text in texts]
        await self._create(rows, self.times)

    async def _least(self, texts: list[str]) -> None:
        rows = [{name: self._row(text)[name] for name in ("uid", "text")} for text in texts]
        await self._create(rows, {"scope": f"local/agent/{self.prefix}-least"})

    async def _create(self, rows: list[dict[str, Any]], shared: Mapping[str, Any]) -> None:
        embedder = self.service.embedders.reading.embedder
        vectors = embedder.embed([row["text"] for row in rows])
        await bare_create(self.service.database.driver, rows, vectors, shared)

    def _row(self, text: str) -> dict[str, Any]:
        number = next(self._numbers)
        name = f"{self.prefix}-{number}"
        return {
            "uid": name,
            "external_id": name,
            "content_hash": name,
            "text": text,
            "context_text": text,
            "session_id": f"session-{number // _SESSION_SIZE}",
            "session_key": number // _SESSION_SIZE,
            "sequence": number % _SESSION_SIZE,
        }

    async def _in_process(self, texts: list[str]) -> None:
        owner = f"{self.prefix}-inprocess"
        scope = f"local/agent/{owner}"
        rows = [NewMemory(scope, agent_id=owner, **self._body(text)) for text in texts]
        answers = await self.service.remember(rows)
        _refuse({answer.status for answer in answers})

    async def _over_http(self, texts: list[str]) -> None:
        owner = f"{self.prefix}-http"
        rows = [self._body(text) for text in texts]
        if len(rows) == 1:
            answer = await self.http.post("/v1/memories", {"agent_id": owner, **rows[0]})
            return _refuse({answer["status"]})
        answer = await self.http.post("/v1/memories", {"agent_id": owner, "memories": rows})
        return _refuse({result["status"] for result in answer["results"]})

    def _body(self, text: str) -> dict[str, Any]:
        number = next(self._numbers)
        return {
            "text": text,
            "speaker": "Ann",
            "external_id": f"m{number}",
            "session_id": f"session-{number // _SESSION_SIZE}",
        }


def _refuse(statuses: set[str]) -> None:
    if statuses != {"created"}:
        raise SystemExit(f"some memories were not created: {sorted(statuses)}")


def main() -> None:
    """Measure, print, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", default="0,10000", help="memories that are stored before")
    parser.add_argument("--batch", type=int, default=500, help="rows of a batch, at most 1,000")
    parser.add_argument("--rounds", type=int, default=8, help="batches per figure")
    parser.add_argument("--singles", type=int, default=150, help="single writes per figure")
    parser.add_argument("--warm-up", type=int, default=2, help="batches before any is timed")
    parser.add_argument("--lag", type=int, default=500, help="rows whose links are waited for")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    figures: dict[str, float] = {}
    for size in sorted(int(size) for size in options.at.split(",")):
        store = Store.of("many", size)
        home = store.home(options.home) if options.home else None
        with running_service({"STRATAGRAPH_WORKER": "false"}, home) as running:
            rates = run_loop(_measure(running, store, options))
        print_rates(size, rates)
        figures |= named(size, rates)
    with running_service() as running:
        figures |= run_loop(_lag(running, options.lag))
    print_result(figures, as_json=options.json)


async def _measure(
    running: Running, store: Store, options: argparse.Namespace
) -> dict[str, dict[str, float]]:
    async with opened_service(running) as service, connected(running.url) as http:
        driver = service.database.driver
        await refill(service, store)
        prefix = f"{WRITTEN}{uuid.uuid4().hex[:8]}"
        try:
            ways = (await WritePaths.open(service, http, prefix)).by_name()
            texts = _texts(store.words)
            warm_up = options.warm_up
            batches = await _rates(ways, texts, options.batch, options.rounds, warm_up)
            singles = await _rates(ways, texts, 1, options.singles, warm_up * _SINGLES_EACH)
        finally:
            say("  removing what was written")
            await remove_written(driver, f"local/agent/{prefix}")
    return {"batch": batches, "single": singles}


def _texts(words: Words) -> Iterator[str]:
    rng = np.random.default_rng()
    while True:
        yield f"Ann: {words.text(rng, 8, 30)}"


async def _rates(
    ways: Mapping[str, Write], texts: Iterator[str], size: int, rounds: int, warm_up: int
) -> dict[str, float]:
    """Write by every path in turn; return rows per second of each."""
    seconds = dict.fromkeys(ways, 0.0)
    for number in range(warm_up + rounds):
        for name, write in ways.items():
            batch = [next(texts) for _ in range(size)]
            started = time.perf_counter()
            await write(batch)
            if number >= warm_up:
                seconds[name] += time.perf_counter() - started
        progress("rounds", number + 1, warm_up + rounds)
    return {name: size * rounds / spent for name, spent in seconds.items()}


async def _lag(running: Running, most: int) -> dict[str, float]:
    """Measure after a write of one, and of a batch, how long memories wait for links."""
    figures: dict[str, float] = {}
    texts = _texts(Store.of("many", 0).words)
    async with opened_service(running) as service, connected(running.url) as http:
        for rows in (1, most):
            said = [{"text": next(texts)} for _ in range(rows)]
            await http.post("/v1/memories", {"agent_id": "lag", "memories": said})
            figures[f"link_lag_{rows}_s"] = await _until_linked(service)
    return figures


async def _until_linked(service: Service) -> float:
    started = time.perf_counter()
    while await service.links.count_unlinked():
        await asyncio.sleep(_POLL_SECONDS)
    return time.perf_counter() - started


def print_rates(size: int, rates: Mapping[str, Mapping[str, float]]) -> None:
    """Print rows per second of every path, and the ratio to the bare one."""
    print(f"into {size:,}: rows per second / ratio to bare")
    print(f"{'':>8} " + "".join(f"{way:>18}" for way in _WAYS))
    for name, row in rates.items():
        cells = [f"{row[way]:.0f} / {row[way] / row['bare']:.2f}" for way in _WAYS]
        print(f"{name:>8} " + "".join(f"{cell:>18}" for cell in cells))


def named(size: int, rates: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Return the figures of one store for the last line."""
    out: dict[str, float] = {}
    for name, row in rates.items():
        out |= {f"{name}_{way}_per_s@{size}": rate for way, rate in row.items()}
        for way in ("inprocess", "http"):
            out[f"{name}_{way}_ratio@{size}"] = row[way] / row["bare"]
            out[f"{name}_{way}_ratio_least@{size}"] = row[way] / row["least"]
    return out


if __name__ == "__main__":
    main()
