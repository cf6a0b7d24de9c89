"""Properties that a condensed memory inherits from its sources."""

from __future__ import annotations

from collections.abc import Sequence

from graph.condensing.model import Standing


def inherited(sources: Sequence[Standing]) -> Standing:
    """Return what the memory stands at that is made of others.

    Q is their mean weighed by how often each was rewarded (the plain mean where none was), counts and
    accesses add up, importance, surprise, grace and weight are the highest, tags are all of them.

    Raises
    ------
    ValueError
        If there is nothing to inherit from.
    """
    if not sources:
        raise ValueError("nothing is inherited from nobody")
    count = sum(source.q_count for source in sources)
    counts = [source.q_count if count else 1 for source in sources]
    values = (source.q_value * times for source, times in zip(sources, counts, strict=True))
    return Standing(
        q_value=sum(values) / sum(counts),
        q_count=count,
        importance=max(source.importance for source in sources),
        weight=max(source.weight for source in sources),
        accesses=sum(source.accesses for source in sources),
        surprise=max(source.surprise for source in sources),
        grace_until=max(source.grace_until for source in sources),
        tags=tuple(sorted({tag for source in sources for tag in source.tags})),
    )
