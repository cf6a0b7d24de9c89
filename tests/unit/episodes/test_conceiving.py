"""Which problems belong together, and what a group is called, by rules and by a language model."""

from __future__ import annotations

import pytest

from graph.llm.openai import Endpoint, open_model
from graph.model.episodes.concepts import KnownProblem, TriedOnce, WaitingProblem
from service.use_cases.episodes.conceiving import (
    Clustering,
    actions_of,
    assign_to_concepts,
    word,
    word_by_rules,
)
from tests.scripted_model import said, scripted_model

ADD, TIMES = ("add",), ("multiply", "multiply")


def known(uid: str, actions: tuple[str, ...], *, right: bool = True, **fields: str) -> KnownProblem:
    tried = TriedOnce(f"e-{uid}", f"e-{uid}", right, actions)
    text = fields.pop("text", f"A hen lays {uid} eggs for the market.")
    return KnownProblem(uid, uid, text, fields.pop("domain", "math"), (tried,), **fields)


def test_a_problem_joins_the_concept_of_its_nearest_and_the_rest_found_one() -> None:
    near = (known("old", TIMES, concept="c"), 0.6)
    joining = WaitingProblem(known("a", TIMES), (near,))
    others = [known(name, ADD) for name in "bcd"]
    founding = [
        WaitingProblem(one, tuple((two, 0.5) for two in others if two is not one)) for one in others
    ]
    joins, groups = assign_to_concepts([joining, *founding], Clustering())
    assert joins == [("a", "c")]
    assert [{each.uid for each in group} for group in groups] == [{"b", "c", "d"}]


@pytest.mark.parametrize("change", [{"domain": "code"}, {"right": False}, {"actions": ("search",)}])
def test_another_domain_an_unsolved_one_or_another_way_founds_nothing(
    change: dict[str, object],
) -> None:
    fields: dict[str, object] = {"actions": ADD, **change}
    odd = known("d", **fields)  # pyright: ignore[reportArgumentType] -- a table of the above
    others = [known(name, ADD) for name in "bc"] + [odd]
    waiting = [
        WaitingProblem(one, tuple((two, 0.3) for two in others if two is not one)) for one in others
    ]
    assert assign_to_concepts(waiting, Clustering()) == ([], [])


def test_what_was_done_is_that_of_right_attempts() -> None:
    wrong, right = TriedOnce("1", "1", False, ADD), TriedOnce("2", "2", True, TIMES)
    assert actions_of(KnownProblem("p", "p", "", "", (wrong, wrong, right))) == TIMES


GROUP = [known(str(n), TIMES) for n in range(3)]


def test_rules_name_a_group_by_actions_and_words() -> None:
    worded = word_by_rules(GROUP, [known("x", ADD, text="A car drives to the market.")])
    assert worded.name.startswith("multiply twice: egg")
    assert worded.by == "rules"


def test_an_insight_that_attempts_share_names_the_group() -> None:
    told = (
        "Aggregate the many side before joining it.",
        "Aggregate the many side first.",
        "Check nulls.",
    )
    group = [
        KnownProblem(str(n), str(n), f"The join of table {n} doubles the sum.", "sql",
                     (TriedOnce(f"e{n}", f"e{n}", True, ("explain", "run"), insight),))
        for n, insight in enumerate(told)
    ]  # fmt: skip
    worded = word_by_rules(group, [])
    assert worded.name in {
        "Aggregate the many side before joining it",
        "Aggregate the many side first",
    }
    assert worded.definition.endswith(f", solved by: explain, then run. {worded.name}.")


async def test_a_language_model_words_a_group_and_is_told_what_was_done() -> None:
    reply = {"concept": "unit price", "definition": "Multiply how many by what one costs."}
    with scripted_model(said(reply)) as script:
        async with open_model(Endpoint(script.url, "tiny")) as model:
            worded = await word(GROUP, [], model)
    assert (worded.name, worded.definition, worded.by) == (*reply.values(), "tiny")
    told = script.asked[0]["messages"]
    assert "What general principle or concept was used?" in told[0]["content"]
    assert "multiply twice" in told[1]["content"]


@pytest.mark.parametrize(
    "reply", [said("no"), said({"concept": " ", "definition": "x"}), (500, ""), said({"name": 1})]
)
async def test_a_useless_answer_leaves_the_words_of_the_rules(reply: tuple[int, object]) -> None:
    with scripted_model(reply) as script:
        async with open_model(Endpoint(script.url, "tiny", retries=0)) as model:
            assert await word(GROUP, [], model) == word_by_rules(GROUP, [])
