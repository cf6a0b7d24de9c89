"""Compare the right and the wrong attempts that a question means: where they part."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from graph.kernel.actions import action_names
from graph.model.episodes.divergence import AttemptTrace, Divergence, Trial, TrialStep
from graph.model.episodes.questions import EpisodeSearch, Statement
from graph.model.episodes.retrieval import ShownStep
from graph.questions.divergence import alike, divergence_of
from graph.store.episodes.queries import EpisodeQueries
from service.use_cases.episodes.rendering import steps_of


@dataclass(frozen=True, slots=True)
class Compared:
    """Steps at which right and wrong attempts part, and the statement that found the wrong ones."""

    divergence: Divergence
    statement: Statement


async def compare_attempts(
    store: EpisodeQueries, search: EpisodeSearch, rows: int, likeness: float
) -> Compared:
    """Compare at most so many wrong attempts and as many right ones, the nearest or the latest."""
    lost, won = await asyncio.gather(
        _judged(store, search, rows, correct=False), _judged(store, search, rows, correct=True)
    )
    (statement, losers), (_, winners) = lost, won
    wrong = [_trial(one, correct=False) for one in losers]
    right = [_trial(one, correct=True) for one in winners]
    pairs = await _alike(store, search, wrong, right, likeness)
    return Compared(divergence_of(wrong, right, pairs, search.limit), statement)


async def _judged(
    store: EpisodeQueries, search: EpisodeSearch, rows: int, *, correct: bool
) -> tuple[Statement, tuple[AttemptTrace, ...]]:
    question = search.question
    filters = replace(question.filters, verdicts=(correct,))
    order = "newest" if search.embedding is None else "most_similar"
    asked = replace(question, filters=filters, order=order)
    # filters and similarity pick from these: fewer would leave the rarer side empty
    nearest = max(search.nearest, rows)
    return await store.traces(replace(search, question=asked, limit=rows, nearest=nearest))


async def _alike(
    store: EpisodeQueries,
    search: EpisodeSearch,
    wrong: Sequence[Trial],
    right: Sequence[Trial],
    likeness: float,
) -> dict[str, list[str]]:
    """Find for the problems that nobody solved those alike that somebody did, by an attempt at each.

    Vectors are compared in numpy: with the pairs of 200 and 200 compared in the database, the whole question took half as
    long again.
    """
    # one attempt stands for its problem: all of them have the same text
    solved = {trial.problem_key: trial.uid for trial in right}
    unsolved = {trial.problem_key: trial.uid for trial in wrong if trial.problem_key not in solved}
    if not (solved and unsolved):
        return {}
    vectors = await store.attempt_vectors(search, [*unsolved.values(), *solved.values()])
    problems = {uid: problem for problem, uid in (*unsolved.items(), *solved.items())}
    lost = [one for one in vectors if problems[one.uid] in unsolved]
    won = [one for one in vectors if problems[one.uid] in solved]
    found = alike(lost, won, likeness)
    return {problems[one]: [problems[uid] for uid in others] for one, others in found.items()}


def _trial(found: AttemptTrace, *, correct: bool) -> Trial:
    told = (found.structured or {}).get("insight")
    folded = " ".join(found.problem.casefold().split())
    return Trial(
        uid=found.uid,
        problem=found.problem,
        # the same problem said twice without an id is still one
        problem_key=f"{found.domain or ''}\n{found.problem_id or folded}",
        correct=correct,
        steps=tuple(map(_step, steps_of(found))),
        insight=told.strip() if isinstance(told, str) else "",
        answer=_said((found.structured or {}).get("output")),
    )


def _said(output: object) -> str:
    answer = (
        cast("Mapping[str, object]", output).get("answer") if isinstance(output, dict) else None
    )
    return answer if isinstance(answer, str) else ""


def _step(shown: ShownStep) -> TrialStep:
    names = _names(shown.action)
    said = " ".join((shown.action or shown.thought).split())
    return TrialStep(names or said, shown.thought, shown.action, shown.observation)


@lru_cache(2_048)
def _names(action: str) -> str:
    """Name an action; attempts at the same problem do much the same."""
    return ", ".join(action_names(action))
