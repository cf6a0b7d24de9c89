"""Comparison of right and wrong attempts: the steps where they diverge."""

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
    """Divergence of right and wrong attempts, and the statement that found the wrong ones."""

    divergence: Divergence
    statement: Statement


async def compare_attempts(
    store: EpisodeQueries, search: EpisodeSearch, rows: int, likeness: float
) -> Compared:
    """Compare up to ``rows`` wrong attempts and as many right ones, the most similar or the latest."""
    wrong_traces, right_traces = await asyncio.gather(
        _judged(store, search, rows, correct=False), _judged(store, search, rows, correct=True)
    )
    (statement, losers), (_, winners) = wrong_traces, right_traces
    wrong = [_trial(one, correct=False) for one in losers]
    right = [_trial(one, correct=True) for one in winners]
    pairs = await _similar_solved(store, search, wrong, right, likeness)
    found = divergence_of(wrong, right, pairs, search.limit, search.least_similarity)
    return Compared(found, statement)


async def _judged(
    store: EpisodeQueries, search: EpisodeSearch, rows: int, *, correct: bool
) -> tuple[Statement, tuple[AttemptTrace, ...]]:
    question = search.question
    filters = replace(question.filters, verdicts=(correct,))
    order = "newest" if search.embedding is None else "most_similar"
    asked = replace(question, filters=filters, order=order)
    # filters apply to these: fewer would leave the rarer side empty
    nearest = max(search.nearest, rows)
    return await store.traces(replace(search, question=asked, limit=rows, nearest=nearest))


async def _similar_solved(
    store: EpisodeQueries,
    search: EpisodeSearch,
    wrong: Sequence[Trial],
    right: Sequence[Trial],
    likeness: float,
) -> dict[str, list[str]]:
    """Return the similar solved problems of each unsolved one, by one attempt at each.

    Vectors are compared in numpy: comparing 200 with 200 in the database made the whole question 1.5 times as slow.
    """
    # one attempt per problem: all have the same text
    solved = {trial.problem_key: trial.uid for trial in right}
    unsolved = {trial.problem_key: trial.uid for trial in wrong if trial.problem_key not in solved}
    if not (solved and unsolved):
        return {}
    vectors = await store.attempt_vectors(search, [*unsolved.values(), *solved.values()])
    problems = {uid: problem for problem, uid in (*unsolved.items(), *solved.items())}
    wrong_vectors = [one for one in vectors if problems[one.uid] in unsolved]
    right_vectors = [one for one in vectors if problems[one.uid] in solved]
    similar = alike(wrong_vectors, right_vectors, likeness)
    return {problems[one]: [problems[uid] for uid in others] for one, others in similar.items()}


def _trial(trace: AttemptTrace, *, correct: bool) -> Trial:
    insight = (trace.structured or {}).get("insight")
    folded = " ".join(trace.problem.casefold().split())
    return Trial(
        uid=trace.uid,
        problem=trace.problem,
        # without an id the text identifies the problem
        problem_key=f"{trace.domain or ''}\n{trace.problem_id or folded}",
        correct=correct,
        steps=tuple(map(_step, steps_of(trace))),
        insight=insight.strip() if isinstance(insight, str) else "",
        answer=_answer_of((trace.structured or {}).get("output")),
        similarity=trace.similarity,
    )


def _answer_of(output: object) -> str:
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
    """Return the names of an action; cached, as attempts at one problem repeat their actions."""
    return ", ".join(action_names(action))
