"""What the benchmark of retrieval stores, tells retrieval, judges, and says at its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.attempts import load_attempts, load_questions, operators
from benchmarks.gsm8k import MODELS
from benchmarks.reasoning import VARIANTS, Tally, ask, fill, print_table, settle, summary
from service.bootstrap import Service
from tests.conftest import Run

TIMES = "Tom has {n} bags of {m} marbles. How many marbles does he have?"
LESS = "Ann had {n} pears and ate {m} of them. How many pears are left?"


def solved(place: int) -> tuple[str, str]:
    n, m = place + 12, place % 7 + 2
    if place % 2:
        return LESS.format(n=n, m=m), f"She has {n}-{m} = <<{n}-{m}={n - m}>>{n - m} left."
    return TIMES.format(n=n, m=m), f"He has {n}*{m} = <<{n}*{m}={n * m}>>{n * m} marbles."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Problems in the form of the real ones; the last model is always right, the others never."""
    tried = [
        {
            "question": solved(place)[0],
            "ground_truth": solved(place)[1],
            **{
                model: {
                    "is_correct": model == MODELS[-1],
                    "solution": solved(place + (model != MODELS[-1]))[1],
                }
                for model in MODELS
            },
        }
        for place in range(10)
    ]
    asked = [{"question": q, "answer": a} for q, a in map(solved, range(100, 1010))]
    for name, rows in (("example_model_solutions", tried), ("train_3000", asked)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_what_is_judged_by_is_in_no_episode(folder: Path) -> None:
    attempts = load_attempts(folder, 7, 60)
    assert len(attempts) == 60
    assert set(attempts.answers_to.values()) == {("multiply",), ("subtract",)}
    wrong = [row for row in attempts.records if not row["output"]["correct"]]
    assert len(wrong) == 45
    for row in wrong:  # each took the operators of another problem, and says only those
        took = operators("".join(f"<<{step['action']}=0>>" for step in row["trace"]))
        assert took != attempts.answers_to[row["episode_id"]]
    texts = [row["input"]["problem"] for row in attempts.records]
    assert len(set(texts)) == 15  # past the ten problems they come again with other numbers


async def test_it_runs_from_attempts_to_its_last_line(
    service: Service, folder: Path, cypher: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    attempts, questions = load_attempts(folder, 7, 40), load_questions(folder, 7, 6)
    await fill(service, attempts)
    await settle(service)
    [stored] = cypher(
        "MATCH (e:Episode) OPTIONAL MATCH (e)-[:SOLVED]->(p:Problem) "
        "RETURN count(DISTINCT e) AS episodes, count(DISTINCT p) AS solved"
    )
    assert stored == {"episodes": 40, "solved": 10}
    tallies = {name: Tally() for name in VARIANTS}
    for question in questions:
        for name, tally in tallies.items():
            tally.add(await ask(service, name, question), 0.01, attempts, question)
    rows = {name: tally.figures() for name, tally in tallies.items()}
    assert rows["all"]["hit@5"] == 1.0
    assert rows["m0_correct"]["correct@5"] == 1.0
    print_table(40, rows, 1.0)
    assert "precision@5" in capsys.readouterr().out
    line = summary({40: rows})
    assert set(line) == {
        "hit5_gain",
        "precision5_gain",
        "vs_correct_filter",
        "p95_ms@40",
    }
