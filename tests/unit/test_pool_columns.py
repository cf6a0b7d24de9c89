from __future__ import annotations

from typing import Any

import pytest

from graph.store.candidates import to_pool

NUMBERS = (
    "cosine q_value q_count importance access_count w0 w_at occurred_at hop".split()  # noqa: SIM905
)
NAMES = "uid external_id scope kind stratum text speaker session_id metadata".split()  # noqa: SIM905


def row_of(scores: list[float]) -> dict[str, Any]:
    size = len(scores)
    return {
        **{name: [0.0] * size for name in NUMBERS},
        **{name: [""] * size for name in NAMES},
        **{name: [[]] * size for name in ("tags", "edges", "mentions")},
        "id": [str(place) for place in range(size)],
        "lexical": scores,
    }


@pytest.mark.parametrize(
    ("scores", "limit", "floor"),
    [([0.0, 5.0, 3.0], 2, 3.0), ([0.0, 5.0, 3.0], 3, 0.0), ([0.0], 1, 0.0), ([], 1, 0.0)],
)
def test_only_an_arm_at_its_limit_was_cut_off(
    scores: list[float], limit: int, floor: float
) -> None:
    assert to_pool(row_of(scores), limit).lexical_floor == floor
