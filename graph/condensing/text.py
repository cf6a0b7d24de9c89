"""Condensing of several texts to a shorter one of whole sentences, with the source of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

import numpy as np

from graph.condensing.acts import is_decision, is_idle, is_reaction
from graph.condensing.answering import is_bare, is_little, lacks_subject, presupposed
from graph.condensing.antecedents import heading
from graph.condensing.claims import claims
from graph.condensing.facts import (
    capitalised,
    content_words,
    dates,
    form,
    negated,
    numbers,
    overlap,
)
from graph.condensing.layout import characters_told, written
from graph.condensing.model import Condensed, Level, Piece, Source
from graph.condensing.recurring import Recurrence, recurring
from graph.condensing.references import (
    begins_with_somebody,
    completes,
    continues,
    echoes,
    is_about_somebody,
    is_fragment,
    lacks_context,
    leaves_out,
    names_others,
    points_back,
    with_a_name,
)
from graph.condensing.reversals import reversed_choices
from graph.condensing.sentences import repeats, worth_keeping
from graph.condensing.turns import Kinds, Sentence, follows, is_fact, kinds, read, speakers_of
from graph.phrases.changes import OTHER_VALUE

Replaces = Callable[[Sentence, Sentence], bool]

MOST_SENTENCES = 100
"""More are not weighed against each other: of what comes after, sentences with a fact stay."""

_SHORT = 80
_SEEN = (
    20  # latest sentences with a word that are compared, so that a frequent word costs no square
)
_OVER = re.compile(
    r"\b(?:did|was|were|had|could|would)(?:n['’]t| not| never)\b|\bnever \w+ed\b", re.IGNORECASE
)
_RECURS = re.compile(
    r"\b(?:every|each|jede[nrs]?) (?:\w+ )?(?:day|night|morning|noon|evening|week|weekend|month|quarter|year|season|spring|summer|autumn|winter"
    r"|tag|abend|woche|monat|jahr|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b"
    r"|\bon (?:\w+ )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends)\b|\b(?:daily|weekly|monthly|yearly|annually)\b",
    re.IGNORECASE,
)
_EXCLAMATION = 3  # words
_COMMENTS = 0.3  # of what a statement of the same words tells
_SIDES = 2  # speakers of a conversation


def condense(
    sources: Sequence[Source],
    level: Level,
    *,
    share: float | None = None,
    replaces: Replaces | None = None,
    outdated: frozenset[tuple[int, str]] = frozenset(),
) -> Condensed:
    """Make one text of several, from sentences as they were said.

    Greetings, thanks and answered questions go, and what the same speaker said already that day. Sentences with a
    fact stay where the level keeps them; of the others those that tell most, as long as all that stays is no more
    than ``share`` of the text. One short text stays as it is, and no text of one source becomes longer.

    Parameters
    ----------
    sources
        Memories in the order in which they are to be told.
    level
        Rules of the stratum that the text is for.
    share
        Share of the text in [0, 1]; that of the level without one.
    replaces
        Says of a later and an earlier sentence whether the later one replaces what the earlier says. What is
        replaced stays out of statements and profiles.
    outdated
        Sentences, each with the place of its source, that another text replaces; they stay out as well. In an episode
        these, and choices that are taken back, stay among what was said.

    Raises
    ------
    ValueError
        If the share lies outside [0, 1].
    """
    share = level.kept_share if share is None else share
    if not 0 <= share <= 1:
        raise ValueError(f"a share must lie in [0, 1], not {share}")
    if len(sources) == 1 and len(sources[0].text) <= _SHORT:  # also where it is NaN
        return _as_it_is(sources[0])
    rows = read(sources)
    sorts, over = kinds(rows), _over(rows, outdated)
    # beyond a hundred, comparing all pairs takes too long
    same = repeats([row.text for row in rows[:MOST_SENTENCES]], [row.whose for row in rows])
    out = {*sorts.dropped, *same}
    if level.form in {"statements", "profile"}:
        out |= _no_statements(rows, out, sorts, over, level, replaces)
    again = _again(rows, out) if level.form == "profile" else []
    # of what happened on several days one sentence stays, with the days
    out |= {place for each in again for place in each.places if place != each.place}
    order = sorted(_kept(rows, out, sorts, level, share, sources) | {each.place for each in again})
    days = {order.index(each.place): each.days for each in again}
    named = heading(sources, rows, order)
    stays = [rows[place] for place in order]
    write = partial(written, sources, stays, _marks(order, sorts, over), again=days, named=named)
    text, plain = write(level.form), write("turns")
    if len(sources) == 1 and len(text) >= len(sources[0].text):
        return _as_it_is(sources[0])
    pieces = tuple(_piece(rows, place, same) for place in order)
    clear = named is not None and _begins_clear(stays)
    return Condensed(text, pieces, characters_told(sources, rows), plain, clear)


def outdated(
    clusters: Sequence[Sequence[Source]], replaces: Replaces, least: float
) -> list[frozenset[tuple[int, str]]]:
    """Return, for each of several texts to be, the sentences that a later one of another text replaces or takes back.

    By ``replaces``, only sentences of the same speaker are compared that share two content words, and whose ``overlap``
    is at ``least`` so much. Choices are taken back by any speaker.
    """
    rows = [(place, row) for place, sources in enumerate(clusters) for row in read(sources)]
    # without a day nobody knows which of two is later
    rows = [(place, row) for place, row in rows if row.day is not None and not row.asks]
    # by the time of the source within a day: a topic that came back has turns before and after others
    rows.sort(
        key=lambda each: (each[1].day or date.min, _seconds(clusters[each[0]][each[1].source]))
    )
    with_word: dict[tuple[str | None, str], list[int]] = {}
    words = [content_words(row.text) for _, row in rows]
    found: list[set[tuple[int, str]]] = [set() for _ in clusters]
    for index, (place, later) in enumerate(rows):
        keys = [(later.speaker, word) for word in words[index]]
        # the latest alone: a word that stands everywhere would compare all with all
        shared = Counter(each for key in keys for each in with_word.get(key, ())[-_SEEN:])
        for each, count in shared.items():
            other, earlier = rows[each]
            near = count > 1 and other != place and overlap(words[index], words[each]) >= least
            # the rules are dear, so words come first
            if near and replaces(later, earlier):
                found[other].add((earlier.source, earlier.text))
        for key in keys:
            with_word.setdefault(key, []).append(index)
    for index in reversed_choices([row for _, row in rows]):
        place, row = rows[index]
        found[place].add((row.source, row.text))
    return [frozenset(each) for each in found]


def _seconds(source: Source) -> float:
    return source.at.timestamp() if source.at else 0.0


def _over(rows: Sequence[Sentence], outdated: frozenset[tuple[int, str]]) -> set[int]:
    """Return the places of outdated sentences and of choices that are taken back."""
    found = {place for place, row in enumerate(rows) if (row.source, row.text) in outdated}
    return found | _taken_back(rows)


def _taken_back(rows: Sequence[Sentence]) -> set[int]:
    """Return choices that a later sentence takes back, with what goes on from them."""
    taken = reversed_choices(rows[:MOST_SENTENCES])
    return taken | {
        place for place in range(len(rows)) if not taken.isdisjoint(_before(rows, place))
    }


def _as_it_is(source: Source) -> Condensed:
    return Condensed(source.text, (Piece(0, source.text),), len(source.text), source.text)


def _begins_clear(rows: Sequence[Sentence]) -> bool:
    """Return whether a text does not begin without its verb or subject: *Nele would*, *Ordered*, *Not on Friday*."""
    lacking = (leaves_out, lacks_subject, is_fragment)
    # *Is that recent?* only looks as if it had no subject
    return not any(lacks(row.text) for row in rows[:1] if not row.asks for lacks in lacking)


def _again(rows: Sequence[Sentence], out: set[int]) -> list[Recurrence]:
    """Return what was told on several days; what was left out as said before counts for its day too."""
    left = [place for place in range(min(len(rows), MOST_SENTENCES)) if not rows[place].asks]
    return [each for each in recurring(rows, left) if each.place not in out]


def _no_statements(
    rows: Sequence[Sentence],
    dropped: set[int],
    sorts: Kinds,
    over: set[int],
    level: Level,
    replaces: Replaces | None,
) -> set[int]:
    """Return what is no statement, and what is taken back or replaced, with the questions for it."""
    out = _unstated(rows, sorts, level) | over | _asked_for(over, sorts)
    return out if replaces is None else out | _replaced(rows, dropped | out, replaces)


def _unstated(rows: Sequence[Sentence], sorts: Kinds, level: Level) -> set[int]:
    """Return what is no statement: open questions, comments, and in a profile what says nothing without another."""
    told_by_asking = {place for place in sorts.open if presupposed(rows[place].text)}
    out = {*sorts.open - told_by_asking, *_comments(rows, sorts), *_lone_phrases(rows, sorts)}
    if level.form == "profile":
        out |= _idle_pairs(rows, sorts)
        told = [place for place in range(len(rows)) if place not in sorts.paired]
        out |= {place for place in told if _lacks_subject(rows, place, out)}
    return out


def _idle_pairs(rows: Sequence[Sentence], sorts: Kinds) -> set[int]:
    """Return questions and answers of which neither half may hold for good.

    What goes on from an answer counts with it.
    """
    speakers = speakers_of(rows)
    called = _called(rows, speakers)
    lasting = {place for place, row in enumerate(rows) if _lasts(row, speakers, called)}
    lasting |= {before for place in lasting for before in _before(rows, place)}
    told = (pair for pair in sorts.pairs if not lasting.isdisjoint(pair))
    # a pair stays whole if one of its halves may hold for good
    return set(sorts.paired).difference(*told)


def _lacks_subject(rows: Sequence[Sentence], place: int, out: set[int]) -> bool:
    """Say whether a sentence needs one that is not there: nobody could tell who *he* is, or what *I can't* is about."""
    before = _before(rows, place)
    before += [place - 1] if place and is_fragment(rows[place].text) else []
    first = rows[min([place, *before])].text
    return bool(out & set(before)) or lacks_context(first)


