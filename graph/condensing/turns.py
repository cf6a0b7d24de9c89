"""Sentences of several memories in order: their speakers, kinds, and pairs of question and answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile

from graph.condensing.acts import (
    CLAUSE_END,
    NO_REFUSAL,
    SOCIAL_WORDS,
    SUFFICIENT_WORDS,
    is_decision,
    is_question,
    is_reaction,
    straightened,
    tells_nothing,
)
from graph.condensing.answering import (
    FINITE,
    accepts,
    adds_facts,
    is_bare,
    is_phrase,
    lacks_subject,
    requests,
    states_event,
)
from graph.condensing.claims import claims
from graph.condensing.facts import (
    CALENDAR_NAMES,
    capitalised,
    content_words,
    counts,
    dates,
    form,
    names,
    negated,
    numbers,
)
from graph.condensing.model import Source
from graph.condensing.references import (
    LEAVES_OUT,
    OBJECT_PRONOUN,
    SMALL_TALK,
    is_about_him,
    names_others,
    points_back,
    with_a_name,
)
from graph.condensing.sentences import sentences, spoken

EPISODE, DECIDED, OPEN, SAID, ABOUT = "Episode", "Decided:", "Open:", "Said:", "About"
AGAIN, NAMED = "Told on", "Named before:"
_HEADS = 2  # lines, title and names
# the headings of a condensed text are no statements when it is condensed again
_HEAD = re.compile(
    rf"^(?:{EPISODE}(?: of [^:]{{1,80}})?(?: \([^)]*\))?: |{DECIDED}$|{OPEN}$|{SAID}$|{ABOUT} [^:]{{1,80}}:$|{AGAIN} \d+ days from [^:]{{1,60}}:$|{NAMED} )"
)
_NO_ANSWER = re.compile(
    r"^(?:i (?:don't|do not) know|(?:i'm |i am )?not sure|no idea|i have no idea|we'll see|let me (?:check|think|see)|i'll (?:check|think about it)"
    r"|hard to say|weiß (?:ich )?nicht|keine ahnung)\b",
    re.IGNORECASE,
)
# *renting two from Nebula*: the noun is in the question
_BARE_COUNT = re.compile(
    r"\w{3}ing (?:two|three|four|five|six|both)(?=$| (?:from|in|at|on|with|if|now|today|tomorrow|too)\b)",
    re.IGNORECASE,
)
# only a yes: what was agreed to becomes a decision
_YES = re.compile(
    r"^(?:yes|yeah|yep|sure|please(?=[.!,]|$)|of course|agreed|absolutely|definitely|exactly|right|correct|ok(?:ay)?|sounds good|please do|go ahead"
    r"|do it|ja|genau|gerne|klar|einverstanden)\b",
    re.IGNORECASE,
)
# yes, no, *not yet* and *me*: answers that need their question
_ASSENT = re.compile(
    r"^(?:yes|yeah|yep|sure|please(?=[.!,]|$)|of course|agreed|absolutely|definitely|exactly|right|correct|ok(?:ay)?|sounds good|please do|go ahead"
    r"|do it|no need|no|nope|not yet|not really|never|rather not|(?:not )?me(?=[,.!]|$)|ja|nein|genau|gerne|klar|einverstanden)\b",
    re.IGNORECASE,
)
# *He does*, *I do, but …*: the verb is in the question
_SHORT_ANSWER = re.compile(
    r"^(?:I|you|he|she|it|we|they|there|that) (?:am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)(?:n't| not)?(?=[.,;!]|$)",
    re.IGNORECASE,
)
# *Only if it rains*: without its main clause
_CONDITION_ALONE = re.compile(
    r"^(?:(?:yes|no|but|and|only|just|not|probably),? )*(?:if|because|unless|until|till|when|once|as (?:soon|long) as|so that|in case)\b[^,]*$",
    re.IGNORECASE,
)
# after three words at most: *Ok, take it then.*
_TELLS_TO_DO = re.compile(
    r"^(?:\w+,? ){1,3}(?:it|them|that|those|this)(?: (?:then|please|back|out|up))?[.!]*$",
    re.IGNORECASE,
)
_OWN_ANSWER = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|no|sure|fine|well|oh|ah),? )?(?:I|we)\b", re.IGNORECASE
)
# the answer holds only in that case; *do you know if* is no condition
_SUPPOSES = re.compile(
    r"^(?:\w+,? )?(?:what if|if)\b|(?<!know)(?<!ask)(?<!see)(?<!check)(?<!sure)(?<!wonder)(?<!wondering)(?<!idea)(?<!tell me)(?<!tell us) if "
    r"(?:I|you|we|he|she|it|they|there|the|my|our|your|his|her|their|some\w+|nobody)\b",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(
    r"^(?:\w+,? )?(?:who|whom|whose|what|when|where|which|why|how|since when|wer|was|wann|wo|welche\w*|warum|wie)\b",
    re.IGNORECASE,
)
# whether something is so; not *is Sunday fine?* nor *are we meeting?*, which a yes decides
_IS_SO = re.compile(
    r"^(?:(?:and|so|but|ok(?:ay)?|oh|then),? )*(?:is|are|was|were|has|have|had|do|does|did)\b(?! (?:I|we)\b)"
    r"(?!.*\b(?:ok(?:ay)?|fine|all ?right|alright|good|agree\w*|settled|want|mind|deal)\b)",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:must|ha(?:ve|s) to|needs? to|(?:I|we) (?:can|could)|don't forget|remember to|make sure|remind me)\b",
    re.IGNORECASE,
)
_NEAR_DAYS = "yesterday today tonight tomorrow last next ago weekend week"
_DATE_WORDS = CALENDAR_NAMES | {*_NEAR_DAYS.split()}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a source; ``whose`` are its speaker and day."""

    source: int
    speaker: str | None
    day: date | None
    text: str
    line: int = 0
    """Number of the turn in the source: a condensed text has a line for each."""

    @property
    def turn(self) -> tuple[int, int]:
        return self.source, self.line

    @property
    def whose(self) -> tuple[str | None, date | None]:
        return self.speaker, self.day

    @property
    def asks(self) -> bool:
        return is_question(self.text.rstrip("\"'”’) "))


