from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from graph.kernel.values import Floats
from graph.model.recall.candidates import CandidatePool
from graph.questions.periods import Event
from graph.scoring.weights import RankingWeights, UtilityWeights
from service.use_cases.recall.answering import may_supersede
from service.use_cases.recall.choosing import rank as ranking_of
from service.use_cases.recall.groups import contested
from service.use_cases.recall.question import NamedDate, Question, understand
from service.use_cases.recall.ranking import Ranking, RankingQuery, doubtful, rivals, succeeding
from service.use_cases.recall.reading import Reading, read, read_rivals, told
from service.use_cases.utility.worth import Valuation
from tests.unit.pools import (
    CUT,
    NOTHING_ASKED,
    SCALE,
    TODAY,
    in_sessions,
    pool_of,
    rank,
    said,
    spoken,
    traversed,
)

WEIGHTS = RankingWeights()
LITERALLY = replace(
    CUT, valuation=Valuation(UtilityWeights(prior_count=0, deviation_floor=0, z_limit=math.inf))
)


def chosen(ranking: Ranking) -> list[int]:
    return ranking.chosen.tolist()


def test_an_empty_pool_has_no_result() -> None:
    ranking = rank(pool_of([]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == []
    assert ranking.rest.tolist() == []


def test_a_pool_of_one_gives_that_one_with_score_0() -> None:
    ranking = rank(pool_of([0.4], q_value=[0.9]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [0]
    assert ranking.score.tolist() == [0.0]


def test_a_pool_without_any_relevance_still_has_an_order() -> None:
    ranking = rank(pool_of([-0.2, 0.0, -0.1]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [1, 2, 0]
    assert np.isfinite(ranking.relevance).all()


RELEVANT = replace(CUT, min_relevance=0.5)


def test_what_is_not_relevant_is_left_out_even_if_fewer_than_k_come_back() -> None:
    weak = pool_of([0.9, 0.8, 0.05, 0.04, 0.03, 0.02])
    ranking = rank(weak, NOTHING_ASKED, TODAY, 1, WEIGHTS, RELEVANT)
    assert chosen(ranking) == [0, 1]
    assert ranking.reasons[5] == "relevance below 0.5"


def test_a_question_that_nothing_answers_gets_nothing() -> None:
    ranking = rank(pool_of([0.35, 0.34, 0.3]), NOTHING_ASKED, TODAY, 1, WEIGHTS, RELEVANT)
    assert chosen(ranking) == []
    assert (ranking.relevance < 0.2).all()


def test_relevance_is_comparable_between_questions() -> None:
    sure = rank(pool_of([0.9, 0.3]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT).relevance
    vague = rank(pool_of([0.5, 0.3]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT).relevance
    assert sure[0] > 0.9
    assert vague[0] < 0.5


def test_learned_utility_never_lifts_what_is_not_relevant() -> None:
    learned = pool_of([0.9, 0.8, 0.7, 0.05], q_value=[0.5, 0.5, 0.5, 1.0], q_count=[0, 0, 0, 99])
    ranking = rank(learned, NOTHING_ASKED, TODAY, 1, WEIGHTS, RELEVANT)
    assert 3 not in chosen(ranking)
    assert "0.5" in ranking.reasons[3]


def tagged(pool: CandidatePool, *tags: tuple[str, ...]) -> CandidatePool:
    pairs = zip(pool.memories, tags, strict=True)
    return replace(pool, memories=tuple(each._replace(tags=names) for each, names in pairs))


def test_a_memory_that_a_question_names_comes_before_nearer_ones() -> None:
    pool = tagged(pool_of([0.7, 0.6, 0.65]), (), ("k8s", "cluster"), ("deploy_story", "money"))
    asked = understand("what runs on k8s?", ())
    ranking = rank(pool, asked, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [1, 0, 2]
    assert ranking.parts["named"].tolist() == [0, WEIGHTS.named_gain, 0]
    both = rank(pool, understand("Our deploy story?", ()), TODAY, 1, WEIGHTS, CUT)
    assert chosen(both)[0] == 2
    part = rank(pool, understand("A story?", ()), TODAY, 1, WEIGHTS, CUT)
    assert part.parts["named"].tolist() == [0, 0, 0]


def test_a_tag_that_all_candidates_have_names_none() -> None:
    pool = tagged(pool_of([0.7, 0.6, 0.65]), ("money",), ("money",), ("money", "rent"))
    asked = understand("How much money goes into the rent?", ())
    named = rank(pool, asked, TODAY, 1, WEIGHTS, CUT).parts["named"]
    assert named.tolist() == [0, 0, WEIGHTS.named_gain]


def test_function_words_name_nothing() -> None:
    pool = tagged(pool_of([0.7, 0.6]), ("IT",), ("may",))
    asked = understand("Who may repair it?", ())
    assert not rank(pool, asked, TODAY, 1, WEIGHTS, CUT).parts["named"].any()


def test_a_name_speaks_for_an_answer_only_in_part() -> None:
    asked = understand("what does Bo charge?", ())
    named = tagged(pool_of([0.45, 0.3]), ("Bo",), ())
    relevance = rank(named, asked, TODAY, 1, WEIGHTS, CUT).relevance
    plain = rank(pool_of([0.45, 0.3]), asked, TODAY, 1, WEIGHTS, CUT).relevance
    nearer = rank(pool_of([0.45 + WEIGHTS.named_gain, 0.3]), asked, TODAY, 1, WEIGHTS, CUT)
    assert plain[0] < relevance[0] < nearer.relevance[0]
    assert relevance[1] < plain[1]


def test_the_newer_of_two_notes_that_say_much_the_same_comes_first() -> None:
    pool = said(pool_of([0.7, 0.68]), "Lena lives in Hamburg.", "Lena lives in Berlin.")
    pool = replace(pool, occurred_day=np.array([TODAY - 30, TODAY]))
    ranking = rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [1, 0]
    assert ranking.parts["interference"][0] < 0 == ranking.parts["interference"][1]


def test_what_a_question_repeats_word_for_word_loses_to_its_own_like_alone() -> None:
    pool = said(pool_of([0.7, 0.68]), "Lena lives in Hamburg.", "Lena lives in Berlin.")
    pool = replace(pool, occurred_day=np.array([TODAY - 30, TODAY]))
    asked = understand("Lena lives in Hamburg", ())
    assert rank(pool, asked, TODAY, 1, WEIGHTS, CUT).parts["interference"].tolist() == [0, 0]
    again = said(pool, "Lena lives in Hamburg.", "In Hamburg lives Lena.")
    assert rank(again, asked, TODAY, 1, WEIGHTS, CUT).parts["interference"][0] < 0


def test_what_may_be_replaced_stands_behind_what_replaces_it() -> None:
    pool = pool_of([0.8, 0.7, 0.75], edges=[(1, 0, "SUPERSEDES")])
    ranking = rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [2, 1, 0]
    assert ranking.parts["replaced"][0] < 0 == ranking.parts["replaced"][1]


def test_the_past_is_answered_by_what_held_then() -> None:
    pool = pool_of([0.8, 0.7, 0.75], edges=[(1, 0, "SUPERSEDES")])
    former = replace(NOTHING_ASKED, former=True)
    assert chosen(rank(pool, former, TODAY, 1, WEIGHTS, CUT)) == [0, 2, 1]


def test_a_weak_memory_does_not_push_back_what_it_replaces() -> None:
    pool = pool_of([0.8, 0.3], edges=[(1, 0, "SUPERSEDES")])
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)) == [0, 1]


def test_turns_of_sessions_and_other_scopes_do_not_interfere() -> None:
    texts = ("Lena lives in Hamburg.", "Lena lives in Berlin.")
    pool = replace(said(pool_of([0.7, 0.68]), *texts), occurred_day=np.array([1.0, 2.0]))
    turns = tuple(m._replace(session_id=f"s{i}") for i, m in enumerate(pool.memories))
    first, second = pool.memories
    for memories in (turns, (first, second._replace(scope="local/agent/b"))):
        other = replace(pool, memories=memories)
        ranking = rank(other, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
        assert ranking.parts["interference"].tolist() == [0, 0]


def test_what_held_at_a_time_comes_before_what_came_later() -> None:
    texts = ("Dinner is 48 euros.", "Dinner is 55 euros.")
    pool = said(pool_of([0.7, 0.72]), *texts)
    pool = replace(pool, occurred_day=np.array([TODAY - 90, TODAY]))
    then = replace(NOTHING_ASKED, words=("dinner",), windows=((TODAY - 40, TODAY - 10),))
    assert chosen(rank(pool, then, TODAY, 1, WEIGHTS, CUT)) == [0, 1]


def test_a_window_lifts_what_happened_in_it_and_latest_the_newest() -> None:
    pool = replace(
        said(pool_of([0.6, 0.6, 0.6]), "A storm.", "A fair.", "A strike."),
        occurred_day=np.array([TODAY - 60, TODAY - 30, TODAY]),
    )
    then = replace(NOTHING_ASKED, windows=((TODAY - 31, TODAY - 29),))
    assert chosen(rank(pool, then, TODAY, 1, WEIGHTS, CUT))[0] == 1
    newest = replace(NOTHING_ASKED, latest=True)
    assert chosen(rank(pool, newest, TODAY, 1, WEIGHTS, CUT))[0] == 2


def test_since_an_event_counts_from_the_memory_that_tells_of_it() -> None:
    texts = ("Ines painted the fence.", "Ines moved to Porto.", "Ines learns to surf.")
    pool = replace(said(pool_of([0.6, 0.6, 0.6]), *texts), occurred_day=np.array([1.0, 2.0, 3.0]))
    after = replace(NOTHING_ASKED, event=Event("the move", after=True))
    assert chosen(rank(pool, after, TODAY, 1, WEIGHTS, CUT))[0] == 2
    before = replace(NOTHING_ASKED, event=Event("the move", after=False))
    assert chosen(rank(pool, before, TODAY, 1, WEIGHTS, CUT))[0] == 0


def test_words_count_more_for_a_turn_than_for_a_note() -> None:
    asked = replace(NOTHING_ASKED, words=("clarinet",))
    note = said(pool_of([0.5, 0.5], lexical=[5.0, 0.0]), "Tom plays clarinet.", "Tom sings.")
    turn = replace(note, memories=tuple(m._replace(session_id="s") for m in note.memories))
    by_note = rank(note, asked, TODAY, 1, WEIGHTS, CUT).parts["words"]
    by_turn = rank(turn, asked, TODAY, 1, WEIGHTS, CUT).parts["words"]
    assert by_note.tolist() == pytest.approx([WEIGHTS.note_words, 0.0])
    assert by_turn.tolist() == pytest.approx([WEIGHTS.turn_words, 0.0])


def test_words_of_a_turn_count_less_where_they_cover_little_of_the_question() -> None:
    asked = replace(NOTHING_ASKED, words=("clarinet", "teacher"))
    pool = said(pool_of([0.5, 0.5], lexical=[5.0, 0.0]), "Tom plays clarinet.", "Tom sings.")
    [covered, _] = rank(pool, asked, TODAY, 1, WEIGHTS, CUT).parts["words"] / WEIGHTS.note_words
    turns = replace(pool, memories=tuple(m._replace(session_id="s") for m in pool.memories))
    [words, _] = rank(turns, asked, TODAY, 1, WEIGHTS, CUT).parts["words"]
    assert 0 < covered < 1
    assert words == pytest.approx(WEIGHTS.turn_words * covered**2)


def test_a_chat_whose_words_alone_meet_the_question_does_not_answer_it() -> None:
    asked = replace(NOTHING_ASKED, words=("cats",))
    told = said(pool_of([0.3, 0.2], lexical=[5.0, 0.0]), "Cats?", "Will do.")
    turns = replace(told, memories=tuple(m._replace(session_id="s") for m in told.memories))
    assert rank(turns, asked, TODAY, 1, WEIGHTS, CUT).relevance.max() < 0.5
    near = replace(turns, cosine=np.array([0.8, 0.2]))
    assert rank(near, asked, TODAY, 1, WEIGHTS, CUT).relevance[0] > 0.5


def test_min_similarity_may_leave_fewer_than_k() -> None:
    cut = replace(CUT, min_similarity=0.5)
    ranking = rank(pool_of([0.9, 0.5, 0.499, -1.0]), NOTHING_ASKED, TODAY, 1, WEIGHTS, cut)
    assert sorted(chosen(ranking)) == [0, 1]
    assert ranking.reasons[2] == "less similar than 0.5"


def test_min_similarity_may_leave_nothing() -> None:
    cut = replace(CUT, min_similarity=0.95)
    assert chosen(rank(pool_of([0.9, 0.8]), NOTHING_ASKED, TODAY, 1, WEIGHTS, cut)) == []


def test_min_similarity_stands_beside_min_relevance() -> None:
    cut = replace(CUT, k=2, min_similarity=-1.0, candidates=3)
    ranking = rank(pool_of([0.9, 0.05, 0.04]), NOTHING_ASKED, TODAY, 1, WEIGHTS, cut)
    assert ranking.reasons == {2: "ranked 3 of the 2 asked for"}


def test_only_the_best_candidates_are_compared_but_never_fewer_than_k() -> None:
    pool = pool_of([0.9, 0.89, 0.88, 0.87], q_value=[0.5, 0.5, 0.5, 1.0], q_count=[0, 0, 0, 99])
    few = rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, replace(CUT, k=2, candidates=3))
    assert 3 not in chosen(few)
    assert few.reasons[3] == "not among the best 3"
    all_of_them = rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, replace(CUT, k=4, candidates=1))
    assert chosen(all_of_them)[0] == 3


def test_a_learned_memory_outranks_a_more_similar_one() -> None:
    """*Memory Utility Learning System*: Q 0.95 at 0.70 stands above 0.90 with the default Q."""
    pool = pool_of(
        [0.90, 0.70, 0.6, 0.5, 0.4],
        q_value=[0.5, 0.95, 0.5, 0.5, 0.5],
        q_count=[0, 20, 0, 0, 0],
    )
    for cut in (CUT, LITERALLY):
        assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, cut))[:2] == [1, 0]


def test_two_alone_cancel_out_at_one_half_and_relevance_decides() -> None:
    """z-scores of two are ±1 whatever lies between them."""
    pool = pool_of([0.90, 0.70], q_value=[0.5, 0.95], q_count=[0, 20])
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, CUT)) == [0, 1]
    more = replace(CUT, utility_weight=0.51)
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, more)) == [1, 0]


