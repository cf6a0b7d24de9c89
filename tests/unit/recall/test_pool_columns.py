from __future__ import annotations

from typing import Any

import pytest

from graph.store.recall.candidates import to_pool


def candidate(name: str, lexical: float, hop: int = 0) -> list[Any]:
    numbers = [lexical, hop, 0.5, 3, 0.5, 0, 0.9, 0.4, 0.1, 0, 1.0, 86_400_000, 172_800_000]
    shown = [
        f"u{name}",
        None,
        "local/shared",
        "insight",
        "working",
        "Text.",
        None,
        "s",
        ["t"],
        "{}",
    ]
    return [name, *numbers, *shown]


def row_of(scores: list[float]) -> dict[str, Any]:
    return {
        "candidates": [candidate(str(place), score) for place, score in enumerate(scores)],
        "ended": [],
    }


@pytest.mark.parametrize(
    ("scores", "limit", "floor"),
    [([0.0, 5.0, 3.0], 2, 3.0), ([0.0, 5.0, 3.0], 3, 0.0), ([0.0], 1, 0.0), ([], 1, 0.0)],
)
def test_only_an_arm_at_its_limit_was_cut_off(
    scores: list[float], limit: int, floor: float
) -> None:
    assert to_pool(row_of(scores), limit).lexical_floor == floor


def test_a_memory_found_twice_is_one_with_its_best_words_and_lowest_hop() -> None:
    found = [candidate("a", 0.0), candidate("b", 2.0), candidate("a", 3.0), candidate("c", 0.0, 1)]
    lent = ["ux", 0.9, 0.5, 0.5]
    edges = [
        [["b", "NEXT", None, None], ["x", "USED", lent, None]],
        [["c", "SIMILAR_TO", None, None]],
        [["x", "USED", lent, None]],
        [["x", "USED", lent, None]],
    ]
    pool = to_pool({"candidates": found, "edges": edges, "ended": ["c"]}, 40)
    assert [memory.uid for memory in pool.memories] == ["ua", "ub", "uc"]
    assert pool.lexical.tolist() == [3.0, 2.0, 0.0]
    assert pool.hop.tolist() == [0, 0, 1]
    assert (pool.weight_day[0], pool.occurred_day[0]) == (1.0, 2.0)
    assert (pool.edges.tolist(), pool.edge_types) == ([[0, 1], [1, 2]], ("NEXT", "SIMILAR_TO"))
    assert (pool.q_left[0], pool.q_init[0], pool.q_variance[0]) == (0.9, 0.4, 0.1)
    assert (pool.lenders.borrower.tolist(), pool.lenders.uids) == ([0, 2], ("ux", "ux"))
    assert (pool.lenders.q_value[0], pool.lenders.q_left[0]) == (0.9, 0.5)
    assert pool.memories[0].tags == ("t",)
    assert (pool.memories[0].scope, pool.memories[0].metadata) == ("local/shared", "{}")


def test_only_a_replacement_that_ends_is_told_of_a_result() -> None:
    found = [candidate("a", 0.0), candidate("b", 2.0), candidate("c", 3.0)]
    edges = [
        [["c", "SUPERSEDES", None, False]],
        [["c", "SUPERSEDES", None, True]],
        [],
    ]
    pool = to_pool({"candidates": found, "edges": edges, "ended": []}, 40)
    assert pool.superseding == {"ub"}
    assert len(pool.edges) == 2