def _lone_phrases(rows: Sequence[Sentence], sorts: Kinds) -> set[int]:
    """Return phrases that begin a turn of a conversation and say nothing without the turn before: *Two, both blue*."""
    if len(speakers_of(rows)) < _SIDES:
        return set()
    return {
        place
        for place, row in enumerate(rows)
        if place not in sorts.paired
        and (place == 0 or rows[place - 1].turn != row.turn)
        and is_little(row.text)
        and not is_decision(row.text)
        and not _leaned_on(rows, place)
    }


def _leaned_on(rows: Sequence[Sentence], place: int) -> bool:
    return place + 1 < len(rows) and place in _before(rows, place + 1)


def _comments(rows: Sequence[Sentence], sorts: Kinds) -> set[int]:
    """Return what comments on the words of others, without a number or a name."""
    speakers = speakers_of(rows)
    return {
        place
        for place, row in enumerate(rows)
        if place not in sorts.paired
        and is_reaction(row.text)
        and not numbers(row.text)
        and not names_others(row.text, speakers)
    }


def _replaced(rows: Sequence[Sentence], out: set[int], replaces: Replaces) -> set[int]:
    stated = [
        place
        for place, row in enumerate(rows[:MOST_SENTENCES])
        if place not in out and not row.asks
    ]
    return {
        earlier
        for index, earlier in enumerate(stated)
        if any(
            rows[later].speaker == rows[earlier].speaker and replaces(rows[later], rows[earlier])
            for later in stated[index + 1 :]
        )
    }


