"""Clusters of problems that need the same knowledge, from their texts and solutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import networkx as nx
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SEED = 7  # seed of the order of nodes, so that a graph always has the same communities


def overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the overlap of two rows of actions, whatever their order.

    Computes ``|A ∩ B| / |A ∪ B|`` over multisets, so that adding twice is not adding once.

    Parameters
    ----------
    first
        Names of actions.
    second
        Names of actions.

    Returns
    -------
    float
        A scalar, no shape, in [0, 1]; 0 where one of them names nothing.

    Raises
    ------
    ValueError
        Never; anything can be compared.

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant C: Graph-Based Memory".

    Examples
    --------
    >>> overlap(["multiply", "multiply", "add"], ["add", "multiply"]).__round__(3)
    0.667
    """
    one, two = Counter(first), Counter(second)
    union = (one | two).total()
    return (one & two).total() / union if one and two else 0.0


def affinities(similarity: Floats, shared: Floats, *, meaning_weight: float) -> Floats:
    """Return the probability that pairs of problems need the same knowledge.

    Computes ``w·max(cosine, 0) + (1 − w)·overlap``.

    Parameters
    ----------
    similarity
        Cosines of the problems' texts, shape ``(n,)``, in [-1, 1].
    shared
        Overlap of what was done to solve them, shape ``(n,)``, in [0, 1].
    meaning_weight
        The weight ``w`` of the texts, in [0, 1].

    Returns
    -------
    numpy.ndarray
        Shape ``(n,)``, each in [0, 1].

    Raises
    ------
    ValueError
        If the weight is not in [0, 1].

    References
    ----------
    *Memory Design for Self-Evolving Reasoning System*, "Variant C: Graph-Based Memory".

    Examples
    --------
    >>> affinities(np.array([0.8, -0.1]), np.array([1.0, 0.5]), meaning_weight=0.5)
    array([0.9 , 0.25])
    """
    if not 0 <= meaning_weight <= 1:
        raise ValueError(f"weight {meaning_weight} is out of range")
    return meaning_weight * np.maximum(similarity, 0.0) + (1 - meaning_weight) * shared


def nearest_group(groups: Ints, affinity: Floats, *, voters: int) -> tuple[int, float]:
    """Return the group of a new problem, by its nearest members.

    A group's score is the mean of its best ``min(v, voters)`` affinities.

    Parameters
    ----------
    groups
        Group of each neighbour, shape ``(n,)``; -1 for none.
    affinity
        Affinity of the newcomer to each neighbour, shape ``(n,)``, in [0, 1].
    voters
        How many members speak for a group at most, ``> 0``.

    Returns
    -------
    tuple
        The group (-1 where no neighbour has one) and its score in [0, 1]; scalars, no shape. Of two
        with one score the lower.

    Raises
    ------
    ValueError
        If nobody may vote.

    References
    ----------
    Cover and Hart, "Nearest Neighbor Pattern Classification", 1967.

    Examples
    --------
    >>> nearest_group(np.array([3, 3, 5]), np.array([0.5, 0.7, 0.65]), voters=3)
    (5, 0.65)
    """
    if voters < 1:
        raise ValueError(f"{voters} voters decide nothing")
    best = (-1, 0.0)
    for group in np.unique(groups[groups >= 0]).tolist():
        score = float(np.sort(affinity[groups == group])[::-1][:voters].mean())
        if score > best[1]:
            best = (group, score)
    return best


def communities(
    count: int, pairs: Ints, weights: Floats, *, resolution: float, smallest: int
) -> tuple[tuple[int, ...], ...]:
    """Return groups of nodes with more edges inside than between them.

    Maximises modularity ``Σ_c (L_c/m − γ·(k_c/2m)²)`` by the Louvain method, starting from single nodes.

    Parameters
    ----------
    count
        How many nodes there are, ``>= 0``; they are ``0 … count − 1``.
    pairs
        Joined nodes, shape ``(m, 2)``, each pair once.
    weights
        Weight of each pair, shape ``(m,)``, ``> 0``.
    resolution
        The ``γ`` of modularity, ``> 0``; the higher, the smaller the groups.
    smallest
        Groups with fewer nodes are left out, ``>= 1``.

    Returns
    -------
    tuple
        Groups of nodes, no shape: each sorted, ordered by their first node.

    Raises
    ------
    ValueError
        If the resolution is not positive or a group may be empty.

    References
    ----------
    Blondel, Guillaume, Lambiotte and Lefebvre, "Fast unfolding of communities in large networks", 2008.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [1, 2], [0, 2], [3, 4]])
    >>> communities(6, pairs, np.ones(4), resolution=1.0, smallest=3)
    ((0, 1, 2),)
    """
    if resolution <= 0 or smallest < 1:
        raise ValueError(f"resolution {resolution} or smallest {smallest} is out of range")
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(
        (int(one), int(two), float(weight))
        for (one, two), weight in zip(pairs, weights, strict=True)
    )
    if not graph.number_of_edges():
        found = [{node} for node in range(count)]
    else:
        found = nx.community.louvain_communities(graph, resolution=resolution, seed=_SEED)
    return tuple(sorted(tuple(sorted(group)) for group in found if len(group) >= smallest))
