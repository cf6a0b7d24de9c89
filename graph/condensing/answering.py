"""Presuppositions of questions, verbless phrases, requests and their acceptance."""

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
_TAG_QUESTION = re.compile(
    r", (?:right|yes|no|okay|ok|\w+n['’]t \w+|(?:is|does|did|do) \w+)$", re.IGNORECASE
)
# *a seated meal* has no verb: behind an article *-ed* makes an adjective
# a capital within a sentence, or before another name, is a name: *from Ahmed*, *Mohammed then*, *Wilfred and Ida*
_PAST_ED = r"(?-i:[a-z]\w{2,}ed|[a-z]\w*ied|(?<!\w )(?<!, )[A-Z]\w{2,}ed(?!,? (?:then\b|(?:and |or )?[A-Z]\w+(?:$|[.,]| then\b))))"
FINITE = re.compile(
    r"^(?:(?:and|but|so|then|well),? )?(?:that|this)\b|\b(?:I|we|he|she|it|they|there|you|is|are|was|were|am|be|has|have|had|do|does|did|will|would|can|could|should|may|might"
    r"|must|let's|\w+(?:'s|'re|'m|'ve|'ll|'d)|(?<!\b[Aa] )(?<!\b[Aa]n )(?<!\b[Tt]he )(?<!\b[Mm]y )(?<!\b[Oo]ur )"
    rf"{_PAST_ED}|ist|sind|war|hat|haben|wird|kann|ich|wir|er|sie|es)\b"
)
"""A verb that says when, a pronoun that has one, or the beginning *that* or *this*."""
_CALLED = re.compile(r"\b(?:called|named) (?=[^\W\d_a-z])")
_PAST = (
    rf"(?:{_PAST_ED}|(?i:went|came|got|took|made|gave|said|told|left|paid|bought|brought|found|saw|wrote|sent|lost|broke|won|ran|kept|felt|met|sold|spoke|slept|knew"
    r"|thought|began|became|chose|drove|ate|fell|flew|held|heard|led|read|rode|sat|stood|taught|wore"
    r"|rang|grew|drank|forgot|threw|caught|stole|swam|blew|froze|woke|drew))"
)
# *rolled up and in the cellar*, *was 30*; not *Ahmed took it*, not *Was he there*
_WITHOUT_SUBJECT = re.compile(
    rf"^(?:(?i:and|but|so|all|both|already|just),? )*(?:{_PAST}(?! (?:{_PAST}|\w+(?<!thi)s)\b)|(?i:is|are|was|were|has|had|will|would|can|could|should|may|might|must))"
    r"\b(?![:;]| (?:I|you|we|he|she|it|they)\b)"
)
_DID = re.compile(rf"(?:(?i:and|but|so|already|just),? )*{_PAST}\b")
# "the wound is weeping", "Dad's op went well", "I've lost my voice", "my uncle lends us his van", "they need rolls"
_NO_SUBJECT = (
    r"(?:i|we|you|it|they|this|that|these|those|there|here|what|which|who|how|when|where|why|if|because|as|one|everything|nothing"
    r"|(?:both|all)(?= (?:is|are|was|were)\b))\b"
)
_STATES = re.compile(
    r"^(?:(?:and|but|so|because|well|yes|no)\b,? )*(?:"
    rf"(?!{_NO_SUBJECT})(?:[\w'-]+ ){{1,3}}?(?:(?:is|are|was|were|has been|have been|(?:did|will|would|can|could|should|must)(?! you)(?: \w+)?)\b|{_PAST}\b)"
    r"|(?:the|my|our|your|his|her|their) (?:[\w'-]+ ){1,3}?\w+s (?:me|us|him|her|them|it|the|an?|my|our|your|his|their|to|at|in|on|from|for|with|here|there)\b"
    r"|(?:he|she|they)(?:'\w+| \w+)"
    rf"|I(?:'ve| have)(?: just)? (?:{_PAST}|\w+en) (?:my|our|the|an?)\b) ?\w",
    re.IGNORECASE,
)
# *He's home* says more than *it's late*
_BEGINS_WITH_PERSON = re.compile(r"^(?:he|she)\b", re.IGNORECASE)
_CLAUSE_BREAK = re.compile(r"[,;:–—]\s|\s(?=(?:and|but|because)\s)")
_LEAST_WORDS = 2  # words
_SHORT_PHRASE = 3  # words that tell something; a phrase of more may be a note
_SHORT_REFUSAL = 2  # such words of *Please no*; a denial of more says what is denied
_FORBIDS = re.compile(r"^(?:no|not|never|nothing|without|kein\w*|nie|ohne)\b", re.IGNORECASE)
_LONG_PHRASE = 8  # words; what is longer has a verb nearly always
# first words that are no verb, whatever looks like an object behind them: *Thanks Anna*
_NO_VERB = (
    r"(?i:and|but|so|for|from|in|on|at|by|with|of|to|about|after|before|until|since|as|like|what|which|who|how|when|where|why|if|because|than"
    r"|the|an?|my|our|your|his|their|its|this|that|these|those|all|both|not|no|yes|even|only|just|also|thanks?|happy|poor|congrat\w*"
    r"|i|you|he|she|it|we|they|nobody|everybody|somebody|is|was|are|were|have|had|has|did|do|know|love|like|can|will|would|should)"
)
_OPENING = r"^(?:(?:and|but|so|then|well|no|yes),? )*"
_NAME_ACTS = rf"(?!{_NO_VERB}\b)(?:{_NAME} )+[a-z]\w+s\b"
# "Tess takes", "The room has": a name or a noun, and a word that may be its verb.
_MAY_ACT = re.compile(
    rf"{_OPENING}(?:(?i:the|my|our|your|his|her|their) (?:\w+ )?\w+ \w+|{_NAME_ACTS})"
)
_ACTS = re.compile(_OPENING + _NAME_ACTS)
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
    """Return the clause that a question presupposes; empty if it presupposes none.

    Examples
    --------
    >>> presupposed("Does she know that Milo has asthma?"), presupposed("Do you think that Milo has asthma?")
    ('Milo has asthma', '')
    """
    with_that = _KNOWN_THAT.search(question)
    match = with_that or _KNOWN_CLAUSE.search(question)
    if match is None:
        return ""
    clause = _TAG_QUESTION.sub("", question[match.end() :].rstrip("?？!\"'”’) "))
    return clause if with_that or claims(clause) else ""