def _kept(
    rows: Sequence[Sentence],
    out: set[int],
    sorts: Kinds,
    level: Level,
    share: float,
    sources: Sequence[Source],
) -> set[int]:
    speakers = speakers_of(rows)
    called = _called(rows, speakers)
    left = [place for place in range(len(rows)) if place not in out]
    sure = {place for place in left if _stays(rows[place], speakers, called, level)}
    # in an episode an open question is worth keeping: somebody waits for it
    if level.sure == "facts":
        sure |= {place for place in left if place in sorts.paired or place in sorts.open}
    # facts are never cut: the share is for what is none
    room = share * sum(len(row.text) for row in rows) - sum(len(rows[place].text) for place in sure)
    weighed = [place for place in left if place < MOST_SENTENCES]
    if sure.issuperset(weighed):
        return _with_context(rows, sure, sorts, out)
    chosen = [(rows[place].whose, content_words(rows[place].text)) for place in sure]
    for place in _by_worth(rows, weighed, sources):
        words = content_words(rows[place].text)
        repeated = any(
            whose == rows[place].whose and len(words & other) > level.alike * len(words)
            for whose, other in chosen
        )
        if place in sure or repeated or len(rows[place].text) > room:
            continue
        sure.add(place)
        chosen.append((rows[place].whose, words))
        room -= len(rows[place].text)
    # something stays, or the text would be empty
    if not sure and left:
        sure = set(_by_worth(rows, weighed, sources)[:1])
    return _with_context(rows, sure, sorts, out)


