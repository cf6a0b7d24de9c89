"""References of a sentence to others: pronouns without antecedent, ellipsis, fragments, and whom it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.condensing.acts import (
    CLAUSE_END,
    SOCIAL_WORDS,
    answers,
    is_question,
    is_reaction,
    straightened,
    tells_nothing,
)
from graph.condensing.answering import is_bare, is_little, requests
from graph.condensing.facts import DATES, capitalised, content_words, names, numbers
from graph.condensing.sentences import sentences
from graph.condensing.tokens import tokens

# *How are you?*, *Anything else?*: questions whose answers need not be kept
SMALL_TALK = re.compile(
    r"^(?:so |and |hey,? )?(?:how(?:'s| is| are) (?:you|it|things|everything|life)\b|how (?:have|has) \w+ been|what(?:'s| is) (?:up|new)\b|you\?|really\?"
    r"|wie geht)"
    r"|\b(?:anything|something|what) else\?$|\bis that all\?$|^how (?:can|may) i help\b|^can i help\b|^(?:ok(?:ay)?|right|agreed)\?$|^(?:have you |have |you )?got a (?:minute|moment|second)\?$",
    re.IGNORECASE,
)
_PRONOUNS = r"(?:it|that|this|they|them|he|she|him|her|his|their|its|those|these)(?:'\w+)?"
_POINTS_BACK = re.compile(
    # *which I lent him* continues another sentence
    rf"^(?:and |but |so |also )?(?:{_PRONOUNS}|which (?:I|we|you|he|she|it|they|is|was|has|will|would)\b(?!.*\?))\b",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(rf"^(?:\S+ ){{0,3}}{_PRONOUNS}\b", re.IGNORECASE)
_CONNECTS = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|no|well),? )?(?:then|because|otherwise|instead|in that case|that's why)\b|\bthen\?$",
    re.IGNORECASE,
)
_ONE = r"one(?=$|[.,;!]| (?:for|from|in|at|on|by|with|as|if|when|then|that|which|before|after|now|today|tomorrow|online|too)\b)"
# ellipsis: *I can't*, *the blue one*
LEAVES_OUT = re.compile(
    r"\b(?:does|do|did|is|are|was|were|will|can|could|has|have|would|should|not|to|\w+n't)$|\b(?:the|that|this|which|another) \w* ?ones?\b"
    rf"|\w {_ONE}",
    re.IGNORECASE,
)
# *He will do it on Thursday*, *Anna has them*, *Nebula has one for 90*: the antecedent is in the sentence before
OBJECT_PRONOUN = re.compile(
    r"\w (?:(?:it|them)\b(?!'| (?:is|was|has|had|will|would|can|could|may|does|did)\b)|(?:those|these)\b(?=[.,;!]|$| (?:from|for|in|at|on|by|with|as|if|when|then|too|now|today|tomorrow)\b)"
    rf"|(?<=[a-z] )(?<!\bat )(?<!\bby )(?<!\bto )(?<!\bno )(?<!\bday )(?<!\bhalf )(?<!\bpast )(?<!\bonly )(?<!\bjust )(?<!\b(?:this|that) )(?<!\bfrom )(?<!\bevery )(?<!\bafter )(?<!\buntil )(?<!\bbefore ){_ONE})"
)
_LAST_SENTENCES = 2  # at the end of a turn, of which one may be its question
_SHORT_QUESTION = 4  # words; a shorter question is about what was said before
_LEANS = re.compile(
    r"\b(?:it|he|she|they|him|them|his|her|their|its)\b"
    r"|\b(?:that|this)(?=$|[.,;!?]| (?:is|was|to|on|in|for|into|with|up|out|doesn't|does)\b)",
    re.IGNORECASE,
)
# *Does the club pay that?*: at the end it always refers to another sentence
_ENDS_WITH_THAT = re.compile(r"\w (?:that|this)[.!?]*$", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:(?:and|but|so) )?(?:he|she|it) ", re.IGNORECASE)
# *Dad's knee*, *Grandma snores*, *My brother*: a likely antecedent of a later *he*
SUBJECT = re.compile(
    r"^(?!Let['’]s\b)(?:(?:[Mm]y|[Oo]ur) \w+|([A-ZÀ-Þ][\w-]+)(?:['’]s \w|,? (?:\w+s|was|has|had|will|can|\w{3,}ed)\b))"
)
_A_NAME = "Ada "  # any name
_SUBJECT_PRONOUN = re.compile(r"\b(?:he|she)\b", re.IGNORECASE)
_PERSON_PRONOUN = re.compile(r"\b(?:he|she|him|her)\b", re.IGNORECASE)
_COMPLETES = re.compile(
    r"(?:(?:no|yes|but|only|just),? )*(?:to|for|from|with|without|of|about|in|at|on|by|under|behind|until|because of) \w",
    re.IGNORECASE,
)
_DENIES = re.compile(r"^not\b", re.IGNORECASE)
_OWNED = re.compile(r"\b(?:my|our|your) \w+", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:the|an?|my|our|your|no|every|some) \w+", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!\w)(?:(?:[Tt]he|[Aa]n?|[Mm]y|[Oo]ur|[Yy]our|[Nn]o|[Ee]very|[Ss]ome) \w+(?: [^\W\d_a-z]\w+)*|(?!I\b)[^\W\d_a-z]\w+(?: [^\W\d_a-z]\w+)*)"
)
_PRONOUN_DISTANCE = 5  # words; after more of them a pronoun mostly refers to one of these
_RELATIVE = re.compile(r"(?:,|\b(?:that|which|who)\b)")
_FRAGMENT_WORDS = 2  # words
_FEW_WORDS = 1  # content word; a turn of no more needs the one before it
_LEAST_CUT = 2  # letters that a short form lacks at least
_CONJUNCTION = re.compile(r"\s(?:and|but)\s")


def asks_something(text: str) -> bool:
    """Return whether one of the last two sentences of a text is a question that needs an answer.

    Examples
    --------
    >>> asks_something("On all walls? We'd live in an aquarium"), asks_something("Anything else?")
    (True, False)
    """
    # of a condensed text the last turn: the others have their answers
    last = sentences(text.rstrip().rpartition("\n")[2])[-_LAST_SENTENCES:]
    return any(is_question(row) and not SMALL_TALK.search(straightened(row)) for row in last)


def goes_on(text: str) -> bool:
    """Return whether a turn cannot be understood without the one before it.

    It greets, thanks or acknowledges, has a pronoun without antecedent, begins with *then*, has hardly a content word, or
    is a short question about what was said.

    Examples
    --------
    >>> goes_on("Then a gas hob may be better."), goes_on("Which colour are they?"), goes_on("I called Mr. Kessler.")
    (True, True, False)
    """
    rows = [straightened(row) for row in sentences(text)]
    if not rows or all(map(tells_nothing, rows)):
        return True
    first = next((row for row in rows if not tells_nothing(row)), "")
    if _CONNECTS.search(first) or continues(first) or _speaks_of_somebody(rows):
        return True
    if all(map(is_reaction, rows)):
        return True
    if answers(rows[0]) or is_little(rows[0]) or _has_few_words(" ".join(rows)):
        return True
    return any(_asks_back(row) for row in (rows[0], first))


def _speaks_of_somebody(rows: Sequence[str]) -> bool:
    """Return whether sentences have a *he* or *she* before they name anybody."""
    for row in rows:
        if is_about_somebody(row):
            return True
        if names(row) or begins_with_somebody(row, frozenset()):
            return False
    return False


def _asks_back(sentence: str) -> bool:
    asks = is_question(sentence) and not names(sentence)
    short = len(sentence.split()) <= _SHORT_QUESTION
    return asks and (short or _ASKS_BACK.match(sentence) is not None)


def _has_few_words(text: str) -> bool:
    return len(content_words(text)) <= _FEW_WORDS and not numbers(text) and not names(text)


def with_a_name(sentence: str) -> str:
    """Return a sentence with a name for the pronoun that it begins with, so that ``claims`` can read it."""
    return _PRONOUN.sub(_A_NAME, sentence)


def points_back(sentence: str) -> bool:
    """Return whether a sentence begins with a pronoun that refers to an earlier sentence."""
    return _POINTS_BACK.match(straightened(sentence)) is not None


def continues(sentence: str) -> bool:
    """Return whether a sentence continues the one before it.

    It begins with *it* or *or*, has *he* before any name, or an *it* without antecedent.

    Examples
    --------
    >>> continues("The digger is broken, he comes on Friday."), continues("Jonas is ill, he comes on Friday.")
    (True, False)
    >>> continues("A friend made it for my birthday.")
    True
    """
    plain = straightened(sentence)
    if points_back(plain) or lacks_object(plain) or plain[:3].casefold() == "or ":
        return True
    return is_about_him(plain)


def is_about_him(plain: str) -> bool:
    """Return whether a sentence has *he* or *she* before any name."""
    pronoun = _SUBJECT_PRONOUN.search(plain)
    before = plain[: pronoun.start()] if pronoun else ""
    return pronoun is not None and not (
        capitalised(before) - SOCIAL_WORDS - DATES or _OWNED.search(before)
    )


def leans(sentence: str) -> bool:
    """Return whether a sentence has a pronoun without antecedent, or begins with *then*.

    Examples
    --------
    >>> leans("Great, I'll pick it up."), leans("Jonas agreed, he wants oak."), leans("We'll take oak.")
    (True, False, False)
    >>> leans("My uncle has one that he doesn't need.")
    True
    """
    plain = straightened(sentence)
    # *3,700 then, and let them haggle* says what it is about before its *and*
    if lacks_object(_CONJUNCTION.split(plain, maxsplit=1)[0]) or _ENDS_WITH_THAT.search(plain):
        return True
    pronoun = _LEANS.search(plain)
    if pronoun is None:
        return _CONNECTS.search(plain) is not None
    before = plain[: pronoun.start()]
    named = capitalised(before) - SOCIAL_WORDS or _NOUN.search(before)
    return len(before.split()) < _PRONOUN_DISTANCE and not named


def lacks_object(sentence: str) -> bool:
    """Return whether the first clause has *it*, *them* or *one*, and at most one noun before it, which is its subject.

    Examples
    --------
    >>> lacks_object("My brother Paul will carry it down."), lacks_object("The stove is old and Jana lights it.")
    (True, False)
    >>> lacks_object("Nebula has one for 90 euros."), lacks_object("The shop opens at one.")
    (True, False)
    """
    first = CLAUSE_END.split(straightened(sentence), maxsplit=1)[0]
    pronoun = OBJECT_PRONOUN.search(first)
    return pronoun is not None and len(_NAMED.findall(first, 0, pronoun.end())) <= 1


def is_fragment(sentence: str) -> bool:
    """Return whether a sentence is one or two words without a verb, or begins with *not* and has none.

    Examples
    --------
    >>> is_fragment("Six."), is_fragment("Not for the wide one."), is_fragment("Ida called.")
    (True, True, False)
    """
    plain = straightened(sentence)
    if len(tokens(plain)) <= _FRAGMENT_WORDS:
        return is_bare(plain) and not requests(plain)
    return bool(_DENIES.match(plain)) and is_bare(CLAUSE_END.split(plain, maxsplit=1)[0])


def completes(sentence: str) -> bool:
    """Return whether a sentence is a prepositional phrase that completes another: *to rabbits*.

    Examples
    --------
    >>> completes("To rabbits."), completes("To the left is the bakery.")
    (True, False)
    """
    plain = straightened(sentence)
    return _COMPLETES.match(plain) is not None and is_bare(plain)


def echoes(before: str, sentence: str) -> bool:
    """Return whether a verbless reply repeats a word of what it comments on: *A fan on a robot, lovely*."""
    main = _RELATIVE.split(straightened(sentence), maxsplit=1)[0]
    return is_bare(main) and not content_words(main).isdisjoint(content_words(before))


def leaves_out(sentence: str) -> bool:
    """Return whether the first clause is elliptic, such as *I can't*."""
    first = CLAUSE_END.split(straightened(sentence), maxsplit=1)[0].rstrip(" .!")
    return LEAVES_OUT.search(first) is not None


