"""Paraphrased summaries: how many faithful ones the check accepts, and how many that change a fact."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runner import say
from graph.condensing.model import LEVELS, Source
from graph.condensing.text import condense
from service.use_cases.consolidation.wording import is_usable

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAIRS = Path(__file__).parent / "faithful" / "pairs.txt"


def measure_faithful() -> dict[str, float]:
    """Shares of accepted faithful and false summaries."""
    passed = {"+": 0, "-": 0}
    total = {"+": 0, "-": 0}
    for notes, sign, summary in _pairs():
        sources = [Source(text, speaker) for speaker, text in notes]
        draft = condense(sources, LEVELS["episodic"]).text
        taken = is_usable(
            summary, draft, "\n".join(f"{speaker}: {text}" for speaker, text in notes)
        )
        total[sign] += 1
        passed[sign] += taken
        if taken != (sign == "+"):
            say(f"  {'refused' if sign == '+' else 'passed'} {sign} {summary}")
    return {
        "faithful_passed": passed["+"] / total["+"],
        "false_passed": passed["-"] / total["-"],
    }


def _pairs() -> Iterator[tuple[list[tuple[str, str]], str, str]]:
    notes: list[tuple[str, str]] = []
    for line in _PAIRS.read_text(encoding="utf-8").splitlines():
        if line.startswith("##"):
            notes = []
        elif line[:2] in {"+ ", "- "}:
            yield notes, line[0], line[2:]
        elif line and not line.startswith("#"):
            speaker, _, text = line.partition(": ")
            notes.append((speaker, text))
