"""Households and fifty years of floods.

    python -m examples.households [--households 50] [--years 50] [--seed 7] [--offline] [--plot floods.png]

Start a service first (`make serve`); with `--offline` the numeric core runs alone. Each household is an agent
that stores one memory a year and observes the year's situation by a surprise plugin. In some years an alert
is given: a household heeds it if what it recalls then names a flood, once by saliency (v1), once by the
weighted law (v2). `--households 1000` is the whole of it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

import numpy as np

from examples.households import core
from examples.households.served import Told, forget, live
from examples.households.world import calm_years, generate
from stratagraph import AsyncClient, ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from examples.households.world import Floats, World

_ALERTS = 2  # as of so many years, the last of them at the end
_LONG_CALM = 12  # years after which the laws differ


def main(given: Sequence[str] | None = None) -> None:
    """Run the simulation and say what it showed."""
    options = _options(given)
    draw = _drawing() if options.plot is not None else None
    world = generate(options.households, options.years, options.seed)
    begun = time.monotonic()
    shares, surprise = core.share_by_calm(world), core.surprises(world)
    took = time.monotonic() - begun
    steps = world.households * world.years
    print(f"core: {steps:,} years of households in {took:.2f} s, {steps / took:,.0f} a second")
    try:
        told = None if options.offline else asyncio.run(_serve(world, options.keep))
    except ConnectionFailedError as error:
        raise SystemExit(f"{error} With --offline none is needed.") from error
    if told is not None:
        _compare(world, surprise, told)
    _say(world, shares, surprise)
    if draw is not None:
        draw(options.plot, world, shares, surprise, told)
        print(f"picture: {options.plot}")


def _drawing() -> Callable[..., None]:
    """Load what draws, before anything is stored: matplotlib may be missing.

    Raises
    ------
    SystemExit
        If it is.
    """
    from examples.households.plots import draw, load

    try:
        load()
    except ModuleNotFoundError as error:
        raise SystemExit(
            "--plot: matplotlib is not here; `pip install matplotlib`, or leave out --plot"
        ) from error
    return draw


def _options(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.households")
    parser.add_argument("--households", type=int, default=50)
    parser.add_argument("--years", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--offline", action="store_true", help="without a service")
    parser.add_argument("--keep", action="store_true", help="leave the households in the service")
    parser.add_argument("--plot", type=Path, help="write a picture (needs matplotlib)")
    options = parser.parse_args(given)
    if options.households < 1 or options.years < 5:
        parser.error("at least one household and five years")
    return options


async def _serve(world: World, keep: bool) -> Told:
    run = token_hex(4)
    alerts = tuple(round(world.years * part / _ALERTS) for part in range(1, _ALERTS + 1))
    async with AsyncClient(timeout=120) as client:
        told = await live(client, world, run, alerts)
        if not keep:
            begun = time.monotonic()
            await forget(client, world, run)
            told.erasing = time.monotonic() - begun
    return told


def _compare(world: World, surprise: Floats, told: Told) -> None:
    """Say what the service took, and how often it agrees with the core."""
    asked = len(told.heeded) * len(core.LAWS) * world.households
    took = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in told.seconds.items())
    print(f"service: {told.stored:,} memories, {surprise.size:,} observations, {asked:,} recalls")
    print(f"  {took}: the simulation took {sum(told.seconds.values()):.0f} s")
    if told.erasing is not None:
        print(f"  erasing the households afterwards took {told.erasing:.0f} s")
    same = [
        core.heeded(world, year)[law] == found[law]
        for year, found in told.heeded.items()
        for law in core.LAWS
    ]
    print(f"  recalls that agree with the core: {np.mean(same):.1%}")
    print(f"  greatest difference of a surprise: {np.abs(surprise - told.surprise).max():.1e}")


def _say(world: World, shares: dict[str, Floats], surprise: Floats) -> None:
    print("share of households that an alert reminds of a flood, by years since the last")
    years = [year for year in (1, 5, 10, 12, 15, 18, 20, 25, 30) if year < world.years]
    print("  years    " + "".join(f"{year:>6}" for year in years))
    for law, share in shares.items():
        print(f"  {law:<9}" + "".join(_percent(share[year - 1]) for year in years))
    river = surprise[world.at_river]
    if len(river):
        shown = " ".join(f"{value:.2f}" for value in river[:, :4].mean(axis=0))
        turn = int(np.argmax(world.elevating.any(axis=0)))
        awake = core.awake(river)[:, [turn - 1, turn]].mean(axis=0)
        print(f"at the river: surprise of the first four floods {shown}")
        print(
            f"  in System 2 before and when the neighbours raise their houses: {awake[0]:.0%}, {awake[1]:.0%}"
        )
    calm = calm_years(world, world.years)
    print(
        f"at the end {np.mean(calm > _LONG_CALM):.0%} of the households had {_LONG_CALM} calm years or more"
    )


def _percent(share: float) -> str:
    return "     –" if np.isnan(share) else f"{share:>6.0%}"


if __name__ == "__main__":
    sys.exit(main())