def test_a_hair_of_q_among_twenty_does_not_win_the_pool() -> None:
    cosines = [0.9 - 0.01 * place for place in range(20)]
    values = [0.5] * 19 + [0.505]
    pool = pool_of(cosines, q_value=values, q_count=[0] * 19 + [1])
    everyone = CUT
    assert 19 not in chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, everyone))
    literally = replace(everyone, valuation=LITERALLY.valuation)
    literal = rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, literally)
    assert literal.parts["utility_z"][19] == pytest.approx(4.359, abs=1e-3)
    assert chosen(literal)[0] == 19


def test_at_weight_0_the_order_is_that_of_relevance_whatever_was_learned() -> None:
    pool = pool_of([0.5, 0.9, 0.7], q_value=[1.0, 0.0, 0.9], q_count=[9, 9, 9])
    cut = replace(CUT, utility_weight=0.0)
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, cut)) == [1, 2, 0]


def test_without_learning_q_moves_nothing() -> None:
    pool = pool_of([0.5, 0.9, 0.7], q_value=[1.0, 0.0, 0.9], q_count=[9, 9, 9])
    cut = replace(CUT, utility_weight=1.0, learn=False)
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, cut)) == [1, 2, 0]


def test_at_weight_1_only_q_counts() -> None:
    pool = pool_of([0.9, 0.8, 0.7], q_value=[0.1, 0.5, 0.9], q_count=[9, 9, 9])
    cut = replace(CUT, utility_weight=1.0)
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS, cut)) == [2, 1, 0]


