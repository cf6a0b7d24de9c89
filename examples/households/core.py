"""Minds of all households at once, by the pure functions of `graph.scoring`: no service, no text."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from examples.households.world import Flags, Floats, Ints, World, calm_years
from graph.scoring.arousal import is_deliberate
from graph.scoring.habits import signature_surprise
from graph.scoring.human_centric import linear_recency, saliency, weighted_sum

GIVEN = 5  # memories at an alert
LAWS = ("saliency", "weighted")
Heeded = Mapping[str, Flags]


def scores(world: World, year: int, law: str) -> Floats:
    """Score each memory before a year at an alert of a flood, shape ``(n, year)``."""
    age = np.broadcast_to(year - np.arange(year, dtype=np.float64), (world.households, year))
    left = saliency((world.importance[:, :year] - 1) / 4.0, age)
    if law == "saliency":
        return left
    return weighted_sum(linear_recency(age), left, world.flooded[:, :year].astype(np.float64))


def heeded(world: World, year: int) -> Heeded:
    """Say by law whether a flood is among the memories that an alert in a year brings back."""
    found: dict[str, Flags] = {}
    for law in LAWS:
        given = np.argsort(-scores(world, year, law), axis=1, kind="stable")[:, :GIVEN]
        floods = np.take_along_axis(world.flooded[:, :year], given, axis=1)
        found[law] = np.asarray(floods.any(axis=1))
    return found


def share_by_calm(world: World) -> dict[str, Floats]:
    """Share of households that an alert reminds of a flood, by how many years ago the last one was.

    Every year has an alert, and every household that was ever flooded counts in each; row 0 is of one year.
    """
    counted = np.zeros(world.years)
    reminded = {law: np.zeros(world.years) for law in LAWS}
    for year in range(1, world.years):
        calm = calm_years(world, year)
        known = calm > 0
        counted += np.bincount(calm[known], minlength=world.years)[: world.years]
        for law, found in heeded(world, year).items():
            hits = np.bincount(calm[known & found], minlength=world.years)
            reminded[law] += hits[: world.years]
    with np.errstate(invalid="ignore"):
        return {law: (hits / counted)[1:] for law, hits in reminded.items()}


def surprises(world: World) -> Floats:
    """Surprise of each year's situation, shape ``(n, t)``: symbolic signatures, counted from the first year."""
    signature = _signatures(world)
    found = np.zeros(signature.shape)
    for year in range(world.years):
        same = (signature[:, :year] == signature[:, year : year + 1]).sum(axis=1)
        total = np.full(world.households, float(year))
        found[:, year] = signature_surprise(same.astype(np.float64), total)
    return found


def awake(surprise: Floats) -> Flags:
    """Say who thinks in System 2, shape as given."""
    return is_deliberate(surprise)


def _signatures(world: World) -> Ints:
    level = (world.depth > 0).astype(np.int64) + (world.depth >= 0.5)
    return level * 2 + world.elevating
