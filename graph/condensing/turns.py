"""Sentences of several memories in order: their speakers, kinds, and dependence on each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile

from graph.condensing.answering import (
    FINITE,
    accepts,
    adds_facts,
    is_bare,
    is_little,
    is_phrase,
    lacks_subject,
    requests,
    states_event,
)
from graph.condensing.claims import claims
from graph.condensing.facts import (
    CALENDAR_NAMES,
    DATES,
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
from graph.condensing.sentences import sentences, spoken
from graph.condensing.tokens import tokens

EPISODE, DECIDED, OPEN, SAID, ABOUT = "Episode", "Decided:", "Open:", "Said:", "About"
AGAIN = "Told on"
# the headings of a condensed text are no statements when it is condensed again
_HEAD = re.compile(
    rf"^(?:{EPISODE}(?: of [^:]{{1,80}})?(?: \([^)]*\))?: |{DECIDED}$|{OPEN}$|{SAID}$|{ABOUT} [^:]{{1,80}}:$|{AGAIN} \d+ days from [^:]{{1,60}}:$)"
)
_SOCIAL_WORDS = """great good nice cool awesome amazing wonderful lovely perfect fantastic excellent brilliant super fine sound see soon later
    welcome care bye goodbye morning evening night afternoon problem worry luck congrat congratulation sorry please indeed
    exactly absolutely definitely totally course sure agree agreed alright got understood interesting done hope friend day
    know noted ha haha lol gut super prima toll schön danke bitte hallo tschüss klar genau gerne okay ja nein morgen abend freue super"""
_SOCIAL = frozenset(_SOCIAL_WORDS.split())
# *How are you?*, *Anything else?*: questions whose answers need not be kept
_SMALL_TALK = re.compile(
    r"^(?:so |and |hey,? )?(?:how(?:'s| is| are) (?:you|it|things|everything|life)\b|how (?:have|has) \w+ been|what(?:'s| is) (?:up|new)\b|you\?|really\?"
    r"|wie geht)"
    r"|\b(?:anything|something|what) else\?$|\bis that all\?$|^how (?:can|may) i help\b|^can i help\b|^(?:ok(?:ay)?|right|agreed)\?$",
    re.IGNORECASE,
)
_EXCLAIMS = re.compile(
    r"^(?:poor|lucky|clever) \w+[\s!.…]*$|^(?:(?:oh|ah|aw+|wow|whoa|phew|yay|hooray|ouch|oops|ugh|haha+|hm+)\b[\s,!.…]*)+(?:no|dear|man|well|my)?[\s!.…]*$",
    re.IGNORECASE,
)
# *I have to go* and *See you on Thursday* are farewells, *I have to go to Bonn* is a statement
_FAREWELL = re.compile(
    r"^(?:(?:ok(?:ay)?|well|alright|great|good),? )?(?:(?:(?:i'll |we'll )?(?:see|talk to|speak to|catch) you|until|till|bis)\b(?:\W+\w+){0,3}"
    r"|(?:sorry,? )?i(?:'ve| have| need|'ll have)?(?: got)? (?:to|must|gotta) (?:go|run|leave)(?: now)?)\W*$",
    re.IGNORECASE,
)
_GREETINGS_WORDS = (
    """hey hi hello hallo oh ah dear thanks thank you bye goodbye yes yeah ok okay well wow"""
)
_GREETINGS = frozenset(_GREETINGS_WORDS.split())
_NO_ANSWER = re.compile(
    r"^(?:i (?:don't|do not) know|(?:i'm |i am )?not sure|no idea|i have no idea|we'll see|let me (?:check|think|see)|i'll (?:check|think about it)"
    r"|hard to say|weiß (?:ich )?nicht|keine ahnung)\b",
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
_LEAVES_OUT = re.compile(
    r"\b(?:does|do|did|is|are|was|were|will|can|could|has|have|would|should|not|to|\w+n't)$|\b(?:the|that|this|which|another) \w* ?ones?\b"
    rf"|\w {_ONE}",
    re.IGNORECASE,
)
# *He will do it on Thursday*, *Anna has them*, *Nebula has one for 90*: the antecedent is in the sentence before
_OBJECT_PRONOUN = re.compile(
    r"\w (?:(?:it|them)\b(?!'| (?:is|was|has|had|will|would|can|could|may|does|did)\b)|(?:those|these)\b(?=[.,;!]|$| (?:from|for|in|at|on|by|with|as|if|when|then|too|now|today|tomorrow)\b)"
    rf"|(?<=[a-z] )(?<!\bat )(?<!\bby )(?<!\bto )(?<!\bno )(?<!\bday )(?<!\bhalf )(?<!\bpast )(?<!\bonly )(?<!\bjust )(?<!\b(?:this|that) )(?<!\bfrom )(?<!\bevery )(?<!\bafter )(?<!\buntil )(?<!\bbefore ){_ONE})"
)
# *renting two from Nebula*: the noun is in the question
_BARE_COUNT = re.compile(
    r"\w{3}ing (?:two|three|four|five|six|both)(?=$| (?:from|in|at|on|with|if|now|today|tomorrow|too)\b)",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"^(?:no|nope|nothing|nein)?,? ?(?:thanks?,? |thank you,? |danke,? )?(?:that(?:'s| is| was| will be) (?:all|it|everything)|das (?:ist|war) alles)(?=[.!,]|$| (?:for|from|i|thanks|thank|then)\b)",
    re.IGNORECASE,
)
_LAST_SENTENCES = 2  # at the end of a turn, of which one may be its question
_SHORT_QUESTION = 4  # words; a shorter question is about what was said before
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
# after three words at most: *Ok, take it then.*
_TELLS_TO_DO = re.compile(
    r"^(?:\w+,? ){1,3}(?:it|them|that|those|this)(?: (?:then|please|back|out|up))?[.!]*$",
    re.IGNORECASE,
)
_OWN_ANSWER = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|no|sure|fine|well|oh|ah),? )?(?:I|we)\b", re.IGNORECASE
)
# In chats the mark is often left out: "btw where do we sleep", "who's bringing the crates".
_BEGINS_LOOSELY = r"^(?:(?:btw|and|so|but|ok(?:ay)?|also|well|hm+),? )*"
_ASKS_WITHOUT_MARK = re.compile(
    rf"{_BEGINS_LOOSELY}(?:(?:who|what|where|when|why|how|which)(?: \w+)? (?:do|does|did|is|are|was|were|can|could|will|would|should|shall|has|have)"
    r" (?:I|you|we|he|she|it|they|the|my|our|your|his|her|their)\b[^.!,;:]*"
    # *What's important is the roof* is a statement
    r"|(?:who|where|when|why|how|what)(?:['’]s|['’]re|['’]ll| is| are) (?!(?:\S+ )+(?:is|are|was|were)\b)[^.!,;:]+"
    r"|what if \w[^.!;:]*"
    # "which ones", "what kind", "how many nights"; not *what a day*, not *when I can*
    r"|(?:which|where|when|why|who|what(?! an?\b)|how (?:much|many|long|often|far|old|tall))(?: (?!(?:I|you|we|he|she|it|they|knows|cares|needed|possible)\b)[a-z]+){0,2}"
    r"|(?:is|was) (?:one|there|this|that|any\w+|every\w+) [^.!,;:]+"
    # *Do it today* and *have it ready* are requests
    r"|(?:(?:are|were|can|could|will|would|should|shall|has|have) (?:you|we|they|he|she)|(?:is|was|can|could|will|would|should|has) (?:he|she|it)"
    r"|(?:do|does|did) (?:you|we|they|he|she|I)|(?:can|could|shall|should) I) [^.!,;:]+)$",
    re.IGNORECASE,
)
# *camping or hostels*; not *more or less*, not *a week or two*
_EITHER = re.compile(
    rf"{_BEGINS_LOOSELY}(?!more\b|sooner\b|yes\b)[^\d.,!;:]+ or (?!so\b|less\b|later\b|two\b)[^\d.,!;:]+$",
    re.IGNORECASE,
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
_ANSWERS = re.compile(
    r"^(?:yes|yeah|yep|no|nope|sure|ok(?:ay)?|agreed|exactly|right|great|perfect|fine|fair(?: enough)?|good|nice|noted|done|not yet"
    r"|thanks|thank you|phew|oh no)(?:[,.!]|$)",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:must|ha(?:ve|s) to|needs? to|(?:I|we) (?:can|could)|don't forget|remember to|make sure|remind me)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:it|he|she|they|him|them|his|her|their|its)\b"
    r"|\b(?:that|this)(?=$|[.,;!?]| (?:is|was|to|on|in|for|into|with|up|out|doesn't|does)\b)",
    re.IGNORECASE,
)
# *Does the club pay that?*: at the end it always refers to another sentence
_ENDS_WITH_THAT = re.compile(r"\w (?:that|this)[.!?]*$", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:(?:and|but|so) )?(?:he|she|it) ", re.IGNORECASE)
# *Dad's knee*, *Grandma snores*, *My brother*: a likely antecedent of a later *he*
_SUBJECT = re.compile(
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
_DECISION = re.compile(
    r"\b(?:agreed|decided|decide|confirmed|booked|reserved|cancell?ed|ordered|settled|approved|scheduled|let's|let us|we'll|we will"
    r"|i'll|i will|(?:am|are|is|'m|'re) going to|moved to|beschlossen|vereinbart|gebucht|bestellt)\b",
    re.IGNORECASE,
)
# *Kamil then*, *then Paris as the end*, *26 April it is*; not *until then*, not *how late it is*
_CHOSEN_THEN = re.compile(
    r"^then (?!again\b)\w|(?<!\buntil)(?<!\btill)(?<!\bsince)(?<!\bby)(?<!\bback)(?<!\band) then$",
    re.IGNORECASE,
)
_CHOSEN_IT_IS = re.compile(
    r"^(?!(?:what|how|where|who|why|as)\b)(?:[\w:.-]+ ){1,3}it is$", re.IGNORECASE
)
# *So the gym after all*, *The gym instead*; not *not after all*
_CHOSEN_AFTER_ALL = re.compile(
    r"^(?!(?:what|how|where|who|why|not?)\b)(?P<choice>\w.*) (?:after all|instead)$",
    re.IGNORECASE,
)
# *Ok, then Sunday*, but not *Ok, then again …*; *done, the shop is up*
_SETTLES = re.compile(
    r"^(?:ok(?:ay)?|fine|good|great|all ?right|right|agreed|well|sure|no),? then (?!again\b)\w|^then (?:I|we|let['’]s)\b|^done, (?!thanks?\b)\w",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"^(?:(?:oh|wow|whoa|aw+|yay|hey|oops|phew|haha|yeah|yes|well|so|and|but)\b[,!]?\s+(?:\w+,?\s+)?)*(?:that|this|those|these|what an?|sounds?|looks?|must|glad"
    r"|happy for|sorry(?!,)|congrats|congratulations|way to go|good (?:luck|that|to|idea|point|choice|thinking)|well done|nice|great|awesome|so \w+|love (?:the|your|that|it)|noted|ok(?:ay)?,|thanks|thank you"
    r"|you(?:'\w+)?|your|keep|hope|have fun|enjoy|can't wait)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'\w+|my|mine|we|we'\w+|our|ours|us)\b", re.IGNORECASE)
_NEAR_DAYS = "yesterday today tonight tomorrow last next ago weekend week"
_DATE_WORDS = CALENDAR_NAMES | {*_NEAR_DAYS.split()}
_NO_REFUSAL = re.compile(r"^no (?:problem|worries)\b", re.IGNORECASE)
_QUESTION_MARKS = ("?", "？")
_COMMENT_WORDS = 10  # words; a longer sentence is more than a comment
_RELATIVE = re.compile(r"(?:,|\b(?:that|which|who)\b)")
_FRAGMENT_WORDS = 2  # words
_FEW_WORDS = 1  # content word; a turn of no more needs the one before it
_LEAST_CUT = 2  # letters that a short form lacks at least
_SUFFICIENT_WORDS = 3  # content words after a yes or a no that make the question unnecessary
_CLAUSE_END = re.compile(r"[,;:–—]\s")
_CONJUNCTION = re.compile(r"\s(?:and|but)\s")
# what an acknowledgement agrees to: *fine, then Sunday*, *ok for Anna* (ADR 83)
_AGREED_VALUE = re.compile(
    rf"\b(?:{'|'.join(word.capitalize() for word in sorted(CALENDAR_NAMES))}|(?i:today|tonight|tomorrow|morgen|heute))\b"
    r"|\b(?i:then|for|with|at|in|on|by|from|the) [^\W\d_a-z]\w"
)


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
        return _asks(self.text.rstrip("\"'”’) "))


def follows(before: Sentence, row: Sentence) -> bool:
    """Return whether a sentence is in the same turn, or the same speaker's next turn and refers to it with *they* or *she*."""
    same_speaker = row.speaker is not None and before.whose == row.whose
    return before.turn == row.turn or (
        same_speaker and (points_back(row.text) or _is_about_him(_plain(row.text)))
    )


