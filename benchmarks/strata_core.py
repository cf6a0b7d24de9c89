"""Numeric parts of strata in this process: surprise and condensing.

Wall time and processor time are measured, as only the former depends on the machine's load.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.rounds import percentile
from benchmarks.stores import Words
from graph.condensing.model import LEVELS, Source
from graph.condensing.text import condense
from graph.scoring.momentum import SurpriseWeights
from service.bootstrap.embedders import load_embedder
from service.use_cases.strata.surprising import Event, texts_compared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graph.model.strata.surprises import MomentumKey, MomentumState

_SEED = 11
_WARM_UP = 50
_NEAREST = 8
_INTO = "long_term"
_START = datetime(2026, 1, 1, tzinfo=UTC)


def measure_surprise(events: int) -> dict[str, float]:
    """Time events one after the other: with cached vectors of their texts, and with the embedding."""
    rng, embedder = np.random.default_rng(_SEED), load_embedder()
    words = Words.make(rng)
    states: dict[MomentumKey, MomentumState] = {}
    plain: list[float] = []
    whole: list[float] = []
    worked: list[float] = []
    for number in range(_WARM_UP + events):
        expected, actual = _pair(rng, words)
        started = time.perf_counter()
        texts = list(
            dict.fromkeys(text for pair in texts_compared(expected, actual) for text in pair)
        )
        vectors = embedder.embed(texts)
        embedded = time.perf_counter()
        worked_before = time.thread_time()
        event = _event(number, expected, actual, dict(zip(texts, vectors, strict=True)), rng)
        _, moved = event.decide(states)
        worked.append(time.thread_time() - worked_before)
        ended = time.perf_counter()
        states |= moved
        plain.append(ended - embedded)
        whole.append(ended - started)
    return {
        "surprise_p95_ms": percentile(plain[_WARM_UP:], 95),
        "surprise_p50_ms": percentile(plain[_WARM_UP:], 50),
        "surprise_cpu_p95_ms": percentile(worked[_WARM_UP:], 95),
        "surprise_embedded_p95_ms": percentile(whole[_WARM_UP:], 95),
    }


def _pair(rng: np.random.Generator, words: Words) -> tuple[dict[str, Any], dict[str, Any]]:
    """Generate the expectation and the outcome of a tool call: nested, with all types of values."""
    text = words.text(rng, 8, 20)
    expected: dict[str, Any] = {
        "status": "success",
        "seconds": float(rng.normal(20, 4)),
        "message": text,
        "result": {"rows": int(rng.integers(1, 50)), "source": "cache", "final": True},
        "steps": ["plan", "act", "check"],
    }
    actual = {
        **expected,
        "status": "success" if rng.random() < 0.9 else "failed",
        "seconds": float(rng.normal(20, 6)),
        "message": text if rng.random() < 0.5 else words.text(rng, 8, 20),
        "result": {"rows": int(rng.integers(1, 50)), "source": "cache", "final": True},
    }
    return expected, actual


def _event(
    number: int,
    expected: dict[str, Any],
    actual: dict[str, Any],
    vectors: dict[str, Any],
    rng: np.random.Generator,
) -> Event:
    at = _START + timedelta(minutes=number)
    return Event(
        uid=f"event-{number}",
        scope="local/agent/bench",
        context=f"context {number % 5}",
        expected=expected,
        actual=actual,
        at=at,
        expires_at=at + timedelta(days=90),
        weights=SurpriseWeights(),
        pooled="local/channel/bench",
        similarities=rng.uniform(0.2, 0.9, _NEAREST),
        vectors=vectors,
    )


def measure_compression(memories: int) -> dict[str, float]:
    """Time the condensing of pairs of memories into ``long_term``, per memory, and the length of the result."""
    rng = np.random.default_rng(_SEED)
    words = Words.make(rng)
    groups = [[_source(rng, words) for _ in range(2)] for _ in range((memories + 1) // 2)]
    took: list[float] = []
    worked: list[float] = []
    before = after = 0

    def once(sources: Sequence[Source]) -> None:
        nonlocal before, after
        made = condense(sources, LEVELS[_INTO])
        before += sum(len(source.text) for source in sources)
        after += len(made.text)

    warm = groups[:_WARM_UP]
    for place, group in enumerate([*warm, *groups]):
        started, busy = time.perf_counter(), time.thread_time()
        once(group)
        if place >= len(warm):
            worked.append((time.thread_time() - busy) / len(group))
            took.append((time.perf_counter() - started) / len(group))
    return {
        "compress_p95_ms": percentile(took, 95),
        "compress_p50_ms": percentile(took, 50),
        "compress_cpu_p95_ms": percentile(worked, 95),
        "compress_kept": after / before,
    }


def _source(rng: np.random.Generator, words: Words) -> Source:
    """Generate a memory of 1 to 12 sentences, some with a name, a number or a negation."""
    sentences: list[str] = []
    for _ in range(int(rng.integers(1, 13))):
        said = words.text(rng, 5, 14)
        sort = int(rng.integers(4))
        extra = ("", " for Grace Hopper", f" {int(rng.integers(2, 500))} times", " but not today")
        sentences.append(f"{said.capitalize()}{extra[sort]}.")
    return Source(" ".join(sentences), speaker="Ann")