def test_neighbours_gain_with_hops_and_not_without() -> None:
    pool = pool_of([0.9, 0.4, 0.41], edges=[(0, 1, "NEXT")])
    with_hops, _ = traversed(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS)
    without, parts = traversed(pool, NOTHING_ASKED, TODAY, 0, WEIGHTS)
    assert with_hops[1] > with_hops[2]
    assert without[1] < without[2]
    assert parts["neighbours"].tolist() == [0.0, 0.0, 0.0]


def test_an_edge_of_unknown_type_passes_nothing() -> None:
    pool = pool_of([0.9, 0.4, 0.41], edges=[(0, 1, "SURPRISED_BY")])
    relevance, _ = traversed(pool, NOTHING_ASKED, TODAY, 2, WEIGHTS)
    assert relevance[1] < relevance[2]


def test_a_useless_and_a_faded_memory_carry_little_on() -> None:
    edges = [(0, 1, "SIMILAR_TO")]
    fresh = pool_of([0.9, 0.2], edges=edges)
    useless = pool_of([0.9, 0.2], q_value=[0.0, 0.5], q_count=[50, 0], edges=edges)
    faded = replace(fresh, weight_day=np.array([TODAY - 400, TODAY]))

    def gained(pool: CandidatePool) -> float:
        return float(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT).parts["neighbours"][1])

    assert gained(useless) < 0.2 * gained(fresh)
    assert gained(faded) < 0.1 * gained(fresh)


def test_what_helped_fades_slower_and_a_raised_weight_carries_no_more_than_all() -> None:
    weights = replace(WEIGHTS, decay_rates={"episodic": 0.1}, utility_factors={"episodic": 0.3})
    pool = pool_of([0.9, 0.2], edges=[(0, 1, "SIMILAR_TO")])
    pool = replace(pool, memories=tuple(m._replace(stratum="episodic") for m in pool.memories))

    def gained(pool: CandidatePool, use: list[float] | None) -> float:
        given = None if use is None else np.array(use)
        parts = traversed(pool, NOTHING_ASKED, TODAY, 1, weights, given)[1]
        return float(parts["neighbours"][1] / parts["meaning"][0])

    old = replace(pool, weight_day=np.array([TODAY - 40, TODAY]))
    helped = replace(old, q_value=np.array([1.0, 0.5]))
    misled = replace(old, q_value=np.array([0.0, 0.5]))
    same = [1.0, 1.0]
    assert gained(misled, same) / gained(pool, same) == pytest.approx(np.exp(-1.0))
    assert gained(helped, same) / gained(pool, same) == pytest.approx(np.exp(-0.7))
    assert gained(helped, None) == gained(misled, None)
    assert gained(replace(pool, weight=np.array([2.0, 1.0])), same) == gained(pool, same)


def test_an_answer_gains_from_the_question_right_before_it() -> None:
    pool = said(pool_of([0.9, 0.3, 0.3], edges=[(0, 1, "NEXT")]), "Which dog?", "A pug.", "Hm.")
    relevance, _ = traversed(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS)
    plain, _ = traversed(said(pool, "A dog.", "A pug.", "Hm."), NOTHING_ASKED, TODAY, 1, WEIGHTS)
    assert relevance[1] > plain[1]


def test_a_named_speaker_lifts_what_was_said_by_them() -> None:
    pool = spoken(pool_of([0.5, 0.49]), "Caroline", "Melanie")
    asked = replace(NOTHING_ASKED, speakers=frozenset({"Melanie"}))
    assert chosen(rank(pool, asked, TODAY, 1, WEIGHTS, CUT)) == [1, 0]


