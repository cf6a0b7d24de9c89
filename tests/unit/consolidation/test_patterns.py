"""Patterns across sessions, by example: what is found, with which numbers, and what is not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count
from math import comb
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from graph.condensing import sequences
from graph.condensing.chance import binomial_tail, fisher_exact, hoeffding_tail
from graph.condensing.columns import MOST_LABELS_OF_ONE, columns
from graph.condensing.contrasts import names_failure
from graph.condensing.model import PatternLimits
from graph.condensing.patterns import patterns as found_in
from graph.model.consolidation.patterns import FoundPattern, Happening
from service.use_cases.consolidation.find_patterns import with_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

SHAPE = ("host", "seconds", "status")


def sessions(times: int, *labels: str, name: str = "s", **last: bool) -> list[Happening]:
    """Sessions with one label a memory; ``_`` is a label of its own, ``outcome`` that of the last."""
    own = count()
    rows = [
        Happening(f"{name}{session}", place, (f"{name}-{next(own)}" if label == "_" else label,))
        for session in range(times)
        for place, label in enumerate(labels)
    ]
    if "outcome" not in last:
        return rows
    end = len(labels) - 1
    return [replace(row, outcome=last["outcome"]) if row.order == end else row for row in rows]


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 -- a fixed mix of memories


def of(found: Sequence[FoundPattern], kind: str) -> list[tuple[tuple[str, ...], int, float]]:
    return [(one.items, one.support, round(one.confidence, 3)) for one in found if one.type == kind]


def test_what_follows_is_found_with_its_share_of_what_begins_so() -> None:
    rows = [
        *sessions(9, "_", "deploy", "_", "rollback", "_", name="a"),
        *sessions(3, "_", "deploy", "_", "_", "rollback", name="b"),
        *sessions(8, "_", "_", "_", "_", name="c"),
    ]
    (one,) = [one for one in found_in(rows) if one.type == "sequential"]
    assert (one.items, one.support, one.confidence) == (("deploy", "rollback"), 9, 10 / 14)
    assert one.text == "`deploy` is usually followed by `rollback`."
    assert one.evidence == tuple(5 * session + place for session in range(9) for place in (1, 3))


@pytest.mark.parametrize("steps", [3, 4, 6])
def test_three_sessions_of_the_same_steps_suffice(steps: int) -> None:
    row = [f"step{place}" for place in range(steps)]
    found = of(found_in(sessions(3, *row)), "sequential")
    assert (tuple(row[:4]), 3, 0.8) in found


def test_a_label_that_failure_follows_is_told_and_the_last_step_of_success_is_not() -> None:
    hurried = [
        row
        for i in range(4)
        for row in (
            Happening(f"h{i}", 0, ("hurry",)),
            Happening(f"h{i}", 1, (f"x{i}",), outcome=False),
        )
    ]
    calm = [
        Happening(f"c{i}", place, (label,), outcome=True if label == "publish" else None)
        for i in range(8)
        for place, label in enumerate(("plan", f"y{i}", "publish"))
    ]
    causal = of(found_in([*hurried, *calm]), "causal")
    assert (("hurry", "failure"), 4, 0.815) in causal
    assert ("publish", "success") not in [items for items, _, _ in causal]


def test_a_part_of_a_longer_run_is_told_only_if_it_is_more_frequent() -> None:
    whole = sessions(9, "_", "plan", "act", "_", "check", "_", "_", name="a")
    found = of(found_in([*whole, *sessions(8, "_", "_", name="x")]), "sequential")
    assert found == [(("plan", "act", "check"), 9, 0.909)]
    more = sessions(3, "_", "_", "plan", "act", "_", "_", name="b")
    found = of(found_in([*whole, *more, *sessions(8, "_", "_", name="x")]), "sequential")
    assert found == [(("plan", "act"), 12, 0.929), (("plan", "act", "check"), 9, 0.714)]


def test_a_run_is_at_most_four_long_and_no_label_follows_itself() -> None:
    row = ("_", "a", "b", "c", "d", "e", "_", "_", "_")
    found = of(found_in(sessions(12, *row), PatternLimits(most=100)), "sequential")
    assert max(len(items) for items, _, _ in found) == 4
    again = sessions(12, "_", "a", "a", "_", "_", "_")
    assert of(found_in(again), "sequential") == []


def test_what_comes_together_without_order_is_no_sequence() -> None:
    rows = [
        *sessions(8, "_", "rain", "bus", "_", name="a"),
        *sessions(8, "_", "bus", "rain", "_", name="b"),
        *sessions(16, "_", "_", "_", "_", name="c"),
    ]
    found = found_in(rows)
    assert of(found, "sequential") == []
    assert of(found, "correlational") == [(("bus", "rain"), 16, 1.0)]
    assert found[0].text == "`bus` and `rain` usually occur in the same sessions."
    assert found[0].evidence == tuple(4 * one + place for one in range(10) for place in (1, 2))


def test_a_correlation_is_phi_over_sessions() -> None:
    rows = [
        *sessions(12, "rain", "_", "_", "bus", name="a"),
        *sessions(12, "bus", "_", "_", "rain", name="b"),
        *sessions(3, "rain", "_", name="c"),
        *sessions(3, "bus", "_", name="d"),
        *sessions(30, "_", "_", name="e"),
    ]
    phi = (60 * 24 - 27 * 27) / (27 * 33)
    assert of(found_in(rows), "correlational") == [(("bus", "rain"), 24, round(phi, 3))]


def test_one_label_under_two_names_is_no_correlation() -> None:
    rows = [Happening(f"s{i}", 0, ("deploy", "deployment") if i < 10 else ()) for i in range(20)]
    assert found_in(rows) == ()


def test_failure_after_a_label_is_contrasted_with_sessions_without_it() -> None:
    rows = [
        *sessions(9, "hurry", "_", "_", name="a", outcome=False),
        *sessions(1, "hurry", "_", "_", name="b", outcome=True),
        *sessions(1, "_", "_", "_", name="c", outcome=False),
        *sessions(9, "_", "_", "_", name="d", outcome=True),
        *sessions(30, "hurry", "_", name="unknown"),
    ]
    with_it, without = 10 / 12, 2 / 12
    (one,) = found_in(rows)
    assert (one.type, one.items, one.support) == ("causal", ("hurry", "failure"), 9)
    assert one.confidence == pytest.approx((with_it - without) / (1 - without))
    assert one.text == "After `hurry`, `failure` is more frequent than without it."
    assert one.evidence == tuple(3 * one + place for one in range(9) for place in (0, 2))


def test_an_error_told_by_a_label_is_an_effect_too_but_only_afterwards() -> None:
    rows = [
        *sessions(10, "_", "_", "deploy", "_", "_", "http-timeout", name="a"),
        *sessions(10, "_", "_", "_", name="b"),
    ]
    assert of(found_in(rows), "causal") == [(("deploy", "http-timeout"), 10, 0.909)]
    back = [replace(row, order=-row.order) for row in rows]
    assert of(found_in(back), "causal") == []


def test_an_outcome_comes_after_the_labels_of_its_own_memory_unless_they_name_it() -> None:
    rows = [
        Happening(f"s{i}", 0, ("multiply", "error") if i < 10 else ("add",), outcome=i >= 10)
        for i in range(20)
    ]
    found = [items for items, _, _ in of(found_in(rows), "causal")]
    assert found == [("add", "success"), ("multiply", "failure")]


def test_a_cause_needs_sessions_on_both_sides() -> None:
    rows = [
        *sessions(20, "hurry", "_", name="a", outcome=False),
        *sessions(2, "_", "_", name="b", outcome=True),
    ]
    assert of(found_in(rows), "causal") == []


def test_what_names_a_failure() -> None:
    assert [names_failure(label) for label in ("Error", "build_failed", "http-timeout")] == [
        True
    ] * 3
    assert not any(names_failure(label) for label in ("terror", "failsafe", "success", ""))


def test_the_form_of_structured_content_that_recurs() -> None:
    rows = [
        *(Happening(f"s{i}", 0, shape=SHAPE) for i in range(6)),
        *(Happening(f"s{i}", 0, shape=(*SHAPE, "zone")) for i in range(4, 8)),
        *(Happening(f"s{i}", 1) for i in range(8)),
    ]
    (one,) = found_in(rows)
    assert (one.type, one.items, one.support) == ("structural", ("keys", *SHAPE), 6)
    assert one.confidence == 6 / 8
    assert one.text == "Structured content with the keys `host`, `seconds` and `status` recurs."
    assert one.evidence == (0, 1, 2, 3, 4, 5)


def test_a_form_that_all_memories_have_or_of_one_key_tells_nothing() -> None:
    assert found_in([Happening(f"s{i}", 0, shape=SHAPE) for i in range(9)]) == ()
    rows = [Happening(f"s{i}", place, shape=("a",) * place) for i in range(9) for place in (0, 1)]
    assert found_in(rows) == ()


def test_the_row_of_kinds_that_recurs() -> None:
    kinds = ("problem", "episode", "episode", "insight")
    rows = [
        *(
            Happening(f"s{i}", place, kind=kind)
            for i in range(6)
            for place, kind in enumerate(kinds)
        ),
        Happening("t", 0, kind="episode"),
        Happening("t", 1, kind="problem"),
        Happening("t", 2, kind="insight"),
    ]
    (one,) = found_in(rows)
    assert one.items == ("kinds", "problem", "episode", "insight")
    assert (one.support, one.confidence) == (6, 6 / 7)
    assert one.evidence[:6] == (0, 1, 3, 4, 5, 7)


def test_three_short_sessions_in_one_order_may_be_chance() -> None:
    rows = [
        Happening(f"s{i}", place, ("deploy", "rollback")[place : place + 1], kind=kind)
        for i in range(3)
        for place, kind in enumerate(("problem", "episode"))
    ]
    assert found_in(rows) == ()


def test_a_label_on_nearly_all_memories_tells_nothing() -> None:
    rows = sessions(12, "_", "deploy", "rollback", "_")
    wide = [replace(row, labels=(*row.labels, "observation")) for row in rows]
    assert found_in(wide) == found_in(rows)


def test_bounds() -> None:
    labels = tuple(f"l{i}" for i in range(40))
    rows = [
        Happening(f"s{i}", place, (labels[place], labels[place + 20]))
        for i in range(30)
        for place in range(20)
    ]
    most = Counter(one.type for one in found_in(rows, PatternLimits(most=5, most_evidence=7)))
    assert most["sequential"] == 5
    assert max(most.values()) <= 5
    assert all(len(one.evidence) <= 7 for one in found_in(rows, PatternLimits(most_evidence=7)))
    assert found_in(rows, PatternLimits(most=0)) == ()
    assert of(found_in(rows, PatternLimits(minimum_support=31)), "sequential") == []
    crowd = [Happening(f"s{i}", 0, tuple(f"l{j}" for j in range(50))) for i in range(4)]
    crowd += [Happening(f"s{i}", 1) for i in range(4)]
    read = columns(crowd, PatternLimits())
    assert np.bincount(read.at).tolist() == [*[MOST_LABELS_OF_ONE, 0] * 3, MOST_LABELS_OF_ONE]


def test_many_ways_are_cut_and_the_most_frequent_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        *sessions(30, "_", "a", "b", "c", "_", "_", name="a"),
        *sessions(8, "_", "d", "e", "f", "_", "_", name="d"),
    ]
    monkeypatch.setattr(sequences, "MAX_RUNS", 3)
    found = [items for items, _, _ in of(found_in(rows), "sequential")]
    assert ("a", "b", "c") in found
    assert ("d", "e", "f") not in found


@pytest.mark.parametrize(
    "wrong",
    [{"minimum_support": 1}, {"most": -1}, {"minimum_confidence": 1.5}, {"chance": 0.0}],
)
def test_limits_that_cannot_be_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must lie in|two sessions"):
        PatternLimits(**wrong)  # pyright: ignore[reportArgumentType] -- any of them may be wrong


@pytest.mark.parametrize(
    "rows", [[], [Happening(None, i, ("a", "b"), outcome=False, shape=SHAPE) for i in range(9)]]
)
def test_nothing_without_sessions(rows: list[Happening]) -> None:
    assert found_in(rows) == ()


def test_a_signature_is_of_type_and_items_alone() -> None:
    one = FoundPattern("sequential", ("ab", "c"), 3, 0.8, (1,), "x")
    assert one.signature == replace(one, support=9, confidence=1.0, evidence=()).signature
    others = [replace(one, type="causal"), replace(one, items=("a", "bc")), replace(one, items=())]
    assert len({other.signature for other in (one, *others)}) == 4
    assert len(one.signature) == 64


# --- chance


def test_a_tail_is_never_smaller_than_the_binomial_one() -> None:
    for tries in (1, 5, 20):
        for rate in (0.0, 0.1, 0.5, 1.0):
            for hits in range(tries + 1):
                true = sum(
                    comb(tries, i) * rate**i * (1 - rate) ** (tries - i)
                    for i in range(hits, tries + 1)
                )
                bound = hoeffding_tail(
                    np.array([float(hits)]), np.array([float(tries)]), np.array([rate])
                )
                assert true - 1e-12 <= bound[0] <= 1
                if hits > tries * rate:
                    assert binomial_tail(hits, tries, rate) == pytest.approx(true)


def test_the_exact_test_counts_draws() -> None:
    for both, one, other, whole in ((3, 3, 3, 6), (2, 4, 5, 9), (0, 4, 8, 9), (4, 8, 5, 9)):
        draws = sum(
            comb(one, i) * comb(whole - one, other - i)
            for i in range(both, min(one, other) + 1)
            if other - i <= whole - one
        )
        expected = draws / comb(whole, other)
        assert fisher_exact(both, one, other, whole) == pytest.approx(expected)


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="4 of 3 and 5"):
        fisher_exact(4, 3, 5, 9)
    with pytest.raises(ValueError, match="more hits"):
        hoeffding_tail(np.array([2.0]), np.array([1.0]), np.array([0.5]))
    with pytest.raises(ValueError, match="more hits"):
        binomial_tail(2, 1, 0.5)


# --- planted and random


def noise(random: Random, number: int, length: int, labels: int) -> list[Happening]:
    """Memories with two labels each, the first ones frequent, and an outcome now and then."""
    weights = [1 / (1 + place) for place in range(labels)]
    return [
        Happening(
            f"s{session:03}",
            place,
            tuple({f"n{i}" for i in random.choices(range(labels), weights, k=2)}),
            random.choice([None, True, False]),
            tuple(sorted(random.sample("abcdefghijklmn", 4))),
            random.choice(["observation", "episode"]),
        )
        for session in range(number)
        for place in range(length)
    ]


PLANTED = {
    ("sequential", ("qa", "qb")),
    ("sequential", ("ra", "rb", "rc")),
    ("causal", ("cause", "failure")),
    ("correlational", ("ca", "cb")),
    ("structural", ("keys", *SHAPE)),
}


def planted(random: Random) -> list[Happening]:
    """Plant each into 8 or 16 of 60 sessions of 12; one in ten is cut short or ends otherwise."""
    rows = noise(random, 60, 12, 40)

    def add(session: int, place: int, label: str) -> None:
        at = 12 * session + place
        rows[at] = replace(rows[at], labels=(*rows[at].labels, label))

    for run in (("qa", "qb"), ("ra", "rb", "rc")):
        for session in random.sample(range(60), 8):
            place = random.randrange(7)
            for label in run if random.random() < 0.9 else run[:-1]:
                add(session, place, label)
                place += random.choice([1, 1, 2])
    for session in random.sample(range(60), 8):
        at = 12 * session + random.randrange(12)
        rows[at] = replace(rows[at], shape=SHAPE)
    for session in random.sample(range(60), 16):
        for label in ("ca", "cb"):
            add(session, random.randrange(12), label)
    hurried = set(random.sample(range(60), 16))
    for session in range(60):
        rows[12 * session : 12 * session + 12] = [
            replace(row, outcome=None) for row in rows[12 * session : 12 * session + 12]
        ]
        if session in hurried:
            add(session, 0, "cause")
        failed = random.random() < (0.9 if session in hurried else 0.15)
        rows[12 * session + 11] = replace(rows[12 * session + 11], outcome=not failed)
    return rows


def test_what_was_planted_among_noise_is_found_and_hardly_anything_else() -> None:
    """Of 100 planted at least 90 are found, and of those told at most one in twenty is none of them."""
    hits = told = wrong = 0
    for seed in range(20):
        found = {(one.type, one.items) for one in found_in(planted(seeded(seed)))}
        parts = {
            one for one in found if any(one[0] == p[0] and set(one[1]) < set(p[1]) for p in PLANTED)
        }
        hits += len(found & PLANTED)
        told += len(found)
        wrong += len(found - PLANTED - parts)
    assert hits >= 90
    assert wrong <= 0.05 * told


@pytest.mark.parametrize(("number", "length", "labels"), [(20, 4, 10), (60, 12, 40), (200, 3, 30)])
def test_random_sessions_have_no_pattern(number: int, length: int, labels: int) -> None:
    found = [
        one for seed in range(10) for one in found_in(noise(seeded(seed), number, length, labels))
    ]
    assert found == []


def test_no_order_is_left_where_the_memories_of_each_session_are_shuffled() -> None:
    """At most one false sequence in 20 shuffles, though what was planted still comes together."""
    false = together = 0
    for seed in range(20):
        random, rows = seeded(seed), planted(seeded(seed))
        shuffled = [replace(row, order=random.random()) for row in rows]
        found = Counter(one.type for one in found_in(shuffled))
        false += found["sequential"]
        together += found["correlational"]
    assert false <= 1
    assert together >= 20


def test_topics_of_sessions_are_no_sequences() -> None:
    random = seeded(3)
    rows = [
        Happening(
            f"s{session}", place, tuple(f"t{session % 8}-{i}" for i in random.sample(range(9), 2))
        )
        for session in range(96)
        for place in range(8)
    ]
    assert of(found_in(rows), "sequential") == []


def test_the_words_of_short_texts_that_recur_are_labels() -> None:
    things = ("rose", "fern", "fig", "oak")
    told = with_labels(
        Happening(f"s{number}", place, text=f"{verb} the {thing} {number}")
        for number, thing in enumerate(things)
        for place, verb in enumerate(("Watered", "Pruned", "Fed"))
    )
    assert [happening.labels for happening in told[:3]] == [("watered",), ("pruned",), ("fed",)]
    [found] = found_in(told)
    assert found.items == ("watered", "pruned", "fed")
    assert found.support == 4


def test_words_that_recur_together_are_one_label_and_tags_come_before_words() -> None:
    told = with_labels(
        [
            *(Happening(f"s{number}", 1, text="Opened the ledger") for number in range(3)),
            Happening("s9", 1, text="Something that recurs nowhere"),
            Happening("s9", 2, ("tag",), text="Opened the ledger"),
            Happening(
                "s9",
                3,
                text="Long texts name many things: carts, coupons, orders, refunds, ledgers, drafts, taxes",
            ),
        ]
    )
    assert [happening.labels for happening in told] == [
        *[("opened ledger",)] * 3,
        ("recurs nowhere",),
        ("tag",),
        (),
    ]


def test_what_texts_have_of_recurring_words_is_one_label_where_it_recurs() -> None:
    told = with_labels(
        Happening(month, 1, text=f"Opened the ledger of {month}")
        for month in ("May", "June", "July")
    )
    assert {happening.labels for happening in told} == {("opened ledger",)}


def test_short_texts_in_shuffled_order_seldom_give_a_pattern() -> None:
    dice = Random(5)  # noqa: S311 -- a fixed mix of texts
    verbs = [
        "opened",
        "matched",
        "signed",
        "watered",
        "pruned",
        "fed",
        "checked",
        "paid",
        "called",
        "sent",
    ]
    things = [
        f"{one}{other}"
        for one in ("rose", "fern", "desk")
        for other in ("", "man", "line", "house")
    ]
    false = 0
    for _ in range(100):
        rows = [
            Happening(f"s{number}", place, text=f"{verb} the {dice.choice(things)}")
            for number in range(6)
            for place, verb in enumerate(dice.sample(verbs, 5))
        ]
        false += bool(found_in(with_labels(rows)))
    assert false <= 5
