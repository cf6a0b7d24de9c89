"""Extraction of claims from a sentence: subject, relation, value, time and negation.

A small grammar of English with precision before recall: it reads statements of lasting or usual facts whose subject is
a name or the speaker. Questions, wishes, guesses, reported speech, conditions, past events and pronouns of the third
person (*she*, *it*, *they*) give no claim.
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

_MAX_LENGTH = 400  # characters; longer texts are no sentences
_LEAD = re.compile(
    r"^(?:(?:yes|no|yeah|well|oh|wow|hey|okay|ok|right|also|and|so|by the way|actually|in fact)\b[,!]?\s+)+",
    re.IGNORECASE,
)
# guesses, wishes, questions and quotations are no claims
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
# *My sister and I sing* has two subjects, which a claim cannot hold
_JOINT = re.compile(
    r"^(?:(?:my|our|the)\s+)?\S+\s+and\s+(?:I|he|she|we|they|you|my|our|his|her|their)\b",
    re.IGNORECASE,
)
# *because it rains* is cut off, *since 2019* stays
_SUBORDINATE = re.compile(
    r",?\s+(?:because|although|though|when|whenever|while|since|after|before|until|so that|as long as)\b(?!\s+\d)(?:\s.*)?$",
    re.IGNORECASE,
)
# a value with a pronoun, or that breaks off: *likes it*, *lives with*
_UNRESOLVED = re.compile(
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
# passing states: *Tom is tired* is no lasting fact
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
    """A fact that a sentence states.

    ``relation`` is a verb in its base form with its preposition, ``when`` the time in the words of the sentence.
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
        Speaker, to whom *I*, *we*, *my* and *our* refer. Without one such clauses give no claim.

    Examples
    --------
    >>> claims("I don't eat shellfish.", "Ida")
    (Claim(subject='Ida', relation='eat', value='shellfish', negated=True, when=''),)
    >>> claims("She might move to Rome.")
    ()
    """
    text = _LEAD.sub("", sentence.strip().replace("’", "'"))
    if len(text) > _MAX_LENGTH or _UNSURE.search(text):
        return ()
    if _JOINT.match(text):
        return ()
    found = (_read_clause(clause, speaker) for clause in _CLAUSE.split(text.rstrip(" .!…")))
    return tuple(claim for claim in found if claim is not None)


def _read_clause(clause: str, speaker: str | None) -> Claim | None:
    words = list(_split(clause))
    read = _read_subject(words, speaker)
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
        # after *do* the verb is in its base form, as after *I*
        elif word in {"do", "does"} and words[place + 1 : place + 2] == ["not"]:
            negated, place, first_person = True, place + 2, True
        elif _NOT.match(word) and word.startswith(("do", "does")):
            negated, place, first_person = True, place + 1, True
        else:
            break
    if place >= len(words):
        return None
    return _read_predicate(subject, words, place, first_person, negated, speaker)


def _split(clause: str) -> Iterator[str]:
    for match in _WORD.finditer(clause):
        word = match[0]
        short = _SHORT_BE.match(word) if "'" in word else None
        if short:
            yield short[1]
            yield {"'m": "am", "'re": "are", "'s": "is"}[short[2]]
        else:
            yield word


def _read_subject(words: Sequence[str], speaker: str | None) -> tuple[str, int, bool] | None:
    """Return the subject, the place of the verb group, and whether its verb is in the base form."""
    if not words:
        return None
    first = words[0]
    if first in {"I", "We", "we"}:
        return (speaker, 1, True) if speaker else None
    if first.casefold() in _OWN:
        found = _read_noun(words, 1)
        return (f"{speaker}'s {found[0]}", *found[1:]) if found and speaker else None
    if first.casefold() == "the":
        found = _read_noun(words, 1)
        return (f"the {found[0]}", *found[1:]) if found else None
    return _read_name(words)


def _read_noun(words: Sequence[str], start: int) -> tuple[str, int, bool] | None:
    """Read a noun of one to five words up to its verb."""
    for place in range(start + 1, min(start + 6, len(words))):
        word = words[place].casefold()
        noun = words[start:place]
        # *glass* is no plural
        plural = noun[-1].endswith("s") and not noun[-1].endswith("ss")
        if _is_verb(word, plural=plural):
            is_noun = not any(each.casefold() in _NO_NOUN or each == "," for each in noun)
            return (" ".join(noun), place, plural) if is_noun else None
    return None


def _read_name(words: Sequence[str]) -> tuple[str, int, bool] | None:
    place = 0
    while place < min(4, len(words)) and _NAME.match(words[place]):
        place += 1
        if words[place - 1].endswith("'s"):
            found = _read_noun(words, place)
            return (" ".join([*words[:place], found[0]]), *found[1:]) if found else None
    if not place or words[0].casefold().rstrip(".") in _NO_NAMES or place >= len(words):
        return None
    # *are* after a name: one of several subjects
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
    # *Ben swims*, *the neighbours swim*: a form that does not agree is a noun
    return base in HABITS | THIRD_ONLY and (word == base if plural else word != base)


def _read_predicate(
    subject: str,
    words: Sequence[str],
    place: int,
    first_person: bool,
    negated: bool,
    speaker: str | None,
) -> Claim | None:
    word = words[place].casefold()
    complement = words[place + 1 :]
    if word in _BE or re.match(r"^(?:is|are)n't$", word):
        negated = negated or word.endswith("n't")
        return _read_be(subject, complement, negated, speaker, is_speaker=subject == speaker)
    if word in {"was", "were"}:
        return _read_was(subject, complement, negated)
    if word in {"can", "can't", "cannot"}:
        return _read_can(subject, complement, negated=negated or word != "can")
    if word in PAST_CHANGES:
        return _read_change(subject, PAST_CHANGES[word], complement, negated)
    base = base_form(word)
    agrees = word == base if first_person else word != base
    known = base in HABITS or (base in THIRD_ONLY and subject != speaker)
    if not known or not agrees:
        return None
    # *has lost*, *has to*: an auxiliary, no possession
    if base == "have" and any(_PARTICIPLE.match(each) for each in complement[:2]):
        return None
    if base in PREPOSITIONAL and _takes_preposition(base, complement):
        return _read_prepositional(subject, base, complement, negated)
    if complement and complement[0].casefold() == "no":
        negated, complement = True, complement[1:]
    return _make_claim(
        subject, base, complement, negated, may_be_empty=negated and base in ABILITIES
    )


def _takes_preposition(base: str, complement: Sequence[str]) -> bool:
    """Return whether a verb needs its preposition here; *study* takes an object too."""
    return base != "study" or (bool(complement) and complement[0] in PREPOSITIONAL[base])


def _read_be(
    subject: str, complement: Sequence[str], negated: bool, speaker: str | None, *, is_speaker: bool
) -> Claim | None:
    while complement and (complement[0] == "not" or complement[0] in _ADVERBS):
        negated, complement = negated or complement[0] == "not", complement[1:]
    if not complement:
        return None
    first, text = complement[0].casefold(), " ".join(complement)
    for phrase in COMPLEMENTS:
        if text.casefold().startswith(f"{phrase} "):
            size = len(phrase.split())
            return _make_claim(subject, f"be {phrase}", complement[size:], negated)
    if _DATED.match(text) and not is_speaker:
        return _make_claim(subject, "be on", complement[1:], negated)
    # *I'm in the kitchen* passes, *the key is in the kitchen* may last
    if first in _PLACES and not is_speaker:
        return _make_claim(subject, f"be {first}", complement[1:], negated)
    if first in _OWN and speaker:
        return _make_claim(subject, "be", [f"{speaker}'s", *complement[1:]], negated)
    capital = complement[0][0].isupper() and len(complement) <= 4
    # *is 42*, but not *I'm 5 minutes away*
    counted = complement[0][0].isdigit() and (not is_speaker or "old" in complement)
    if first in {"a", "an"} or capital or counted or (first == "the" and not is_speaker):
        return _make_claim(subject, "be", complement, negated)
    code = any(char.isdigit() for char in complement[0])
    lasting = len(complement) == 1 and first not in _PASSING and not first.endswith("ing")
    if (not is_speaker and lasting) or (code and len(complement) == 1):
        return _make_claim(subject, "be", complement, negated)
    return None


def _read_was(subject: str, complement: Sequence[str], negated: bool) -> Claim | None:
    """Read a past event that holds for good: *was born in*, *was built in*."""
    for phrase in DURABLE:
        size = len(phrase.split())
        if " ".join(complement[:size]).casefold() == phrase:
            return _make_claim(subject, f"be {phrase}", complement[size:], negated)
    return None


def _read_can(subject: str, complement: Sequence[str], *, negated: bool) -> Claim | None:
    # *can't stand* is a dislike, *can stand* is none
    if (
        not complement
        or complement[0] not in ABILITIES
        or (complement[0] == "stand" and not negated)
    ):
        return None
    return _make_claim(subject, complement[0], complement[1:], negated, may_be_empty=negated)


def _read_change(subject: str, base: str, complement: Sequence[str], negated: bool) -> Claim | None:
    if base == "stop":
        # *stopped smoking*, not *stopped at the shop*
        stopped = bool(complement) and complement[0].endswith("ing")
        return _make_claim(subject, base, complement, negated) if stopped else None
    if base == "grow up":
        return (
            _read_prepositional(subject, base, complement[1:], negated)
            if complement[:1] == ["up"]
            else None
        )
    return (
        _make_claim(subject, f"{base} to", complement[1:], negated)
        if complement[:1] == ["to"]
        else None
    )


def _read_prepositional(
    subject: str, base: str, complement: Sequence[str], negated: bool
) -> Claim | None:
    manner: list[str] = []
    if base == "get":
        if complement[:1] != ["up"]:
            return None
        manner, complement = ["up"], complement[1:]
    elif complement and complement[0].endswith("ly"):
        manner, complement = [complement[0]], complement[1:]
    if not complement or complement[0].casefold() not in PREPOSITIONAL[base]:
        return None
    return _make_claim(
        subject, " ".join([base, *manner, complement[0].casefold()]), complement[1:], negated
    )


def _make_claim(
    subject: str,
    relation: str,
    complement: Sequence[str],
    negated: bool,
    *,
    may_be_empty: bool = False,
) -> Claim | None:
    # *Shorter takes, ten minutes*: after a comma there is no object
    if complement[:1] == [","]:
        return None
    text = re.sub(r"\s+,", ",", " ".join(complement))
    text = _SUBORDINATE.sub("", text).strip(" ,")
    # only of changes: otherwise *in May* belongs to the value
    when = (
        _WHEN.search(text) if relation.split()[0] in {"move", "switch", "change", "stop"} else None
    )
    value = text[: when.start()] if when else text
    if (not value and not may_be_empty) or _EMPTY_VALUES.match(value) or _UNRESOLVED.search(value):
        return None
    return Claim(subject, relation, value, negated, when[0].strip() if when else "")