def test_a_text_of_several_speakers_gains_by_the_share_of_its_lines() -> None:
    both = "Melanie: I paint.\nCaroline (7 May 2023): I sing."
    pool = said(pool_of([0.5, 0.5, 0.5]), "Bob: I paint.", both, "Melanie: I paint.")
    asked = replace(NOTHING_ASKED, speakers=frozenset({"Melanie"}))
    _, parts = traversed(pool, asked, TODAY, 1, WEIGHTS)
    most = parts["speaker"].max()
    assert most > 0
    assert parts["speaker"].tolist() == pytest.approx([0.0, most / 2, most])


def test_only_the_last_line_of_a_text_asks() -> None:
    pool = pool_of([0.9, 0.3], edges=[(0, 1, "NEXT")])
    asking, answered = "Ana: I slept.\nBen: Which dog?", "Ben: Which dog?\nAna: A pug."
    gained, _ = traversed(said(pool, asking, "A pug."), NOTHING_ASKED, TODAY, 1, WEIGHTS)
    plain, _ = traversed(said(pool, answered, "A pug."), NOTHING_ASKED, TODAY, 1, WEIGHTS)
    assert gained[1] > plain[1]


def test_a_memory_that_only_asks_loses_where_the_query_asks() -> None:
    pool = said(pool_of([0.51, 0.5]), "Which dog did Ada buy? ", "Ada bought a pug.")
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)) == [0, 1]
    asked = replace(NOTHING_ASKED, asks=True)
    ranking = rank(pool, asked, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [1, 0]
    assert ranking.parts["asking"].tolist() == pytest.approx([-0.1 * 0.51, 0.0])
    literal = replace(WEIGHTS, asking_loss=0.0)
    assert chosen(rank(pool, asked, TODAY, 1, literal, CUT)) == [0, 1]


def test_nothing_loses_more_than_it_has() -> None:
    pool = said(pool_of([0.5, 0.0]), "A pug.", "Which dog?")
    asked = replace(NOTHING_ASKED, asks=True)
    relevance, parts = traversed(pool, asked, TODAY, 1, WEIGHTS)
    assert relevance.tolist() == [0.5, 0.0]
    np.testing.assert_allclose(sum(parts.values()), relevance)


def test_a_near_memory_behind_the_cut_of_the_words_is_not_taken_to_share_none() -> None:
    pool = in_sessions(pool_of([0.6, 0.3, 0.1], lexical=[0.0, 4.0, 5.0]), "a", "b", "c")
    boats = tuple(each._replace(text="A boat.") for each in pool.memories)
    pool = replace(pool, memories=boats)
    asked = replace(NOTHING_ASKED, words=("boat",))
    flat = replace(WEIGHTS, session_gain=0.0)
    assert chosen(rank(pool, asked, TODAY, 1, flat, CUT)) == [2, 1, 0]
    cut_off = replace(pool, lexical_floor=4.0)
    assert chosen(rank(cut_off, asked, TODAY, 1, flat, CUT)) == [2, 1, 0]
    unseen = WEIGHTS.turn_words * WEIGHTS.unseen_share * 4.0 / 5.0
    assert rank(cut_off, asked, TODAY, 1, flat, CUT).parts["words"][0] == pytest.approx(unseen)
    literal = replace(flat, unseen_share=0.0)
    assert rank(cut_off, asked, TODAY, 1, literal, CUT).parts["words"][0] == 0


def test_who_asks_for_a_time_alone_is_told_what_happened_then() -> None:
    now = datetime.fromtimestamp(TODAY * 86_400, UTC)
    asked = understand("What happened yesterday?", (), now)
    pool = replace(pool_of([0.9, 0.3]), occurred_day=np.array([TODAY - 40, TODAY - 0.5]))
    assert chosen(rank(pool, asked, TODAY, 1, WEIGHTS, CUT)) == [1, 0]


def test_all_that_happened_at_a_time_answers_who_asks_for_it_alone() -> None:
    now = datetime.fromtimestamp(TODAY * 86_400, UTC)
    asked = understand("What happened yesterday?", (), now)
    pool = replace(pool_of([0.5, -0.2]), occurred_day=np.array([TODAY - 0.6, TODAY - 0.5]))
    assert rank(pool, asked, TODAY, 1, WEIGHTS, CUT).relevance.min() > 0.5


def test_who_asks_what_happened_at_a_place_does_not_mean_what_was_noted_before() -> None:
    now = datetime.fromtimestamp(TODAY * 86_400, UTC)
    pool = replace(pool_of([0.6, 0.5]), occurred_day=np.array([TODAY - 40, TODAY - 0.5]))
    happened = understand("What happened at the mill yesterday?", (), now)
    assert chosen(rank(pool, happened, TODAY, 1, WEIGHTS, CUT))[0] == 1
    assert rank(pool, happened, TODAY, 1, WEIGHTS, CUT).parts["date"][0] == 0


def test_a_month_of_last_year_is_of_no_other_year() -> None:
    asked = understand(
        "What happened in August of last year?", (), datetime(2026, 11, 30, tzinfo=UTC)
    )
    assert [named.year for named in asked.dates] == [2025]


def test_a_time_at_which_nothing_happened_is_answered_with_nothing() -> None:
    now = datetime.fromtimestamp(TODAY * 86_400, UTC)
    asked = understand("What happened yesterday?", (), now)
    for days in ([TODAY - 40, TODAY - 90], [TODAY - 2.5, TODAY - 90]):
        pool = replace(pool_of([0.9, 0.3]), occurred_day=np.array(days))
        assert rank(pool, asked, TODAY, 1, WEIGHTS, CUT).relevance.max() < 0.5


def test_a_bare_acknowledgement_stands_behind_what_it_acknowledges() -> None:
    pool = in_sessions(pool_of([0.6, 0.62]), "s", "s")
    texts = ("Is the party still on Saturday?", "Yes!")
    memories = tuple(m._replace(text=text) for m, text in zip(pool.memories, texts, strict=True))
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)) == [1, 0]
    pool = replace(pool, memories=memories)
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)) == [0, 1]


def test_a_named_date_lifts_what_happened_then() -> None:
    pool = replace(pool_of([0.5, 0.49]), occurred_day=np.array([TODAY - 90, TODAY]))
    asked = replace(NOTHING_ASKED, dates=(NamedDate(10, 4, 2024),))  # day 20,000 is 2024-10-04
    assert chosen(rank(pool, asked, TODAY, 1, WEIGHTS, CUT)) == [1, 0]


