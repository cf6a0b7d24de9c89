"""Whether a service lives and can answer."""

from __future__ import annotations

from stratagraph import wire
from stratagraph.calls.call import Call, reader


def health() -> Call[wire.HealthView]:
    return Call("GET", "/healthz", reader(wire.HealthView))


def ready() -> Call[wire.HealthView]:
    return Call("GET", "/readyz", reader(wire.HealthView), accepts=frozenset({503}))
