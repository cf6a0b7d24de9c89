"""Facts that a question tells beside what it asks, phrases without a verb, and requests."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph.condensing.claims import claims
from graph.condensing.facts import (
    content_words,
    counts,
    dates,
    form,
    names,
    numbers,
)
from graph.condensing.tokens import tokens

_NAME = r"[^\W\d_a-z]\w*"
_BEGINS_CLAUSE = (
    r"(?:(?i:the|an?|my|our|your|his|her|their|its|this|these|those|there|I|you|we|he|she|it|they|every\w*|no\w*|some\w*|all|both)"
    rf"|{_NAME})(?:['’]\w+)? \w"
)
# *that Milo has asthma*; not *Is that the key?*, not *that red one*
_THAT = re.compile(rf"(?<!\bis )(?<!\bwas )(?<!\bare )\b(?i:that) (?={_BEGINS_CLAUSE})")
# What somebody knows, hears or forgets is so; what they think or hope may not be.
_KNOWN = (
    r"\b(?i:kn[eo]w\w*|aware|told|tell|hear\w*|saw|seen?|remember\w*|notic\w+|forg[eo]t\w*|mention\w*|reali[sz]\w+|underst\w+|learn\w*"
    r"|f[io]u?nd out|mind|sorry|glad|now) "
)
_KNOWN_THAT = re.compile(rf"{_KNOWN}(?:\w+ ){{0,3}}that (?={_BEGINS_CLAUSE})")
_KNOWN_CLAUSE = re.compile(rf"{_KNOWN}(?={_BEGINS_CLAUSE})")
# *…, right?* and *…, isn't it?* ask whether the clause is so, and are no part of it
_TAG = re.compile(
    r", (?:right|yes|no|okay|ok|\w+n['’]t \w+|(?:is|does|did|do) \w+)$", re.IGNORECASE
)
# *a seated meal* has no verb: behind an article *-ed* makes an adjective
FINITE = re.compile(
    r"^(?:(?:and|but|so|then|well),? )?(?:that|this)\b|\b(?:I|we|he|she|it|they|there|you|is|are|was|were|am|be|has|have|had|do|does|did|will|would|can|could|should|may|might"
    r"|must|let's|\w+(?:'s|'re|'m|'ve|'ll|'d)|(?<!\b[Aa] )(?<!\b[Aa]n )(?<!\b[Tt]he )(?<!\b[Mm]y )(?<!\b[Oo]ur )\w{3,}ed|ist|sind|war|hat|haben|wird|kann|ich|wir|er|sie|es)\b"
)
"""A verb that says when, a pronoun that has one, or the beginning *that* or *this*."""
_CALLED = re.compile(r"\b(?:called|named) (?=[^\W\d_a-z])")
_PAST = (
    r"(?i:\w{3,}ed|\w+ied|went|came|got|took|made|gave|said|told|left|paid|bought|brought|found|saw|wrote|sent|lost|broke|won|ran|kept|felt|met|sold|spoke|slept|knew"
    r"|thought|began|became|chose|drove|ate|fell|flew|held|heard|led|read|rode|sat|stood|taught|wore"
    r"|rang|grew|drank|forgot|threw|caught|stole|swam|blew|froze|woke|drew)"
)
# *rolled up and in the cellar*, *was 30*; not *Ahmed took it*, not *Was he there*
_WITHOUT_SUBJECT = re.compile(
    rf"^(?:(?i:and|but|so|all|both|already|just),? )*(?:{_PAST}(?! (?:{_PAST}|\w+(?<!thi)s)\b)|(?i:is|are|was|were|has|had|will|would|can|could|should|may|might|must))"
    r"\b(?![:;]| (?:I|you|we|he|she|it|they)\b)"
)
_DID = re.compile(rf"(?:(?i:and|but|so|already|just),? )*{_PAST}\b")
# "the wound is weeping", "Dad's op went well", "I've lost my voice", "my uncle lends us his van", "they need rolls"
_NOBODY = (
    r"(?:i|we|you|it|they|this|that|these|those|there|here|what|which|who|how|when|where|why|if|because|as|one|everything|nothing"
    r"|(?:both|all)(?= (?:is|are|was|were)\b))\b"
)
_TOLD = re.compile(
    r"^(?:(?:and|but|so|because|well|yes|no)\b,? )*(?:"
    rf"(?!{_NOBODY})(?:[\w'-]+ ){{1,3}}?(?:(?:is|are|was|were|has been|have been|(?:did|will|would|can|could|should|must)(?! you)(?: \w+)?)\b|{_PAST}\b)"
    r"|(?:the|my|our|your|his|her|their) (?:[\w'-]+ ){1,3}?\w+s (?:me|us|him|her|them|it|the|an?|my|our|your|his|their|to|at|in|on|from|for|with|here|there)\b"
    r"|(?:he|she|they)(?:'\w+| \w+)"
    rf"|I(?:'ve| have)(?: just)? (?:{_PAST}|\w+en) (?:my|our|the|an?)\b) ?\w",
    re.IGNORECASE,
)
# *He's home* says more than *it's late*
_PERSON = re.compile(r"^(?:he|she)\b", re.IGNORECASE)
_PARTS = re.compile(r"[,;:–—]\s|\s(?=(?:and|but|because)\s)")
_TELLS = 2  # words
_FEW = 3  # words that tell something; a phrase of more may be a note
_REFUSAL = 2  # such words of *Please no*; a denial of more says what is denied
_FORBIDS = re.compile(r"^(?:no|not|never|nothing|without|kein\w*|nie|ohne)\b", re.IGNORECASE)
_LONG_PHRASE = 8  # words; what is longer has a verb nearly always
# first words that are no verb, whatever looks like an object behind them: *Thanks Anna*
_NO_VERB = (
    r"(?i:and|but|so|for|from|in|on|at|by|with|of|to|about|after|before|until|since|as|like|what|which|who|how|when|where|why|if|because|than"
    r"|the|an?|my|our|your|his|their|its|this|that|these|those|all|both|not|no|yes|even|only|just|also|thanks?|happy|poor|congrat\w*"
    r"|i|you|he|she|it|we|they|nobody|everybody|somebody|is|was|are|were|have|had|has|did|do|know|love|like|can|will|would|should)"
)
_GOES_ON = r"^(?:(?:and|but|so|then|well|no|yes),? )*"
_NAME_ACTS = rf"(?!{_NO_VERB}\b)(?:{_NAME} )+[a-z]\w+s\b"
# "Tess takes", "The room has": a name or a noun, and a word that may be its verb.
_MAY_ACT = re.compile(
    rf"{_GOES_ON}(?:(?i:the|my|our|your|his|her|their) (?:\w+ )?\w+ \w+|{_NAME_ACTS})"
)
_ACTS = re.compile(_GOES_ON + _NAME_ACTS)
_HAPPENED = re.compile(rf"\b{_PAST}\b")
_OBJECT = rf"(?:(?i:me|us|him|her|them|it|all (?=(?:the|my|our|your|his|her|of)\b)|everything|the|an?|my|our|your|his|their)\b|\d|{_NAME})"
_TO_DO = re.compile(
    r"\b(?i:please|you(?:'ll| will)? (?:must|ha(?:ve|s) to|need to|should|could|can)|don't forget|remember to|make sure|remind me)\b"
    rf"|\b(?i:you(?:'ll| will)?) (?!{_NO_VERB}\b)(?!{_PAST}\b)\w+ {_OBJECT}"
)
# *Call the plumber*; not *Called the plumber*, not *Only the plumber*
_IMPERATIVE = re.compile(
    # behind *and* a capital begins a name: *and Ida the stove*
    rf"^(?:(?:(?i:ok(?:ay)?|well|then|so|and|but),? )+(?=[a-z]))?(?!{_NO_VERB}\b)(?!{_PAST}\b)[A-Za-z]+ {_OBJECT}"
)
# *Will do!*, with twelve characters more at most: whoever says more tells something
_ACCEPTS = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|fine|good|all),? )*(?:done|sent|paid|ok(?:ay)?|yes|yeah|yep|sure(?: thing)?|will do|noted|got it|on it|of course|no problem|agreed|fine"
    r"|deal|set|consider it done|i did|i have|i will|erledigt|mach(?:e)? ich|klar|ja)\b[\w ,]{0,12}[.!…]*$",
    re.IGNORECASE,
)


def presupposed(question: str) -> str:
    """Return the clause that a question takes to be so; empty where it takes nothing.

    Examples
    --------
    >>> presupposed("Does she know that Milo has asthma?"), presupposed("Do you think that Milo has asthma?")
    ('Milo has asthma', '')
    """
    said = _KNOWN_THAT.search(question)
    found = said or _KNOWN_CLAUSE.search(question)
    if found is None:
        return ""
    clause = _TAG.sub("", question[found.end() :].rstrip("?？!\"'”’) "))
    return clause if said or claims(clause) else ""


def tells_more(question: str, answer: Sequence[str], named: frozenset[str]) -> bool:
    """Say whether a question has a clause, a name or a number that its answer does not carry.

    Parameters
    ----------
    question
        The question.
    answer
        Sentences of the answer.
    named
        Names in the question, without those of who speaks.
    """
    if (" that " in question and _THAT.search(question)) or presupposed(question):
        return True
    own = named | numbers(question) | counts(question)
    carried = {form(word) for row in answer for word in tokens(row)} if own else set[str]()
    return not carried.issuperset(map(form, own))


def is_phrase(text: str) -> bool:
    """Say whether a clause has no verb of its own: *A seat and a walker*, *A plumber called Denzil*."""
    return len(text.split()) <= _LONG_PHRASE and not FINITE.search(_CALLED.sub("", text))


def lacks_subject(clause: str) -> bool:
    """Say whether a clause begins with its verb, so that another sentence says of whom or what it tells.

    Examples
    --------
    >>> lacks_subject("Rolled up and in the cellar"), lacks_subject("Ahmed rolled it up"), lacks_subject("Is he there")
    (True, False, False)
    """
    return _WITHOUT_SUBJECT.match(clause.replace("’", "'")) is not None


def tells_of(sentence: str) -> bool:
    """Say whether a clause tells how somebody or something is, what became of it, or what somebody else does.

    Examples
    --------
    >>> tells_of("Bad news, the wound is weeping."), tells_of("My uncle lends us his van."), tells_of("It was great.")
    (True, True, False)
    """
    parts = _PARTS.split(sentence.replace("’", "'"))
    return any(
        _tells(part) and len(content_words(part)) >= (1 if _PERSON.match(part) else _TELLS)
        for part in parts
    )


def _tells(clause: str) -> bool:
    # a past form at the beginning leaves out *I*: *Called the plumber*; *was the lamp on* asks
    did = _WITHOUT_SUBJECT.match(clause) and _DID.match(clause)
    return bool(did or _begins(_ACTS, clause) or _TOLD.match(clause))


def is_bare(sentence: str) -> bool:
    """Say whether a sentence has neither subject nor verb, as far as its words show.

    Examples
    --------
    >>> is_bare("Even better for the garden."), is_bare("Tess takes them."), is_bare("It is better.")
    (True, False, False)
    """
    plain = sentence.replace("’", "'").rstrip(" .!")
    acts = _begins(_MAY_ACT, plain) or _begins(_IMPERATIVE, plain) or _HAPPENED.search(plain)
    return is_phrase(plain) and not acts


def is_little(sentence: str) -> bool:
    """Say whether a sentence is a phrase of so few words that only another sentence says what it is about.

    Examples
    --------
    >>> is_little("Two, both green."), is_little("Better not."), is_little("No shoes in the tent."), is_little("Room 14.")
    (True, True, False, False)
    """
    told = content_words(sentence)
    if len(told) > _FEW or numbers(sentence) or names(sentence) or not is_bare(sentence):
        return False
    return len(told) <= _REFUSAL or not _FORBIDS.match(sentence)


def requests(sentence: str) -> bool:
    """Say whether a sentence asks somebody to do something, without a question.

    Examples
    --------
    >>> requests("You send me 60."), requests("Call the plumber."), requests("She called the plumber.")
    (True, True, False)
    """
    plain = sentence.replace("’", "'")
    return _TO_DO.search(plain) is not None or _begins(_IMPERATIVE, plain)


def _begins(pattern: re.Pattern[str], sentence: str) -> bool:
    """Say whether a sentence has the pattern; one that begins with a day or a count has no name and no verb there."""
    first = sentence.partition(" ")[0]
    return pattern.search(sentence) is not None and not (dates(first) or counts(first))


def accepts(sentence: str) -> bool:
    """Say whether a sentence does no more than take on a request, or say that it is done."""
    return _ACCEPTS.match(sentence.replace("’", "'")) is not None
