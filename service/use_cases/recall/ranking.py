"""Ranking of a pool of candidates by the scoring core, with explanations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from graph.condensing.acts import is_idle
from graph.condensing.facts import capitalised
from graph.kernel.values import Floats, Ints, Stratum
from graph.model.recall.candidates import CandidatePool, Recallable
from graph.questions.content import content_words, stems, text_stems, written_words
from graph.questions.words import is_foreign
from graph.replacing.statements import statement
from graph.scoring.relevance import (
    Flags,
    answered_anew,
    answering,
    brought_forward,
    confidence,
    interference,
    matched_words,
    meaning,
    named_by,
    nearness_in_time,
    put_behind,
    rarity,
    session_strength,
    with_unseen,
)
from graph.scoring.retention import decay_rates, decay_weight, slowed
from graph.scoring.spreading import answers_gain, spread
from graph.scoring.utility import best_first
from graph.scoring.weights import RankingWeights
from service.use_cases.recall.meaning import Scale
from service.use_cases.recall.question import Question, asks
from service.use_cases.recall.reading import Reading, is_turn
from service.use_cases.utility.worth import Valuation, Worth

# a tenth of a second, in days: an event does not lie after itself
_MOMENT = 1e-6  # days
_FEW_WORDS = 3
_READ_TOGETHER = 600  # characters of two notes; of longer ones the newer would be cut off
_BRIEF = 40  # characters of a turn that may say nothing; longer ones are not looked at
_AT_THE_TIME = 0.6  # least relevance of what happened at the time that alone is asked for
_OUTSIDE = 0.5  # of the nearness to a time: what lies beside it did not happen then
_FEW = 5  # candidates of which half may have a tag of their own by chance
NOTHING = np.zeros(0, dtype=np.int64)
_NO_PAIRS = np.zeros((0, 2), dtype=np.int64)
RULES: tuple[Stratum, ...] = ("semantic", "long_term")
"""Strata of what holds in general: few of its words are those of a goal that it bears on."""
# the only kinds that interfere (ADR 44): an attempt takes nothing from another
_FACTS = ("observation", "preference", "insight")


@dataclass(frozen=True, slots=True)
class Cut:
    """Limits of a recall's answer; ``min_relevance`` is absolute, in [0, 1]; ``rules_relevance`` is that of rules, if lower.

    ``utility_weight`` is λ; at 0, as without ``learn``, no Q says anything anywhere.
    """

    k: int
    candidates: int
    min_relevance: float
    min_similarity: float | None
    utility_weight: float
    learn: bool
    valuation: Valuation = field(default_factory=Valuation)
    rules_relevance: float | None = None

    @property
    def by_utility(self) -> bool:
        """Return whether what was learned counts."""
        return self.learn and self.utility_weight > 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order of a pool: ``chosen`` are the results, ``rest`` follows by relevance."""

    chosen: Ints
    rest: Ints
    relevance: Floats
    score: Floats
    worth: Worth
    parts: Mapping[str, Floats]
    reasons: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class RankingQuery:
    """Query of a ranking: the question, the day since 1970 that it is asked on, hops, weights, and the scale of cosines."""

    question: Question
    now_day: float
    hops: int
    weights: RankingWeights
    scale: Scale


def _covered(pool: CandidatePool, question: Question) -> float:
    """Return the greatest share of the question's words, by rarity, that one candidate holds."""
    asked = sorted(stems(question.words))
    if not asked or not len(pool):
        return 0.0
    # with tags: the full-text arm finds a memory by them, too (ADR 69)
    texts = [text_stems(memory.text, memory.tags) for memory in pool.memories]
    holds = np.array([[term in text for term in asked] for text in texts], dtype=np.bool_)
    # by rarity: a word that every candidate has covers little of the question
    weight = rarity(holds)
    return min(1.0, float((holds @ weight).max() / weight.sum()))