def _asks(text: str) -> bool:
    if text.endswith(_QUESTION_MARKS) or _ASKS_WITHOUT_MARK.match(text):
        return True
    return _EITHER.match(text) is not None and is_bare(text)


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


def without_heads(text: str) -> str:
    """Return a text without the headings of a condensed one."""
    if "\n" not in text:
        return text
    return "\n".join(line for line in text.split("\n") if not _HEAD.match(line))


def is_idle(text: str) -> bool:
    """Return whether a text has no information: a greeting, thanks, an acknowledgement.

    Examples
    --------
    >>> is_idle("Great, thanks! See you soon."), is_idle("Thanks for the 12 chairs.")
    (True, False)
    """
    return all(_is_idle(row) for row in sentences(text))


def asks_something(text: str) -> bool:
    """Return whether one of the last two sentences of a text is a question that needs an answer.

    Examples
    --------
    >>> asks_something("On all walls? We'd live in an aquarium"), asks_something("Anything else?")
    (True, False)
    """
    # of a condensed text the last turn: the others have their answers
    last = sentences(text.rstrip().rpartition("\n")[2])[-_LAST_SENTENCES:]
    return any(_asks(row) and not _SMALL_TALK.search(_plain(row)) for row in last)


def goes_on(text: str) -> bool:
    """Return whether a turn cannot be understood without the one before it.

    It greets, thanks or acknowledges, has a pronoun without antecedent, begins with *then*, has hardly a content word, or
    is a short question about what was said.

    Examples
    --------
    >>> goes_on("Then a gas hob may be better."), goes_on("Which colour are they?"), goes_on("I called Mr. Kessler.")
    (True, True, False)
    """
    rows = [_plain(row) for row in sentences(text)]
    if not rows or all(map(_is_idle, rows)):
        return True
    first = next((row for row in rows if not _is_idle(row)), "")
    if _CONNECTS.search(first) or continues(first) or is_about_somebody(first):
        return True
    if all(map(is_reaction, rows)):
        return True
    if answers(rows[0]) or is_little(rows[0]) or _has_few_words(" ".join(rows)):
        return True
    return any(_asks_back(row) for row in (rows[0], first))


