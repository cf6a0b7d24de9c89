"""Condensed notes: whole sentences, topics, facts, and evidence found within a budget of tokens.

Goals: every kept unit a whole sentence, clusters that mix topics at most 0.05, evidence within 1,000 tokens at least
0.97 of before at half the memories or less, everyday questions at least 0.97 of before, claims with a precision of 0.95
at a recall of 0.4.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.notes_chats import CHATS, print_chats
from benchmarks.notes_core import CLAIMS, measure_claims, measure_sentences, measure_topics
from benchmarks.notes_faithful import measure_faithful
from benchmarks.notes_recalled import measure_budget, measure_everyday
from benchmarks.runner import add_common_arguments, print_result, say

PARTS = ("claims", "faithful", "topics", "sentences", "budget", "everyday")


def main() -> None:
    """Run the selected measurements, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, of: " + ", ".join(PARTS))
    parser.add_argument("--data", type=Path, help="a folder with LoCoMo: topics, sentences, budget")
    parser.add_argument("--conversations", type=int, default=10, help="of LoCoMo, for `budget`")
    parser.add_argument(
        "--everyday", type=Path, default=Path(__file__).parent / "everyday", help="a folder of sets"
    )
    parser.add_argument(
        "--chats",
        type=Path,
        nargs="?",
        const=CHATS,
        help="print the chats of a folder in each stratum, and stop; by default those of benchmarks/chats",
    )
    add_common_arguments(parser)
    options = parser.parse_args()
    parts = set(options.only.split(","))
    if unknown := parts - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}, only {', '.join(PARTS)}")
    if options.chats:
        print_chats(options.chats)
        return
    figures: dict[str, float] = {}
    if "claims" in parts:
        for name in ("chosen", "held"):
            figures |= measure_claims(CLAIMS / f"{name}.txt")
    if "faithful" in parts:
        figures |= measure_faithful()
    if options.data is not None:
        figures |= _on_conversations(options.data, options.conversations, parts)
    if "everyday" in parts:
        figures |= measure_everyday(options.everyday)
        figures["everyday_ratio"] = figures["everyday_top1_after"] / figures["everyday_top1_before"]
    for name, value in figures.items():
        say(f"  {name} {value:.3f}")
    print_result(figures, as_json=options.json)


def _on_conversations(data: Path, conversations: int, parts: set[str]) -> dict[str, float]:
    figures: dict[str, float] = {}
    if "topics" in parts:
        figures |= measure_topics(data)
    if "sentences" in parts:
        figures |= measure_sentences(data)
    if "budget" in parts:
        figures |= measure_budget(data, conversations)
        before, after = figures["budget_recall_before"], figures["budget_recall_after"]
        figures["budget_recall_ratio"] = after / before
    return figures


if __name__ == "__main__":
    main()
