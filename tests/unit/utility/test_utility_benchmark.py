"""What the benchmark of utility takes from its data, hides in its store, and says at its end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks import gsm8k, worlds
from benchmarks.contextual import named
from benchmarks.gsm8k import MODELS, Problems
from benchmarks.utility import Curve, Curves, summary

FOLDER = os.environ.get("STRATAGRAPH_TEST_GSM8K")


def write_problems(folder: Path, count: int) -> None:
    """Write invented problems in the form of the real ones; the last model is right in every third."""
    rows = [
        {
            "question": f"Anna has {place} apples and buys twice as many. How many are there now?",
            "ground_truth": f"A: {3 * place}",
            **{
                model: {
                    "is_correct": place % 3 == 0 and model == MODELS[-1],
                    "solution": f"{model} counts {place} apples twice.\nA: {2 * place + number}",
                }
                for number, model in enumerate(MODELS)
            },
        }
        for place in range(count)
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "example_model_solutions.jsonl").write_text(lines, encoding="utf-8")


@pytest.fixture
def problems(tmp_path: Path) -> Problems:
    write_problems(tmp_path, 12)
    return gsm8k.load(tmp_path, seed=3)


def test_problems_are_the_same_at_every_run_and_others_with_another_seed(tmp_path: Path) -> None:
    write_problems(tmp_path, 12)
    first, again, other = (gsm8k.load(tmp_path, seed) for seed in (3, 3, 4))
    assert [*first.batches()] == [*again.batches()]
    assert [*first.batches()] != [*other.batches()]
    assert len(gsm8k.load(tmp_path, 3, most=5)) == 5


def test_every_attempt_is_stored_once_and_its_name_leads_back_to_it(problems: Problems) -> None:
    rows = {row.external_id: row for batch in problems.batches() for row in batch}
    attempts = {name: row for name, row in rows.items() if row.kind == "episode"}
    assert len(attempts) == 12 * len(MODELS)
    for name, row in attempts.items():
        problem, model = problems.attempt(name or "")
        assert row.text == problems.solutions[problem][model]
        assert row.tags == (gsm8k.tag(problem),)
        assert [link.to for link in row.links] == [
            f"external:p{problem}",
            f"external:s-{MODELS[model]}",
        ]
        assert {link.to.removeprefix("external:") for link in row.links} <= rows.keys()


def test_nothing_that_is_stored_says_which_attempt_is_right(problems: Problems) -> None:
    """Whoever turns all labels round writes the same store."""
    turned = Problems(
        problems.questions,
        problems.solutions,
        ~problems.right,
        problems.names,
        problems.seen,
        problems.held_out,
    )
    assert [*turned.batches()] == [*problems.batches()]
    rows = [row for batch in problems.batches() for row in batch]
    assert {link.type for row in rows for link in row.links} == {"ATTEMPTED", "USED"}
    assert not any("A: " in row.text for row in rows if row.kind != "episode")


def test_names_do_not_follow_the_models(problems: Problems) -> None:
    by_model = problems.names.reshape(-1, len(MODELS)).argsort(axis=1)
    assert len({tuple(row) for row in by_model.tolist()}) > 3


def test_seen_and_held_out_problems_share_nothing(problems: Problems) -> None:
    assert not set(problems.seen) & set(problems.held_out)
    assert len(problems.seen) + len(problems.held_out) == 12


def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no example_model_solutions\.jsonl in"):
        gsm8k.load(tmp_path, seed=3)
    with pytest.raises(SystemExit, match=r"no test\.jsonl in"):
        gsm8k.questions(tmp_path)


@pytest.mark.skipif(FOLDER is None, reason="set STRATAGRAPH_TEST_GSM8K to a folder of GSM8K")
def test_the_real_labels_are_those_that_the_goals_speak_of() -> None:
    problems = gsm8k.load(Path(FOLDER or ""), seed=7)
    assert problems.right.shape == (1319, 4)
    assert problems.right.mean() == pytest.approx(0.379, abs=0.001)
    by_model = problems.right.mean(axis=0)
    assert by_model == pytest.approx([0.217, 0.390, 0.347, 0.563], abs=0.001)
    assert problems.right.any(axis=1).mean() == pytest.approx(0.672, abs=0.001)
    assert len(problems.held_out) == 300
    assert len(gsm8k.questions(Path(FOLDER or ""))) == 1319


def test_the_last_line_is_in_ratios_to_the_oracle_and_to_the_best_model(
    problems: Problems,
) -> None:
    problems.right[:] = True
    assert (problems.oracle, problems.best_model) == (1.0, 1.0)
    learned = Curve(list(np.linspace(0.1, 1.0, 10)), [0.7] * 10)
    curves = {"graph": learned, "own": Curve([0.3], [0.2]), "similarity_only": Curve([0.4], [0.4])}
    line = summary(curves, problems)
    assert line["heldout_vs_best"] == line["heldout_graph"] == 0.7
    assert line["seen_vs_oracle@5"] == pytest.approx(0.5)
    assert line["seen_vs_oracle@10"] == line["seen_graph"] == pytest.approx(1.0)
    assert (line["similarity_only"], line["seen_own"], line["heldout_own"]) == (0.4, 0.3, 0.2)


def test_the_last_line_is_silent_on_what_was_not_measured(problems: Problems) -> None:
    line = summary({"graph": Curve([0.5], [0.5])}, problems)
    assert not [name for name in line if name.startswith(("seen_vs_oracle", "similarity"))]


def test_curves_go_on_where_they_ended_unless_another_variant_came_between(tmp_path: Path) -> None:
    curves = Curves.beside(tmp_path)
    assert curves.begin("own", 2) == 0
    curves.add("own", 0.5, 0.4)
    again = Curves.beside(tmp_path)
    assert again.begin("own", 2) == 1
    assert again.begin("graph", 2) == 0
    again.add("graph", 0.6, 0.7)
    assert again.begin("own", 2) == 0  # the store holds what the other learned
    assert Curves.beside(tmp_path).begin("own", 1) == 1  # whole, so it stays
    last = Curves.beside(tmp_path)
    last.forget(["graph", "never"])
    assert last.begin("graph", 2) == 0


def test_curves_of_a_store_that_is_not_kept_are_not_written() -> None:
    curves = Curves.beside(None)
    curves.begin("own", 1)
    curves.add("own", 0.5, 0.4)
    assert curves.kept["own"] == Curve([0.5], [0.4])


def vectors(count: int) -> worlds.Floats:
    rng = np.random.default_rng(1)
    drawn = np.repeat(np.eye(worlds.CONTEXTS), count, axis=0)
    drawn = drawn + 0.1 * rng.standard_normal(drawn.shape)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def test_contexts_are_groups_of_questions_that_are_alike() -> None:
    found = worlds.cluster(vectors(45), seed=2)
    for group in found.reshape(worlds.CONTEXTS, 45):
        assert len(set(group.tolist())) == 1
    assert np.array_equal(found, worlds.cluster(vectors(45), seed=2))
    with pytest.raises(SystemExit, match="do not fall into 12 groups of 40"):
        worlds.cluster(vectors(20), seed=2)


@pytest.mark.parametrize("number", range(5))
def test_in_no_world_is_one_strategy_best_everywhere(number: int) -> None:
    contexts = np.repeat(np.arange(worlds.CONTEXTS), 45)
    texts = [f"question {place}" for place in range(len(contexts))]
    world = worlds.make_world(number, 7, texts, contexts)
    assert world.truth.mean(axis=0).max() <= 0.55
    assert np.bincount(world.truth.argmax(axis=1)).max() <= 4
    assert 0.8 <= world.oracle <= 0.95
    for lessons, exams in zip(world.lessons, world.exams, strict=True):
        assert len(exams) == worlds.EXAMS
        assert not set(lessons) & set(exams)
    assert len({row.text for row in world.strategies()}) == worlds.STRATEGIES


def test_the_last_line_has_the_mean_and_the_least_of_the_worlds() -> None:
    line = named({"contextual": [0.9, 0.96], "plain": [0.4, 0.6]})
    assert line["contextual_vs_oracle"] == pytest.approx(0.93)
    assert (line["contextual_least"], line["plain_vs_oracle"]) == (0.9, 0.5)
