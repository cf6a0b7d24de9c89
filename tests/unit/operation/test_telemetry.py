"""The catalogue, and that nothing escapes the telemetry."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from pkgutil import walk_packages

import pytest

import service.use_cases
from graph.kernel.errors import ConfigurationError
from graph.ports.telemetry import Telemetry, Unwatched, Work
from service.bootstrap.telemetry import open_telemetry, refuse_untraceable
from service.metrics import CATALOGUE, Metrics
from service.metrics.catalogue import SPANS
from service.settings import Settings

ROOT = Path(__file__).parents[3]
FED = re.compile(r"\.(?:count|observe|gauge|watch)\(\s*\"([a-z0-9_]+)\"")
CODE = [*(ROOT / "graph").rglob("*.py"), *(ROOT / "service").rglob("*.py")]


def test_every_metric_is_described_in_the_docs() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    names = [metric.full_name(name) for name, metric in CATALOGUE.items()]
    assert [name for name in names if f"`{name}`" not in page] == []
    described = set(re.findall(r"^\| `(stratagraph_\w+)` \|", page, re.MULTILINE))
    assert described == set(names)


def test_names_and_units_follow_the_conventions() -> None:
    for name, metric in CATALOGUE.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]+", name)
        assert not name.endswith("_total"), "the ending comes with the kind"
        assert metric.meaning.endswith(".")
        assert bool(metric.buckets) == (metric.kind == "histogram")
        assert list(metric.buckets) == sorted(metric.buckets)
        assert not {"tenant", "agent", "uid", "path", "scope"} & set(metric.labels)


def test_every_kind_of_work_has_its_histogram() -> None:
    assert set(SPANS) == set(typing.get_args(Work))
    for timed in SPANS.values():
        assert CATALOGUE[timed.histogram].kind == "histogram"
        assert timed.label in CATALOGUE[timed.histogram].labels
        assert timed.running is None or CATALOGUE[timed.running].kind == "gauge"


def test_what_the_code_feeds_is_in_the_catalogue() -> None:
    fed = {name for file in CODE for name in FED.findall(file.read_text(encoding="utf-8"))}
    assert fed - set(CATALOGUE) == set()


def use_cases() -> Iterator[type]:
    for module in walk_packages(service.use_cases.__path__, "service.use_cases."):
        for kind in vars(import_module(module.name)).values():
            if isinstance(kind, type) and kind.__module__ == module.name:
                yield kind


def test_every_use_case_is_watched() -> None:
    calls = {kind.__name__: vars(kind).get("__call__") for kind in use_cases()}
    asynchronous = {name: call for name, call in calls.items() if iscoroutinefunction(call)}
    assert len(asynchronous) >= 5
    unwatched = [name for name, call in asynchronous.items() if not hasattr(call, "__wrapped__")]
    assert unwatched == [], (
        'put @watched("…") of service/use_cases/kernel/watched.py on their __call__'
    )


def test_a_gauge_is_shown_once_it_is_known() -> None:
    metrics = Metrics()
    assert b"stratagraph_links_pending" not in metrics.exposition()
    metrics.gauge("links_pending", 3)
    assert b"\nstratagraph_links_pending 3.0\n" in metrics.exposition()


def test_a_watched_gauge_is_read_at_each_look() -> None:
    metrics, queue = Metrics(), [1]
    metrics.watch("access_queue_length", lambda: len(queue))
    assert b"\nstratagraph_access_queue_length 1.0\n" in metrics.exposition()
    queue.append(2)
    assert b"\nstratagraph_access_queue_length 2.0\n" in metrics.exposition()


def test_jobs_are_timed_by_name_and_outcome() -> None:
    metrics = Metrics()
    with metrics.span("job", "link"):
        pass
    with pytest.raises(KeyError), metrics.span("job", "link"):
        raise KeyError
    told = metrics.exposition().decode()
    for outcome in ("ok", "error"):
        name = f'job_duration_seconds_count{{job="link",outcome="{outcome}"}} 1.0'
        assert name in told


def test_an_unknown_metric_is_refused() -> None:
    metrics = Metrics()
    for tell in (metrics.count, metrics.observe, metrics.gauge):
        with pytest.raises(KeyError):
            tell("made_up", 1)


@pytest.mark.parametrize("telemetry", [Unwatched(), Metrics()])
def test_telemetry_takes_everything(telemetry: Telemetry) -> None:
    with telemetry.span("statement", "memory.save", parent={}, mode="write") as span:
        span.note(rows=3)
        assert span.headers() == {}
    telemetry.count("database_retries")
    telemetry.observe("recall_results", 3)
    telemetry.gauge("neo4j_up", 1)
    telemetry.watch("access_queue_length", lambda: 0)


COLLECTOR = "http://127.0.0.1:4318"


@pytest.mark.parametrize(
    ("endpoint", "tracing", "traces"),
    [
        (None, None, False),
        (COLLECTOR, None, True),
        (COLLECTOR, False, False),
        (None, True, True),
    ],
)
def test_traces_are_made_where_they_are_asked_for(
    endpoint: str | None, tracing: bool | None, traces: bool
) -> None:
    settings = Settings.model_validate({"otlp_endpoint": endpoint, "tracing": tracing})
    assert settings.traces is traces


async def test_traces_without_their_packages_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'stratagraph-server\[otel\]'"):
        async with open_telemetry(Settings(tracing=True)):
            pytest.fail("it opened")
    refuse_untraceable(Settings(tracing=False))
