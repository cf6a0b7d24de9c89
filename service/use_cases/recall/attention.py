"""Number of results by arousal, and the important memories added to them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graph.model.recall.candidates import CandidatePool, Explanation, RecallAnswer, Recalled
from graph.model.strata.plugins import IMPORTANT_BESIDE
from graph.ports.utility import StrataConfigs
from graph.scoring.relevance import Floats
from service.use_cases.recall.answering import result_of
from service.use_cases.recall.ranking import Ranking
from service.use_cases.recall.request import RecallRequest
from service.use_cases.strata.plugins import ReadMind, memory_count

BESIDE = "important"


@dataclass(frozen=True, slots=True)
class Attention:
    """Sets the number of results by arousal; requests without arousal and profile stay unchanged."""

    minds: ReadMind
    configs: StrataConfigs

    async def counted(self, request: RecallRequest) -> RecallRequest:
        """Return the request with its number of results and of important memories.

        Raises
        ------
        InvalidInputError
            If the arousal of a plugin is needed, and no agent is named.
        """
        if not request.by_arousal:
            return request
        profile = request.profile or self.configs.strata_of(request.caller.tenant).memory_profile
        arousal = request.arousal
        if arousal is None:
            plugin = await self.minds.plugin(request.caller)
            arousal = plugin.state.arousal if plugin else 0.0
        # *Human-Centric Cognitive Engines* 5.1: two important ones, whatever the arousal
        return replace(request, k=memory_count(arousal, profile), important=IMPORTANT_BESIDE)


def memorable(request: RecallRequest, k: int, *, by_age: bool) -> int:
    """Return how many of the newest memories of each importance the pool needs besides those found.

    ``by_age``: the engine uses their age. 0 if neither needs them, and the statement then omits this arm.
    """
    # the newest of each of five importances: the highest I·exp(−λt) are always among them (ADR 52)
    return k + request.important if by_age or request.important else 0


def with_important(
    answer: RecallAnswer,
    pool: CandidatePool,
    ranking: Ranking,
    left: Floats,
    request: RecallRequest,
) -> RecallAnswer:
    """Return an answer with the most important other candidates added at its end.

    ``left`` is the decayed importance of each candidate, shape ``(n,)``; ties are sorted by uid.
    """
    chosen = {int(place) for place in ranking.chosen}
    others = [place for place in range(len(pool)) if place not in chosen]
    others.sort(key=lambda place: (-left[place], pool.memories[place].uid))
    places = others[: request.important]
    beside = tuple(_beside(pool, ranking, place, left, request.explain) for place in places)
    uids = {result.memory.uid for result in beside}
    # a memory is a result or a near miss, never both
    misses = tuple(miss for miss in answer.near_misses if miss.uid not in uids)
    return replace(answer, results=(*answer.results, *beside), near_misses=misses)


def _beside(
    pool: CandidatePool, ranking: Ranking, place: int, left: Floats, explain: bool
) -> Recalled:
    """Return a candidate as a result scored by importance."""
    share = float(left[place])
    result = replace(result_of(pool, ranking, place, explain=explain), score=share)
    if result.explanation is None:
        return result
    components = {**result.explanation.components, "importance_left": round(share, 6)}
    return replace(result, explanation=Explanation(components, (BESIDE,)))