def follows(before: Sentence, row: Sentence) -> bool:
    """Return whether a sentence is in the same turn, or the same speaker's next turn and refers to it with *they* or *she*."""
    same_speaker = row.speaker is not None and before.whose == row.whose
    return before.turn == row.turn or (
        same_speaker and (points_back(row.text) or is_about_him(straightened(row.text)))
    )


def read(sources: Sequence[Source]) -> list[Sentence]:
    """Return the sentences of sources in order, without the headings of condensed texts."""
    return [row for place, source in enumerate(sources) for row in _read_source(place, source)]


def _read_source(place: int, source: Source) -> Iterator[Sentence]:
    """Yield the sentences of a source; a line without a speaker belongs to the turn before it."""
    turn = 0
    for written in without_heads(source.text).split("\n"):
        for line in spoken(written, source.speaker):
            turn += line.said != written.strip()
            day = line.day or (source.at and source.at.date())
            for sentence in sentences(line.said):
                yield Sentence(place, line.speaker, day, sentence, turn)


def texts_of(source: Source) -> list[str]:
    """Return the sentences of a memory, after whom its heading names."""
    return [*named_in(source.text), *(row.text for row in _read_source(0, source))]


def named_in(text: str) -> list[str]:
    """Return the heading of a condensed text that names who was named before it, in a list of one or none."""
    return [line for line in text.split("\n")[:_HEADS] if line.startswith(NAMED)]


def without_heads(text: str) -> str:
    """Return a text without the headings of a condensed one."""
    if "\n" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _HEAD.match(line))


def is_fact(
    sentence: Sentence, speakers: frozenset[str], known_names: frozenset[str] = frozenset()
) -> bool:
    """Return whether a sentence has a third person's name, a number, date, denial, duty, decision or claim.

    ``known_names`` are names of other sentences, recognised also where they begin a sentence.
    """
    text = sentence.text
    named = names_others(text, speakers)
    if is_reaction(text):
        return bool(numbers(text) or named)
    return bool(
        named
        or capitalised(text.partition(" ")[0]) & known_names
        or _DUTY.search(straightened(text))
        or numbers(text)
        or counts(text)
        or dates(text) & _DATE_WORDS
        or negated(text)
        or is_decision(text)
        or requests(text)
        or (not sentence.asks and states_event(text))
        or claims(with_a_name(text), sentence.speaker)
    )