def traversed_strength(
    pool: CandidatePool, query: RankingQuery, use: Floats | None = None, read: Reading | None = None
) -> tuple[Floats, dict[str, Floats]]:
    """Return the strength of a pool after traversal, shape ``(n,)``, ``>= 0``, and its parts.

    ``use`` is what each memory is worth of what is neutral; without it all are worth the same.
    """
    question, hops, weights, scale = query.question, query.hops, query.weights, query.scale
    near = meaning(pool.cosine, unrelated=scale.unrelated, related=scale.related)
    words = _shared_words(pool, question, weights)
    windows = _windows(pool, question)
    # at most what a memory has by itself: strengths stay above zero
    lost = np.minimum(_interfered(pool, question, near + words, windows, weights), near + words)
    own = near + words - lost
    carry = _left(pool, query.now_day, weights, by_utility=use is not None)
    if use is not None:
        carry = carry * use
    typed = np.array([weights.edge_weights.get(kind, 0.0) for kind in pool.edge_types])
    neighbours = spread(own, carry, pool.edges, typed, gains=weights.hop_gains[:hops])
    # along NEXT alone: another edge does not lead from a question to its answer
    follows = np.array([kind == "NEXT" for kind in pool.edge_types], dtype=np.bool_)
    asking = np.array([_ends_asking(memory) for memory in pool.memories], dtype=np.bool_)
    gain = weights.answer_gain if hops else 0.0
    answers = gain * answers_gain(own, carry, pool.edges, follows, asking)
    # speaker, date and losses are shares of the best: strengths have no fixed height
    best = float((own + neighbours + answers).max(initial=0.0))
    named = np.array([_spoken_by(question.speakers, memory) for memory in pool.memories])
    sessions = session_strength(own, _session_numbers(pool), best=weights.session_best)
    parts = {
        "meaning": near,
        "words": words,
        # not −lost: an explanation would show −0.0
        "interference": 0.0 - lost,
        "neighbours": neighbours + answers,
        "session": best * weights.session_gain * sessions,
        "named": weights.named_gain * _tagged(pool, question),
        "speaker": best * weights.speaker_gain * named,
        "date": best * _date_gain(question, weights) * _in_time(pool, question, windows, weights),
        "latest": best * weights.latest_gain * _lateness(pool, question),
    }
    total = np.maximum(np.sum(list(parts.values()), axis=0), 0.0)
    parts["asking"] = 0.0 - best * _asking_loss(pool, question, total, weights)
    # before what replaces what: read afterwards, updates came first in .61 instead of .72 (ADR 72)
    parts["read"] = _read_change(pool, total + parts["asking"], read, weights)
    strength = np.maximum(total + parts["asking"] + parts["read"], 0.0)
    # the whole strength: as long as it was half, *Noted.* was a result (ADR 86)
    parts["idle"] = 0.0 - _idle_turns(pool) * strength
    strength = strength + parts["idle"]
    succeeded = _succeeded(pool, question, strength, parts["named"], read, weights)
    parts["replaced"] = succeeded - strength
    return succeeded, parts


def _succeeded(
    pool: CandidatePool,
    question: Question,
    strength: Floats,
    named: Floats,
    read: Reading | None,
    weights: RankingWeights,
) -> Floats:
    """Order what replaces and what is replaced, in part or not for sure: the newer first, unless the past is asked for."""
    # for a time alone, or an earlier one, what held then is wanted, whatever replaced it since
    if question.about_time or (question.former and not question.earlier):
        return strength
    pairs = _successions(pool, question, named, weights)
    # *Where did Henrik live before?*: the older comes first if it answers half as well (ADR 84)
    if question.earlier:
        newer, older = pairs[:, 0], pairs[:, 1]
        close = strength[older] >= weights.former_share * strength[newer]
        return brought_forward(strength, pairs[close][:, ::-1])
    if read is not None:
        strength = brought_forward(strength, _answering_anew(pool, pairs, read, weights))
    # only sure edges: half of MAY_SUPERSEDE joins notes that share no more than a name (ADR 84)
    edges = edges_of(pool, "SUPERSEDES")
    edges = edges[~_told_apart(pool, question, edges, weights)]
    strength = put_behind(strength, edges, share=weights.replaced_share)
    # last: what comes beside the older one must not put it behind (ADR 88)
    beside = _holding_beside(pairs, read, weights)
    strength = brought_forward(strength, beside, share=weights.replaced_share)
    return strength if read is None else _instead(strength, read, weights)


