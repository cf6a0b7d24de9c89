"""The picture of a run: who is reminded of a flood, and who is still surprised by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from examples.households.core import awake
from examples.households.world import calm_years

if TYPE_CHECKING:
    from collections.abc import Mapping

    from examples.households.served import Told
    from examples.households.world import Floats, World

_NAMES = {"saliency": "v1, saliency", "weighted": "v2, weighted"}
_COLOURS = {"saliency": "tab:red", "weighted": "tab:blue"}


def load() -> Any:
    """Load matplotlib for pictures without a screen."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def draw(
    path: Path, world: World, shares: Mapping[str, Floats], surprise: Floats, told: Told | None
) -> None:
    """Write the picture as PNG; needs matplotlib."""
    plt = load()
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    _reminded(left, world, shares, told)
    _used_to_it(right, world, surprise)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def _reminded(axes: Any, world: World, shares: Mapping[str, Floats], told: Told | None) -> None:
    for law, share in shares.items():
        years = np.arange(1, len(share) + 1)
        axes.plot(years, share, color=_COLOURS[law], label=_NAMES[law])
    if told is not None:
        for law in shares:
            axes.scatter(*_by_calm(world, told, law), s=14, color=_COLOURS[law], alpha=0.6)
    axes.set(
        title="Normalcy bias", xlabel="years since the last flood",
        ylabel="households that an alert reminds of a flood", ylim=(-0.03, 1.03), xlim=(0, 35),
    )  # fmt: skip
    axes.legend()


def _by_calm(world: World, told: Told, law: str) -> tuple[list[int], list[float]]:
    """Return the shares that the service's recalls gave, by years since the last flood."""
    met: dict[int, list[bool]] = {}
    for year, found in told.heeded.items():
        for calm, reminded in zip(calm_years(world, year), found[law], strict=True):
            if calm > 0:
                met.setdefault(int(calm), []).append(bool(reminded))
    return list(met), [sum(found) / len(found) for found in met.values()]


def _used_to_it(axes: Any, world: World, surprise: Floats) -> None:
    river = world.at_river
    years = np.arange(1, world.years + 1)
    axes.plot(years, surprise[river].mean(axis=0), color="black", label="surprise by a flood")
    axes.fill_between(
        years, awake(surprise)[river].mean(axis=0), step="mid", color="tab:orange", alpha=0.3,
        label="share in System 2",
    )  # fmt: skip
    axes.axhline(0.5, color="grey", linestyle=":", linewidth=1)
    turn = int(np.argmax(world.elevating.any(axis=0)))
    axes.annotate(
        "neighbours raise\ntheir houses", (turn + 1, 0.9), (turn * 0.4, 0.85),
        arrowprops={"arrowstyle": "->"},
    )  # fmt: skip
    axes.set(title="Boiling frog and waking up, at the river", xlabel="year", ylim=(-0.03, 1.03))
    axes.legend(loc="center")