def test_the_best_session_lifts_its_memories() -> None:
    pool = in_sessions(pool_of([0.50, 0.49, 0.49]), "t", "s", "s")
    assert chosen(rank(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)) == [1, 2, 0]


def test_a_session_of_the_same_name_in_another_scope_is_another() -> None:
    pool = in_sessions(pool_of([0.5, 0.49, 0.49]), "t", "s", "s")
    first, second, third = pool.memories
    pool = replace(pool, memories=(first, second, third._replace(scope="local/agent/b")))
    relevance, _ = traversed(pool, NOTHING_ASKED, TODAY, 1, WEIGHTS)
    assert relevance[0] > relevance[1] == relevance[2]


def test_the_parts_add_up_to_the_strength() -> None:
    pool = spoken(
        pool_of([0.9, 0.4, 0.1], lexical=[0, 3, 1], edges=[(0, 1, "NEXT"), (1, 2, "USED")]),
        "A",
        "B",
        None,
    )
    pool = replace(pool, lexical_floor=1.0)
    asked = replace(
        NOTHING_ASKED, asks=True, speakers=frozenset({"B"}), dates=(NamedDate(10, None, None),)
    )
    relevance, parts = traversed(pool, asked, TODAY, 2, WEIGHTS)
    own = {"meaning", "words", "interference", "neighbours", "named", "asking", "read", "idle"}
    assert set(parts) == own | {"session", "speaker", "date", "latest", "replaced"}
    np.testing.assert_allclose(sum(parts.values()), relevance)


ASKED = understand("Who mixes the monitors?", ())


def in_doubt(pool: CandidatePool, asked: Question = ASKED) -> list[int]:
    ranking = rank(pool, asked, TODAY, 1, WEIGHTS, CUT)
    return doubtful(pool, asked, ranking, WEIGHTS).tolist()


@pytest.mark.parametrize(
    ("cosines", "read"),
    [
        ([0.55, 0.3, 0.2], [0, 1, 2]),
        ([0.95, 0.9, 0.2], [0, 1, 2]),
        ([0.95, 0.5, 0.2], []),
        ([0.2, 0.19, 0.1], []),
        ([], []),
    ],
    ids=["vague", "two are close", "clear", "nothing answers", "nothing there"],
)
def test_notes_are_read_where_the_answer_is_in_doubt(cosines: list[float], read: list[int]) -> None:
    assert in_doubt(pool_of(cosines)) == read


def test_of_a_chat_more_turns_are_read_where_the_answer_is_in_doubt() -> None:
    assert in_doubt(in_sessions(pool_of([0.55, 0.3, 0.2]), "s", "t", "t")) == [0, 1, 2]
    others = [0.1] * 9
    assert in_doubt(in_sessions(pool_of([0.72, 0.4, *others]), *["s"] * 11)) == []
    close = pool_of([0.7, 0.69, *others])
    assert len(in_doubt(close)) == WEIGHTS.read_notes
    assert len(in_doubt(in_sessions(close, *["s"] * 11))) == WEIGHTS.read_turns
    sure = pool_of([0.95, 0.94, *others])
    assert in_doubt(in_sessions(sure, *["s"] * 11)) == []


MIXED = in_sessions(pool_of([0.68, 0.2, 0.68, 0.5]), None, None, "s", "s")


def test_notes_rank_beside_turns_as_they_do_alone() -> None:
    alone = rank(pool_of([0.68, 0.2]), ASKED, TODAY, 1, WEIGHTS, CUT)
    beside = rank(MIXED, ASKED, TODAY, 1, WEIGHTS, CUT)
    assert beside.relevance[:2] == pytest.approx(alone.relevance)
    assert beside.parts["meaning"] == pytest.approx(
        [*alone.parts["meaning"], *beside.parts["meaning"][2:]]
    )


@pytest.mark.parametrize(("log_odds", "first"), [((3.0, -3.0), 0), ((-3.0, 3.0), 2)])
def test_reading_decides_between_the_best_note_and_the_best_turn(
    log_odds: tuple[float, float], first: int
) -> None:
    both = contested(MIXED, rank(MIXED, ASKED, TODAY, 1, WEIGHTS, CUT), ASKED, WEIGHTS)
    assert sorted(both.tolist()) == [0, 1, 2, 3]
    note, turn = log_odds
    read = Reading(np.array([note, -5.0, turn, turn]), in_doubt=np.array(False))
    ranking = ranking_of(MIXED, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read)
    assert chosen(ranking)[0] == first


def test_nothing_is_contested_where_only_notes_or_only_turns_were_found() -> None:
    for pool in (pool_of([0.6, 0.2]), in_sessions(pool_of([0.6, 0.2]), "s", "s")):
        ranking = rank(pool, ASKED, TODAY, 1, WEIGHTS, CUT)
        assert not len(contested(pool, ranking, ASKED, WEIGHTS))


def test_what_happened_at_a_time_is_told_by_notes_and_turns_alike() -> None:
    pool = replace(MIXED, occurred_day=np.full(4, TODAY - 1.0))
    yesterday = understand(
        "What happened yesterday?", (), datetime.fromtimestamp(TODAY * 86_400, UTC)
    )
    ranking = rank(pool, yesterday, TODAY, 1, WEIGHTS, replace(CUT, min_relevance=0.5))
    assert sorted(chosen(ranking)) == [0, 1, 2, 3]


def test_keywords_are_read_with_turns_only_if_none_seems_relevant() -> None:
    keywords = understand("monitors mixes", ())
    close = pool_of([0.72, 0.71, 0.1])
    assert in_doubt(close) == [0, 1, 2]
    turns = in_sessions(close, "s", "s", "s")
    assert (in_doubt(turns), in_doubt(turns, keywords)) == ([0, 1, 2], [])
    assert in_doubt(close, keywords) == [0, 1, 2]
    assert in_doubt(in_sessions(pool_of([0.55, 0.3, 0.2]), "s", "s", "s"), keywords) == [0, 1, 2]


def test_a_turn_is_read_with_its_speaker_and_the_question_before_it() -> None:
    plain = pool_of([0.5, 0.5, 0.5], edges=[(0, 1, "NEXT"), (1, 2, "NEXT")])
    texts = ["Which day suits you?", "Tuesday.", "Fine, see you."]
    spoken_by = zip(plain.memories, texts, ("Mira", "Tom", None), strict=True)
    turns = tuple(
        memory._replace(text=text, speaker=speaker, session_id="s")
        for memory, text, speaker in spoken_by
    )
    pool = replace(plain, memories=turns)
    assert [told(pool, place) for place in range(3)] == [
        "Mira: Which day suits you?",
        "Mira: Which day suits you?\nTom: Tuesday.",
        "Fine, see you.",
    ]
    noted = replace(pool, memories=tuple(each._replace(session_id=None) for each in turns))
    assert told(noted, 1) == "Tuesday."


