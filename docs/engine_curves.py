"""Draws the curves of docs/engines.md into docs/images; needs matplotlib, which nothing else does.

Run ``python -m docs.engine_curves``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from graph.scoring.base_level import base_level, base_level_hybrid
from graph.scoring.generative import hourly_recency
from graph.scoring.human_centric import linear_recency, saliency, weighted_sum

IMAGES = Path(__file__).parent / "images"
USES = np.array([0.0, 10.0, 12.0, 30.0, 31.0])


def main() -> None:
    """Write each picture."""
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot: Any = import_module("matplotlib.pyplot")
    for name, draw in (
        ("saliency", draw_saliency),
        ("weighted", draw_weighted),
        ("actr", draw_actr),
        ("generative", draw_generative),
    ):
        figure, axes = pyplot.subplots(figsize=(5.2, 2.8), dpi=110)
        draw(axes)
        axes.grid(visible=True, alpha=0.3)
        axes.legend(frameon=False)
        figure.tight_layout()
        figure.savefig(IMAGES / f"engine-{name}.png", metadata={"Software": None})
        pyplot.close(figure)


def draw_saliency(axes: Any) -> None:
    """Draw the importance that is left, by λ."""
    age = np.linspace(0, 50, 200)
    for decay in (0.05, 0.1, 0.3):
        axes.plot(age, saliency(np.ones_like(age), age, decay=decay), label=f"λ = {decay:g}")
    axes.set(xlabel="age t", ylabel="I·exp(−λt), I = 1")


def draw_weighted(axes: Any) -> None:
    """Draw the score of three memories, by age."""
    age = np.linspace(0, 20, 200)
    recency = linear_recency(age, oldest=20.0)
    for label, importance, context in (
        ("vital, tag matches", 1.0, 1.0),
        ("vital, no tag", 1.0, 0.0),
        ("plain, no tag", 0.1, 0.0),
    ):
        left = saliency(np.full_like(age, importance), age)
        score = weighted_sum(recency, left, np.full_like(age, context))
        axes.plot(age, score, label=label)
    axes.set(xlabel="age t (max_age 20)", ylabel="S")


def draw_actr(axes: Any) -> None:
    """Draw the activation of a memory that is used five times."""
    now = np.linspace(0.5, 60, 600)
    past = np.where(now[:, np.newaxis] > USES, now[:, np.newaxis] - USES, np.inf)
    axes.plot(now, base_level(past), label="exact")
    newest = past.min(axis=1, keepdims=True)
    count = np.isfinite(past).sum(axis=1)
    axes.plot(now, base_level_hybrid(newest, count, now), "--", label="hybrid, k = 1")
    axes.set(xlabel="time; uses at 0, 10, 12, 30, 31", ylabel="B")


def draw_generative(axes: Any) -> None:
    """Draw recency by hours, for three shares."""
    hours = np.linspace(0, 24 * 21, 300)
    for decay in (0.99, 0.995, 0.999):
        axes.plot(hours / 24, hourly_recency(hours, decay=decay), label=f"{decay:g} an hour")
    axes.set(xlabel="days since the last use", ylabel="recency")


if __name__ == "__main__":
    main()
