"""Request of a retrieval of episodes, and its checks."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.kernel.values import MAX_HOPS, Phase
from graph.model.episodes.attempts import NAMED, EpisodeFilters, Names
from graph.model.episodes.retrieval import MAX_EPISODES, RETRIEVAL_MODES, RetrievalMode

MAX_PROMPT_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class RetrieveRequest:
    """Retrieval request: ``k`` 1–50 episodes that help with the problem in ``query``.

    ``failures``: least number of failed attempts among the ``k``; ``balance``: λ of maximal marginal relevance, in [0, 1];
    ``utility_weight``: λ of learned utility, in [0, 1]; ``hops`` 1–2; ``prompt_tokens``: budget of the prompt, without it
    there is none. None means the default of the mode or a setting.
    """

    caller: Caller
    query: str
    k: int = 5
    mode: RetrievalMode = "all"
    filters: EpisodeFilters = field(default_factory=EpisodeFilters)
    hops: int | None = None
    failures: int | None = None
    balance: float | None = None
    utility_weight: float | None = None
    phase: Phase | None = None
    task_id: str | None = None
    prompt_tokens: int | None = None


def check_request(request: RetrieveRequest) -> None:
    """Refuse an invalid request.

    Raises
    ------
    InvalidInputError
        If there is no question, no such mode, or a number is out of range.
    """
    if not request.query.strip():
        raise InvalidInputError("query: must not be empty", field="query")
    if request.mode not in RETRIEVAL_MODES:
        raise InvalidInputError(f"mode: must be one of {', '.join(RETRIEVAL_MODES)}", field="mode")
    for name in NAMED:
        names: Names = getattr(request.filters, name)
        if not (names.is_open or names.one):
            raise InvalidInputError(
                f"{name}: a retrieval takes one name, and leaves none out", field=name
            )
    for name, value, low, high in (
        ("k", request.k, 1, MAX_EPISODES),
        ("hops", request.hops, 1, MAX_HOPS),
        ("failures", request.failures, 0, request.k),
        ("diversity", request.balance, 0, 1),
        ("lambda", request.utility_weight, 0, 1),
        ("max_tokens", request.prompt_tokens, 1, MAX_PROMPT_TOKENS),
    ):
        if value is not None and not low <= value <= high:
            raise InvalidInputError(f"{name}: must lie in {low}–{high:,}", field=name)