def _asks_back(sentence: str) -> bool:
    asks = _asks(sentence) and not names(sentence)
    short = len(sentence.split()) <= _SHORT_QUESTION
    return asks and (short or _ASKS_BACK.match(sentence) is not None)


def _has_few_words(text: str) -> bool:
    return len(content_words(text)) <= _FEW_WORDS and not numbers(text) and not names(text)


def with_a_name(sentence: str) -> str:
    """Return a sentence with a name for the pronoun that it begins with, so that ``claims`` can read it."""
    return _PRONOUN.sub(_A_NAME, sentence)


def points_back(sentence: str) -> bool:
    """Return whether a sentence begins with a pronoun that refers to an earlier sentence."""
    return _POINTS_BACK.match(_plain(sentence)) is not None


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
    plain = _plain(sentence)
    if points_back(plain) or lacks_object(plain) or plain[:3].casefold() == "or ":
        return True
    return _is_about_him(plain)


def _is_about_him(plain: str) -> bool:
    """Return whether a sentence has *he* or *she* before any name."""
    pronoun = _SUBJECT_PRONOUN.search(plain)
    before = plain[: pronoun.start()] if pronoun else ""
    return pronoun is not None and not (
        capitalised(before) - _SOCIAL - DATES or _OWNED.search(before)
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
    plain = _plain(sentence)
    # *3,700 then, and let them haggle* says what it is about before its *and*
    if lacks_object(_CONJUNCTION.split(plain, maxsplit=1)[0]) or _ENDS_WITH_THAT.search(plain):
        return True
    pronoun = _LEANS.search(plain)
    if pronoun is None:
        return _CONNECTS.search(plain) is not None
    before = plain[: pronoun.start()]
    named = capitalised(before) - _SOCIAL or _NOUN.search(before)
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
    first = _CLAUSE_END.split(_plain(sentence), maxsplit=1)[0]
    pronoun = _OBJECT_PRONOUN.search(first)
    return pronoun is not None and len(_NAMED.findall(first, 0, pronoun.end())) <= 1


def is_fragment(sentence: str) -> bool:
    """Return whether a sentence is one or two words without a verb, or begins with *not* and has none.

    Examples
    --------
    >>> is_fragment("Six."), is_fragment("Not for the wide one."), is_fragment("Ida called.")
    (True, True, False)
    """
    plain = _plain(sentence)
    if len(tokens(plain)) <= _FRAGMENT_WORDS:
        return is_bare(plain) and not requests(plain)
    return bool(_DENIES.match(plain)) and is_bare(_CLAUSE_END.split(plain, maxsplit=1)[0])


def completes(sentence: str) -> bool:
    """Return whether a sentence is a prepositional phrase that completes another: *to rabbits*.

    Examples
    --------
    >>> completes("To rabbits."), completes("To the left is the bakery.")
    (True, False)
    """
    plain = _plain(sentence)
    return _COMPLETES.match(plain) is not None and is_bare(plain)


def echoes(before: str, sentence: str) -> bool:
    """Return whether a verbless reply repeats a word of what it comments on: *A fan on a robot, lovely*."""
    main = _RELATIVE.split(_plain(sentence), maxsplit=1)[0]
    return is_bare(main) and not content_words(main).isdisjoint(content_words(before))


def leaves_out(sentence: str) -> bool:
    """Return whether the first clause is elliptic, such as *I can't*."""
    first = _CLAUSE_END.split(_plain(sentence), maxsplit=1)[0].rstrip(" .!")
    return _LEAVES_OUT.search(first) is not None


def lacks_context(sentence: str) -> bool:
    """Return whether a sentence has a pronoun or an ellipsis that only another sentence resolves.

    Examples
    --------
    >>> lacks_context("It beeps at 6 degrees."), lacks_context("I can't, I faint."), lacks_context("The alarm beeps.")
    (True, True, False)
    """
    return leans(sentence) or leaves_out(sentence) or lacks_object(sentence)


def answers(sentence: str) -> bool:
    """Return whether a sentence begins with an answer, such as *yes*, *ok* or *done*."""
    # a number makes it an appointment: *See you at 9*
    return _ANSWERS.match(_plain(sentence)) is not None


def _plain(text: str) -> str:
    return text.replace("’", "'")


def _is_idle(sentence: str) -> bool:
    if _EXCLAIMS.match(sentence) or (_FAREWELL.match(_plain(sentence)) and not numbers(sentence)):
        return True
    if _NOTHING_ELSE.match(_plain(sentence)):
        return len(content_words(sentence)) < _SUFFICIENT_WORDS and not numbers(sentence)
    if numbers(sentence) or (negated(sentence) and not _NO_REFUSAL.match(sentence)):
        return False
    mentioned = {word.casefold() for word in names(sentence)}
    content = content_words(sentence) - mentioned
    # *Thanks, Anna!*: a name among greetings
    if mentioned and not content:
        return {word.casefold() for word in tokens(sentence)} <= mentioned | _GREETINGS
    return content <= _SOCIAL and not _names_agreement(sentence)


def _names_agreement(sentence: str) -> bool:
    """Return whether an acknowledgement names what it agrees to: *Fine, then Sunday*."""
    return answers(sentence) and bool(_AGREED_VALUE.search(sentence) or counts(sentence))


def is_reaction(text: str) -> bool:
    """Return whether a sentence only comments on what another speaker said.

    Examples
    --------
    >>> is_reaction("That sounds like so much fun!"), is_reaction("You'll be a great teacher."), is_reaction("I teach maths.")
    (True, True, False)
    """
    plain = _plain(text)
    short = len(plain.split()) <= _COMMENT_WORDS
    comments = _COMMENT.match(plain) and not (_SETTLES.match(plain) or _chooses_after_all(plain))
    return short and bool(comments) and _FIRST_PERSON.search(plain) is None


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
        or _DUTY.search(_plain(text))
        or numbers(text)
        or counts(text)
        or dates(text) & _DATE_WORDS
        or negated(text)
        or is_decision(text)
        or requests(text)
        or (not sentence.asks and states_event(text))
        or claims(with_a_name(text), sentence.speaker)
    )


