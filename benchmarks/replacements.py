"""False and missed replacements among pairs of facts that resemble each other, without a database.

Two thousand pairs are made of patterns in which both facts hold (two allergies, two meetings, two
invoices), a hundred of each; two hundred of patterns in which the later one replaces the earlier. Real
pairs come from the everyday sets: the benchmark prints what is found there, to be read.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.everyday.__main__ import load
from benchmarks.runner import add_common_arguments, print_result, say
from graph.replacing.detection import Fact, Replacement, replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIMILAR = 0.9  # every pair is taken to be as near as can be
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

# {a} and {b} differ, {n} and {m} are names, {x} and {y} numbers, {d} and {e} days, in this order of time
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
    """Make pairs of facts, the earlier first."""
    draw = random.Random(seed)
    for words, first, second in patterns:
        for _ in range(each):
            a, b = draw.sample(_WORDS[words], 2)
            n, m = draw.sample(_NAMES, 2)
            x, y = draw.sample(range(11, 23), 2)
            d, e = draw.sample(_DAYS, 2)
            fill = {"a": a, "b": b, "n": n, "m": m, "x": x, "y": y, "d": d, "e": e}
            yield first.format(**fill), second.format(**fill)


def found(earlier: str, later: str) -> Replacement | None:
    """Ask whether the later of two facts replaces the earlier."""
    return replacement(Fact(later, None, 2.0), Fact(earlier, None, 1.0), _SIMILAR)


def main() -> None:
    """Measure, print what is found in real sets, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder of everyday sets, whose findings are printed"
    )
    add_common_arguments(parser)
    options = parser.parse_args()
    both = list(pairs(BOTH_HOLD, _EACH, 1))
    false = [pair for pair in both if found(*pair)]
    replaced = list(pairs(REPLACED, _EACH // 5, 2))
    for earlier, later in false[:10]:
        say(f"false: {earlier} | {later}")
    real = 0
    if options.data:
        for agent, facts in load(options.data)[0].items():
            for place, later in enumerate(facts):
                for earlier in facts[:place]:
                    if finding := found(earlier.text, later.text):
                        real += 1
                        say(f"{agent}: {earlier.text} | {later.text} ({finding.evidence})")
    print_result(
        {
            "pairs": len(both),
            "false": len(false),
            "false_share": len(false) / len(both),
            "replaced_found": sum(found(*pair) is not None for pair in replaced) / len(replaced),
            "real_found": real,
        },
        as_json=options.json,
    )


if __name__ == "__main__":
    main()