class Answered:
    """Reader to whom a text answers as well as it was told."""

    def __init__(self, **answers: float) -> None:
        self.answers_by_text = answers

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        assert question == "What is Mira allergic to?"
        return np.array([self.answers_by_text.get(note, -6.0) for note in notes])

    def answers_instead(self, question: str, notes: Sequence[tuple[str, str]]) -> Floats:
        return self.answers(question, [f"{older} {newer}" for older, newer in notes])

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        raise AssertionError(pairs)

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        raise AssertionError(pairs)


def test_of_a_condensed_note_the_line_counts_that_answers_best() -> None:
    plain = pool_of([0.5, 0.5, 0.5])
    note = "Bot: Who packs?\nTom: Mira, she is allergic to latex.\nTom: It rains."
    texts = [note, note, "Mira likes tea."]
    memories = zip(plain.memories, texts, strict=True)
    pool = replace(plain, memories=tuple(each._replace(text=text) for each, text in memories))
    reader = Answered(**{"Mira, she is allergic to latex.": 3.0, note: -0.5})
    found = read(reader, pool, "What is Mira allergic to?", np.array([0, 1]), [0])
    assert found[:2].tolist() == [3.0, -0.5]
    assert math.isnan(found[2])


def test_of_a_long_note_the_lines_are_read_that_share_most_with_the_question() -> None:
    lines = [f"Nothing happened on day {day}." for day in range(30)]
    lines.insert(20, "Mira is allergic to latex.")
    plain = pool_of([0.5])
    pool = replace(plain, memories=(plain.memories[0]._replace(text="\n".join(lines)),))
    reader = Answered(**{"Mira is allergic to latex.": 2.0})
    assert read(reader, pool, "What is Mira allergic to?", np.array([0]), [0])[0] == 2.0


def test_a_turn_that_acknowledges_is_no_result() -> None:
    plain = in_sessions(pool_of([0.6, 0.6]), "s", "s")
    texts = zip(plain.memories, ("Hasse moves the clocks.", "Noted."), strict=True)
    pool = replace(plain, memories=tuple(each._replace(text=text) for each, text in texts))
    found = rank(pool, ASKED, TODAY, 1, WEIGHTS, replace(CUT, min_relevance=0.1))
    assert found.chosen.tolist() == [0]


def test_what_a_question_names_is_not_read() -> None:
    vague = pool_of([0.55, 0.3, 0.2])
    tagged = [
        memory._replace(tags=("monitors",) if i == 1 else ())
        for i, memory in enumerate(vague.memories)
    ]
    assert in_doubt(replace(vague, memories=tuple(tagged))) == []
    assert len(in_doubt(pool_of([0.55] * 9))) == WEIGHTS.read_notes
    assert in_doubt(vague, understand("Chi regola il suono sul palco?", ())) == []


def test_a_note_that_answers_comes_before_nearer_ones() -> None:
    pool = pool_of([0.55, 0.54, 0.5])
    read = Reading(np.array([-4.0, 1.5, np.nan]))
    ranking = ranking_of(pool, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)
    assert chosen(ranking)[0] == 1
    gains = ranking.parts["read"] / WEIGHTS.read_gain + WEIGHTS.read_middle
    np.testing.assert_allclose(
        gains, [-4, 1.5, -4]
    )  # what was not read counts as the least that was


def test_a_turn_that_answers_comes_first_and_one_that_does_not_is_no_answer() -> None:
    pool = in_sessions(pool_of([0.55, 0.54, 0.5]), "s", "s", "s")
    unread = rank(pool, ASKED, TODAY, 1, WEIGHTS, CUT)

    def ranked(*log_odds: float) -> Ranking:
        read = Reading(np.array(log_odds))
        return ranking_of(pool, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)

    answered = ranked(-4.0, 3.0, -4.0)
    assert chosen(answered)[0] == 1
    assert answered.relevance[1] > unread.relevance[0]
    assert ranked(-4.0, -4.0, -4.0).relevance.max() < unread.relevance[0]


def test_what_replaces_a_note_stays_before_it_however_well_the_old_one_answers() -> None:
    pool = pool_of([0.55, 0.54], edges=[(1, 0, "SUPERSEDES")])
    read = Reading(np.array([3.0, 2.0]))
    ranking = ranking_of(pool, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)
    assert chosen(ranking) == [1, 0]


HAMBURG_THEN_BERLIN = replace(
    pool_of([0.9, 0.5, 0.7], edges=[(1, 0, "MAY_SUPERSEDE")]),
    occurred_day=np.array([TODAY - 30, TODAY, TODAY]),
)


def in_succession(pool: CandidatePool, asked: Question = ASKED) -> list[int]:
    ranking = rank(pool, asked, TODAY, 1, WEIGHTS, CUT)
    return succeeding(pool, asked, ranking, WEIGHTS).tolist()


def test_the_first_result_is_read_with_what_may_replace_it() -> None:
    assert in_succession(HAMBURG_THEN_BERLIN) == [0, 1]
    assert in_succession(HAMBURG_THEN_BERLIN, replace(ASKED, former=True)) == []
    assert (
        in_succession(HAMBURG_THEN_BERLIN, understand("Dove abita la famiglia adesso?", ())) == []
    )
    at_once = replace(HAMBURG_THEN_BERLIN, occurred_day=np.full(3, TODAY))
    assert in_succession(at_once) == []
    assert in_succession(pool_of([0.9, 0.5])) == []
    assert in_succession(in_sessions(HAMBURG_THEN_BERLIN, None, "s", None)) == []
    tagged = [
        memory._replace(tags=("monitors",) if i == 0 else ())
        for i, memory in enumerate(HAMBURG_THEN_BERLIN.memories)
    ]
    assert in_succession(replace(HAMBURG_THEN_BERLIN, memories=tuple(tagged))) == []


@pytest.mark.parametrize(
    ("log_odds", "first"), [((2.0, 1.5), 1), ((2.0, 0.5), 0), ((2.0, math.nan), 0)]
)
def test_of_two_that_both_answer_the_newer_comes_first(
    log_odds: tuple[float, float], first: int
) -> None:
    read = Reading(np.array([*log_odds, math.nan]), in_doubt=np.array(False))
    ranking = ranking_of(
        HAMBURG_THEN_BERLIN, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read
    )
    assert chosen(ranking)[0] == first
    assert not ranking.parts["read"].any()
    assert (ranking.parts["replaced"][1] > 0) == (first == 1)


