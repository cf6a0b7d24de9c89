"""False and missed replacements among similar facts, without a database.

Two thousand pairs are generated from patterns in which both facts hold (two allergies, two meetings, two invoices), a
hundred of each; two hundred from patterns in which the later one replaces the earlier. With `--data`, a folder of
everyday sets, the near pairs of their facts are classified too, beside the labels in `replaced.txt` (set, older and
newer fact; R replaced, P in part, N not, S doubtful and left out). `hidden` counts replacements certain enough to hide
the older fact, `ordered` those that rank it behind the newer one. The rules were not chosen on these sets.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.everyday.__main__ import load
from benchmarks.runner import add_common_arguments, print_result, say
from graph.model.utility.config import UtilityConfig
from graph.replacing.detection import Fact, Replacement
from service.bootstrap import load_embedder
from service.use_cases.memories.replacing import FactPair, replacements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from graph.ports.world import Embedder

_EACH = 100
_NAMES = [
    "Ines",
    "Karim",
    "Odile",
    "Piotr",
    "Yuki",
    "Ruben",
    "Saoirse",
    "Tarek",
    "Milena",
    "Hugo",
    "Wanda",
    "Besnik",
]
_CITIES = ["Porto", "Gdansk", "Lyon", "Bari", "Turku", "Cork", "Bergen", "Split", "Sofia", "Malaga"]
_FOODS = [
    "walnuts",
    "shrimp",
    "celery",
    "mango",
    "sesame",
    "soy",
    "lupin",
    "mustard",
    "oysters",
    "rye",
]
_HOBBIES = [
    "chess",
    "rowing",
    "pottery",
    "archery",
    "karaoke",
    "origami",
    "fencing",
    "baking",
    "judo",
    "gardening",
]
_THINGS = [
    "toaster",
    "lamp",
    "carpet",
    "monitor",
    "kettle",
    "bench",
    "drill",
    "mirror",
    "tent",
    "scale",
]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_SERVICES = ["gateway", "scheduler", "indexer", "mailer", "archive", "ledger", "cache", "exporter"]

# {a} and {b} differ, {n} and {m} are names, {x} and {y} numbers, {d} and {e} days, in this order of
# time
BOTH_HOLD = (
    ("foods", "{n} is allergic to {a}.", "{n} is allergic to {b}."),
    ("foods", "{n} cannot eat {a}.", "{n} also avoids {b}."),
    ("hobbies", "{n} likes {a}.", "{n} likes {b}."),
    ("hobbies", "{n} goes to {a} on {d}.", "{n} goes to {b} on {e}."),
    ("cities", "{n} visited {a} in spring.", "{n} visited {b} in autumn."),
    ("cities", "{n} lives in {a}.", "{m} lives in {b}."),
    ("cities", "{n}'s sister lives in {a}.", "{n}'s brother lives in {b}."),
    ("cities", "{n} moved to {a}.", "{m} moved to {b}."),
    ("cities", "The office in {a} has {x} seats.", "The office in {b} has {y} seats."),
    ("things", "The {a} costs {x} euros.", "The {b} costs {y} euros."),
    ("things", "{n} bought a {a} for {x} euros.", "{n} bought a {b} for {y} euros."),
    ("things", "The new {a} arrives on {d}.", "The new {b} arrives on {e}."),
    ("things", "{n} repaired the {a} on {d}.", "{n} repaired the {b} on {e}."),
    ("days", "Meeting with {n} on {a} at {x}:00.", "Meeting with {n} on {b} at {y}:30."),
    ("days", "Meeting with {n} on {a} at 10:00.", "Meeting with {m} on {b} at 10:00."),
    ("services", "The {a} runs on port {x}.", "The {b} runs on port {y}."),
    ("services", "{n} maintains the {a}.", "{m} maintains the {b}."),
    ("services", "Invoice {x} is for {n}.", "Invoice {y} is for {n}."),
    ("services", "Room {x} has a desk.", "Room {y} has a desk."),
    ("services", "{n} is {x} years old.", "{m} is {y} years old."),
)
REPLACED = (
    ("cities", "{n} lives in {a}.", "{n} now lives in {b}."),
    ("cities", "The archive is kept in {a}.", "We moved the archive from {a} to {b}."),
    ("days", "Choir is on {a} at 19:00.", "Choir is on {a} at 20:30."),
    ("services", "{n} owns the {a}.", "{m} took over the {a} from {n}."),
    (
        "services",
        "The {a} keeps data for {x} days.",
        "Retention of the {a} raised from {x} days to {y} days.",
    ),
    ("hobbies", "{n} pays {x} euros for {a}.", "The fee of {n} for {a} went up to {y} euros."),
    ("hobbies", "{n} teaches {a}.", "{n} no longer teaches {a}."),
    ("things", "The {a} costs {x} euros.", "The {a} costs {y} euros."),
    ("days", "The report is due on 3 May.", "The report was pushed back to 17 June."),
    ("foods", "{n} feeds the dog {a}.", "{n} switched the dog from {a} to {b}."),
)
_WORDS = {
    "foods": _FOODS,
    "hobbies": _HOBBIES,
    "cities": _CITIES,
    "things": _THINGS,
    "days": _DAYS,
    "services": _SERVICES,
}


def pairs(
    patterns: tuple[tuple[str, str, str], ...], each: int, seed: int
) -> Iterator[tuple[str, str]]:
    """Generate pairs of facts, the earlier first."""
    draw = random.Random(seed)
    for words, first, second in patterns:
        for _ in range(each):
            a, b = draw.sample(_WORDS[words], 2)
            n, m = draw.sample(_NAMES, 2)
            x, y = draw.sample(range(11, 23), 2)
            d, e = draw.sample(_DAYS, 2)
            fill = {"a": a, "b": b, "n": n, "m": m, "x": x, "y": y, "d": d, "e": e}
            yield first.format(**fill), second.format(**fill)


def judge(embedder: Embedder, told: Sequence[tuple[str, str]]) -> list[Replacement | None]:
    """Return for each pair whether the later fact replaces the earlier, and would hide it."""
    found: list[Replacement | None] = []
    for earlier, later in told:
        one, other = embedder.embed([earlier, later])
        similarity = float(one @ other)
        pair = FactPair(Fact(later, None, 2.0), Fact(earlier, None, 1.0), similarity)
        found += replacements([pair], embedder.reader)
    return found


def orders(one: Replacement | None) -> bool:
    """Return whether a replacement ranks the replaced fact behind the newer one: a suspected one does not."""
    return one is not None and not one.suspected


def hides(one: Replacement | None) -> bool:
    """Return whether a replacement is certain enough to hide the replaced fact."""
    return (
        one is not None and orders(one) and one.confidence >= UtilityConfig().supersede_confidence
    )


def near_pairs(data: Path, embedder: Embedder) -> Iterator[tuple[list[str], list[FactPair]]]:
    """Return for each fact of the sets its pairs with earlier facts, nearest first, and their labels."""
    labels: dict[tuple[str, str, str], str] = {}
    for line in (Path(__file__).parent / "replaced.txt").read_text("utf-8").splitlines():
        name, older, newer, letter = line.split()
        labels[name, older, newer] = letter
    for name, facts in load(data)[0].items():
        vectors = embedder.embed([fact.text for fact in facts])
        told = [Fact(fact.text, None, place) for place, fact in enumerate(facts)]
        for newer, vector in enumerate(vectors):
            cosines = vectors[:newer] @ vector
            nearest = [int(place) for place in np.argsort(-cosines)]
            yield (
                [labels.get((name, str(place + 1), str(newer + 1)), "N") for place in nearest],
                [FactPair(told[newer], told[place], float(cosines[place])) for place in nearest],
            )


def shares(judged: Sequence[tuple[str, Replacement | None]], name: str) -> dict[str, float]:
    """Return the shares of replaced facts that are hidden or ordered, and of valid ones."""
    found: dict[str, float] = {}
    for label, letters in (("replaced", "R"), ("partly", "P"), ("holding", "N")):
        rows = [one for letter, one in judged if letter in letters]
        found[f"{name}_{label}"] = len(rows)
        found[f"{name}_{label}_hidden"] = sum(map(hides, rows)) / max(len(rows), 1)
        found[f"{name}_{label}_ordered"] = sum(map(orders, rows)) / max(len(rows), 1)
    return found


def main() -> None:
    """Measure, print errors, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of everyday sets")
    add_common_arguments(parser)
    options = parser.parse_args()
    embedder = load_embedder()
    both, replaced = list(pairs(BOTH_HOLD, _EACH, 1)), list(pairs(REPLACED, _EACH // 5, 2))
    judged = judge(embedder, both)
    for (earlier, later), one in zip(both, judged, strict=True):
        if hides(one):
            say(f"false: {earlier} | {later}")
    figures: dict[str, float] = {
        "pairs": len(both),
        "false": sum(map(hides, judged)),
        "false_share": sum(map(hides, judged)) / len(both),
        "false_order_share": sum(map(orders, judged)) / len(both),
        "replaced_found": sum(map(hides, judge(embedder, replaced))) / len(replaced),
    }
    if options.data:
        real: list[tuple[str, Replacement | None]] = []
        for letters, near in near_pairs(options.data, embedder):
            found = replacements(near, embedder.reader)
            real += zip(letters, found, strict=True)
            for letter, pair, one in zip(letters, near, found, strict=True):
                if hides(one) and letter == "N":
                    say(f"false: {pair.older.text} | {pair.newer.text}")
        figures |= shares([(letter, one) for letter, one in real if letter != "S"], "real")
    print_result(figures, as_json=options.json)


if __name__ == "__main__":
    main()
