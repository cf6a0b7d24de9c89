"""Floods of a river, the households along it, and what each of them lives through."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# A year of the world is a day of the service, whose decay is per day.
FIRST_YEAR = datetime(2020, 1, 1, tzinfo=UTC)
_AT_RIVER, _IN_PLAIN = 0.05, 0.25  # shares of the households
_HIGH = 0.5  # metres in the house
_EVERYDAY = np.array([2, 3])  # importance of a year without a flood: half of a flood's, or less
_OFTEN = np.array([0.2, 0.8])
_EVENTS = (
    "The sun was out all day and I spent the afternoon gardening in the backyard.",
    "We painted the fence and the children helped.",
    "A normal, quiet year: work, shopping, a week at the sea.",
    "My sister married and we danced until the morning.",
    "I changed jobs and we saved a little money.",
    "The school moved and the way there is longer now.",
)


@dataclass(frozen=True, slots=True)
class World:
    """Years of ``n`` households, ``t`` each; arrays of shape ``(n, t)``.

    ``depth`` is the water in the house in metres, ``importance`` that of the year's one memory, 1 to 5, and
    ``elevating`` whether the neighbours raised their houses.
    """

    depth: Floats
    importance: Ints
    elevating: Flags
    event: Ints
    at_river: Flags

    @property
    def households(self) -> int:
        """Number of households."""
        return self.depth.shape[0]

    @property
    def years(self) -> int:
        """Number of years."""
        return self.depth.shape[1]

    @property
    def flooded(self) -> Flags:
        """Years with water in the house, as flags."""
        return self.depth > 0

    def situation(self, household: int, year: int) -> dict[str, str]:
        """Return the year as sensors tell it."""
        depth = self.depth[household, year]
        level = "NONE" if depth <= 0 else "HIGH" if depth >= _HIGH else "LOW"
        seen = {"FLOOD": level}
        return seen | {"NEIGHBOR": "ELEVATING"} if self.elevating[household, year] else seen

    def memory(self, household: int, year: int) -> str:
        """Return the year in the household's words."""
        depth = self.depth[household, year]
        if depth > 0:
            return f"Year {year}: the flood came in, {depth:.2f} m of water in the house. It was terrifying."
        return f"Year {year}: {_EVENTS[self.event[household, year]]}"

    @staticmethod
    def date(year: int) -> datetime:
        """Return when a year is, for the service."""
        return FIRST_YEAR + timedelta(days=year)


def generate(households: int, years: int, seed: int) -> World:
    """Draw a world: the river's yearly height, how high each house stands, and what else happens.

    One in twenty stands at the river and is flooded nearly every year, a quarter in the plain, the rest above.
    In the last fifth of the years the neighbours at the river raise their houses.
    """
    random = np.random.default_rng(seed)
    river = random.gumbel(0.0, 1.0, years)
    place = random.random(households)
    at_river, in_plain = place < _AT_RIVER, place < _AT_RIVER + _IN_PLAIN
    height = random.uniform(1.5, 4.0, households)
    height = np.where(in_plain, random.uniform(0.5, 2.0, households), height)
    height = np.where(at_river, -2.5, height)
    depth = np.maximum(river - height[:, np.newaxis], 0.0)
    shape = (households, years)
    everyday = random.choice(_EVERYDAY, shape, p=_OFTEN)
    importance = np.where(depth > 0, np.where(depth >= _HIGH, 5, 4), everyday)
    elevating = at_river[:, np.newaxis] & (np.arange(years) >= round(0.8 * years))
    event = random.integers(0, len(_EVENTS), shape)
    return World(depth, importance, elevating, event, at_river)


def calm_years(world: World, year: int) -> Ints:
    """Return how many years ago each household's last flood was before a year; -1 for none yet."""
    before = world.flooded[:, :year]
    since = np.argmax(before[:, ::-1], axis=1) + 1
    return np.where(before.any(axis=1), since, -1)
