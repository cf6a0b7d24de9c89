"""Accuracy at which outcomes in words are classified as expected or not.

Each line of `chosen.txt` and `held.txt` holds an expectation, an outcome that meets it in other words, and one that does not. For an
agent without history, an outcome that meets it must score at most 0.2, one that does not must exceed the threshold. The
rules were chosen on `chosen.txt`; `held.txt` was used once, afterwards. The others have pairs by seven other authors: verdict,
expectation, outcome. The weights were fitted on the first two, `others.txt` and `more.txt`; the other three were only measured.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from benchmarks.runner import print_result, say
from graph.expecting.texts import apart
from graph.scoring.momentum import Momentum, SurpriseWeights, measured, usual
from service.bootstrap import load_embedder
from service.use_cases.kernel.embedding import QuestionVectors
from service.use_cases.recall.meaning import Meanings

FOLDER = Path(__file__).parent
_IN_PAIRS = ("chosen", "held")
_FILES = (*_IN_PAIRS, "others", "more", "later", "latest", "newest")
_MET = 0.2
_WEIGHTS = SurpriseWeights()


def load(name: str) -> list[tuple[bool, str, str]]:
    """Read expectations and outcomes, and whether each outcome meets its expectation."""
    lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    rows = [[part.strip() for part in line.split("|")] for line in lines]
    if name in _IN_PAIRS:
        return [(met, row[0], row[place]) for row in rows for met, place in ((True, 1), (False, 2))]
    return [(verdict == "met", expected, actual) for verdict, expected, actual in rows]


def score(distance: float) -> float:
    """Return the surprise of a difference for an agent without history."""
    known = usual(Momentum(), None, at=0.0, weights=_WEIGHTS)
    return measured(distance, known, weights=_WEIGHTS).surprise


def right(name: str) -> dict[str, float]:
    """Return the shares of correctly classified outcomes, met and unmet."""
    embedder = load_embedder()
    scale = asyncio.run(Meanings(QuestionVectors(0)).scale(embedder)).texts
    judged: dict[bool, list[bool]] = {True: [], False: []}
    for met, expected, actual in load(name):
        one, other = embedder.embed([expected, actual])
        reader = embedder.reader
        read = None if reader is None else float(reader.met([(expected, actual)])[0])
        found = score(apart(expected, actual, float(one @ other), scale, read=read))
        judged[met].append(found <= _MET if met else found > _WEIGHTS.threshold)
    every = [*judged[True], *judged[False]]
    return {
        f"{name}_met": sum(judged[True]) / len(judged[True]),
        f"{name}_unmet": sum(judged[False]) / len(judged[False]),
        f"{name}_accuracy": sum(every) / len(every),
    }


def main() -> None:
    """Print the shares of each file."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    say(", ".join(f"{len(load(name))} outcomes of {name}" for name in _FILES))
    print_result({key: one for name in _FILES for key, one in right(name).items()}, as_json=False)


if __name__ == "__main__":
    main()