def _with_context(
    rows: Sequence[Sentence], kept: set[int], sorts: Kinds, out: set[int]
) -> set[int]:
    """Add the sentences without which kept ones say nothing: what *she* stands for, and the question of an answer."""
    speakers = speakers_of(rows)
    needed = (_before, _taken_up, _commented)
    before = {each for place in kept for find in needed for each in find(rows, place)}
    before |= {each for place in kept for each in _introduced(rows, place, speakers)}
    # what was dropped stays so, but a question that its answer needs comes back
    kept = kept | {place for place in before if place not in out or rows[place].asks}
    kept |= {place for place in _completed(rows, kept) if place not in out}
    return kept | (_partners(kept, sorts) - out)


def _taken_up(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the sentence of the other speaker to which *it* refers: *Clever! It is long.* of a bench."""
    first = min([place, *_before(rows, place)])
    begins = all(is_idle(row.text) or _exclaims(row.text) for row in rows[first:place])
    if not (first and begins and points_back(rows[place].text)):
        return []
    before = rows[first - 1]
    return [] if before.asks or before.speaker == rows[place].speaker else [first - 1]


def _commented(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the sentence that a fragment, a question without a verb, or a reply that repeats a word stands behind."""
    if not place:
        return []
    row, before = rows[place], rows[place - 1]
    replies = before.speaker != row.speaker and echoes(before.text, row.text)
    # *I need you for the move. Monday at 8:30?*
    proposes = row.asks and bool(numbers(row.text) or dates(row.text))
    asks = proposes and before.turn == row.turn and is_bare(row.text.rstrip("?"))
    return [place - 1] if replies or asks or is_fragment(row.text) else []


def _completed(rows: Sequence[Sentence], kept: set[int]) -> list[int]:
    """Return the replies that end the kept sentence right before them: *Ida is allergic*, *To rabbits*."""
    after = (place + 1 for place in kept if place + 1 < len(rows))
    return [
        place
        for place in after
        if rows[place - 1].turn != rows[place].turn and completes(rows[place].text)
    ]


def _introduced(rows: Sequence[Sentence], place: int, speakers: frozenset[str]) -> list[int]:
    """Return the nearest earlier sentence that begins with whom *he* or *her* may stand for, else the one before.

    Without it *he* would be whoever else is named right before.
    """
    first = min([place, *_before(rows, place)])
    if not is_about_somebody(rows[first].text):
        return []
    earlier = range(first - 1, max(first - _SEEN, 0) - 1, -1)
    found = [each for each in earlier if begins_with_somebody(rows[each].text, speakers)]
    return [*found, *earlier][:1]


def _exclaims(text: str) -> bool:
    return text.endswith("!") and len(text.split()) <= _EXCLAMATION


def _stays(row: Sentence, speakers: frozenset[str], called: frozenset[str], level: Level) -> bool:
    if level.sure == "lasting":
        return _lasts(row, speakers, called)
    return is_fact(row, speakers, called)


def _called(rows: Sequence[Sentence], speakers: frozenset[str]) -> frozenset[str]:
    """Return the names that stand within a sentence, so that they are known where they begin one."""
    return frozenset(form(name) for row in rows for name in names_others(row.text, speakers))


def _lasts(row: Sentence, speakers: frozenset[str], called: frozenset[str]) -> bool:
    """Say whether what a sentence tells may hold for good: a claim, a lasting denial, a habit, a name, or a change of a number."""
    text = presupposed(row.text) if row.asks else row.text
    return bool(text) and bool(
        claims(with_a_name(text), row.speaker)
        or _forbids(text)
        or _recurs(text)
        or names_others(text, speakers)
        or capitalised(text.partition(" ")[0]) & called
        or (OTHER_VALUE.search(text) and (numbers(text) or dates(text)))
    )


def _forbids(text: str) -> bool:
    """Say whether a sentence denies something for good; what did not happen is over."""
    # *She did not come* is over, *no nuts for her* holds
    return any(not _OVER.search(clause) for clause in negated(text))


def _recurs(text: str) -> bool:
    """Say whether a sentence tells what is done again and again: *print the list every Friday*."""
    return _RECURS.search(text) is not None and not _OVER.search(text)


def _before(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the sentences that one goes on from with *she* or *it*, of the same speaker, the nearest first."""
    found: list[int] = []
    while place > 0 and continues(rows[place].text) and follows(rows[place - 1], rows[place]):
        place -= 1
        found.append(place)
    return found


def _asked_for(answers: set[int], sorts: Kinds) -> set[int]:
    """Return the questions that have no other answers."""
    others = {asked for asked, answer in sorts.pairs if answer not in answers}
    return {asked for asked, answer in sorts.pairs if answer in answers} - others


def _partners(kept: set[int], sorts: Kinds) -> set[int]:
    """Return the other half of each question that stays with its answer."""
    found: set[int] = set()
    more = set(kept)
    # pairs chain: an answer may be the question of the next
    while more:
        told = (pair for pair in sorts.pairs if not more.isdisjoint(pair))
        more = {place for pair in told for place in pair} - found
        found |= more
    return found


def _by_worth(
    rows: Sequence[Sentence], places: Sequence[int], sources: Sequence[Source]
) -> list[int]:
    """Order sentences by what they tell for their length, those of weighty sources first."""
    if len(places) < 2:
        return list(places)
    weights = np.array(
        [
            sources[rows[place].source].weight
            * (_COMMENTS if is_reaction(rows[place].text) else 1.0)
            for place in places
        ]
    )
    order = worth_keeping([rows[place].text for place in places], weights)
    return [places[index] for index in order]


def _piece(rows: Sequence[Sentence], place: int, same: dict[int, int]) -> Piece:
    row = rows[place]
    also = {rows[later].source for later, earlier in same.items() if earlier == place}
    return Piece(row.source, row.text, tuple(sorted(also - {row.source})))


def _marks(order: Sequence[int], sorts: Kinds, over: set[int]) -> Sequence[str]:
    """Say of each kept sentence whether it is taken back, agreed on, open, half of another pair, or neither."""
    named = (
        ("over", over),
        ("decided", sorts.agreed),
        ("open", sorts.open),
        ("paired", sorts.paired),
    )
    return [next((name for name, places in named if place in places), "") for place in order]
