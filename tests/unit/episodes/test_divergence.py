"""Steps at which right and wrong attempts part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from graph.model.episodes.divergence import AttemptVector, Divergence, Trial, TrialStep
from graph.questions.divergence import alike, divergence_of


def trial(name: str, correct: bool, *steps: str, problem: str = "p", insight: str = "") -> Trial:
    """An attempt whose steps are `name` or `name(argument)`."""
    taken = tuple(
        TrialStep(step.partition("(")[0], action=step, observation=f"saw {step}") for step in steps
    )
    return Trial(name, problem, problem, correct, taken, insight, answer=f"{name}'s answer")


def compared(*trials: Trial, alike: tuple[tuple[str, str], ...] = ()) -> Divergence:
    wrong = [one for one in trials if not one.correct]
    right = [one for one in trials if one.correct]
    near: dict[str, list[str]] = {}
    for one, other in alike:
        near.setdefault(one, []).append(other)
    return divergence_of(wrong, right, near, limit=10)


def steps(
    divergence: Divergence,
) -> list[tuple[tuple[str, ...], dict[str | None, int], dict[str | None, int]]]:
    return [
        (
            point.shared,
            {branch.step: branch.attempts for branch in point.wrong},
            {branch.step: branch.attempts for branch in point.right},
        )
        for point in divergence.points
    ]


def test_the_first_step_that_is_not_shared_is_told_with_how_many_took_it() -> None:
    found = compared(
        trial("a", True, "explain", "aggregate", "join", insight="Aggregate first."),
        trial("b", True, "explain", "aggregate", "run"),
        trial("c", False, "explain", "distinct", insight="The sums stayed wrong."),
        trial("d", False, "explain", "distinct", "run"),
        trial("e", False, "explain", "limit"),
    )
    assert steps(found) == [(("explain",), {"distinct": 2, "limit": 1}, {"aggregate": 2})]
    [point] = found.points
    assert point.place == 2
    assert point.right[0].insights == ("Aggregate first.",)
    assert point.wrong[0].insights == ("The sums stayed wrong.",)
    assert point.wrong[0].observations == ("saw distinct",)
    assert point.wrong[0].uids == ("c", "d")
    assert (found.right, found.wrong, found.unmatched) == (2, 3, 0)


def test_what_ended_early_or_went_on_has_no_step_there() -> None:
    found = compared(trial("a", True, "read", "edit"), trial("b", False, "read"))
    assert steps(found) == [(("read",), {None: 1}, {"edit": 1})]
    found = compared(trial("a", True, "read"), trial("b", False, "read", "edit"))
    assert steps(found) == [(("read",), {"edit": 1}, {None: 1})]


def test_steps_of_the_same_names_are_compared_by_what_they_say_at_the_same_problem_alone() -> None:
    right = trial("a", True, "read(query)", "edit(join)")
    found = compared(right, trial("b", False, "read(query)", "edit(distinct)"))
    assert steps(found) == [(("read(query)",), {"edit(distinct)": 1}, {"edit(join)": 1})]
    other = trial("b", False, "read(other)", "edit(distinct)", problem="q")
    assert steps(compared(right, other, alike=(("q", "p"),))) == [
        (("read", "edit"), {None: 1}, {None: 1})
    ]


def test_a_problem_with_right_attempts_is_compared_with_these_and_another_with_like_ones() -> None:
    solved, near = trial("a", True, "x", problem="p"), trial("b", True, "y", problem="q")
    lost = trial("c", False, "y", problem="p")
    assert steps(compared(solved, near, lost, alike=(("p", "q"),))) == [((), {"y": 1}, {"x": 1})]
    alone = trial("d", False, "z", problem="r")
    found = compared(solved, near, alone, alike=(("r", "q"),))
    assert steps(found) == [((), {"z": 1}, {"y": 1})]
    assert compared(solved, near, alone).unmatched == 1


def test_points_where_the_same_steps_stand_against_each_other_are_one_and_nobody_counts_twice() -> (
    None
):
    right = trial("a", True, "x", "y", problem="p")
    lost = [trial(name, False, "x", "z", problem=name) for name in ("q", "r")]
    found = compared(right, *lost, alike=(("q", "p"), ("r", "p")))
    assert steps(found) == [(("x",), {"z": 2}, {"y": 1})]
    assert found.points[0].problems == ("q", "r", "p")


def test_the_points_of_most_wrong_attempts_come_first_as_far_as_the_limit() -> None:
    trials = [
        trial("a", True, "x", problem="p"), trial("b", False, "y", problem="p"),
        trial("c", True, "u", problem="q"), trial("d", False, "v", problem="q"),
        trial("e", False, "v", problem="q"),
    ]  # fmt: skip
    assert [point[1] for point in steps(compared(*trials))] == [{"v": 2}, {"y": 1}]
    wrong, right = ([one for one in trials if one.correct is side] for side in (False, True))
    assert len(divergence_of(wrong, right, {}, limit=1).points) == 1


def attempt(uid: str, *vector: float, needs: frozenset[str] = frozenset()) -> AttemptVector:
    return AttemptVector(uid, np.array(vector, np.float32) if vector else None, needs)


def test_attempts_are_alike_by_their_vectors_or_by_a_concept_that_both_need() -> None:
    wrong = [attempt("w1", 1.0, 0.0), attempt("w2", 0.0, 1.0, needs=frozenset("c"))]
    right = [attempt("r1", 0.8, 0.6), attempt("r2", -1.0, 0.0, needs=frozenset("cd"))]
    assert alike(wrong, right, 0.7) == {"w1": ("r1",), "w2": ("r2",)}
    assert alike([], right, 0.7) == alike(wrong, [], 0.7) == {}


def test_attempts_without_a_vector_or_with_one_of_another_length_are_alike_by_concepts_alone() -> (
    None
):
    needs = frozenset("c")
    wrong, right = [attempt("w", needs=needs)], [attempt("r1", 1.0), attempt("r2", needs=needs)]
    assert alike(wrong, right, 0.1) == {"w": ("r2",)}
    assert alike([attempt("w", 1.0)], [attempt("r", 1.0, 0.0)], 0.1) == {}


def test_points_about_the_topic_come_before_those_of_more_attempts() -> None:
    def about(similarity: float, *trials: Trial) -> list[Trial]:
        return [replace(one, similarity=similarity) for one in trials]

    raking = about(0.8, trial("a", False, "guess", problem="raking"))
    hedges = about(
        0.6,
        trial("b", False, "skip", problem="hedges"),
        trial("c", False, "skip", "send", problem="hedges"),
    )
    right = [
        trial("d", True, "measure", problem="raking"),
        trial("e", True, "measure", problem="hedges"),
    ]
    found = divergence_of([*hedges, *raking], right, {}, 10, 0.55)
    assert [point.problems for point in found.points] == [("raking",), ("hedges",)]
    # attempts that are about as near are ordered by their number
    near = [replace(one, similarity=0.75) for one in hedges]
    found = divergence_of([*near, *raking], right, {}, 10, 0.55)
    assert [point.problems for point in found.points] == [("hedges",), ("raking",)]


def test_points_whose_steps_explain_nothing_come_last() -> None:
    found = compared(
        trial("a", True, "read", problem="p"),
        trial("b", False, "read", problem="p"),
        trial("c", False, "read", problem="p"),
        trial("d", True, "read", "edit", problem="q"),
        trial("e", False, "read", "stop", problem="q"),
    )
    assert [point.problems for point in found.points] == [("q",), ("p",)]
