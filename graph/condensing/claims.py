"""Claims of a sentence: who, relation, value, time, and whether it is denied.

A small grammar of English that rather says nothing than something wrong: it reads statements of what is or usually is
so, whose subject is named or is the speaker. Questions, wishes, guesses, reports of what others said, conditions,
events that are over and subjects that stand for something else (*she*, *it*, *they*) give no claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graph.condensing.verbs import (
    ABILITIES,
    COMPLEMENTS,
    DURABLE,
    HABITS,
    PAST_CHANGES,
    PREPOSITIONAL,
    THIRD_ONLY,
    base_form,
)

_LONGEST = 400  # characters; a longer sentence is none
_LEAD = re.compile(
    r"^(?:(?:yes|no|yeah|well|oh|wow|hey|okay|ok|right|also|and|so|by the way|actually|in fact)\b[,!]?\s+)+",
    re.IGNORECASE,
)
# guesses, wishes, questions and quoted words claim nothing
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|possibly|probably|might|would|could|should|if|unless|whether|imagine|suppose|supposedly|apparently"
    r"|according to|as far as|wish|hope|guess|think|believe|assume)\b|[\"“”„«»]|\?",
    re.IGNORECASE,
)
_PRONOUNS = r"(?:I|we|he|she|it|they|you|there|this|that|these|those|my|our|his|her|their|its)"
# before a pronoun or a name alone: *salt and pepper* is one value
_CLAUSE = re.compile(
    rf"\s*[;:]\s+|\s*[–—]\s*|\s*-\s+|\s*,\s+(?:but|yet|so)\s+|\s*,\s+(?:and\s+)?(?='cause\b|{_PRONOUNS}(?:'\w+)?\s)|\s*,\s+and\s+(?=[A-Z])"
    rf"|\s+(?:but|and)\s+(?={_PRONOUNS}\b)"
)
# *My sister and I sing* is a claim about two
_JOINT = re.compile(
    r"^(?:(?:my|our|the)\s+)?\S+\s+and\s+(?:I|he|she|we|they|you|my|our|his|her|their)\b",
    re.IGNORECASE,
)
# *because it rains* goes, *since 2019* stays
_TAIL = re.compile(
    r",?\s+(?:because|although|though|when|whenever|while|since|after|before|until|so that|as long as)\b(?!\s+\d)(?:\s.*)?$",
    re.IGNORECASE,
)
# a value that points elsewhere, or breaks off: *likes it*, *lives with*
_UNNAMED = re.compile(
    r"\b(?:it|his|her|their|its|your|this|that|these|those|them|him|which|who|whose|where)\b|\b(?:too|either|of|to|and|or|with|for)$"
    r"|^(?:up|off|out|on|down|away|around|back|over|one|some|any|both|none|enough)$",
    re.IGNORECASE,
)
# *moved to Oslo last May*: the time is no part of the value
_WHEN = re.compile(
    r"\s+(?:(?:in|since|last|next|this|on) (?:(?:early|late|mid) )?(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december|spring|summer|autumn|winter|week|month|year|\d{4})(?: \d{4})?|yesterday|today|recently)$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\s,]+|,")
_SHORT_BE = re.compile(r"^(I|We|we|He|She|It)('m|'re|'s)$")
_NAME = re.compile(r"^(?:(?:Mr|Mrs|Ms|Dr|Prof)\.|[^\W\d_a-zà-ÿ][\w.&/-]*[’']?s?)$")
_TITLE = frozenset({"Mr.", "Mrs.", "Ms.", "Dr.", "Prof."})
# capitalised where they begin a sentence, and no names: *Someone likes tea*
_NO_NAMES_WORDS = """a an he she it they you this that these those there here his her their its who what which where when why how everyone
    everybody someone somebody nobody noone anyone nothing something everything some many most all both each one please let
    let's thanks thank good great nice not never green sorry if"""