@dataclass(frozen=True, slots=True)
class Kinds:
    """Indices of sentences by what becomes of them."""

    dropped: frozenset[int]
    """Greetings, thanks, acknowledgements, and questions that were answered."""
    pairs: tuple[tuple[int, int], ...]
    """Questions and requests, each with an answer that needs it, or does not repeat its facts."""
    agreed: frozenset[int]
    """Sentences of pairs whose answer is a yes."""
    open: frozenset[int]
    """Unanswered questions."""
    paired: frozenset[int]
    """Sentences of all pairs."""


@dataclass(slots=True)
class _KindsSoFar:
    """Mutable ``Kinds`` while sentences are sorted."""

    dropped: set[int] = field(default_factory=set[int])
    pairs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    agreed: set[int] = field(default_factory=set[int])
    open: set[int] = field(default_factory=set[int])


def kinds(rows: Sequence[Sentence]) -> Kinds:
    """Sort sentences into dropped ones, questions with their answers, and open questions.

    A question is dropped if the next speaker answers it with a sentence that can stand alone and repeats its facts. If
    the answer is a yes or a no, too short, or lacks a name of the question, both stay as a pair. So do a request and the
    *done* that answers it.
    """
    state = _KindsSoFar()
    speakers = speakers_of(rows)
    for place, row in enumerate(rows):
        if row.asks:
            _sort_question(rows, place, speakers, state)
        elif _requests_it(row.text):
            state.pairs += [(statement, place) for statement in _statement_before(rows, place)]
        elif accepts(row.text):
            state.pairs += [(request, place) for request in _requests_before(rows, place)]
    paired = frozenset(place for pair in state.pairs for place in pair)
    # after the pairs: an idle sentence such as *Yes* stays if it is in one
    for place, row in enumerate(rows):
        if place not in paired and tells_nothing(row.text):
            state.dropped.add(place)
            state.open.discard(place)
    return Kinds(
        frozenset(state.dropped),
        tuple(state.pairs),
        frozenset(state.agreed),
        frozenset(state.open),
        paired,
    )


def _sort_question(
    rows: Sequence[Sentence], place: int, speakers: frozenset[str], state: _KindsSoFar
) -> None:
    text, answer = rows[place].text, _answer(rows, place)
    if SMALL_TALK.search(straightened(text)):
        state.dropped.add(place)
    elif not answer:
        state.open.add(place)
    elif _NO_ANSWER.match(straightened(rows[answer[0]].text)):
        # an excuse with more after it stays open: without it, the rest would read as the answer
        alone = len(answer) == 1
        state.open |= {place} if alone else {place, answer[0]}
        state.dropped |= set(answer) if alone else set()
    elif (
        _SUPPOSES.search(text)
        or _needs_question(rows[answer[0]].text)
        or _leaves_untold(text, [rows[each].text for each in answer])
        or adds_facts(text, [rows[each].text for each in answer], names_others(text, speakers))
    ):
        state.pairs += [(place, each) for each in _with_phrases(rows, answer)]
        state.agreed |= {place, answer[0]} if _agrees(text, rows[answer[0]].text) else set()
    else:
        state.dropped.add(place)


