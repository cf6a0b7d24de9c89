"""Learning in worlds where utility depends on the context, with and without contexts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.floor import reset_learned
from benchmarks.following import Trial, follow_all
from benchmarks.runner import Running, opened_service, progress, say
from benchmarks.worlds import CONTEXTS, STRATEGIES, TAG, World, cluster, make_world
from graph.model.recall.candidates import Context, Filters
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from service.bootstrap import Service

FLIPPED = 0.1
# All strategies are candidates, whatever their words: only utility decides.
_OPEN = {"candidates": STRATEGIES, "relevance_threshold": 0.0, "events": False, "worker": False}
_EXPLORING = {"exploration": "ucb", "exploration_weight": 0.2}
MODES: dict[str, dict[str, Any]] = {
    "contextual": {**_OPEN, **_EXPLORING, "contextual_utility": True},
    "plain": {**_OPEN, **_EXPLORING},
}


@dataclass(frozen=True, slots=True)
class Pupil:
    """An agent that learns one world in one mode."""

    service: Service
    world: World
    mode: str
    seed: int

    async def run(self, per_pair: int) -> float:
        """Learn in all contexts in turns; return the success rate of what is followed afterwards."""
        rounds = per_pair * STRATEGIES
        for number in range(rounds):
            await follow_all(self.service, [*self._lessons(number)])
            progress(f"{self.world.owner.agent_id}, {self.mode}: round", number + 1, rounds)
        return float(np.mean(await follow_all(self.service, [*self._exams()])))

    def _lessons(self, number: int) -> Iterator[Trial]:
        rng = np.random.default_rng([self.seed, number])
        luck, flipped = rng.random(CONTEXTS), rng.random(CONTEXTS) < FLIPPED
        for context, texts in enumerate(self.world.lessons):
            task = f"{self.mode}-{number}-{context}"
            request = self._request(texts[number % len(texts)], context, task)
            yield Trial(request, self._worth(context), float(luck[context]), bool(flipped[context]))

    def _exams(self) -> Iterator[Trial]:
        for context, texts in enumerate(self.world.exams):
            for text in texts:
                yield Trial(self._request(text, context, None), self._worth(context))

    def _request(self, text: str, context: int, task: str | None) -> RecallRequest:
        return RecallRequest(
            self.world.owner,
            text=text,
            filters=Filters(kinds=("strategy",), tags_any=(TAG,)),
            k=1,
            utility_weight=1.0,
            task_id=task,
            context=Context(domain=f"kind-{context}"),
            explore=None if task else False,
        )

    def _worth(self, context: int) -> Callable[[str], float]:
        def worth(name: str) -> float:
            return float(self.world.truth[context, int(name.removeprefix("s"))])

        return worth


async def learn_worlds(
    running: Running, questions: Sequence[str], seed: int, worlds: int, per_pair: int
) -> dict[str, float]:
    """Learn each world in each mode; values are shares of the oracle's."""
    shares: dict[str, list[float]] = {mode: [] for mode in MODES}
    async with opened_service(running) as service:
        vectors = service.embedders.reading.embedder.embed(list(questions))
    contexts = cluster(vectors.astype(np.float64), seed)
    for number in range(worlds):
        world = make_world(number, seed, questions, contexts)
        for mode, settings in MODES.items():
            async with opened_service(running, **settings) as service:
                await service.remember(world.strategies())
                await reset_learned(service.database.driver, world.owner.writable())
                value = await Pupil(service, world, mode, seed).run(per_pair)
                shares[mode].append(value / world.oracle)
                say(f"  world {number}, {mode}: {value:.3f}, the oracle has {world.oracle:.3f}")
    return named(shares)


def named(shares: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Name the figures of the last line: means over the worlds, and the minimum."""
    return {
        "contextual_vs_oracle": float(np.mean(shares["contextual"])),
        "contextual_least": min(shares["contextual"]),
        "plain_vs_oracle": float(np.mean(shares["plain"])),
    }