def lacks_context(sentence: str) -> bool:
    """Return whether a sentence has a pronoun or an ellipsis that only another sentence resolves.

    Examples
    --------
    >>> lacks_context("It beeps at 6 degrees."), lacks_context("I can't, I faint."), lacks_context("The alarm beeps.")
    (True, True, False)
    """
    return leans(sentence) or leaves_out(sentence) or lacks_object(sentence)


def is_about_somebody(text: str) -> bool:
    """Return whether a sentence has *he* or *her* without an antecedent.

    Examples
    --------
    >>> is_about_somebody("Let's invite him."), is_about_somebody("Tell Ida to bring her tent.")
    (True, False)
    >>> is_about_somebody("Quote Q-58 was lowered because she helps.")
    True
    """
    plain = straightened(text)
    pronoun = _PERSON_PRONOUN.search(plain)
    if pronoun is None:
        return False
    before = plain[: pronoun.start()]
    named = any(name.isalpha() for name in names(before))
    return not (named or _OWNED.search(before) or begins_with_somebody(text, frozenset()))


def begins_with_somebody(text: str, speakers: frozenset[str]) -> bool:
    """Return whether a sentence begins with a role or a name that is no speaker's.

    Examples
    --------
    >>> begins_with_somebody("Dad's knee hurts.", frozenset()), begins_with_somebody("It's late.", frozenset())
    (True, False)
    """
    subject = SUBJECT.match(text)
    if subject is None or subject[1] is None:
        return subject is not None
    return bool(capitalised(subject[1]) - SOCIAL_WORDS - DATES) and not is_one_of(
        subject[1], speakers
    )


def names_others(text: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the names of a sentence that are no speaker's."""
    return frozenset(name for name in names(text) if not is_one_of(name, speakers))


def is_one_of(name: str, speakers: frozenset[str]) -> bool:
    """Return whether a name, perhaps a short form, is a speaker's: *Mel* is Melanie, but *Ann* is not Anna."""
    bare = name.casefold().removesuffix("'s")
    return any(
        f"{speaker} ".startswith(f"{bare} ") or _is_short(bare, speaker.partition(" ")[0])
        for speaker in speakers
    )


def _is_short(name: str, full: str) -> bool:
    """Return whether a name is a short form of another; one shorter by a single letter is a different name."""
    return full.startswith(name) and len(full) - len(name) >= _LEAST_CUT
