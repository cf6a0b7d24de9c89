"""Relevance that travels along the edges of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from graph.scoring.relevance import Flags, Floats, Ints


def spread(
    relevance: Floats,
    carry: Floats,
    edges: Ints,
    edge_weights: Floats,
    *,
    gains: tuple[float, ...],
) -> Floats:
    """Gain of each candidate from candidates up to two edges away.

    Along an edge of weight ``w`` a node passes on ``w·carry`` of what it holds, in both
    directions: one edge away ``x1 = P r``, two away ``x2 = P x1`` without what would return to
    its own source. The gain is ``g1·x1 + g2·x2``.

    Parameters
    ----------
    relevance
        What each candidate holds, shape ``(n,)``, ``>= 0``.
    carry
        Share that each passes on, shape ``(n,)``, ``>= 0``: decay weight times utility.
    edges
        Rows ``(from, to)`` of indices into the pool, shape ``(e, 2)``.
    edge_weights
        Weight of each edge's type, shape ``(e,)``, ``>= 0``.
    gains
        Gain per hop, at most two; an empty tuple spreads nothing.

    Returns
    -------
    numpy.ndarray
        The gains, shape ``(n,)``, ``>= 0``; all 0 without edges.

    Raises
    ------
    ValueError
        If more than two gains are given, or an edge points out of the pool.

    References
    ----------
    Crestani, "Application of Spreading Activation Techniques in Information Retrieval",
    Artificial Intelligence Review 11, 1997.

    Examples
    --------
    >>> chain = np.array([[0, 1], [1, 2]])
    >>> spread(np.array([1.0, 0.0, 0.0]), np.ones(3), chain, np.ones(2), gains=(0.5, 0.25))
    array([0.  , 0.5 , 0.25])
    """
    if len(gains) > 2:
        raise ValueError(f"at most two hops are spread over, not {len(gains)}")
    size = len(relevance)
    if not len(edges) or not gains:
        return np.zeros(size)
    if edges.min() < 0 or edges.max() >= size:
        raise ValueError(f"an edge points out of the pool of {size}")
    return _gained(relevance, carry, edges, edge_weights, gains)


def _gained(
    relevance: Floats,
    carry: Floats,
    edges: Ints,
    edge_weights: Floats,
    gains: tuple[float, ...],
) -> Floats:
    """Pass on along each edge in both directions, once, and a second time without what returns."""
    size = len(relevance)
    source = np.concatenate([edges[:, 0], edges[:, 1]])
    target = np.concatenate([edges[:, 1], edges[:, 0]])
    passed = np.concatenate([edge_weights, edge_weights]) * carry[source]
    one = np.bincount(target, passed * relevance[source], size)
    gain = gains[0] * one
    if len(gains) == 2:
        # the reverse of each edge stands half a turn further
        back = np.roll(passed, len(edges))
        gain += gains[1] * np.bincount(
            target, passed * (one[source] - back * relevance[target]), size
        )
    return np.maximum(gain, 0.0)


def answers_gain(
    relevance: Floats, carry: Floats, edges: Ints, follows: Flags, asks: Flags
) -> Floats:
    """Gain of a turn because the turn right before it asks something.

    Computes ``carry·r`` of the asking turn, for each edge that says what follows what.

    Parameters
    ----------
    relevance
        What each candidate holds, shape ``(n,)``, ``>= 0``.
    carry
        Share that each passes on, shape ``(n,)``, ``>= 0``.
    edges
        Rows ``(from, to)`` of indices into the pool, shape ``(e, 2)``.
    follows
        Whether the edge leads to the next turn, shape ``(e,)``.
    asks
        Whether the candidate asks something, shape ``(n,)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, ``>= 0``; all 0 without edges.

    Raises
    ------
    ValueError
        If ``follows`` and ``edges`` differ in length.

    References
    ----------
    Schegloff and Sacks, "Opening up Closings", Semiotica 8, 1973 (adjacency pairs).

    Examples
    --------
    >>> pair = np.array([[0, 1]])
    >>> yes, no = np.array([True]), np.array([True, False])
    >>> answers_gain(np.array([0.8, 0.1]), np.ones(2), pair, yes, no)
    array([0. , 0.8])
    """
    if len(follows) != len(edges):
        raise ValueError(f"{len(edges)} edges but {len(follows)} flags")
    if not len(edges):
        return np.zeros(len(relevance))
    # the turn that follows a question answers it, not the other way round
    asked = edges[follows & asks[edges[:, 0]]]
    return np.bincount(
        asked[:, 1], carry[asked[:, 0]] * relevance[asked[:, 0]], len(relevance)
    ).astype(np.float64)