def _instead(strength: Floats, read: Reading, weights: RankingWeights) -> Floats:
    """Bring the surest rival before the first result, if it answers in its place, and beside it those that may (ADR 91)."""
    best = np.argsort(-read.instead)[:1]
    strength = brought_forward(strength, read.rivals[best[read.instead[best] > 0]])
    may = read.rivals[read.instead > weights.succession_beside]
    return brought_forward(strength, may, share=weights.replaced_share)


def _answering_anew(
    pool: CandidatePool, pairs: Ints, read: Reading, weights: RankingWeights
) -> Ints:
    """Return the rows (newer, older) of which the newer answers in place of the older, by what was read."""
    unread = np.full(len(pool), np.nan)
    asked_now = unread if read.asked_now is None else read.asked_now
    replaced = answered_anew(
        read.log_odds, asked_now, pairs, share=weights.read_share, lead=weights.read_lead
    )
    alike = _alike(pool, np.flatnonzero(~np.isnan(asked_now)), weights)
    # by what holds now alone: as the question stands, notes that share words often both answer it (ADR 87)
    newer_holds = answered_anew(unread, asked_now, alike, share=weights.read_share, lead=0.0)
    return np.concatenate([pairs[replaced], alike[newer_holds]])


def _holding_beside(pairs: Ints, read: Reading | None, weights: RankingWeights) -> Ints:
    """Return the rows (newer, older) of which the newer may hold now, without a sign that it does."""
    if read is None or read.asked_now is None:
        return pairs[:0]
    newer, older = read.asked_now[pairs[:, 0]], read.asked_now[pairs[:, 1]]
    return pairs[newer >= older - weights.beside]


def edges_of(pool: CandidatePool, *kinds: str) -> Ints:
    """Return the edges of a pool of some types, rows ``(from, to)``."""
    return pool.edges[[kind in kinds for kind in pool.edge_types]].reshape(-1, 2)


def _successions(
    pool: CandidatePool, question: Question, named: Floats, weights: RankingWeights
) -> Ints:
    """Return the rows (newer, older) of notes of which one may replace the other, if the question names both as well."""
    pairs = edges_of(pool, "SUPERSEDES", "MAY_SUPERSEDE")
    newer, older = pairs[:, 0], pairs[:, 1]
    # of two equal times neither is the newer
    later = pool.occurred_day[newer] > pool.occurred_day[older]
    turns = _in_session(pool)
    # a tag of the older alone means the older (ADR 74); with turns LoCoMo lost .004 (ADR 74)
    kept = later & (named[newer] >= named[older]) & ~(turns[newer] | turns[older])
    return pairs[kept & ~_told_apart(pool, question, pairs, weights)]


