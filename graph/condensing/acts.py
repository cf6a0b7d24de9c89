"""Dialogue acts of a sentence: question, acknowledgement, comment, answer, decision."""

from __future__ import annotations

import re

from graph.condensing.answering import is_bare
from graph.condensing.facts import (
    CALENDAR_NAMES,
    content_words,
    counts,
    dates,
    names,
    negated,
    numbers,
)
from graph.condensing.sentences import sentences
from graph.condensing.tokens import tokens

_SOCIAL_WORD_LIST = """great good nice cool awesome amazing wonderful lovely perfect fantastic excellent brilliant super fine sound see soon later
    welcome care bye goodbye morning evening night afternoon problem worry luck congrat congratulation sorry please indeed
    exactly absolutely definitely totally course sure agree agreed alright got understood interesting done hope friend day
    know noted ha haha lol gut super prima toll schön danke bitte hallo tschüss klar genau gerne okay ja nein morgen abend freue super"""
SOCIAL_WORDS = frozenset(_SOCIAL_WORD_LIST.split())
_EXCLAIMS = re.compile(
    r"^(?:poor|lucky|clever) \w+[\s!.…]*$|^(?:(?:oh|ah|aw+|wow|whoa|phew|yay|hooray|ouch|oops|ugh|haha+|hm+)\b[\s,!.…]*)+(?:no|dear|man|well|my)?[\s!.…]*$",
    re.IGNORECASE,
)
# *I have to go* and *See you on Thursday* are farewells, *I have to go to Bonn* is a statement
_FAREWELL = re.compile(
    r"^(?:(?:ok(?:ay)?|well|alright|great|good),? )?(?:(?:(?:i'll |we'll )?(?:see|talk to|speak to|catch) you|until|till|bis)\b(?:\W+\w+){0,3}"
    r"|(?:talk|speak) (?:soon|later|then)|(?:sure, )?go ahead"
    r"|(?:sorry,? )?i(?:'ve| have| need|'ll have)?(?: got)? (?:to|must|gotta) (?:go|run|leave)(?: now)?)\W*$",
    re.IGNORECASE,
)
_GREETINGS_WORDS = (
    """hey hi hello hallo oh ah dear thanks thank you bye goodbye yes yeah ok okay well wow"""
)
_GREETINGS = frozenset(_GREETINGS_WORDS.split())
_NOTHING_ELSE = re.compile(
    r"^(?:no|nope|nothing|nein)?,? ?(?:thanks?,? |thank you,? |danke,? )?(?:that(?:'s| is| was| will be) (?:all|it|everything)|das (?:ist|war) alles)(?=[.!,]|$| (?:for|from|i|thanks|thank|then)\b)",
    re.IGNORECASE,
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
_ANSWERS = re.compile(
    r"^(?:yes|yeah|yep|no|nope|sure|ok(?:ay)?|agreed|exactly|right|great|perfect|fine|fair(?: enough)?|good|nice|noted|done|not yet"
    r"|thanks|thank you|phew|oh no)(?:[,.!]|$)",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:agreed|decided|decide|confirmed|booked|reserved|cancell?ed|ordered|settled|approved|scheduled|let's|let us|we'll|we will"
    r"|i'll|i will|(?:am|are|is|'m|'re) going to|moved to|beschlossen|vereinbart|gebucht|bestellt)\b",
    re.IGNORECASE,
)
# *the dentist cancelled* is no decision of those who speak, *hotel booked* may be
_BY_OTHERS = re.compile(
    r"(?:\b(?:the|an?|my|our|your|his|her|their) (?:[\w'-]+ ){1,2}|(?<![\w'])(?!(?:I|We|Both|All)\b)[^\W\d_a-z][\w'-]+ |\b(?i:he|she|it|they|you|who) )"
    r"(?:agreed|decided|confirmed|booked|reserved|cancell?ed|ordered|settled|approved|scheduled)\b"
)
# *Kamil then*, *then Paris as the end*, *26 April it is*; not *until then*, not *how late it is*
_CHOSEN_THEN = re.compile(
    r"^then (?!again\b)\w|(?<!\buntil)(?<!\btill)(?<!\bsince)(?<!\bby)(?<!\bback)(?<!\band) then$",
    re.IGNORECASE,
)
_CHOSEN_IT_IS = re.compile(
    r"^(?!(?:what|how|where|who|why|as|that|this|it)\b)(?:[\w:.-]+ ){1,3}it is$", re.IGNORECASE
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
CHOICE_VERBS = r"take|choose|pick|go for|go with|go to|stay with|keep|book|order|buy|hire|rent|use|say|meet (?:at|in|on)|vote for"
_WE_CHOOSE = re.compile(
    rf"^(?:we|I|let's|let us)(?: will|'ll|'d)? (?:{CHOICE_VERBS})\b", re.IGNORECASE
)
# *Okay, the 22nd it is*
_LEADS = re.compile(
    r"^(?:(?:ok(?:ay)?|fine|good|great|all ?right|right|agreed|well|sure|perfect|yes|no|so)[,.!]? )+",
    re.IGNORECASE,
)
_COMMENT = re.compile(
    r"^(?:(?:oh|wow|whoa|aw+|yay|hey|oops|phew|haha|yeah|yes|well|so|and|but)\b[,!]?\s+(?:\w+,?\s+)?)*(?:that|this|those|these|what an?|sounds?|looks?|must|glad"
    r"|happy for|sorry(?!,)|congrats|congratulations|way to go|good (?:luck|that|to|idea|point|choice|thinking)|well done|nice|great|awesome|so \w+|love (?:the|your|that|it)|noted|ok(?:ay)?,|thanks|thank you"
    r"|you(?:'\w+)?|your|keep|hope|have fun|enjoy|can't wait)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'\w+|my|mine|we|we'\w+|our|ours|us)\b", re.IGNORECASE)
NO_REFUSAL = re.compile(r"^no (?:problem|worries)\b", re.IGNORECASE)
_QUESTION_MARKS = ("?", "？")
_COMMENT_WORDS = 10  # words; a longer sentence is more than a comment
SUFFICIENT_WORDS = 3  # content words after a yes or a no that make the question unnecessary
CLAUSE_END = re.compile(r"[,;:–—]\s")
# what an acknowledgement agrees to: *fine, then Sunday*, *ok for Anna* (ADR 83)
_AGREED_VALUE = re.compile(
    rf"\b(?:{'|'.join(word.capitalize() for word in sorted(CALENDAR_NAMES))}|(?i:today|tonight|tomorrow|morgen|heute))\b"
    r"|\b(?i:then|for|with|at|in|on|by|from|the) [^\W\d_a-z]\w"
)


def is_question(text: str) -> bool:
    """Return whether a sentence asks, with or without a question mark."""
    if text.endswith(_QUESTION_MARKS) or _ASKS_WITHOUT_MARK.match(text):
        return True
    return _EITHER.match(text) is not None and is_bare(text)


def is_idle(text: str) -> bool:
    """Return whether a text has no information: a greeting, thanks, an acknowledgement.

    Examples
    --------
    >>> is_idle("Great, thanks! See you soon."), is_idle("Thanks for the 12 chairs.")
    (True, False)
    """
    return all(tells_nothing(row) for row in sentences(text))


def answers(sentence: str) -> bool:
    """Return whether a sentence begins with an answer, such as *yes*, *ok* or *done*."""
    # a number makes it an appointment: *See you at 9*
    return _ANSWERS.match(straightened(sentence)) is not None


def straightened(text: str) -> str:
    """Return a text with straight apostrophes."""
    return text.replace("’", "'")


def tells_nothing(sentence: str) -> bool:
    """Return whether a sentence only greets, thanks, acknowledges or exclaims."""
    if _EXCLAIMS.match(sentence) or (
        _FAREWELL.match(straightened(sentence)) and not numbers(sentence)
    ):
        return True
    if _NOTHING_ELSE.match(straightened(sentence)):
        return len(content_words(sentence)) < SUFFICIENT_WORDS and not numbers(sentence)
    if numbers(sentence) or (negated(sentence) and not NO_REFUSAL.match(sentence)):
        return False
    mentioned = {word.casefold() for word in names(sentence)}
    content = content_words(sentence) - mentioned
    # *Thanks, Anna!*: a name among greetings
    if mentioned and not content:
        return {word.casefold() for word in tokens(sentence)} <= mentioned | _GREETINGS
    return content <= SOCIAL_WORDS and not _names_agreement(sentence)


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
    plain = straightened(text)
    short = len(plain.split()) <= _COMMENT_WORDS
    comments = _COMMENT.match(plain) and not (_SETTLES.match(plain) or _chooses_after_all(plain))
    return short and bool(comments) and _FIRST_PERSON.search(plain) is None


def is_decision(text: str) -> bool:
    """Return whether a sentence states a decision."""
    plain = straightened(text)
    if text.endswith(_QUESTION_MARKS):
        return False
    return bool(
        _DECISION.search(_BY_OTHERS.sub("", plain)) or _SETTLES.match(plain) or _chooses(plain)
    )


def _chooses(sentence: str) -> bool:
    """Return whether a sentence only names a choice: *Dumplings then*, *So the gym after all*, *Sunday it is*."""
    first = CLAUSE_END.split(_LEADS.sub("", sentence), maxsplit=1)[0].rstrip(" .!")
    if _CHOSEN_IT_IS.match(first) or _chooses_after_all(sentence):
        return True
    chosen = first.removesuffix(" then")
    return _CHOSEN_THEN.search(first) is not None and is_bare(chosen) and not negated(chosen)


def _chooses_after_all(sentence: str) -> bool:
    first = CLAUSE_END.split(sentence, maxsplit=1)[0].rstrip(" .!")
    choice = _CHOSEN_AFTER_ALL.match(first)
    return (
        choice is not None and is_bare(choice[1]) and not content_words(choice[1]) <= SOCIAL_WORDS
    )


def _names_choice(sentence: str) -> bool:
    chosen = CLAUSE_END.split(_LEADS.sub("", sentence), maxsplit=1)[0]
    return _WE_CHOOSE.match(chosen) is not None and bool(names(chosen) or numbers(chosen))


def says_what(text: str) -> bool:
    """Return whether a statement names its topic: a number, a name, or two words besides its day.

    One that begins with an answer is about the sentence before it, unless it names a choice: *Okay, the 22nd it is*, *Agreed, we stay with
    Geolux*.

    Examples
    --------
    >>> says_what("Ok, I'll tell Ms Hoffmann."), says_what("I'll confirm today."), says_what("I'll confirm the room.")
    (False, False, True)
    """
    plain = straightened(text)
    if answers(text) and not (_chooses(plain) or _names_choice(plain)):
        return False
    content = content_words(text) - dates(text) - SOCIAL_WORDS
    return bool(len(content) > 1 or numbers(text) or names(text))