def adds_facts(question: str, answer: Sequence[str], named: frozenset[str]) -> bool:
    """Return whether a question has a clause, a name or a number that its answer does not repeat.

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
    facts = named | numbers(question) | counts(question)
    carried = (
        {form(word) for sentence in answer for word in tokens(sentence)} if facts else set[str]()
    )
    return not carried.issuperset(map(form, facts))


def is_past(word: str) -> bool:
    """Return whether a word is a past form: *wrote*, *painted*."""
    return _HAPPENED.fullmatch(word) is not None


def is_phrase(text: str) -> bool:
    """Return whether a clause has no verb of its own: *A seat and a walker*, *A plumber called Denzil*."""
    return len(text.split()) <= _LONG_PHRASE and not FINITE.search(_CALLED.sub("", text))


def lacks_subject(clause: str) -> bool:
    """Return whether a clause begins with its verb, so that its subject is in another sentence.

    Examples
    --------
    >>> lacks_subject("Rolled up and in the cellar"), lacks_subject("Ahmed rolled it up"), lacks_subject("Is he there")
    (True, False, False)
    """
    return _WITHOUT_SUBJECT.match(clause.replace("’", "'")) is not None


def states_event(sentence: str) -> bool:
    """Return whether a sentence states a condition, an event, or what another person does.

    Examples
    --------
    >>> states_event("Bad news, the wound is weeping."), states_event("My uncle lends us his van."), states_event("It was great.")
    (True, True, False)
    """
    parts = _CLAUSE_BREAK.split(sentence.replace("’", "'"))
    return any(
        _is_statement(part)
        and len(content_words(part)) >= (1 if _BEGINS_WITH_PERSON.match(part) else _LEAST_WORDS)
        for part in parts
    )


def _is_statement(clause: str) -> bool:
    # a past form at the beginning leaves out *I*: *Called the plumber*; *was the lamp on* asks
    verb_first = _WITHOUT_SUBJECT.match(clause) and _DID.match(clause)
    return bool(verb_first or _matches(_ACTS, clause) or _STATES.match(clause))


def is_bare(sentence: str) -> bool:
    """Return whether a sentence has, by its words, neither subject nor verb.

    Examples
    --------
    >>> is_bare("Even better for the garden."), is_bare("Tess takes them."), is_bare("It is better.")
    (True, False, False)
    """
    plain = sentence.replace("’", "'").rstrip(" .!")
    acts = _matches(_MAY_ACT, plain) or _matches(_IMPERATIVE, plain) or _HAPPENED.search(plain)
    return is_phrase(plain) and not acts


def is_little(sentence: str) -> bool:
    """Return whether a sentence is a phrase too short to be understood without another sentence.

    Examples
    --------
    >>> is_little("Two, both green."), is_little("Better not."), is_little("No shoes in the tent."), is_little("Room 14.")
    (True, True, False, False)
    """
    words = content_words(sentence)
    if len(words) > _SHORT_PHRASE or numbers(sentence) or names(sentence) or not is_bare(sentence):
        return False
    return len(words) <= _SHORT_REFUSAL or not _FORBIDS.match(sentence)


def requests(sentence: str) -> bool:
    """Return whether a sentence asks somebody to do something, without a question.

    Examples
    --------
    >>> requests("You send me 60."), requests("Call the plumber."), requests("She called the plumber.")
    (True, True, False)
    """
    plain = sentence.replace("’", "'")
    return _TO_DO.search(plain) is not None or _matches(_IMPERATIVE, plain)


def _matches(pattern: re.Pattern[str], sentence: str) -> bool:
    """Return whether a pattern is found, and the first word is no day or count, which looks like a name or verb."""
    first = sentence.partition(" ")[0]
    return pattern.search(sentence) is not None and not (dates(first) or counts(first))


def accepts(sentence: str) -> bool:
    """Return whether a sentence only accepts a request, or reports it as done."""
    return _ACCEPTS.match(sentence.replace("’", "'")) is not None