def _alike(pool: CandidatePool, places: Ints, weights: RankingWeights) -> Ints:
    """Return the rows (newer, older) of notes among some that share words, so that the newer may tell what holds now."""
    notes = [int(place) for place in places if _states_a_fact(pool.memories[int(place)])]
    words = {place: text_stems(pool.memories[place].text) for place in notes}
    days = pool.occurred_day
    rows = [
        (newer, older)
        for newer in notes
        for older in notes
        if days[newer] > days[older] and _overlap(words[newer], words[older]) >= weights.alike
    ]
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def _told_apart(
    pool: CandidatePool, question: Question, pairs: Ints, weights: RankingWeights
) -> Flags:
    """Tell which rows (newer, older) are siblings, of which the question names the older by a word of its own.

    They say much the same and the newer tells no change: *Tom's sister lives in Oslo*, *Tom's brother lives in Bergen*.
    """
    if question.earlier:
        return np.zeros(len(pairs), dtype=np.bool_)
    asked = stems(question.words)

    def is_sibling(newer: int, older: int) -> bool:
        text = pool.memories[newer].text
        new, old = text_stems(text), text_stems(pool.memories[older].text)
        # a word that only the older has: that one is asked for
        named = not (old & asked) <= new
        # A plain word, such as *brother*: a name alone is what a change gives.
        instead = new - old - stems(capitalised(text))
        alike = _overlap(new, old) >= weights.siblings
        return named and alike and bool(instead) and not statement(text).changes

    return np.array([is_sibling(newer, older) for newer, older in pairs.tolist()], dtype=np.bool_)


def _read_change(
    pool: CandidatePool, strength: Floats, read: Reading | None, weights: RankingWeights
) -> Floats:
    """Return what reading changes of the strength of a pool; that of turns lies on a scale of its own in each pool."""
    if read is None or not read.in_doubt.any():
        return np.zeros(len(pool))
    best = float(strength.max(initial=0.0))
    notes = answering(
        read.log_odds,
        gain=weights.read_gain,
        middle=weights.read_middle,
        limits=weights.read_limits,
    )
    turns = best * _turns_answering(read, weights.read_turn_gain, weights)
    # reading takes at most what there is
    return np.maximum(np.where(_in_session(pool), turns, notes), -strength)


def _turns_answering(read: Reading, gain: float, weights: RankingWeights) -> Floats:
    return answering(
        read.log_odds,
        gain=gain,
        middle=weights.read_turn_middle,
        limits=weights.read_turn_limits,
    )


def doubtful(
    pool: CandidatePool, question: Question, ranking: Ranking, weights: RankingWeights
) -> Ints:
    """Return the best candidates of a pool if reading them may change the answer, else none.

    It may where the best is neither clearly relevant nor clearly not, and where the second is close to it, unless keywords
    are looked for in turns, many of which hold them. What a question names by a tag, and what happened at a time, needs no
    reading; the reader knows English alone.
    """
    if not len(pool) or not question.is_read or ranking.parts["named"].any():
        return NOTHING
    groups = (_doubtful(pool, question, ranking, places, weights) for places in groups_of(pool))
    return np.concatenate(list(groups))


def _doubtful(
    pool: CandidatePool, question: Question, ranking: Ranking, places: Ints, weights: RankingWeights
) -> Ints:
    """Return the best notes or the best turns, if reading them may change the answer, else none."""
    order = places[best_first(ranking.relevance[places], pool.cosine[places])]
    in_turns, relevance = is_turn(pool, order[0]), ranking.relevance[order]
    close = (question.phrased or not in_turns) and _is_close(relevance, weights, turns=in_turns)
    # 0.25 to 0.75, or a close second: elsewhere reading seldom changes the answer (ADR 72, 78)
    doubted = relevance[0] >= weights.read_unlikely and (relevance[0] <= weights.read_sure or close)
    if not doubted:
        return NOTHING
    return order[: weights.read_turns if in_turns else weights.read_notes]


def _is_close(relevance: Floats, weights: RankingWeights, *, turns: bool) -> bool:
    """Tell whether the second of two or more relevances, best first, leaves it in doubt which is the best."""
    sure, share = (
        (weights.read_turn_sure, weights.read_turn_close) if turns else (1.0, weights.read_close)
    )
    return len(relevance) > 1 and relevance[0] <= sure and relevance[1] >= share * relevance[0]


