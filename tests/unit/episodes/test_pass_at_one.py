"""The code path of pass@1, with a stand-in for the model that solves what it is shown."""

from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks.pass_at_one import last_number, measure
from graph.llm.openai import Endpoint, open_model
from tests.scripted_model import said, scripted_model

PROBLEMS = [(f"Ann has {n} eggs and buys {n}. How many?", f"#### {2 * n}") for n in range(1, 5)]


def solver(body: dict[str, Any]) -> tuple[int, object]:
    """Add the numbers of the problem where it is shown how, else say the first of them."""
    asked = body["messages"][1]["content"]
    numbers = [int(number) for number in re.findall(r"\d+", asked.rpartition("Problem: ")[2])]
    if "add them" in asked:
        return said({"steps": "add", "answer": f"${sum(numbers)}.00"}, tokens=120)
    return said({"answer": numbers[0] if numbers[0] < 4 else "?"}, tokens=50)


async def test_what_memory_gains_is_measured_through_the_whole_path() -> None:
    asked: list[str] = []

    async def retrieve(problem: str) -> str:
        asked.append(problem)
        return "Earlier: Bob had 2 eggs and bought 3; he added them. So add them."

    with scripted_model(solver) as script:
        async with open_model(Endpoint(script.url, "stand-in")) as model:
            line = await measure(model, retrieve, PROBLEMS, tokens_spent=lambda: model.tokens_spent)
    assert asked == [problem for problem, _ in PROBLEMS]
    assert (line["pass@1_alone"], line["pass@1_memory"]) == (0.0, 1.0)
    assert (line["tokens_alone"], line["tokens_memory"]) == (50.0, 120.0)
    assert line["reasoning_s_memory"] > 0
    assert len(script.asked) == 8


async def test_a_model_that_does_not_answer_solves_nothing() -> None:
    async def retrieve(problem: str) -> str:
        return ""

    with scripted_model((500, "")) as script:
        async with open_model(Endpoint(script.url, "stand-in", retries=0)) as model:
            line = await measure(model, retrieve, PROBLEMS[:1])
    assert (line["pass@1_memory"], line["answered_alone"], line["pass1_gain"]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("16 - 3 = <<16-3=13>>13\n#### 1,013", 1013.0),
        ("$18.50", 18.5),
        ("-4", -4.0),
        ("none", None),
    ],
)
def test_the_last_number_is_the_answer(text: str, number: float | None) -> None:
    assert last_number(text) == number
