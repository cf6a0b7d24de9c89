"""What holds of decay and gates, whatever the numbers are."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from graph.scoring.gates import (
    Action,
    StratumColumns,
    Verdicts,
    displaced,
    verdicts,
    weights_now,
)
from graph.scoring.retention import apply_reward, reanchored
from graph.scoring.strata import POLICIES, STRATA
from tests.laws.test_scoring_laws import law, orders

if TYPE_CHECKING:
    from graph.kernel.values import Floats
    from graph.scoring.strata import StratumPolicy

DAYS = st.floats(0, 400)
NEVER = -np.inf
HIGHEST = {"importance": 5.0, "accesses": 1e6, "utility": 1.0}
SLOWING = sorted(HIGHEST)


@st.composite
def strata_columns(draw: st.DrawFn) -> StratumColumns:
    size = draw(st.integers(0, 20))

    def column(low: float, high: float) -> Floats:
        return draw(arrays(np.float64, size, elements=st.floats(low, high)))

    def flags() -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return draw(arrays(np.bool_, size))

    grace = column(0, 60)
    return StratumColumns(
        owner=draw(arrays(np.int64, size, elements=st.integers(0, 3))),
        initial=column(0, 2),
        anchored_at=column(0, 50),
        grace_until=np.where(flags(), grace, NEVER),
        counted_from=column(0, 50),
        entered_at=column(0, 50),
        importance=column(1, 5),
        accesses=column(0, 1000),
        utility=column(0, 1),
        surprise=column(0, 1),
        evidence=flags(),
        asked=flags(),
    )


@st.composite
def policies(draw: st.DrawFn) -> StratumPolicy:
    policy = POLICIES[draw(st.sampled_from(STRATA))]
    return replace(policy, capacity=draw(st.integers(0, 6)), reward_cap=draw(st.floats(1, 3)))


@law
@given(strata_columns(), policies(), DAYS, DAYS)
def test_a_weight_is_whole_at_age_0_and_never_rises_by_itself(
    memories: StratumColumns, policy: StratumPolicy, now: float, later: float
) -> None:
    size = len(memories.initial)
    born = replace(memories, initial=np.ones(size), anchored_at=np.full(size, now))
    assert (weights_now(born, policy, now=now)[0] == 1).all()
    today = weights_now(memories, policy, now=now)[0]
    then = weights_now(memories, policy, now=now + later)[0]
    assert ((then >= 0) & (then <= today)).all()
    assert (today <= memories.initial).all()


@law
@given(strata_columns(), policies(), DAYS, st.floats(0, 1), st.sampled_from(SLOWING))
def test_more_importance_accesses_or_utility_never_shortens_a_life(
    memories: StratumColumns, policy: StratumPolicy, now: float, more: float, name: str
) -> None:
    before = getattr(memories, name)
    after = before + more * (HIGHEST[name] - before)
    weight = weights_now(memories, policy, now=now)[0]
    raised = weights_now(replace(memories, **{name: after}), policy, now=now)[0]
    assert (raised >= weight - 1e-12).all()


@law
@given(strata_columns(), policies(), DAYS, st.lists(DAYS, max_size=4))
def test_anchoring_as_often_as_one_likes_changes_nothing(
    memories: StratumColumns, policy: StratumPolicy, now: float, between: list[float]
) -> None:
    expected, rate = weights_now(memories, policy, now=now)
    anchored = memories
    for moment in sorted(moment for moment in between if moment <= now):
        initial, anchored_at = reanchored(
            anchored.initial, anchored.anchored_at, anchored.grace_until, rate, now=moment
        )
        anchored = replace(anchored, initial=initial, anchored_at=anchored_at)
    found = weights_now(anchored, policy, now=now)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@law
@given(strata_columns(), policies(), DAYS, st.sampled_from(SLOWING))
def test_an_event_now_leaves_the_weight_of_now(
    memories: StratumColumns, policy: StratumPolicy, now: float, name: str
) -> None:
    weight, rate = weights_now(memories, policy, now=now)
    initial, anchored_at = reanchored(
        memories.initial, memories.anchored_at, memories.grace_until, rate, now=now
    )
    top = np.full_like(weight, HIGHEST[name])
    changed = replace(memories, initial=initial, anchored_at=anchored_at, **{name: top})
    np.testing.assert_allclose(weights_now(changed, policy, now=now)[0], weight, atol=1e-12)


@law
@given(arrays(np.float64, 5, elements=st.floats(0, 5)), st.floats(1, 4), st.floats(1, 4))
def test_a_reward_never_lowers_and_stops_at_the_cap(
    weight: Floats, factor: float, cap: float
) -> None:
    rewarded = apply_reward(weight, factor=factor, cap=cap)
    assert (rewarded >= weight).all()
    assert (rewarded <= np.maximum(weight, cap)).all()
    assert (rewarded <= weight * factor + 1e-12).all()


@law
@given(strata_columns(), policies(), DAYS)
def test_each_action_has_its_grounds(
    memories: StratumColumns, policy: StratumPolicy, now: float
) -> None:
    found = verdicts(memories, policy, now=now)
    for place, action in enumerate(found.action):
        over = now >= memories.counted_from[place] + policy.retention
        settled = now - memories.entered_at[place] >= policy.min_dwell
        score = found.score[place]
        if action != Action.KEEP:
            assert memories.asked[place]
        if action == Action.PROMOTE:
            assert score >= policy.promote_at
            assert settled
        if action in (Action.CONDENSE, Action.ARCHIVE):
            assert over
            assert (action == Action.CONDENSE) == (score >= policy.condense_at)
        if action == Action.DEMOTE:
            assert score < policy.demote_below
            assert settled
            assert not over
        if action == Action.KEEP and memories.asked[place]:
            assert not over
    assert (found.flagged <= ((found.action == Action.PURGE) & memories.evidence)).all()


@law
@given(strata_columns(), policies(), DAYS)
def test_after_a_run_each_agents_memories_fit_and_the_next_run_purges_none(
    memories: StratumColumns, policy: StratumPolicy, now: float
) -> None:
    found = verdicts(memories, policy, now=now)
    stays = (found.action == Action.KEEP) & memories.asked
    assert (np.bincount(memories.owner[stays], minlength=4) <= policy.capacity).all()
    rest = StratumColumns(**_rows(memories, stays))
    assert not (verdicts(rest, policy, now=now).action != Action.KEEP).any()


@law
@given(strata_columns(), policies(), DAYS)
def test_who_is_purged_scores_below_who_stays_unless_it_is_evidence(
    memories: StratumColumns, policy: StratumPolicy, now: float
) -> None:
    found = verdicts(memories, policy, now=now)
    kept = (found.action == Action.KEEP) & memories.asked
    purged = found.action == Action.PURGE
    for gone in np.flatnonzero(purged):
        rivals = kept & (memories.owner == memories.owner[gone])
        if not memories.evidence[gone]:
            rivals &= ~memories.evidence
        else:
            assert not (rivals & ~memories.evidence).any()
        assert (found.score[rivals] >= found.score[gone]).all()


@law
@given(strata_columns(), policies(), DAYS, st.data())
def test_the_order_of_rows_decides_nothing_but_ties(
    memories: StratumColumns, policy: StratumPolicy, now: float, data: st.DataObject
) -> None:
    order = data.draw(orders(len(memories.owner)))
    turned = StratumColumns(**_rows(memories, order))
    found, other = verdicts(memories, policy, now=now), verdicts(turned, policy, now=now)
    single = replace(policy, capacity=np.inf)
    alone, beside = verdicts(memories, single, now=now), verdicts(turned, single, now=now)
    assert (alone.action[order] == beside.action).all()
    assert (alone.reason[order] == beside.reason).all()
    assert _purged(found, memories) == _purged(other, turned)


def _purged(found: Verdicts, memories: StratumColumns) -> list[int]:
    return np.bincount(memories.owner[found.action == Action.PURGE], minlength=4).tolist()


@law
@given(strata_columns(), st.integers(0, 9), st.integers(0, 9))
def test_as_many_leave_as_must_and_never_more_than_there_are(
    memories: StratumColumns, capacity: int, arriving: int
) -> None:
    owner = memories.owner
    leaves, _, _ = displaced(
        owner, memories.initial, memories.evidence, capacity=capacity, arriving=arriving
    )
    for name in np.unique(owner):
        has = int((owner == name).sum())
        assert leaves[owner == name].sum() == min(max(has + arriving - capacity, 0), has)


def _rows(memories: StratumColumns, places: object) -> dict[str, Any]:
    """Return some rows of each column that is there."""
    columns = {field.name: getattr(memories, field.name) for field in fields(memories)}
    return {name: column[places] for name, column in columns.items() if column is not None}