def succeeding(
    pool: CandidatePool, question: Question, ranking: Ranking, weights: RankingWeights
) -> Ints:
    """Return the first result and the notes that may tell what holds now in its place, if there are any, else none.

    Such notes may replace it, or share words with it and are nearly as relevant.
    """
    if not len(ranking.chosen) or question.former or question.about_time:
        return NOTHING
    first = int(ranking.chosen[0])
    pairs = _successions(pool, question, ranking.parts["named"], weights)
    newer = pairs[pairs[:, 1] == first, 0]
    if question.asking_now:
        newer = np.union1d(newer, _alike_to(first, pool, ranking, weights))
    if not len(newer) or is_foreign(question.text):
        return NOTHING
    nearest = newer[best_first(ranking.relevance[newer], pool.cosine[newer])]
    return np.array([first, *nearest[: weights.read_notes - 1]], dtype=np.int64)


def _alike_to(first: int, pool: CandidatePool, ranking: Ranking, weights: RankingWeights) -> Ints:
    """Return the newer notes that share words with the first result, of those that are nearly as relevant."""
    best = best_first(ranking.relevance, pool.cosine)[: weights.read_notes + 1]
    near = best[ranking.relevance[best] >= weights.alike_relevance]
    named = ranking.parts["named"]
    # a tag of the first alone means the first, as with what may replace it (ADR 74)
    near = near[named[near] >= named[first]]
    alike = _alike(pool, np.union1d(near, [first]), weights)
    return alike[alike[:, 1] == first, 0]


def paired(
    pool: CandidatePool, question: Question, ranking: Ranking, among: Ints, weights: RankingWeights
) -> Ints:
    """Return the notes among some of which one may replace another, or share words with it, in order of place."""
    known = _successions(pool, question, ranking.parts["named"], weights)
    return np.union1d(np.intersect1d(among, known), _alike(pool, among, weights))


def rivals(
    pool: CandidatePool, question: Question, ranking: Ranking, weights: RankingWeights
) -> Ints:
    """Return the rows (newer, first result) of notes that may answer in place of the first result.

    They may replace it, or are among the most relevant, and all state facts. None where the past is asked for, for keywords, or
    in another language.
    """
    timed = question.former or question.about_time
    if not len(ranking.chosen) or timed or not question.phrased:
        return _NO_PAIRS
    first, named = int(ranking.chosen[0]), ranking.parts["named"]
    relevance = ranking.relevance
    memories = pool.memories
    # what to do is chosen by its outcomes: of two strategies the newer is not the better
    if not _states_a_fact(memories[first]) or relevance[first] <= 0 or is_foreign(question.text):
        return _NO_PAIRS
    known = edges_of(pool, "SUPERSEDES", "MAY_SUPERSEDE")
    best = best_first(relevance, pool.cosine)[: weights.read_notes]
    newer = np.union1d(best, known[known[:, 1] == first, 0])
    # of two equal times neither is the newer; a tag of the first alone means the first (ADR 74)
    later = pool.occurred_day[newer] > pool.occurred_day[first]
    longest = _READ_TOGETHER - len(memories[first].text)
    near = [memories[int(place)] for place in newer]
    facts = [_states_a_fact(memory) and len(memory.text) <= longest for memory in near]
    newer = newer[later & (named[newer] >= named[first]) & np.array(facts, dtype=np.bool_)]
    pairs = np.column_stack([newer, np.full(len(newer), first)])
    return pairs[~_told_apart(pool, question, pairs, weights)]


def _idle_turns(pool: CandidatePool) -> Flags:
    """Tell which turns greet, thank or acknowledge and are no result: what stands before them says what was meant."""
    return np.array(
        [
            memory.session_id is not None and len(memory.text) <= _BRIEF and is_idle(memory.text)
            for memory in pool.memories
        ],
        dtype=np.bool_,
    )


def _ends_asking(memory: Recallable) -> bool:
    # two looks: most texts have no question mark at all, and are not split
    return "?" in memory.text and "?" in memory.text.rpartition("\n")[2]


