"""Registry of metrics of one open service, in Prometheus' format."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

import prometheus_client
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from graph.ports.telemetry import Attribute, Span, Work
from service.metrics.catalogue import CATALOGUE, PREFIX, SPANS, Metric, Timed

# The library would add a series with the creation time of each series.
prometheus_client.disable_created_metrics()


class Metrics:
    """The metrics of one service; an unknown name is a KeyError."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = prometheus_client.CollectorRegistry()
        self._counters: dict[str, Counter] = {}
        self._histograms: dict[str, Histogram] = {}
        self._gauges: dict[str, Gauge] = {}
        for name, metric in CATALOGUE.items():
            if metric.kind == "counter":
                self._counters[name] = self._make_counter(name, metric)
            elif metric.kind == "histogram":
                self._histograms[name] = self._make_histogram(name, metric)
        self._spans = {work: self._make_series(timed) for work, timed in SPANS.items()}
        prometheus_client.ProcessCollector(registry=self._registry)
        prometheus_client.GCCollector(registry=self._registry)

    def span(
        self,
        work: Work,
        name: str,
        *,
        parent: Mapping[str, str] | None = None,
        **attributes: Attribute,
    ) -> Span:
        """Measure the duration of work in the histogram of its kind."""
        del parent
        series = self._spans[work]
        attributes[series.label] = name
        return _Stopwatch(series, attributes)

    def count(self, name: str, amount: float = 1.0, **labels: str) -> None:
        """Add to a counter."""
        counter = self._counters[name]
        (counter.labels(**labels) if labels else counter).inc(amount)

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Add a value to a histogram."""
        histogram = self._histograms[name]
        (histogram.labels(**labels) if labels else histogram).observe(value)

    def gauge(self, name: str, value: float, **labels: str) -> None:
        """Set a gauge; one that was never set is not exported."""
        gauge = self._gauge_of(name)
        (gauge.labels(**labels) if labels else gauge).set(value)

    def watch(self, name: str, read: Callable[[], float]) -> None:
        """Read a gauge at each scrape."""
        self._gauge_of(name).set_function(read)

    def exposition(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def _gauge_of(self, name: str) -> Gauge:
        gauge = self._gauges.get(name)
        if gauge is None:
            metric = CATALOGUE[name]
            gauge = Gauge(PREFIX + name, metric.meaning, metric.labels, registry=self._registry)
            self._gauges[name] = gauge
        return gauge

    def _make_series(self, timed: Timed) -> _Series:
        histogram, labels = self._histograms[timed.histogram], CATALOGUE[timed.histogram].labels
        series = _Series(histogram, timed.label, labels)
        if timed.running:
            series.running = self._gauge_of(timed.running)
        return series

    def _make_counter(self, name: str, metric: Metric) -> Counter:
        return Counter(PREFIX + name, metric.meaning, metric.labels, registry=self._registry)

    def _make_histogram(self, name: str, metric: Metric) -> Histogram:
        return Histogram(
            PREFIX + name,
            metric.meaning,
            metric.labels,
            registry=self._registry,
            buckets=metric.buckets,
        )


class _Series:
    """Cache of one histogram's series by label values: a lookup in the library takes half the time of a span."""

    def __init__(self, histogram: Histogram, label: str, labels: tuple[str, ...]) -> None:
        self.label = label
        self.running: Gauge | None = None
        self._labels = labels
        self._histogram = histogram
        self._known: dict[tuple[Attribute, ...], Histogram] = {}

    def observe(self, attributes: Mapping[str, Attribute], seconds: float) -> None:
        values = tuple([attributes.get(label, "") for label in self._labels])
        known = self._known.get(values)
        if known is None:
            known = self._known[values] = self._histogram.labels(*values)
        known.observe(seconds)


class _Stopwatch:
    __slots__ = ("_attributes", "_series", "_started")

    def __init__(self, series: _Series, attributes: dict[str, Attribute]) -> None:
        self._series = series
        self._attributes = attributes
        self._started = 0.0

    def note(self, **attributes: Attribute) -> None:
        self._attributes.update(attributes)

    def headers(self) -> Mapping[str, str]:
        return {}

    def __enter__(self) -> Self:
        if self._series.running is not None:
            self._series.running.inc()
        self._started = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        seconds = time.perf_counter() - self._started
        if self._series.running is not None:
            self._series.running.dec()
        self._attributes["outcome"] = _outcome(error)
        self._series.observe(self._attributes, seconds)


def _outcome(error: BaseException | None) -> str:
    if error is None:
        return "ok"
    return "error" if isinstance(error, Exception) else "cancelled"
