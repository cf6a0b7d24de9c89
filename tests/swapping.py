"""A service with some of its parts swapped for others."""

from __future__ import annotations

from copy import copy
from typing import Any

from service.bootstrap import Service


def swapped(service: Service, **parts: Any) -> Service:
    """Return a copy of a service in which some parts are others; the rest is shared."""
    other = copy(service)
    unknown = [name for name in parts if not hasattr(other, name)]
    assert not unknown, unknown
    vars(other).update(parts)
    return other