def _spoken_by(speakers: frozenset[str], memory: Recallable) -> float:
    """Return the share of a memory that some speakers said: 0 or 1, or that of its lines where it has several."""
    if memory.speaker is not None or not speakers:
        return float(memory.speaker in speakers)
    lines = memory.text.split("\n")
    heads = tuple(f"{name}{end}" for name in speakers for end in (": ", " ("))
    return sum(line.startswith(heads) for line in lines) / len(lines)


def _tagged(pool: CandidatePool, question: Question) -> Floats:
    """Return how well each candidate is told from the others by tags that the question says."""
    asked = stems(question.words)
    tags = [frozenset(chain(*map(_tag_stems, memory.tags))) for memory in pool.memories]
    said = sorted({tag for each in tags for tag in each if tag and tag <= asked}, key=sorted)
    holds = [[tag in each for tag in said] for each in tags]
    return named_by(np.array(holds, dtype=np.bool_).reshape(len(pool), len(said)))


def _tag_stems(tag: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of a tag in English and as it is written: a question in English may say *Büro*."""
    # *team_lead* is said as *team lead*
    said = tag.replace("_", " ")
    return text_stems(said), stems(written_words(said))


def _shared_words(pool: CandidatePool, question: Question, weights: RankingWeights) -> Floats:
    """Return what the words count that each candidate shares with the question."""
    # the arm was cut off: what it did not return shares words all the same, at most as many (ADR
    # 14)
    lexical = with_unseen(pool.lexical, pool.lexical_floor, share=weights.unseen_share)
    turns, covered = _share_of_turns(pool), _covered(pool, question)
    # Some turn of a chat always has a word of the question: turns that cover little of it tell still less.
    covered *= 1.0 - turns + turns * covered
    return _words_weight(pool, weights) * matched_words(lexical, covered=covered)


def _share_of_turns(pool: CandidatePool) -> float:
    return float(_in_session(pool).mean()) if len(pool) else 0.0


def _words_weight(pool: CandidatePool, weights: RankingWeights) -> float:
    # One weight for the whole pool: else a turn outranks the note that says just what is asked.
    turns = _share_of_turns(pool)
    return weights.note_words + turns * (weights.turn_words - weights.note_words)


def _interfered(
    pool: CandidatePool,
    question: Question,
    strength: Floats,
    windows: Sequence[tuple[float, float]],
    weights: RankingWeights,
) -> Floats:
    """Return what the strongest notes lose to newer ones; turns and attempts do not interfere.

    What came after the times that are asked for takes nothing: it did not hold yet. What the question
    repeats word for word loses to its own like alone.
    """
    lost = np.zeros(len(pool))
    last = max((end for _, end in windows), default=np.inf)
    # the strongest twelve alone, as every pair of them is compared (ADR 44)
    first = best_first(strength, pool.cosine)[: weights.interfering]
    notes = [
        i
        for i in map(int, first)
        if _states_a_fact(pool.memories[i]) and pool.occurred_day[i] < last
    ]
    if len(notes) < 2:
        return lost
    memories = [pool.memories[i] for i in notes]
    asked = stems(question.words)
    repeats = [text_stems(memory.text) == asked for memory in memories]
    # *costs 3 euros* and *costs 4 euros* say the same of the same: numbers are what changes
    texts = [_without_numbers(text_stems(memory.text)) for memory in memories]

    def shared(a: int, b: int) -> float:
        # what one owner noted takes nothing from what another did
        apart = a == b or memories[a].scope != memories[b].scope
        return 0.0 if apart or repeats[a] > repeats[b] else _overlap(texts[a], texts[b])

    every = range(len(notes))
    overlap = np.array([[shared(a, b) for b in every] for a in every])
    lost[notes] = interference(
        overlap,
        pool.occurred_day[notes],
        least=weights.interference_least,
        gain=weights.interference_gain,
        most=weights.interference_most,
    )
    return lost


def _states_a_fact(memory: Recallable) -> bool:
    return memory.session_id is None and memory.kind in _FACTS


def _without_numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if not word[0].isdigit())


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the overlap coefficient of two sets of words; one of a word or two overlaps little."""
    return len(one & other) / max(_FEW_WORDS, min(len(one), len(other)))


def _windows(pool: CandidatePool, question: Question) -> list[tuple[float, float]]:
    """Return the spans of days that a question asks about."""
    return [*question.windows, *_since_event(pool, question)]


def _date_gain(question: Question, weights: RankingWeights) -> float:
    return weights.date_gain * (weights.time_alone if question.about_time else 1.0)


def _in_time(
    pool: CandidatePool,
    question: Question,
    windows: Sequence[tuple[float, float]],
    weights: RankingWeights,
) -> Floats:
    """Return how well each candidate fits the times that a question names, in [0, 1].

    What was noted before a time may have held then; what came after it did not. Who asks what happened at a
    time means what happened then alone: its words are near whatever names the month.
    """
    days = pool.occurred_day
    fits = np.zeros(len(pool))
    held = 0.0 if question.about_event else weights.held_share
    for start, end in windows:
        inside = (days >= start) & (days < end)
        fits = np.maximum(fits, np.where(inside, 1.0, held * (days < start)))
    if (fits == 1.0).any():
        return fits
    # Nothing is of the year that was meant: then of any year, the nearer the better.
    near = nearness_in_time(days, question.spans(days), scale_days=weights.date_scale_days)
    return np.maximum(fits, near)


def _since_event(pool: CandidatePool, question: Question) -> list[tuple[float, float]]:
    """Return the days after or before the event that a question names, where a candidate tells of it."""
    event = question.event
    named = stems(content_words(event.text)) if event else frozenset[str]()
    if event is None or not named:
        return []
    shared = np.array([len(named & text_stems(memory.text)) for memory in pool.memories])
    if not shared.any():
        return []
    # the candidate that shares most words with the event tells when it was
    told = pool.occurred_day[int(best_first(shared.astype(np.float64), pool.cosine)[0])]
    return [(told + _MOMENT, np.inf)] if event.after else [(-np.inf, told)]


def _lateness(pool: CandidatePool, question: Question) -> Floats:
    """Return where between the oldest and the newest each candidate lies, if the latest is asked for."""
    days = pool.occurred_day
    if not question.latest or not len(days) or days.max() <= days.min():
        return np.zeros(len(pool))
    return (days - days.min()) / (days.max() - days.min())


def groups_of(pool: CandidatePool) -> list[Ints]:
    """Return the places of the notes and those of the turns of a pool, or of all where there are only such."""
    turns = _in_session(pool)
    if turns.all() or not turns.any():
        return [np.arange(len(pool))]
    return [np.flatnonzero(~turns), np.flatnonzero(turns)]


def relevance_of(
    pool: CandidatePool,
    question: Question,
    strength: Floats,
    parts: Mapping[str, Floats],
    weights: RankingWeights,
    read: Reading | None = None,
) -> Floats:
    """Return the absolute relevance of a pool, shape ``(n,)``, each in [0, 1].

    That of the best is the confidence that the question is answered at all; that it says the name of a memory,
    which ``parts["named"]`` is of its strength, speaks for that only in part, and what stands around a turn not at all.
    Notes fall behind the best with their distance in strength; turns, which only say much together, with its ratio.
    """
    peak = float(strength.max(initial=0.0))
    if peak <= 0 or question.idle:
        return np.zeros(len(pool))
    named, turns = parts["named"], _in_session(pool)
    fits = np.zeros(len(pool))
    if question.about_time:
        fits = _in_time(pool, question, _windows(pool, question), weights)
        best = float(fits.max(initial=0.0))
        # a time at which nothing happened is answered with nothing (ADR 81)
        sure = 1.0 if best == 1.0 else _OUTSIDE * best
    else:
        alone = np.where(turns, _told_by_turns(pool, parts, read, weights), strength)
        # What happened since an event is most of a store: it says nothing of what is asked for.
        timely = parts["date"] if question.event is not None else 0.0
        # a name counts a quarter: questions that nothing answers say names just as often (ADR 69)
        answers = float((alone - timely - (1.0 - weights.named_answers) * named).max())
        middle = weights.strength_middle
        # who means one of many named things mostly says its name (ADR 74)
        if not named.any():
            middle += weights.unnamed_loss * _distinctly_tagged(pool)
        sure = confidence(answers, middle=middle, slope=weights.strength_slope)
    # by distance, not by ratio: 2.6 results a question instead of 2.9 (ADR 64)
    notes = np.where(strength > 0, np.exp(-weights.note_falloff * (peak - strength)), 0.0)
    # all of the time that alone is asked for answers; what they say only orders them
    notes = np.where(fits == 1.0, _AT_THE_TIME + (1.0 - _AT_THE_TIME) * notes, notes)
    return sure * np.where(turns, (strength / peak) ** weights.turn_falloff, notes)


def _told_by_turns(
    pool: CandidatePool, parts: Mapping[str, Floats], read: Reading | None, weights: RankingWeights
) -> Floats:
    """Return the strength of turns as if each were a note that stands alone; one that was not read may still answer."""
    # at the weight of notes: so it tells answered questions at an AUC of .97, by strength at .78
    # (ADR 75)
    words = parts["words"] * (weights.note_words / _words_weight(pool, weights))
    alone = parts["meaning"] + words + parts["named"] + parts["date"] + weights.turn_brevity
    if read is None or not read.in_doubt.any():
        return alone
    changes = _turns_answering(read, weights.read_turn_answers, weights)
    return alone + np.where(np.isnan(read.log_odds), 0.0, changes)


def _distinctly_tagged(pool: CandidatePool) -> float:
    """Return the share of candidates with a tag that no other has: whoever asks for one of those mostly says it.

    Of few candidates each has such a tag by chance.
    """
    tags = Counter(tag for memory in pool.memories for tag in set(memory.tags))
    distinct = sum(any(tags[tag] == 1 for tag in memory.tags) for memory in pool.memories)
    return distinct / (len(pool) + _FEW)


def _in_session(pool: CandidatePool) -> Flags:
    return np.array([memory.session_id is not None for memory in pool.memories], dtype=np.bool_)


def _asking_loss(
    pool: CandidatePool, question: Question, relevance: Floats, weights: RankingWeights
) -> Floats:
    """Return what memories lose that ask what the query asks: it looks for what answers."""
    if not question.asks:
        return np.zeros(len(pool))
    asking = np.array([asks(memory.text) for memory in pool.memories], dtype=np.bool_)
    return np.where(asking, np.minimum(weights.asking_loss, relevance), 0.0)


def _session_numbers(pool: CandidatePool) -> Ints:
    numbers: dict[tuple[str, str], int] = {}
    return np.array(
        [
            # −1: outside sessions each memory stands for itself
            numbers.setdefault((m.scope, m.session_id), len(numbers)) if m.session_id else -1
            for m in pool.memories
        ],
        dtype=np.int64,
    )


def _left(
    pool: CandidatePool, now_day: float, weights: RankingWeights, *, by_utility: bool
) -> Floats:
    """Share of its relevance that each memory passes on: what is left of it, at most all."""
    base = np.array([weights.decay_rates.get(m.stratum, 0.0) for m in pool.memories])
    importance, accesses = (
        column.astype(np.float64) for column in (pool.importance, pool.access_count)
    )
    rates = decay_rates(base, importance, accesses)
    if by_utility:
        spared = np.array([weights.utility_factors.get(m.stratum, 0.0) for m in pool.memories])
        rates = slowed(rates, np.clip(pool.q_value, 0.0, 1.0), spared)
    # rewards lift a weight up to 2, and a neighbour must not get more than there is (ADR 30)
    return np.minimum(decay_weight(pool.weight, now_day - pool.weight_day, rates), 1.0)