_NO_NAMES = frozenset(_NO_NAMES_WORDS.split())
_OWN = frozenset({"my", "our"})
_ADVERBS_WORDS = """really usually also still always often now currently mostly normally actually generally just regularly only"""
_ADVERBS = frozenset(_ADVERBS_WORDS.split())
_NO_NOUN_WORDS = """and or but if to when while that which who said says is are was were be been will would could should can may might not
    never i we he she it they you with for at on from by as than"""
_NO_NOUN = frozenset(_NO_NOUN_WORDS.split())
_BE = {"am": "", "is": "", "are": "", "'m": "", "'s": "", "'re": ""}
_NOT = re.compile(r"^(?:is|are|do|does|ca|was|were)n['’]t$|^cannot$", re.IGNORECASE)
_EMPTY_VALUES = re.compile(
    r"^(?:it|that|this|those|these|him|her|them|so|me|you|us|what|when|how|why|if|a lot|much|more|less|there|here)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"^(?:to|got|been|had|gone|done|made|taken|seen|come|become|lost|found|left|sold|bought|heard|read|told|\w+ed)$"
)
# over by tomorrow: *Tom is tired* says nothing lasting of Tom
_PASSING_WORDS = """on off up down back here there ready late early over out in away gone fine okay ok good great busy tired hungry sick ill
    happy sad sorry sure glad cold hot well right wrong true"""