def is_about_somebody(text: str) -> bool:
    """Return whether a sentence has *he* or *her* without an antecedent.

    Examples
    --------
    >>> is_about_somebody("Let's invite him."), is_about_somebody("Tell Ida to bring her tent.")
    (True, False)
    """
    plain = _plain(text)
    pronoun = _PERSON_PRONOUN.search(plain)
    if pronoun is None:
        return False
    before = plain[: pronoun.start()]
    return not (names(before) or _OWNED.search(before) or begins_with_somebody(text, frozenset()))


def begins_with_somebody(text: str, speakers: frozenset[str]) -> bool:
    """Return whether a sentence begins with a role or a name that is no speaker's.

    Examples
    --------
    >>> begins_with_somebody("Dad's knee hurts.", frozenset()), begins_with_somebody("It's late.", frozenset())
    (True, False)
    """
    subject = _SUBJECT.match(text)
    if subject is None or subject[1] is None:
        return subject is not None
    return bool(capitalised(subject[1]) - _SOCIAL - DATES) and not _is_one_of(subject[1], speakers)


def names_others(text: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the names of a sentence that are no speaker's."""
    return frozenset(name for name in names(text) if not _is_one_of(name, speakers))


def _is_one_of(name: str, speakers: frozenset[str]) -> bool:
    """Return whether a name, perhaps a short form, is a speaker's: *Mel* is Melanie, but *Ann* is not Anna."""
    bare = name.casefold().removesuffix("'s")
    return any(
        f"{speaker} ".startswith(f"{bare} ") or _is_short(bare, speaker.partition(" ")[0])
        for speaker in speakers
    )


def _is_short(name: str, full: str) -> bool:
    """Return whether a name is a short form of another; one shorter by a single letter is a different name."""
    return full.startswith(name) and len(full) - len(name) >= _LEAST_CUT


def is_decision(text: str) -> bool:
    """Return whether a sentence states a decision."""
    plain = _plain(text)
    if text.endswith(_QUESTION_MARKS):
        return False
    return bool(_DECISION.search(plain) or _SETTLES.match(plain) or _chooses(plain))


def _chooses(sentence: str) -> bool:
    """Return whether a sentence only names a choice: *Dumplings then*, *So the gym after all*, *Sunday it is*."""
    first = _CLAUSE_END.split(sentence, maxsplit=1)[0].rstrip(" .!")
    if _CHOSEN_IT_IS.match(first) or _chooses_after_all(sentence):
        return True
    return _CHOSEN_THEN.search(first) is not None and is_bare(first)


def _chooses_after_all(sentence: str) -> bool:
    first = _CLAUSE_END.split(sentence, maxsplit=1)[0].rstrip(" .!")
    choice = _CHOSEN_AFTER_ALL.match(first)
    return choice is not None and is_bare(choice[1]) and not content_words(choice[1]) <= _SOCIAL


def says_what(text: str) -> bool:
    """Return whether a statement names its topic: a number, a name, or two words besides its day.

    One that begins with an answer is about the sentence before it.

    Examples
    --------
    >>> says_what("Ok, I'll tell Ms Hoffmann."), says_what("I'll confirm today."), says_what("I'll confirm the room.")
    (False, False, True)
    """
    if answers(text):
        return False
    content = content_words(text) - dates(text) - _SOCIAL
    return bool(len(content) > 1 or numbers(text) or names(text))


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
        if place not in paired and _is_idle(row.text):
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
    if _SMALL_TALK.search(_plain(text)):
        state.dropped.add(place)
    elif not answer:
        state.open.add(place)
    elif _NO_ANSWER.match(_plain(rows[answer[0]].text)):
        # an excuse with more after it stays open: without it, the rest would read as the answer
        alone = len(answer) == 1
        state.open |= {place} if alone else {place, answer[0]}
        state.dropped |= set(answer) if alone else set()
    elif (
        _SUPPOSES.search(text)
        or _needs_question(rows[answer[0]].text)
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
    plain = _plain(text)
    return _TELLS_TO_DO.search(plain) is not None and requests(plain) and not is_reaction(plain)


def _statement_before(rows: Sequence[Sentence], place: int) -> list[int]:
    """Return the last statement of the turn before a sentence that begins a turn."""
    turn = _turn_before(rows, place)
    return [each for each in turn if not rows[each].asks and not _is_idle(rows[each].text)][-1:]


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
    """Return whether an answer is a yes to a question that allows one, unlike *How is he?*."""
    return not _ASKS_WHAT.match(question) and _YES.match(answer) is not None


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
    while len(reply) > 1 and _is_idle(rows[reply[0]].text) and not _assents(rows[reply[0]].text):
        del reply[0]
    return reply


def _assents(answer: str) -> bool:
    """Return whether an answer is a yes or a no, or in the first person without a topic."""
    return _ASSENT.match(answer) is not None or _names_nothing(answer)


def _names_nothing(answer: str) -> bool:
    """Return whether an answer in the first person does not name its topic: *I'll do that*, *I'd say 1 September*."""
    named = any(name.casefold() not in CALENDAR_NAMES for name in names(answer))
    if named or not _OWN_ANSWER.match(_plain(answer)):
        return False
    # a day or a number alone says nothing of what is on that day
    told = content_words(answer) - dates(answer) - {form(word) for word in numbers(answer)}
    return len(told) < _SUFFICIENT_WORDS and not claims(answer, "I")


def _needs_question(answer: str) -> bool:
    """Return whether an answer needs its question: a yes, a no, or no full clause."""
    if _names_nothing(answer):
        return True
    assent = _ASSENT.match(answer)
    if _is_idle(answer) and not assent:
        return False
    if assent and not _NO_REFUSAL.match(answer):
        after_assent = _plain(answer[assent.end() :]).lstrip(" ,.;")
        short = len(content_words(after_assent)) < _SUFFICIENT_WORDS
        has_clause = FINITE.search(after_assent) and not _LEAVES_OUT.search(
            after_assent.rstrip(" .!")
        )
        leans_on = (
            points_back(after_assent)
            or lacks_subject(after_assent)
            or _OBJECT_PRONOUN.search(after_assent)
        )
        return short or not has_clause or bool(leans_on)
    first = _CLAUSE_END.split(answer, maxsplit=1)[0].rstrip(" .!")
    if points_back(answer) or _OBJECT_PRONOUN.search(first):
        return True
    if _LEAVES_OUT.search(_plain(first)) or _BARE_COUNT.search(first):
        return True
    return (is_phrase(first) or lacks_subject(first)) and not claims(first, None)
