"""Whether an outcome in words is told to be what was expected: met, or not.

Each line of the two files holds an expectation, an outcome that meets it in other words, and one that does
not. An outcome that meets it must score at most 0.2 for an agent that knows nothing yet, one that does not
must pass the threshold. The rules were chosen on `chosen.txt`; `held.txt` was looked at once, afterwards.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from benchmarks.runner import print_result, say
from graph.expecting.texts import apart
from graph.scoring.momentum import Momentum, SurpriseWeights, measured, usual
from service.bootstrap import load_embedder
from service.use_cases.embedding import QuestionVectors
from service.use_cases.meaning import Meanings

FOLDER = Path(__file__).parent
_MET = 0.2
_WEIGHTS = SurpriseWeights()


def load(name: str) -> list[tuple[str, str, str]]:
    """Read expectations, each with an outcome that meets it and one that does not."""
    rows = (line.split("|") for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines())
    return [(expected.strip(), met.strip(), unmet.strip()) for expected, met, unmet in rows]


def score(distance: float) -> float:
    """Return the surprise of a difference for an agent that knows nothing yet."""
    known = usual(Momentum(), None, at=0.0, weights=_WEIGHTS)
    return measured(distance, known, weights=_WEIGHTS).surprise


def right(name: str) -> dict[str, float]:
    """Return the shares of outcomes that are judged right, met and unmet."""
    embedder = load_embedder()
    scale = asyncio.run(Meanings(QuestionVectors(0)).scale(embedder)).texts
    rows = load(name)
    counts = [0, 0]
    for row in rows:
        vectors = embedder.embed(row)
        met, unmet = (
            score(apart(row[0], row[place], float(vectors[0] @ vectors[place]), scale))
            for place in (1, 2)
        )
        counts[0] += met <= _MET
        counts[1] += unmet > _WEIGHTS.threshold
    return {
        f"{name}_met": counts[0] / len(rows),
        f"{name}_unmet": counts[1] / len(rows),
        f"{name}_accuracy": sum(counts) / (2 * len(rows)),
    }


def main() -> None:
    """Print the shares of both files."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    found = {**right("chosen"), **right("held")}
    say(f"{2 * len(load('chosen'))} outcomes chosen on, {2 * len(load('held'))} held")
    print_result(found, as_json=False)


if __name__ == "__main__":
    main()
