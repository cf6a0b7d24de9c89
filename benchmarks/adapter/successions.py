"""Rows of a question with an older and a newer note, of which the newer answers in its place or does not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.adapter.train import questions_of
from benchmarks.adapter.train_pairs import Labels
from benchmarks.everyday.__main__ import load as load_sets
from graph.embedding.pairs import LATER

if TYPE_CHECKING:
    from graph.kernel.values import Floats
    from graph.ports.world import Embedder

_HARDER = 8.0  # how much rather the nearer newer notes are drawn
_READ_BY_RELEVANCE, _READ_BY_NEARNESS = 4, 2  # newer notes that a recall would read


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a set: the place of its answer, if any, and the cosines of the question with all facts."""

    agent: str
    text: str
    right: int | None
    category: str
    cosines: Floats


@dataclass(frozen=True, slots=True)
class Succession:
    """A question, an older note and a newer one."""

    question: str
    older: str
    newer: str

    @property
    def notes(self) -> str:
        """Both notes as a recall reads them."""
        return f"{self.older}{LATER}{self.newer}"


@dataclass(frozen=True, slots=True)
class Successions:
    """Questions of sets with labelled changes, from which rows are drawn."""

    texts: dict[str, list[str]]
    vectors: dict[str, Floats]
    changes: Labels
    cases: list[Case]

    def taking_over(self) -> list[Succession]:
        """Return a row for each question about a change."""
        return [
            self._row(case, older, case.right)
            for case in self.cases
            if case.category == "update" and case.right is not None
            for older in self._olders(case)
        ]

    def others(self, rng: random.Random, wanted: int) -> list[Succession]:
        """Draw rows whose newer note takes over nothing."""
        found: list[Succession] = []
        for case in self.cases:
            for older, count in self._firsts(case):
                drawn = self._drawn(case, older, count, rng)
                found += [self._row(case, older, newer) for newer in drawn]
        return rng.sample(found, min(wanted, len(found)))

    def nearest(self) -> list[Succession]:
        """Return rows of the notes that recalls would read and that take over nothing."""
        found: list[Succession] = []
        for case in self.cases:
            for older, _ in self._firsts(case):
                newer = self._newer(case, older)
                near = self.vectors[case.agent] @ self.vectors[case.agent][older]
                best = sorted(newer, key=lambda place: -case.cosines[place])[:_READ_BY_RELEVANCE]
                best += sorted(newer, key=lambda place: -near[place])[:_READ_BY_NEARNESS]
                found += [self._row(case, older, place) for place in dict.fromkeys(best)]
        return found

    def _olders(self, case: Case) -> list[int]:
        changes = self.changes[case.agent].items()
        return [older for (older, newer), kind in changes if newer == case.right and kind in "RP"]

    def _firsts(self, case: Case) -> list[tuple[int, int]]:
        """Return the notes that may come first, each with how many newer ones are drawn."""
        if case.right is None:
            return [(int(place), 1) for place in np.argsort(-case.cosines)[:2]]
        if case.category == "update":
            return [*((older, 2) for older in self._olders(case)), (case.right, 1)]
        return [] if case.category == "time" else [(case.right, 2)]

    def _newer(self, case: Case, older: int) -> list[int]:
        versions = {newer for first, newer in self.changes[case.agent] if first == older}
        after = range(older + 1, len(self.texts[case.agent]))
        return [place for place in after if place not in versions and place != case.right]

    def _drawn(self, case: Case, older: int, count: int, rng: random.Random) -> list[int]:
        newer = self._newer(case, older)
        if not newer:
            return []
        vectors = self.vectors[case.agent]
        weights = np.exp(_HARDER * np.maximum(vectors[newer] @ vectors[older], case.cosines[newer]))
        draws = np.random.default_rng(rng.randrange(2**30))
        return draws.choice(newer, min(count, len(newer)), False, weights / weights.sum()).tolist()

    def _row(self, case: Case, older: int, newer: int) -> Succession:
        told = self.texts[case.agent]
        return Succession(case.text, told[older], told[newer])


def successions(folders: Sequence[Path], changes: Labels, embedder: Embedder) -> Successions:
    """Read the sets whose changes are labelled."""
    texts: dict[str, list[str]] = {}
    vectors: dict[str, Floats] = {}
    cases: list[Case] = []
    for folder in folders:
        told, _ = questions_of(folder)
        labelled = {agent: notes for agent, notes in told.items() if agent in changes}
        texts |= labelled
        vectors |= {agent: embedder.embed(notes) for agent, notes in labelled.items()}
        cases += _cases(folder, labelled, vectors, embedder)
    return Successions(texts, vectors, changes, cases)


def _cases(
    folder: Path, texts: dict[str, list[str]], vectors: dict[str, Floats], embedder: Embedder
) -> Iterator[Case]:
    _, asked = questions_of(folder)
    category = {(one.agent, one.text): one.category for one in load_sets(folder)[1]}
    for one in asked:
        if one.agent in texts:
            cosines = vectors[one.agent] @ embedder.embed_question(one.text)
            yield Case(one.agent, one.text, one.right, category[one.agent, one.text], cosines)
