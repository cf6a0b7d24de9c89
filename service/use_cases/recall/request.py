"""Request of a recall, and its checks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.kernel.values import MAX_HOPS, MAX_RESULTS, Phase
from graph.model.engines.config import Engine
from graph.model.recall.candidates import Context, Filters
from graph.model.strata.plugins import MemoryProfile

_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """Recall request: exactly one of ``text``, ``vector`` and ``like`` (a uid or external:<id>).

    ``utility_weight`` is λ in [0, 1], ``k`` 1–200, ``hops`` 0–2, ``min_similarity`` a cosine in [-1, 1]; None means the
    setting. ``context``: domain and tags of the request, by default those of the filters. ``explore``: whether uncertain
    utility gets a bonus. ``as_of``: the state of knowledge at a time. ``engine``: the ranking engine. ``arousal`` in [0, 1]
    and ``profile`` decide ``k`` if given; ``important`` is the number of important memories added then.
    """

    caller: Caller
    text: str | None = None
    vector: tuple[float, ...] | None = None
    like: str | None = None
    phase: Phase | None = None
    utility_weight: float | None = None
    k: int | None = None
    hops: int | None = None
    filters: Filters = field(default_factory=Filters)
    min_similarity: float | None = None
    explain: bool = False
    task_id: str | None = None
    context: Context | None = None
    explore: bool | None = None
    as_of: datetime | None = None
    now: datetime | None = None
    min_relevance: float | None = None
    rules_relevance: float | None = None
    engine: Engine | None = None
    arousal: float | None = None
    profile: MemoryProfile | None = None
    important: int = 0

    @property
    def by_arousal(self) -> bool:
        """True if arousal decides the number of results."""
        return self.arousal is not None or self.profile is not None


def check_request(request: RecallRequest) -> None:
    """Refuse an invalid request.

    Raises
    ------
    InvalidInputError
        If not exactly one of text, vector and like is given, or a number is out of range.
    """
    given = [v for v in (request.text, request.vector, request.like) if v is not None]
    if len(given) != 1:
        raise InvalidInputError("give exactly one of text, vector and like", field="text")
    if request.as_of is not None and request.filters.valid_at is not None:
        raise InvalidInputError(
            "as_of: says when it must hold, as valid_at does: give one", field="as_of"
        )
    if request.by_arousal and request.k is not None:
        raise InvalidInputError("k: arousal and profile say how many: give either", field="k")
    if request.text is not None and not request.text.strip():
        raise InvalidInputError("text: must not be empty", field="text")
    for name, value, low, high in (
        ("k", request.k, 1, MAX_RESULTS),
        ("hops", request.hops, 0, MAX_HOPS),
        ("lambda", request.utility_weight, 0, 1),
        ("min_similarity", request.min_similarity, -1, 1),
        ("min_relevance", request.min_relevance, 0, 1),
        ("rules_relevance", request.rules_relevance, 0, 1),
        ("arousal", request.arousal, 0, 1),
    ):
        if value is not None and not low <= value <= high:
            raise InvalidInputError(f"{name}: must lie in {low}–{high}", field=name)


def filters_at(request: RecallRequest, *, former: bool) -> Filters:
    """Return the filters of a request; with ``as_of`` only memories that had happened and held by then.

    ``former`` includes superseded memories, as the question is about the past.
    """
    as_of, filters = request.as_of, request.filters
    if former:
        filters = replace(filters, superseded=True)
    if as_of is None:
        return filters
    # the end is exclusive, and that very time counts
    occurred = replace(filters.occurred, end=min(filters.occurred.end, as_of + _INSTANT))
    return replace(filters, valid_at=as_of, occurred=occurred)
