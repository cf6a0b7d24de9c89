"""Statements of agents that say the same or contradict each other, without a database.

Written by hand: `chosen.txt` (a software team and a hospital ward), on which rules and limits were chosen, and `held.txt` (a
warehouse with a shop, a travel club), which was judged with them once. Made: channels of two domains, in which agents state
facts in four wordings; some give another value, and each fact has neighbours that resemble it (another thing, another
attribute of it). What is true of a pair follows from how it was made. `same` and `contradicts` are counted among all pairs;
a false merge is a pair that was taken to say the same and does not.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runner import add_common_arguments, print_result, say
from graph.replacing.agreeing import group_agreeing
from service.bootstrap import load_embedder
from service.use_cases.consolidation.find_agreements import compare_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from graph.ports.world import Embedder
    from graph.replacing.agreeing import StatementRelation

_HERE = Path(__file__).parent
_NEAR = 0.7
_AGENTS = 5
_SEED = 7
_FACTS = 60  # of each generated channel

# Domain, then attribute: wordings with {thing} and {value}, things, values.
_MADE: dict[str, list[tuple[list[str], list[str], list[str]]]] = {
    "fleet": [
        (
            [
                "The {thing} leaves at {value}.",
                "Departure of the {thing} is at {value}.",
                "The {thing} departs at {value} every day.",
                "At {value} the {thing} leaves.",
            ],
            ["ferry to Elba", "night train", "school bus", "mail van"],
            ["6:40", "7:15", "9:05", "21:30"],
        ),
        (
            [
                "A ticket for the {thing} costs {value} euros.",
                "The {thing} costs {value} euros per person.",
                "You pay {value} euros for the {thing}.",
                "The fare of the {thing} is {value} euros.",
            ],
            ["harbour tour", "cable car", "airport shuttle", "museum tram"],
            ["4", "12", "18", "35"],
        ),
        (
            [
                "{value} drives the {thing}.",
                "The driver of the {thing} is {value}.",
                "The {thing} is driven by {value}.",
                "We have {value} as the driver of the {thing}.",
            ],
            ["red truck", "minibus", "snow plough", "crane lorry"],
            ["Jadwiga", "Omar", "Sunniva", "Paul"],
        ),
    ],
    "kitchen": [
        (
            [
                "The {thing} is kept in the {value}.",
                "You find the {thing} in the {value}.",
                "We store the {thing} in the {value}.",
                "In the {value} there is the {thing}.",
            ],
            ["saffron", "rye flour", "olive oil", "vanilla"],
            ["cellar", "pantry", "blue cupboard", "top drawer"],
        ),
        (
            [
                "The {thing} bakes for {value} minutes.",
                "Bake the {thing} for {value} minutes.",
                "The {thing} has to stay in the oven for {value} minutes.",
                "It takes {value} minutes to bake the {thing}.",
            ],
            ["sourdough", "plum cake", "cheese tart", "lasagne"],
            ["25", "35", "50", "70"],
        ),
        (
            [
                "The {thing} arrives on {value}s.",
                "{value} is the day when the {thing} arrives.",
                "Every {value} the {thing} is delivered.",
                "We get the {thing} on {value}.",
            ],
            ["fish", "milk", "fruit crate", "coffee delivery"],
            ["Monday", "Wednesday", "Friday", "Saturday"],
        ),
    ],
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A statement with its topic and position; without a position it has no counterpart."""

    topic: str
    position: str | None
    text: str


def written(path: Path) -> Iterator[Labelled]:
    """Read hand-written statements: blocks of topics, a letter for each position."""
    for number, block in enumerate(path.read_text(encoding="utf-8").split("\n\n")):
        for line in block.splitlines():
            if line[0] != "#":
                yield Labelled(
                    f"{path.stem} {number}", None if line[0] == "-" else line[0], line[2:]
                )


def made(domain: str, seed: int) -> list[Labelled]:
    """Generate a channel: each fact is stated by some agents, of whom some may give another value."""
    drawn = random.Random(seed)
    found: dict[Labelled, None] = {}
    for _ in range(_FACTS):
        place = drawn.randrange(len(_MADE[domain]))
        wordings, things, values = _MADE[domain][place]
        thing, value = drawn.choice(things), drawn.choice(values)
        for _ in range(drawn.randint(1, _AGENTS)):
            told = drawn.choice(values) if drawn.random() < 0.25 else value
            text = drawn.choice(wordings).format(thing=thing, value=told)
            found[Labelled(f"{domain} {place} {thing}", told, text)] = None
    return list(found)


def truth(one: Labelled, other: Labelled) -> StatementRelation | None:
    """Return the true relation of two statements."""
    if one.topic != other.topic or None in (one.position, other.position):
        return None
    return "same" if one.position == other.position else "contradicts"


def classify_all(embedder: Embedder, told: Sequence[Labelled]) -> dict[str, float]:
    """Classify all pairs of statements, and group them."""
    vectors = embedder.embed([each.text for each in told])
    cosines = vectors @ vectors.T
    pairs = list(combinations(range(len(told)), 2))
    near = [pair for pair in pairs if cosines[pair] >= _NEAR]
    texts = [(told[one].text, told[other].text) for one, other in near]
    stands = compare_texts(embedder, texts, [float(cosines[pair]) for pair in near])
    found = dict(zip(near, stands, strict=True))
    counts: Counter[tuple[StatementRelation | None, StatementRelation | None]] = Counter(
        (truth(told[a], told[b]), found.get((a, b))) for a, b in pairs
    )
    same = [(a, b, float(cosines[a, b])) for (a, b), each in found.items() if each == "same"]
    apart = [pair for pair, each in found.items() if each == "contradicts"]
    groups = group_agreeing(len(told), same, apart)
    together = [pair for group in groups for pair in combinations(group, 2)]
    wrong = [pair for pair in together if truth(told[pair[0]], told[pair[1]]) != "same"]
    return {
        "statements": len(told),
        **_figures(counts, "same"),
        **_figures(counts, "contradicts"),
        "gathered_pairs": len(together),
        "false_merges": len(wrong),
    }


def _figures(
    counts: Counter[tuple[StatementRelation | None, StatementRelation | None]],
    name: StatementRelation,
) -> dict[str, float]:
    right = counts[name, name]
    found = sum(number for (_, each), number in counts.items() if each == name)
    there = sum(number for (each, _), number in counts.items() if each == name)
    return {
        f"{name}_pairs": there,
        f"{name}_precision": round(right / max(1, found), 3),
        f"{name}_recall": round(right / max(1, there), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_common_arguments(parser)
    options = parser.parse_args()
    embedder = load_embedder()
    sets = {path.stem: list(written(path)) for path in sorted(_HERE.glob("*.txt"))}
    sets |= {f"made_{domain}": made(domain, _SEED) for domain in _MADE}
    figures: dict[str, float] = {}
    for name, told in sets.items():
        row = classify_all(embedder, told)
        say(f"{name}: {row}")
        figures |= {f"{name}_{figure}": value for figure, value in row.items()}
    print_result(figures, as_json=options.json)


if __name__ == "__main__":
    main()
