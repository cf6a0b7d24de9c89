"""What the benchmark of utility takes from its data, hides in its store, and says at its end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from benchmarks import gsm8k
from benchmarks.gsm8k import MODELS, Problems
from benchmarks.utility import Curve, summary

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