def _requests_before(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the requests of the turn before a sentence that begins a turn."""
    turn = _turn_before(rows, place)
    return [each for each in turn if not rows[each].asks and requests(rows[each].text)]


def _turn_before(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the indices of the turn before a sentence that begins another speaker's turn."""
    before = place - 1
    if before < 0 or rows[before].speaker == rows[place].speaker:
        return []
    turn = takewhile(lambda each: rows[each].turn == rows[before].turn, range(before, -1, -1))
    return [*turn][::-1]


def _requests_it(text: str) -> bool:
    """Return whether a sentence requests what the one before it names, as in *Take it*."""
    plain = straightened(text)
    return _TELLS_TO_DO.search(plain) is not None and requests(plain) and not is_reaction(plain)


def _statement_before(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the last statement of the turn before a sentence that begins a turn."""
    turn = _turn_before(rows, place)
    return [each for each in turn if not rows[each].asks and not tells_nothing(rows[each].text)][
        -1:
    ]


def _with_phrases(rows: Sequence[Sentence], answer: Sequence[int]) -> list[int]:
    """Return the first sentence of an answer with the phrases right after it, as in *I told her. No nuts*."""
    end = 1
    while end < len(answer) and is_bare(rows[answer[end]].text):
        end += 1
    return list(answer[:end])


def speakers_of(rows: Sequence[Sentence]) -> frozenset[str]:
    """Return the speakers, case-folded."""
    return frozenset(row.speaker.casefold() for row in rows if row.speaker)


def _agrees(question: str, answer: str) -> bool:
    """Return whether an answer is a yes that decides something, unlike one to *How is he?* or *Is he at home?*."""
    informs = _ASKS_WHAT.match(question) or _IS_SO.match(straightened(question))
    return not informs and _YES.match(answer) is not None


def _leaves_untold(question: str, answers: Sequence[str]) -> bool:
    """Return whether answers that begin with a yes or a no repeat less than half of what the question is about."""
    if _ASKS_WHAT.match(question) or not _ASSENT.match(answers[0]):
        return False
    asked = content_words(question) - SOCIAL_WORDS
    told = asked.intersection(content_words(" ".join(answers)))
    return 2 * len(told) < len(asked)


def _answer(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the indices of the next turn if another speaker says it, without its questions and idle beginning."""
    after = place + 1
    while after < len(rows) and rows[after].turn == rows[place].turn:
        after += 1
    if after >= len(rows) or rows[after].speaker == rows[place].speaker:
        return []
    reply = [
        each
        for each in range(after, len(rows))
        if rows[each].turn == rows[after].turn and not rows[each].asks
    ]
    while (
        len(reply) > 1 and tells_nothing(rows[reply[0]].text) and not _assents(rows[reply[0]].text)
    ):
        del reply[0]
    return reply


def _assents(answer: str) -> bool:
    """Return whether an answer is a yes or a no, or in the first person without a topic."""
    return _ASSENT.match(answer) is not None or _names_nothing(answer) or _is_short(answer)


def _is_short(answer: str) -> bool:
    return _SHORT_ANSWER.match(straightened(answer)) is not None


def _names_nothing(answer: str) -> bool:
    """Return whether an answer in the first person does not name its topic: *I'll do that*, *I'd say 1 September*."""
    named = any(name.casefold() not in CALENDAR_NAMES for name in names(answer))
    if named or not _OWN_ANSWER.match(straightened(answer)):
        return False
    # a day or a number alone says nothing of what is on that day
    told = content_words(answer) - dates(answer) - {form(word) for word in numbers(answer)}
    return len(told) < SUFFICIENT_WORDS and not claims(answer, "I")


def _needs_question(answer: str) -> bool:
    """Return whether an answer needs its question: a yes, a no, or no full clause."""
    if _names_nothing(answer) or _is_short(answer) or _CONDITION_ALONE.match(answer):
        return True
    assent = _ASSENT.match(answer)
    if tells_nothing(answer) and not assent:
        return False
    if assent and not NO_REFUSAL.match(answer):
        after_assent = straightened(answer[assent.end() :]).lstrip(" ,.;")
        short = len(content_words(after_assent)) < SUFFICIENT_WORDS
        has_clause = FINITE.search(after_assent) and not LEAVES_OUT.search(
            after_assent.rstrip(" .!")
        )
        leans_on = (
            points_back(after_assent)
            or lacks_subject(after_assent)
            or OBJECT_PRONOUN.search(after_assent)
        )
        return short or not has_clause or bool(leans_on)
    first = CLAUSE_END.split(answer, maxsplit=1)[0].rstrip(" .!")
    if points_back(answer) or OBJECT_PRONOUN.search(first):
        return True
    if LEAVES_OUT.search(straightened(first)) or _BARE_COUNT.search(first):
        return True
    return (is_phrase(first) or lacks_subject(first)) and not claims(first, None)
