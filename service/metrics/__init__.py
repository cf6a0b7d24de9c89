"""Prometheus metrics of the service."""

from service.metrics.catalogue import CATALOGUE, PREFIX, Kind, Metric
from service.metrics.prometheus import Metrics

__all__ = ["CATALOGUE", "PREFIX", "Kind", "Metric", "Metrics"]