def texted(pool: CandidatePool, *texts: str) -> CandidatePool:
    memories = [m._replace(text=text) for m, text in zip(pool.memories, texts, strict=True)]
    return replace(pool, memories=tuple(memories))


@pytest.mark.parametrize(("asked_now", "first"), [((-0.2, 3.8), 1), ((-0.2, 0.7), 0), (None, 0)])
def test_the_newer_comes_first_where_it_alone_answers_what_holds_now(
    asked_now: tuple[float, float] | None, first: int
) -> None:
    now = None if asked_now is None else np.array([*asked_now, math.nan])
    read = Reading(np.array([2.7, -2.7, math.nan]), now, in_doubt=np.array(False))
    ranking = ranking_of(
        HAMBURG_THEN_BERLIN, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read
    )
    assert chosen(ranking)[0] == first


@pytest.mark.parametrize(
    ("asked_now", "share"), [((2.7, 0.1), WEIGHTS.replaced_share), ((2.7, -0.5), 0.0), (None, 0.0)]
)
def test_a_newer_note_that_may_hold_now_comes_beside_the_older(
    asked_now: tuple[float, float] | None, share: float
) -> None:
    pool = replace(
        pool_of([0.9, 0.2, 0.7], edges=[(1, 0, "MAY_SUPERSEDE")]),
        occurred_day=HAMBURG_THEN_BERLIN.occurred_day,
    )
    now = None if asked_now is None else np.array([*asked_now, math.nan])
    read = Reading(np.array([2.7, -4.0, math.nan]), now, in_doubt=np.array(False))
    ranking = ranking_of(pool, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)
    parts = ranking.parts["replaced"]
    assert chosen(ranking)[0] == 0
    assert (parts[1] > 0) == (share > 0)
    assert parts[0] == parts[2] == 0