_PASSING = frozenset(_PASSING_WORDS.split())
_PLACES = frozenset({"in", "at", "under", "near", "behind", "beside", "above", "between"})
_DATED = re.compile(
    r"^on (?:the |\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:january|february|march|april|may|june|july|august|september"
    r"|october|november|december)\b|(?:holiday|leave)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a sentence.

    ``relation`` is a verb in its base form with its preposition, ``when`` the time that the sentence gives, as it
    stands there.
    """

    subject: str
    relation: str
    value: str
    negated: bool = False
    when: str = ""


def claims(sentence: str, speaker: str | None = None) -> tuple[Claim, ...]:
    """Return the claims of a sentence, at most one of each clause.

    Parameters
    ----------
    sentence
        One sentence.
    speaker
        Who says it: what *I*, *we*, *my* and *our* stand for. Without one such clauses give nothing.

    Examples
    --------
    >>> claims("I don't eat shellfish.", "Ida")
    (Claim(subject='Ida', relation='eat', value='shellfish', negated=True, when=''),)
    >>> claims("She might move to Rome.")
    ()
    """
    text = _LEAD.sub("", sentence.strip().replace("’", "'"))
    if len(text) > _LONGEST or _UNSURE.search(text):
        return ()
    if _JOINT.match(text):
        return ()
    found = (_claim(clause, speaker) for clause in _CLAUSE.split(text.rstrip(" .!…")))
    return tuple(claim for claim in found if claim is not None)


def _claim(clause: str, speaker: str | None) -> Claim | None:
    words = list(_split(clause))
    read = _subject(words, speaker)
    if read is None:
        return None
    subject, place, first_person = read
    negated = False
    while place < len(words):
        word = words[place].casefold()
        if word in _ADVERBS:
            place += 1
        elif word in {"never", "not"}:
            negated, place = True, place + 1
        elif words[place : place + 2] == ["no", "longer"]:
            negated, place = True, place + 2
        # behind *do* the verb stands in its base form, as it does behind *I*
        elif word in {"do", "does"} and words[place + 1 : place + 2] == ["not"]:
            negated, place, first_person = True, place + 2, True
        elif _NOT.match(word) and word.startswith(("do", "does")):
            negated, place, first_person = True, place + 1, True
        else:
            break
    if place >= len(words):
        return None
    return _predicate(subject, words, place, first_person, negated, speaker)


def _split(clause: str) -> Iterator[str]:
    for match in _WORD.finditer(clause):
        word = match[0]
        short = _SHORT_BE.match(word) if "'" in word else None
        if short:
            yield short[1]
            yield {"'m": "am", "'re": "are", "'s": "is"}[short[2]]
        else:
            yield word


def _subject(words: Sequence[str], speaker: str | None) -> tuple[str, int, bool] | None:
    """Return the subject, the place of the verb group, and whether its verb is in the base form."""
    if not words:
        return None
    first = words[0]
    if first in {"I", "We", "we"}:
        return (speaker, 1, True) if speaker else None
    if first.casefold() in _OWN:
        found = _noun(words, 1)
        return (f"{speaker}'s {found[0]}", *found[1:]) if found and speaker else None
    if first.casefold() == "the":
        found = _noun(words, 1)
        return (f"the {found[0]}", *found[1:]) if found else None
    return _named(words)


def _noun(words: Sequence[str], start: int) -> tuple[str, int, bool] | None:
    """Read a noun of one to five words up to its verb."""
    for place in range(start + 1, min(start + 6, len(words))):
        word = words[place].casefold()
        noun = words[start:place]
        # *glass* is no plural
        plural = noun[-1].endswith("s") and not noun[-1].endswith("ss")
        if _is_verb(word, plural=plural):
            sane = not any(each.casefold() in _NO_NOUN or each == "," for each in noun)
            return (" ".join(noun), place, plural) if sane else None
    return None


def _named(words: Sequence[str]) -> tuple[str, int, bool] | None:
    place = 0
    while place < min(4, len(words)) and _NAME.match(words[place]):
        place += 1
        if words[place - 1].endswith("'s"):
            found = _noun(words, place)
            return (" ".join([*words[:place], found[0]]), *found[1:]) if found else None
    if not place or words[0].casefold().rstrip(".") in _NO_NAMES or place >= len(words):
        return None
    # *are* behind a name: more than one is spoken of
    if set(words[:place]) <= _TITLE or words[place].casefold() == "are":
        return None
    return " ".join(words[:place]), place, False


def _is_verb(word: str, *, plural: bool) -> bool:
    if word in {"is", "isn't", "was", "wasn't", "doesn't", "does", "never", "can", "can't"}:
        return not plural or word in {"never", "can", "can't"}
    if word in {"are", "aren't", "don't", "do", "were"}:
        return plural
    base = base_form(word)
    if word in PAST_CHANGES:
        return True
    # *Ben swims*, *the neighbours swim*: where the form does not agree the word is a noun
    return base in HABITS | THIRD_ONLY and (word == base if plural else word != base)


def _predicate(
    subject: str,
    words: Sequence[str],
    place: int,
    first_person: bool,
    negated: bool,
    speaker: str | None,
) -> Claim | None:
    word = words[place].casefold()
    rest = words[place + 1 :]
    if word in _BE or re.match(r"^(?:is|are)n't$", word):
        negated = negated or word.endswith("n't")
        return _being(subject, rest, negated, speaker, is_speaker=subject == speaker)
    if word in {"was", "were"}:
        return _made(subject, rest, negated)
    if word in {"can", "can't", "cannot"}:
        return _able(subject, rest, negated=negated or word != "can")
    if word in PAST_CHANGES:
        return _changed(subject, PAST_CHANGES[word], rest, negated)
    base = base_form(word)
    right_form = word == base if first_person else word != base
    known = base in HABITS or (base in THIRD_ONLY and subject != speaker)
    if not known or not right_form:
        return None
    # *has lost*, *has to*: nobody has anything
    if base == "have" and any(_PARTICIPLE.match(each) for each in rest[:2]):
        return None
    if base in PREPOSITIONAL and _takes_preposition(base, rest):
        return _placed(subject, base, rest, negated)
    if rest and rest[0].casefold() == "no":
        negated, rest = True, rest[1:]
    return _with_value(subject, base, rest, negated, may_be_empty=negated and base in ABILITIES)


def _takes_preposition(base: str, rest: Sequence[str]) -> bool:
    """Say whether a verb claims nothing without its preposition; *study* takes an object too."""
    return base != "study" or (bool(rest) and rest[0] in PREPOSITIONAL[base])


def _being(
    subject: str, rest: Sequence[str], negated: bool, speaker: str | None, *, is_speaker: bool
) -> Claim | None:
    while rest and (rest[0] == "not" or rest[0] in _ADVERBS):
        negated, rest = negated or rest[0] == "not", rest[1:]
    if not rest:
        return None
    first, text = rest[0].casefold(), " ".join(rest)
    for complement in COMPLEMENTS:
        if text.casefold().startswith(f"{complement} "):
            size = len(complement.split())
            return _with_value(subject, f"be {complement}", rest[size:], negated)
    if _DATED.match(text) and not is_speaker:
        return _with_value(subject, "be on", rest[1:], negated)
    # *I'm in the kitchen* is over soon, *the key is in the kitchen* may stay so
    if first in _PLACES and not is_speaker:
        return _with_value(subject, f"be {first}", rest[1:], negated)
    if first in _OWN and speaker:
        return _with_value(subject, "be", [f"{speaker}'s", *rest[1:]], negated)
    capital = rest[0][0].isupper() and len(rest) <= 4
    # *is 42*, but not *I'm 5 minutes away*
    counted = rest[0][0].isdigit() and (not is_speaker or "old" in rest)
    if first in {"a", "an"} or capital or counted or (first == "the" and not is_speaker):
        return _with_value(subject, "be", rest, negated)
    code = any(char.isdigit() for char in rest[0])
    lasting = len(rest) == 1 and first not in _PASSING and not first.endswith("ing")
    if (not is_speaker and lasting) or (code and len(rest) == 1):
        return _with_value(subject, "be", rest, negated)
    return None


def _made(subject: str, rest: Sequence[str], negated: bool) -> Claim | None:
    """Read what was once and stays so: *was born in*, *was built in*."""
    for phrase in DURABLE:
        size = len(phrase.split())
        if " ".join(rest[:size]).casefold() == phrase:
            return _with_value(subject, f"be {phrase}", rest[size:], negated)
    return None


def _able(subject: str, rest: Sequence[str], *, negated: bool) -> Claim | None:
    # *can't stand* dislikes, *can stand* says nothing
    if not rest or rest[0] not in ABILITIES or (rest[0] == "stand" and not negated):
        return None
    return _with_value(subject, rest[0], rest[1:], negated, may_be_empty=negated)


def _changed(subject: str, base: str, rest: Sequence[str], negated: bool) -> Claim | None:
    if base == "stop":
        # *stopped smoking*, not *stopped at the shop*
        stopped = bool(rest) and rest[0].endswith("ing")
        return _with_value(subject, base, rest, negated) if stopped else None
    if base == "grow up":
        return _placed(subject, base, rest[1:], negated) if rest[:1] == ["up"] else None
    return _with_value(subject, f"{base} to", rest[1:], negated) if rest[:1] == ["to"] else None


def _placed(subject: str, base: str, rest: Sequence[str], negated: bool) -> Claim | None:
    manner: list[str] = []
    if base == "get":
        if rest[:1] != ["up"]:
            return None
        manner, rest = ["up"], rest[1:]
    elif rest and rest[0].endswith("ly"):
        manner, rest = [rest[0]], rest[1:]
    if not rest or rest[0].casefold() not in PREPOSITIONAL[base]:
        return None
    return _with_value(subject, " ".join([base, *manner, rest[0].casefold()]), rest[1:], negated)


def _with_value(
    subject: str,
    relation: str,
    rest: Sequence[str],
    negated: bool,
    *,
    may_be_empty: bool = False,
) -> Claim | None:
    # *Shorter takes, ten minutes*: what stands behind a comma is no object
    if rest[:1] == [","]:
        return None
    text = re.sub(r"\s+,", ",", " ".join(rest))
    text = _TAIL.sub("", text).strip(" ,")
    # of changes alone: of what holds, *in May* belongs to the value
    when = (
        _WHEN.search(text) if relation.split()[0] in {"move", "switch", "change", "stop"} else None
    )
    value = text[: when.start()] if when else text
    if (not value and not may_be_empty) or _EMPTY_VALUES.match(value) or _UNNAMED.search(value):
        return None
    return Claim(subject, relation, value, negated, when[0].strip() if when else "")
