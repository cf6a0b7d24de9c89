"""Validation of a question about episodes."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graph.kernel.errors import InvalidInputError
from graph.kernel.values import MAX_TEXT_BYTES
from graph.model.episodes.attempts import LISTS, NAMED, Bound, EpisodeFilters, Names
from graph.model.episodes.questions import (
    EPISODE_GROUPINGS,
    EPISODE_MEASURES,
    EPISODE_ORDERS,
    EpisodeQuestion,
)

MOST = 2**53
BOUNDS = {
    "tokens_used": MOST,
    "latency_ms": MOST,
    "confidence": 1,
    "temperature": 1_000,
    "step_count": MOST,
}
"""Upper bound of each number of an episode; the lower one is 0."""

_LONGEST_NAME = 256
_MOST_NAMES = 64
_MOST_SEARCHES = 64  # of the vector index: one for each combination of names


def check_question(question: EpisodeQuestion, most_rows: int) -> None:
    """Refuse an invalid question.

    Raises
    ------
    InvalidInputError
        If a value is out of range or contradicts another; ``field`` names it.
    """
    _check_filters(question.filters)
    _check_text(question)
    _check_way(question)
    if question.limit is not None and not 1 <= question.limit <= most_rows:
        raise field_error("limit", f"must lie in 1–{most_rows}")
    zone_of(question.time_zone)


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by name.

    Raises
    ------
    InvalidInputError
        If there is none of that name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise field_error("time_zone", "must be a name such as UTC or Europe/Berlin") from None


def _check_filters(filters: EpisodeFilters) -> None:
    if not filters.verdicts or not {*filters.verdicts} <= {True, False, None}:
        raise field_error("correct", "must be true, false, unknown, or several of them")
    _check_named(filters)
    for name in LISTS:
        values: Sequence[str] = getattr(filters, name)
        if len(values) > _MOST_NAMES:
            raise field_error(name, f"at most {_MOST_NAMES}")
        for value in values:
            _check_name(name, value)
    for name, most in BOUNDS.items():
        _check_bound(name, getattr(filters, name), most)
    if filters.occurred.start >= filters.occurred.end:
        raise field_error("occurred_to", "must be later than occurred_from")


def _check_named(filters: EpisodeFilters) -> None:
    searches = 1
    for name in NAMED:
        names: Names = getattr(filters, name)
        for field, values in ((name, names.any), (f"{name}_not", names.none)):
            for value in values:
                _check_name(field, value)
        # all but n names are the n + 1 spans between their keys (ADR 71)
        searches *= len(names.any) or len(names.none) + 1
        if searches > _MOST_SEARCHES:
            raise field_error(name, f"at most {_MOST_SEARCHES} combinations of names")


def _check_bound(name: str, bound: Bound, most: float) -> None:
    for end, value in (("min", bound.least), ("max", bound.most)):
        if value is not None and not 0 <= value <= most:
            shown = "2⁵³" if most == MOST else most
            raise field_error(f"{name}_{end}", f"must lie in 0–{shown}")
    if bound.least is not None and bound.most is not None and bound.least > bound.most:
        raise field_error(f"{name}_max", f"must not be below {name}_min")


def _check_text(question: EpisodeQuestion) -> None:
    text = question.similar_to
    if text is not None and (not text.strip() or "\0" in text):
        raise field_error("similar_to", "must not be empty, nor hold the character NUL")
    if text is not None and len(text.encode(errors="replace")) > MAX_TEXT_BYTES:
        raise field_error("similar_to", "at most 100,000 bytes of UTF-8")
    if question.min_similarity is not None:
        if not -1 <= question.min_similarity <= 1:
            raise field_error("min_similarity", "must lie in -1–1")
        if text is None:
            raise field_error("min_similarity", "needs a text in similar_to")
    if question.order == "most_similar" and text is None:
        raise field_error("order", "most_similar needs a text in similar_to")


def _check_way(question: EpisodeQuestion) -> None:
    for name, value, known in (
        ("order", question.order, EPISODE_ORDERS),
        ("measure", question.measure, EPISODE_MEASURES),
        ("by", question.by, EPISODE_GROUPINGS),
    ):
        if value is not None and value not in known:
            raise field_error(name, f"must be one of {', '.join(known)}")
    if question.divergence:
        _check_divergence(question)
    if question.measures and question.order is not None:
        raise field_error("order", "orders episodes; leave it out where something is measured")
    if question.measure is not None and question.by is None and question.limit is not None:
        raise field_error("limit", "limits episodes or groups; a single number has none")


def _check_divergence(question: EpisodeQuestion) -> None:
    for name in ("order", "measure", "by"):
        if getattr(question, name) is not None:
            raise field_error(
                name, "divergence compares attempts; it has no order, no measure and no groups"
            )
    if {*question.filters.verdicts} != {*EpisodeFilters().verdicts}:
        raise field_error(
            "correct", "divergence compares right attempts with wrong ones; leave it out"
        )


def _check_name(field: str, name: str) -> None:
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise field_error(field, f"a name is 1 to {_LONGEST_NAME} printable characters")


def field_error(field: str, message: str) -> InvalidInputError:
    return InvalidInputError(f"{field}: {message}", field=field)
