"""Conversion of a ranking of attempts to an answer with contents, explanations, strategies and concepts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graph.model.episodes.retrieval import (
    AttemptPool,
    EpisodeContent,
    FoundAttempt,
    FoundKnowledge,
    FoundProblem,
    RetrievalAnswer,
    RetrievedEpisode,
    RetrievedKnowledge,
    Role,
)
from service.use_cases.episodes.ranking import AttemptCut, AttemptRanking
from service.use_cases.episodes.rendering import (
    FIRST_STEPS,
    insight_of,
    lesson_of,
    output_of,
    problem_of,
    rendered,
    steps_of,
    strategy_of,
    tokens_of,
)

_KNOWLEDGE = 3
_ROLES: Mapping[str, Role] = {"true": "success", "false": "failure"}
_EDGES = {"success": "SOLVED", "failure": "ATTEMPTED", "unjudged": "ATTEMPTED"}


def answer_of(
    pool: AttemptPool,
    ranking: AttemptRanking,
    contents: Mapping[str, EpisodeContent],
    cut: AttemptCut,
) -> RetrievalAnswer:
    """Return the results of a ranking, without episodes removed meanwhile."""
    results = tuple(
        _result(pool, ranking, int(i), contents)
        for i in ranking.chosen
        if pool.episodes[int(i)].uid in contents
    )
    return RetrievalAnswer(
        mode=cut.mode,
        results=results,
        strategies=_strategies(pool, ranking) if cut.mode != "episodic" else (),
        concepts=tuple(_known(concept, max(concept.cosine, 0.0)) for concept in pool.concepts),
        candidates=len(pool),
        utility_weight=cut.utility_weight,
        tokens=sum(tokens_of(rendered(result)) for result in results),
        nodes={
            "episodes": len(pool.episodes),
            "problems": len(pool.problems),
            "strategies": len(pool.strategies),
            "concepts": len(pool.concepts),
        },
    )


def _result(
    pool: AttemptPool,
    ranking: AttemptRanking,
    i: int,
    contents: Mapping[str, EpisodeContent],
) -> RetrievedEpisode:
    found = pool.episodes[i]
    content = contents[found.uid]
    role = _ROLES.get(found.correct, "unjudged")
    answer, confidence = output_of(content)
    steps = steps_of(content)
    beside = ranking.beside.get(i)
    success = None if beside is None else contents.get(pool.episodes[beside].uid)
    hops, path = _path_to(pool, found, role)
    return RetrievedEpisode(
        content=content,
        role=role,
        problem=problem_of(content),
        steps=steps[:FIRST_STEPS],
        step_count=len(steps),
        answer=answer,
        confidence=confidence,
        insight=insight_of(content, correct=role == "success"),
        lesson=lesson_of(content, success) if role == "failure" else None,
        strategy=strategy_of(content),
        score=float(ranking.score[i]),
        similarity=float(ranking.parts["similarity"][i]),
        hops=hops,
        path=path,
        components=_components(pool, ranking, i),
    )


def _components(pool: AttemptPool, ranking: AttemptRanking, i: int) -> dict[str, float]:
    parts = {name: round(float(values[i]), 6) for name, values in ranking.parts.items()}
    return parts | {
        "relevance": round(float(ranking.relevance[i]), 6),
        "q_value": round(float(pool.q_value[i]), 6),
        "q_count": float(pool.q_count[i]),
        "utility": round(float(ranking.worth.utility[i]), 6),
    }


def _path_to(pool: AttemptPool, found: FoundAttempt, role: Role) -> tuple[int, tuple[str, ...]]:
    """Return the number of hops to an episode, and the nodes and edges of the path."""
    problems = {problem.uid: problem for problem in pool.problems}
    end = f"episode:{found.uid}"
    problem = problems.get(found.problem or "")
    if problem is not None:
        through = _through(problems, problem)
        return problem.hop, ("query", *through, _EDGES[role], end)
    if found.concept is not None:
        return 1, ("query", "NEAR", f"concept:{found.concept}", "DERIVED_FROM", end)
    return 0, ("query", "NEAR", end)


def _through(problems: Mapping[str, FoundProblem], problem: FoundProblem) -> tuple[str, ...]:
    own = f"problem:{problem.uid}"
    if problem.via is None or problem.via not in problems:
        return ("NEAR", own)
    return ("NEAR", f"problem:{problem.via}", "SIMILAR_TO", own)


def _strategies(pool: AttemptPool, ranking: AttemptRanking) -> tuple[RetrievedKnowledge, ...]:
    """Return the strategies with the highest total relevance of their attempts that did not fail."""
    relevance = np.where(ranking.board.failed > 0, 0.0, ranking.relevance)
    support: dict[str, float] = {}
    for place, episode in enumerate(pool.episodes):
        for uid in episode.strategies:
            support[uid] = support.get(uid, 0.0) + float(relevance[place])
    total = sum(support.values()) or 1.0
    best = sorted(pool.strategies, key=lambda found: (-support.get(found.uid, 0.0), found.uid))
    shown = [found for found in best if support.get(found.uid, 0.0) > 0.0][:_KNOWLEDGE]
    return tuple(_known(found, support[found.uid] / total) for found in shown)


def _known(found: FoundKnowledge, support: float) -> RetrievedKnowledge:
    counted = found.attempts > 0
    # -1 means never counted
    return RetrievedKnowledge(
        uid=found.uid,
        text=found.text,
        success_rate=found.successes / found.attempts if counted else None,
        attempts=max(found.attempts, 0),
        support=min(support, 1.0),
    )
