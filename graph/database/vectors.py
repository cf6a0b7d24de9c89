"""Vectors as the driver sends and receives them: VECTOR of float32, big-endian."""

from __future__ import annotations

import numpy as np
from neo4j.vector import Vector

from graph.kernel.values import Vector as Array

_BYTES = ">f4"


def to_stored(vector: Array) -> Vector:
    """Convert an array of shape ``(d,)`` to a parameter; bytes are much cheaper for the driver than a list."""
    return Vector(vector.astype(_BYTES).tobytes(), "f32")


def to_array(stored: Vector) -> Array:
    """Convert a column of a result to float32 of shape ``(d,)``."""
    return np.frombuffer(stored.raw(), dtype=_BYTES).astype(np.float32)
