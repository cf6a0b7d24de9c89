"""The simulation of households, without a service."""

from __future__ import annotations

import numpy as np
import pytest

from examples.households import core
from examples.households.__main__ import main
from examples.households.world import World, calm_years, generate


def world(depth: list[list[float]], importance: int = 3) -> World:
    """Return households by the water in their houses; a year without has one importance."""
    water = np.array(depth)
    return World(
        depth=water,
        importance=np.where(water > 0, 5, importance),
        elevating=np.zeros(water.shape, dtype=np.bool_),
        event=np.zeros(water.shape, dtype=np.int64),
        at_river=np.zeros(len(water), dtype=np.bool_),
    )


def test_a_seed_draws_one_world() -> None:
    one, same, other = generate(20, 10, 1), generate(20, 10, 1), generate(20, 10, 2)
    assert np.array_equal(one.depth, same.depth)
    assert not np.array_equal(one.depth, other.depth)


def test_calm_years_count_from_the_last_flood() -> None:
    few = world([[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]])
    assert calm_years(few, 3).tolist() == [3, 1, -1, 3]


def test_scores_are_those_of_the_source() -> None:
    """A flood ten years ago beside the year before, by both laws: e^−1 and 0.5·e^−0.1."""
    few = world([[1.0] + [0.0] * 9])
    saliency, weighted = (core.scores(few, 10, law)[0] for law in core.LAWS)
    assert saliency[[0, 9]] == pytest.approx([0.3679, 0.4524], abs=1e-4)
    # R is 0 for the oldest, and 1 − 1/10 for the latest; 0.3·R + 0.5·I + 0.2·C.
    assert weighted[[0, 9]] == pytest.approx([0.3839, 0.4962], abs=1e-4)


def test_a_flood_long_ago_is_crowded_out_by_one_law_and_not_by_the_other() -> None:
    few = world([[0.0] * 20 + [1.0] + [0.0] * 14])
    heeded = core.heeded(few, 34)
    assert (heeded["saliency"][0], heeded["weighted"][0]) == (False, True)


def test_the_laws_differ_after_a_dozen_calm_years() -> None:
    shares = core.share_by_calm(generate(300, 50, 7))
    for share in shares.values():
        assert share[:10] == pytest.approx(np.ones(10))
    assert shares["saliency"][14] < 0.1
    assert shares["weighted"][14] > 0.9


def test_who_is_flooded_each_year_gets_used_to_it_and_wakes_up() -> None:
    drawn = generate(300, 50, 7)
    river = core.surprises(drawn)[drawn.at_river]
    assert river[:, :4] == pytest.approx(np.tile([1.0, 0.5, 1 / 3, 0.25], (len(river), 1)))
    assert core.awake(river)[:, [39, 40]].mean(axis=0).tolist() == [0.0, 1.0]


def test_it_runs_alone_and_says_what_it_showed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--offline", "--households", "40", "--years", "30"])
    said = capsys.readouterr().out
    assert "surprise of the first four floods 1.00 0.50 0.33 0.25" in said
    assert "0%, 100%" in said
    with pytest.raises(SystemExit):
        main(["--households", "0"])
