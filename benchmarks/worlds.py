"""Generated worlds where utility depends on the context, over real questions.

Twenty-four strategies, none best everywhere; the success rate of each in twelve contexts is random. A context is a
cluster of questions by their embeddings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graph.kernel.scope import Caller
from graph.model.memories.memory import NewMemory

if TYPE_CHECKING:
    from collections.abc import Sequence

    Floats = np.ndarray[Any, np.dtype[np.float64]]
    Places = np.ndarray[Any, np.dtype[np.int64]]

CONTEXTS = 12
STRATEGIES = 24
EXAMS = 25
TAG = "strategy"
_MIN_CLUSTER = 40
_HOMES = 2
_BEST_ANYWHERE = 0.55
_MOST_LED = 4
_ROUNDS = 30
_TRIES = 200


@dataclass(frozen=True, slots=True)
class World:
    """Questions by context, for learning and for testing, and the success rate of each strategy there.

    ``truth`` has a row per context and a column per strategy.
    """

    owner: Caller
    truth: Floats
    lessons: tuple[tuple[str, ...], ...]
    exams: tuple[tuple[str, ...], ...]

    @property
    def oracle(self) -> float:
        """Return the mean success rate of the best strategy of each context."""
        return float(self.truth.max(axis=1).mean())

    def strategies(self) -> list[NewMemory]:
        """Return the strategies as memories, without their success rates."""
        return [
            NewMemory(
                self.owner.writable(),
                f"Approach {number + 1}: solve the problem by way of plan {number + 1}.",
                kind="strategy",
                external_id=f"s{number}",
                agent_id=self.owner.agent_id,
                tags=(TAG,),
            )
            for number in range(STRATEGIES)
        ]


def make_world(number: int, seed: int, questions: Sequence[str], contexts: Places) -> World:
    """Generate a world; ``contexts`` is the context of each question."""
    rng = np.random.default_rng([seed, number])
    parts = [rng.permutation(np.flatnonzero(contexts == place)) for place in range(CONTEXTS)]
    texts = [tuple(questions[int(place)] for place in part) for part in parts]
    return World(
        owner=Caller("local", f"world-{number}"),
        truth=draw_truth(rng),
        lessons=tuple(part[EXAMS:] for part in texts),
        exams=tuple(part[:EXAMS] for part in texts),
    )


def draw_truth(rng: np.random.Generator) -> Floats:
    """Draw until no strategy succeeds in more than 0.55 of all, and none is best in more than 4 contexts."""
    while True:
        truth = np.clip(rng.normal(0.35, 0.1, (CONTEXTS, STRATEGIES)), 0.05, 0.65)
        for strategy in range(STRATEGIES):
            homes = rng.choice(CONTEXTS, _HOMES, replace=False)
            truth[homes, strategy] = rng.uniform(0.8, 0.95, _HOMES)
        led = np.bincount(truth.argmax(axis=1), minlength=STRATEGIES)
        if truth.mean(axis=0).max() <= _BEST_ANYWHERE and led.max() <= _MOST_LED:
            return truth


def cluster(
    vectors: Floats, seed: int, clusters: int = CONTEXTS, least: int = _MIN_CLUSTER
) -> Places:
    """Cluster unit vectors by k-means, repeated until every cluster is large enough.

    Raises
    ------
    SystemExit
        If there are too few of them to give each cluster enough.
    """
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        places = _clustered(vectors, vectors[rng.choice(len(vectors), clusters, replace=False)])
        if np.bincount(places, minlength=clusters).min() >= least:
            return places
    raise SystemExit(f"{len(vectors)} questions do not fall into {clusters} groups of {least}")


def _clustered(vectors: Floats, centres: Floats) -> Places:
    places = (vectors @ centres.T).argmax(axis=1)
    for _ in range(_ROUNDS):
        sums = np.zeros_like(centres)
        np.add.at(sums, places, vectors)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centres)
        places = (vectors @ centres.T).argmax(axis=1)
    return places
