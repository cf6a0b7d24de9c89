"""Export and import in memories per second beside batches over HTTP, and their memory use.

A store is exported with its vectors through the client, then imported into an empty one. The service's resident memory
is sampled twenty times a second: it must not grow with the store.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

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
from benchmarks.stores import BATCH, Store, refill
from stratagraph import Client

if TYPE_CHECKING:
    from collections.abc import Generator

_LOOK_SECONDS = 0.05
_MOST_INGESTED = 5000
_QUIET = {"STRATAGRAPH_WORKER": "false"}


class Peak:
    """The peak memory of a process while it was watched."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._done = threading.Event()
        self.megabytes = 0.0

    def look(self) -> None:
        """Take a sample."""
        self.megabytes = max(self.megabytes, self._process.memory_info().rss / 2**20)

    def watch(self) -> None:
        """Sample until the end."""
        while not self._done.wait(_LOOK_SECONDS):
            self.look()

    def end(self) -> None:
        """Stop sampling."""
        self._done.set()


@contextmanager
def watched(pid: int) -> Generator[Peak]:
    """Watch a process's memory while the context is open."""
    peak = Peak(pid)
    peak.look()
    thread = threading.Thread(target=peak.watch)
    thread.start()
    try:
        yield peak
    finally:
        peak.end()
        thread.join()


def main() -> None:
    """Measure and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000", help="memories, one store for each")
    add_home_argument(parser)
    add_common_arguments(parser)
    options = parser.parse_args()
    figures: dict[str, float] = {}
    for size in sorted(int(size) for size in options.sizes.split(",")):
        store = Store.of("many", size)
        with tempfile.TemporaryDirectory(prefix="stratagraph-bench-") as folder:
            lines = Path(folder) / "export.jsonl"
            home = store.home(options.home) if options.home else None
            with running_service(_QUIET, home) as running:
                run_loop(_filled(running, store))
                figures |= _export(running, size, lines)
            with running_service(_QUIET) as running:
                figures |= _ingest(running, store)
                figures |= _import(running, size, lines)
    print_result(figures, as_json=options.json)


async def _filled(running: Running, store: Store) -> None:
    async with opened_service(running) as service:
        await refill(service, store)


def _export(running: Running, size: int, lines: Path) -> dict[str, float]:
    say(f"  exporting {size:,}")
    started = time.perf_counter()
    with Client(running.url) as client, lines.open("wb") as file, watched(running.pid) as peak:
        file.writelines(client.export(scope="tenant", vectors=True))
    seconds = time.perf_counter() - started
    return {
        f"export_per_s@{size}": size / seconds,
        f"export_service_mb@{size}": peak.megabytes,
        f"export_file_mb@{size}": lines.stat().st_size / 2**20,
    }


def _import(running: Running, size: int, lines: Path) -> dict[str, float]:
    created, started = 0, time.perf_counter()
    with Client(running.url) as client, lines.open("rb") as file, watched(running.pid) as peak:
        for part in client.import_lines(file):
            created += part.counts.created
            if part.counts.rejected:
                raise SystemExit(f"lines were refused: {part.reports[0]}")
    seconds = time.perf_counter() - started
    if created < size:
        raise SystemExit(f"{created:,} lines of {size:,} memories were created")
    return {f"import_per_s@{size}": size / seconds, f"import_service_mb@{size}": peak.megabytes}


def _ingest(running: Running, store: Store) -> dict[str, float]:
    """Send the first memories of the store in batches, as another agent's."""
    rows = min(store.size, _MOST_INGESTED)
    batches = [_rows(store, first)[: rows - first] for first in range(0, rows, BATCH)]
    started = time.perf_counter()
    for number, batch in enumerate(batches, 1):
        body = {"agent_id": "ingest", "memories": batch}
        running.client.post("/v1/memories", json=body).raise_for_status()
        progress("batches", number, len(batches))
    return {f"ingest_per_s@{store.size}": rows / (time.perf_counter() - started)}


def _rows(store: Store, first: int) -> list[dict[str, Any]]:
    return [
        {
            "text": new.text,
            "speaker": new.speaker,
            "session_id": new.session_id,
            "external_id": new.external_id,
        }
        for new in store.batch(first)
    ]


if __name__ == "__main__":
    main()
