"""Gate runs on a real server: shares of reading, deciding and writing; and bytes per memory."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from benchmarks.cost import size_after
from benchmarks.floor import age_memories, copy_memories, remove_written
from benchmarks.runner import Running, opened_service, progress, say
from benchmarks.stores import Words
from graph.condensing.model import LEVELS, kept_share
from graph.kernel.scope import Caller
from graph.kernel.values import STRATA
from graph.model.memories.memory import NewMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.kernel.values import Stratum
    from graph.model.strata.gates import StratumRows
    from graph.store.strata.store import StrataStore
    from service.bootstrap import Service

_SEED = 13
_BATCH = 500
_WORDS = (8, 60)
_OLD = timedelta(days=10)
_PREFIX = "local/agent/gates-"


class Timed:
    """A store that measures its reads and writes."""

    def __init__(self, store: StrataStore) -> None:
        self._store = store
        self._readers = 0
        self._since = 0.0
        self.read = 0.0
        self.wrote = 0.0

    def __getattr__(self, name: str) -> Any:
        """Return what the store has."""
        return getattr(self._store, name)

    async def rows(self, scope: str, stratum: Stratum, *, put: bool = False) -> StratumRows:
        """Read, and add the duration; concurrent reads count once."""
        if not self._readers:
            self._since = time.perf_counter()
        self._readers += 1
        try:
            return await self._store.rows(scope, stratum, put=put)
        finally:
            self._readers -= 1
            if not self._readers:
                self.read += time.perf_counter() - self._since

    async def move(self, *given: Any) -> Mapping[str, int]:
        """Move, and add the duration."""
        started = time.perf_counter()
        try:
            return await self._store.move(*given)
        finally:
            self.wrote += time.perf_counter() - started


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A fixed clock."""

    time: datetime = field(default_factory=lambda: datetime.now(UTC))

    def now(self) -> datetime:
        """Return the fixed time."""
        return self.time


@dataclass(frozen=True, slots=True)
class GateTimes:
    """One run: seconds in total, reading and writing; the rest is deciding and the run's own node."""

    whole: float
    read: float
    wrote: float
    looked: int
    moved: int


async def measure_gates(
    running: Running, memories: int, moving: float, rounds: int, warm: int
) -> dict[str, float]:
    """Run the gates over one scope of so many memories, a share of which is moved; median after ``warm`` runs."""
    name = f"{memories // 1000}k"
    async with opened_service(running, worker=False, episodic_capacity=0) as service:
        owner = Caller("local", f"gates-{memories}")
        await _fill(service, owner, memories, moving)
        runs = [await _run(service, owner) for _ in range(warm + rounds)][warm:]
        await remove_written(service.database.driver, _PREFIX)
    for each in runs:
        rest = each.whole - each.read - each.wrote
        say(
            f"  {each.looked:,} looked at, {each.moved:,} moved: {each.whole * 1000:.0f} ms "
            f"(read {each.read * 1000:.0f}, write {each.wrote * 1000:.0f}, rest {rest * 1000:.0f})"
        )
    whole = float(np.median([each.whole for each in runs]))
    read = float(np.median([each.read for each in runs]))
    wrote = float(np.median([each.wrote for each in runs]))
    return {
        f"gate_{name}_seconds": whole,
        f"gate_{name}_read": read,
        f"gate_{name}_write": wrote,
        f"gate_{name}_decide": max(whole - read - wrote, 0.0),
        f"gate_{name}_moved": float(runs[0].moved),
    }


async def _fill(service: Service, owner: Caller, memories: int, moving: float) -> None:
    """Remember a batch, copy it up to the number, and age all as moves require."""
    rng, driver = np.random.default_rng(_SEED), service.database.driver
    await remove_written(driver, _PREFIX)
    words, scope = Words.make(rng), owner.writable()
    first = min(memories, 1000)
    rising = max(1, round(first * moving))
    rows = [
        NewMemory(
            scope,
            words.text(rng, *_WORDS),
            stratum="episodic",
            importance=5 if place < rising else 2,
            session_id=f"session {place // 20}",
        )
        for place in range(first)
    ]
    for start in range(0, first, _BATCH):
        await service.remember(rows[start : start + _BATCH])
    for copy in range(1, memories // first):
        await copy_memories(driver, scope, f"-{copy}", first)
        progress("copied", (copy + 1) * first, memories)
    await age_memories(driver, scope, _OLD)


async def _run(service: Service, owner: Caller) -> GateTimes:
    """Run the gates once, and undo the moves."""
    timed, clock = Timed(service.run_gates.store), FixedClock()
    strata = cast("StrataStore", timed)
    gates = replace(service.run_gates.gates, store=strata)
    run = replace(service.run_gates, store=strata, gates=gates, clock=clock)
    started = time.perf_counter()
    done = await run(owner, dry_run=False, limit=0)
    took = time.perf_counter() - started
    if done.run is None or done.run.state != "done":
        raise SystemExit("the gates moved nothing")
    await service.undo_gate_run(owner, done.run.uid)
    return GateTimes(took, timed.read, timed.wrote, done.plan.looked, done.plan.total)


def measure_stratum_bytes(memories: int) -> dict[str, float]:
    """Measure the bytes on disk of a memory in each stratum, with condensed text."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="stratagraph-bench-") as folder:
        home = Path(folder) / "home"
        before = sum(size_after(home, _nothing))
        for stratum in STRATA:
            after = sum(size_after(home, _writing(stratum, memories)))
            figures[f"{stratum}_bytes"] = (after - before) / memories
            say(f"  {stratum}: {figures[f'{stratum}_bytes']:.0f} bytes a memory")
            before = after
    return figures


async def _nothing(running: Running) -> None:
    pass


def _writing(stratum: Stratum, memories: int):
    share = kept_share(stratum) if stratum in LEVELS else 1.0

    async def write(running: Running) -> None:
        rng = np.random.default_rng(_SEED)
        words = Words.make(rng)
        async with opened_service(running, worker=False, **_UNLIMITED) as service:
            for start in range(0, memories, _BATCH):
                rows = [
                    NewMemory(
                        f"local/agent/{stratum}",
                        _shortened(words.text(rng, *_WORDS), share),
                        stratum=stratum,
                        session_id=f"session {place // 20}",
                    )
                    for place in range(start, min(start + _BATCH, memories))
                ]
                await service.remember(rows)

    return write


_UNLIMITED = {f"{stratum}_capacity": 0 for stratum in STRATA}


def _shortened(text: str, share: float) -> str:
    words = text.split()
    return " ".join(words[: max(2, round(len(words) * share))])