@pytest.mark.parametrize(
    ("asked_now", "first"), [((-0.4, 0.9), 1), ((1.5, 0.9), 0), ((-2.0, -0.1), 0), (None, 0)]
)
def test_of_notes_that_share_words_the_newer_comes_first_that_alone_holds_now(
    asked_now: tuple[float, float] | None, first: int
) -> None:
    days = np.array([TODAY - 30, TODAY, TODAY])
    pool = replace(pool_of([0.8, 0.65, 0.2]), occurred_day=days)
    alike = texted(pool, "Luca's number is 0151.", "Luca Ferrante's number is 0170.", "Bread.")
    other = texted(pool, "Luca's number is 0151.", "Greta teaches the violin.", "Bread.")
    asked = replace(ASKED, text="What number do I text Luca on?")
    assert in_succession(alike, asked) == [0, 1]
    assert in_succession(other, asked) == []
    assert in_succession(in_sessions(alike, "s", "s", None), asked) == []
    assert in_succession(alike, replace(asked, text="Luca number")) == []
    now = None if asked_now is None else np.array([*asked_now, math.nan])
    read = Reading(np.array([2.0, 1.9, math.nan]), now, in_doubt=np.array(False))
    ranking = ranking_of(alike, RankingQuery(asked, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)
    assert chosen(ranking)[0] == first


def rivalling(pool: CandidatePool, asked: Question = ASKED) -> list[list[int]]:
    ranking = rank(pool, asked, TODAY, 1, WEIGHTS, CUT)
    return rivals(pool, asked, ranking, WEIGHTS).tolist()


def test_the_first_result_is_read_with_newer_notes() -> None:
    assert rivalling(HAMBURG_THEN_BERLIN) == [[1, 0], [2, 0]]
    assert rivalling(HAMBURG_THEN_BERLIN, replace(ASKED, former=True)) == []
    assert rivalling(HAMBURG_THEN_BERLIN, replace(ASKED, phrased=False)) == []
    assert rivalling(HAMBURG_THEN_BERLIN, understand("Dove abita la famiglia adesso?", ())) == []
    at_once = replace(HAMBURG_THEN_BERLIN, occurred_day=np.full(3, TODAY))
    assert rivalling(at_once) == []
    assert rivalling(in_sessions(HAMBURG_THEN_BERLIN, None, "s", None)) == [[2, 0]]
    assert rivalling(in_sessions(HAMBURG_THEN_BERLIN, "s", None, None)) == []
    tagged = [
        memory._replace(tags=("monitors",) if i == 0 else ())
        for i, memory in enumerate(HAMBURG_THEN_BERLIN.memories)
    ]
    assert rivalling(replace(HAMBURG_THEN_BERLIN, memories=tuple(tagged))) == []
    nothing = rank(HAMBURG_THEN_BERLIN, ASKED, TODAY, 1, WEIGHTS, replace(CUT, min_relevance=1.0))
    assert rivals(HAMBURG_THEN_BERLIN, ASKED, nothing, WEIGHTS).tolist() == []


@pytest.mark.parametrize(
    ("first", "second", "third", "read"),
    [
        ("strategy", "strategy", "strategy", []),
        ("observation", "strategy", "preference", [[2, 0]]),
        ("strategy", "observation", "observation", []),
    ],
)
def test_only_facts_are_read_in_place_of_facts(
    first: str, second: str, third: str, read: list[list[int]]
) -> None:
    kinds = (first, second, third)
    memories = [
        memory._replace(kind=kind)
        for memory, kind in zip(HAMBURG_THEN_BERLIN.memories, kinds, strict=True)
    ]
    assert rivalling(replace(HAMBURG_THEN_BERLIN, memories=tuple(memories))) == read


def test_of_many_the_nearest_and_those_that_may_replace_it_are_read() -> None:
    pool = replace(
        pool_of([0.9, *[0.8] * 7, 0.1], edges=[(8, 0, "MAY_SUPERSEDE")]),
        occurred_day=np.array([TODAY - 30, *[TODAY] * 8]),
    )
    assert rivalling(pool) == [[newer, 0] for newer in (1, 2, 3, 4, 5, 6, 8)]


def ranked_with(pool: CandidatePool, **taken: float) -> Ranking:
    """Rank with log-odds that notes take over from the first, by place: ``n1=0.5``."""
    pairs = np.array([[int(name[1:]), 0] for name in taken], dtype=np.int64).reshape(-1, 2)
    unread = np.full(len(pool), math.nan)
    read = Reading(
        unread, in_doubt=np.array(False), rivals=pairs, instead=np.array(list(taken.values()))
    )
    return ranking_of(pool, RankingQuery(ASKED, TODAY, 1, WEIGHTS, SCALE), CUT, read=read)


@pytest.mark.parametrize(
    ("taken", "first"),
    [
        ({"n1": 0.5}, 1),
        ({"n1": -0.5}, 0),
        ({"n1": 0.5, "n2": 1.5}, 2),
        ({"n1": 1.5, "n2": 0.5}, 1),
        ({}, 0),
    ],
)
def test_the_newer_note_comes_first_that_most_surely_answers_in_place_of_the_first(
    taken: dict[str, float], first: int
) -> None:
    ranking = ranked_with(HAMBURG_THEN_BERLIN, **taken)
    assert chosen(ranking)[0] == first
    assert not ranking.parts["read"].any()


@pytest.mark.parametrize("below", [0.1, -0.1])
def test_a_newer_note_that_may_hold_comes_beside_the_first(below: float) -> None:
    days = HAMBURG_THEN_BERLIN.occurred_day
    pool = replace(pool_of([0.9, 0.2, 0.7]), occurred_day=days)
    ranking = ranked_with(pool, n1=WEIGHTS.succession_beside + below)
    parts = ranking.parts["replaced"]
    assert chosen(ranking)[0] == 0
    assert (parts[1] > 0) == (below > 0)
    assert parts[0] == parts[2] == 0


def test_a_newer_note_is_judged_by_itself_and_by_the_two_together() -> None:
    pool = replace(pool_of([0.9, 0.6]), occurred_day=np.array([TODAY - 30, TODAY]))
    pool = texted(pool, "Peanuts.", "Latex, not peanuts.")
    reader = Answered(**{"Latex, not peanuts.": 1.0, "Peanuts. Latex, not peanuts.": 3.0})
    question, pairs, relevance = (
        "What is Mira allergic to?",
        np.array([[1, 0]]),
        np.array([0.8, 0.4]),
    )
    found = read_rivals(reader, pool, question, pairs, None, relevance, WEIGHTS)
    offset, together, newer, older, ratio = WEIGHTS.succession
    assert found.instead == pytest.approx([offset + 3 * together + newer + 6 * older + ratio / 2])
    assert not found.in_doubt.any()
    known = Reading(np.array([2.0, math.nan]))
    again = read_rivals(reader, pool, question, pairs, known, relevance, WEIGHTS)
    assert again.in_doubt.all()
    assert again.instead == pytest.approx(found.instead - 8 * older)


def test_what_was_before_comes_first_where_it_is_asked_for() -> None:
    pool = replace(
        pool_of([0.5, 0.9, 0.7], edges=[(1, 0, "SUPERSEDES")]),
        occurred_day=np.array([TODAY - 30, TODAY, TODAY]),
    )
    before = understand("Where did the family live before?", (), datetime(2026, 6, 2, tzinfo=UTC))
    assert chosen(rank(pool, before, TODAY, 1, WEIGHTS, CUT))[0] == 0
    since = replace(before, earlier=False)
    assert chosen(rank(pool, since, TODAY, 1, WEIGHTS, CUT))[0] == 1


def test_of_siblings_the_one_that_is_named_comes_first() -> None:
    pool = replace(
        pool_of([0.72, 0.6], edges=[(1, 0, "SUPERSEDES")]),
        occurred_day=np.array([TODAY - 30, TODAY]),
    )
    sister = texted(pool, "Tom's sister lives in Oslo.", "Tom's brother lives in Bergen.")
    moved = texted(pool, "Tom's sister lives in Oslo.", "Tom and family moved to Bergen.")
    asked = understand("Where does Tom's sister live?", ())
    assert chosen(rank(sister, asked, TODAY, 1, WEIGHTS, CUT)) == [0, 1]
    assert chosen(rank(moved, asked, TODAY, 1, WEIGHTS, CUT)) == [1, 0]


@pytest.mark.parametrize("text", ["Thanks!", "Hello", "yes", "why?", "And then?"])
def test_nothing_answers_small_talk(text: str) -> None:
    pool = pool_of([0.9, 0.5])
    ranking = rank(pool, understand(text, ()), TODAY, 1, WEIGHTS, CUT)
    assert not ranking.relevance.any()


def test_a_time_since_an_event_says_nothing_of_what_is_asked_for() -> None:
    pool = texted(pool_of([0.5, 0.45]), "The band is called Ferries.", "Ingrid joined.")
    plain = replace(ASKED, text="Which drummer did we have?")
    since = replace(plain, event=Event("Ingrid joined", after=False))
    told, timed = (rank(pool, asked, TODAY, 1, WEIGHTS, CUT) for asked in (plain, since))
    assert timed.relevance.max() <= told.relevance.max() + 1e-9


def test_a_question_without_a_tag_needs_more_where_each_memory_has_its_own() -> None:
    plain = pool_of([0.6, 0.3, 0.2])
    own = [m._replace(tags=(f"name {i}", "shared")) for i, m in enumerate(plain.memories)]
    shared = [m._replace(tags=("shared",)) for m in plain.memories]
    best = [
        rank(replace(plain, memories=tuple(memories)), ASKED, TODAY, 1, WEIGHTS, CUT).relevance[0]
        for memories in (plain.memories, shared, own)
    ]
    assert best[0] == best[1] > best[2]


def test_everything_that_is_not_chosen_is_in_the_rest_with_a_reason() -> None:
    cosines = [0.9 - 0.03 * place for place in range(30)]
    ranking = rank(pool_of(cosines), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    rest = ranking.rest.tolist()
    assert sorted(chosen(ranking) + rest) == list(range(30))
    assert set(ranking.reasons) == set(rest)


def test_equals_come_in_the_order_of_the_pool() -> None:
    ranking = rank(pool_of([0.5, 0.5, 0.5]), NOTHING_ASKED, TODAY, 1, WEIGHTS, CUT)
    assert chosen(ranking) == [0, 1, 2]


def test_of_newer_notes_the_nearest_to_the_question_may_supersede() -> None:
    edges = [(newer, 0, "SUPERSEDES") for newer in (1, 2)]
    pool = replace(
        pool_of([0.9, 0.6, 0.2], edges=edges),
        occurred_day=np.array([TODAY - 30, TODAY - 2, TODAY]),
    )
    assert may_supersede(pool) == {pool.uids[0]: pool.uids[1]}
    assert may_supersede(in_sessions(pool, "s", "s", "s")) == {}
