"""Templates of queries: values become wildcards, by their form and over many queries.

One query is masked by the form of its words. Over many, a position whose words vary within one frame is a
wildcard too, as in the mining of log templates (Makanju et al., "Clustering Event Logs Using Iterative
Partitioning", KDD 2009).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

WILDCARD = "*"
MOST_WORDS = 40
_CACHE_SIZE = 1024  # texts: each report needs its own several times
_LEAST_FILLERS = 4  # distinct words at one position of a frame that make it a wildcard
_MEAN_REPEATS = 3.0  # mean frequency of words that distinguish templates
_FEWEST_CONSTANTS = 2

# whole names: *Mark 5 orders* and *Decline 3 offers* begin like months
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_FORMS = (
    r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w)|`[^`]*`",  # *'blue lamp'*, not the mark in *Ada's*
    r"\b[\w.+-]+@[\w-]+\.[\w.-]+\b",
    r"\bhttps?://\S+",
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?\S*)?",
    rf"(?i:\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b)",  # *May 3rd, 2026*
    rf"(?i:\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?\b)",  # *3rd of May*
    r"\b\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?\b",
    r"[$€£]?\d[\d.,:%]*(?:st|nd|rd|th)?\b%?",  # *$1,200.50*, *5th*, *80%*
    r"\b[A-Z]{2,}\b",  # *HAN*, *USD*
    r"\b(?=\w*\d)(?=\w*[A-Za-z_])[\w-]+\b",  # *HAT136*, *order_7*
)
_VALUE = re.compile("|".join(_FORMS))
# not at the beginning: there any word has a capital
_NAME = re.compile(r"(?<=[\w,;:*] )[A-Z][^\W\d_A-Z]+(?: [A-Z][^\W\d_A-Z]+)*")
# *a shipment* is one of many: a value
_ARTICLE = re.compile(r"\b(?:a|an|another|some) (?=[^\W\d_*])[\w-]+", re.IGNORECASE)
# *the order*, *my order* and *order* are equivalent
_DEFINITE = re.compile(r"\b(?:the|my|your|our|their|please)\b ?", re.IGNORECASE)
_TOKEN = re.compile(r"\*|[^\W_]+(?:['’-][^\W_]+)*")


@lru_cache(_CACHE_SIZE)
def masked(query: str) -> str:
    """Return the template of one query.

    >>> masked("Create a shipment for facility HAN")
    'create_*_for_facility_*'
    >>> masked("Cancel the order 'blue lamp' of ada@example.com by 2026-05-01")
    'cancel_order_*_of_*_by_*'
    """
    text = _VALUE.sub(WILDCARD, query)
    # after the forms: names and articles would break addresses and dates
    text = _ARTICLE.sub(WILDCARD, _NAME.sub(WILDCARD, text))
    return write_template(_TOKEN.findall(_DEFINITE.sub("", text).lower())[:MOST_WORDS])


def write_template(words: Iterable[str]) -> str:
    """Join words to a template, merging neighbouring wildcards.

    >>> write_template(["send", "*", "*", "home"])
    'send_*_home'
    """
    kept: list[str] = []
    for word in words:
        if word != WILDCARD or not kept or kept[-1] != WILDCARD:
            kept.append(word)
    return "_".join(kept)


@lru_cache(_CACHE_SIZE)
def error_template(error: str) -> str:
    """Return the template of an error: its first line, with wildcards for values.

    >>> error_template("Error: flight HAT030 not available on date 2024-05-13")
    'error: flight * not available on date *'
    """
    # the lines after it are a traceback
    line = next((line for line in error.splitlines() if line.strip()), "")
    return " ".join(_VALUE.sub(WILDCARD, line).lower().split())[:160]


def fits(template: str, general: str) -> bool:
    """Return whether a template matches a general one, whose wildcards stand for one word each.

    >>> fits("ship_lamp_to_*", "ship_*_to_*")
    True
    """
    words, places = template.split("_"), general.split("_")
    return len(words) == len(places) and all(
        place in (WILDCARD, word) for word, place in zip(words, places, strict=True)
    )


def generalised(counts: Mapping[str, int]) -> dict[str, str]:
    """Return the general template of each template that has one.

    >>> general = generalised({f"book_table_for_{who}": 2 for who in ("ada", "bo", "cy", "di")})
    >>> general["book_table_for_ada"]
    'book_table_for_*'
    """
    by_length: dict[int, dict[str, list[str]]] = defaultdict(dict)
    for template in counts:
        words = template.split("_")
        by_length[len(words)][template] = words
    general: dict[str, str] = {}
    for rows in by_length.values():
        _generalise_frames(rows)
        _generalise_rare(rows, counts)
        general |= {old: "_".join(words) for old, words in rows.items() if "_".join(words) != old}
    return general


def _generalise_frames(rows: dict[str, list[str]]) -> None:
    """Replace positions by wildcards where the same frame has several words; the first word, the verb, stays."""
    length = len(next(iter(rows.values())))
    changed = True
    while changed:
        changed = False
        for place in range(1, length):
            frames: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
            for words in rows.values():
                frames[(*words[:place], *words[place + 1 :])].append(words)
            for same in frames.values():
                fillers = {words[place] for words in same}
                if len(fillers - {WILDCARD}) >= _LEAST_FILLERS or (
                    # a template of two words would be left with one
                    WILDCARD in fillers and len(fillers) > 1 and length > _FEWEST_CONSTANTS
                ):
                    changed = True
                    for words in same:
                        words[place] = WILDCARD


def _generalise_rare(rows: dict[str, list[str]], counts: Mapping[str, int]) -> None:
    """Replace positions by wildcards where words hardly repeat among queries with the same verb."""
    by_verb: dict[str, list[str]] = defaultdict(list)
    for template, words in rows.items():
        by_verb[words[0]].append(template)
    for names in by_verb.values():
        _partition(names, rows, counts)


def _partition(names: Sequence[str], rows: dict[str, list[str]], counts: Mapping[str, int]) -> None:
    distinct: dict[int, set[str]] = {}
    for place in range(1, len(rows[names[0]])):
        words = {rows[name][place] for name in names}
        if len(words) > 1:
            distinct[place] = words
    if not distinct or len(names) < _LEAST_FILLERS:
        return
    total = sum(counts[name] for name in names)
    fewest = min(distinct, key=lambda place: (len(distinct[place]), place))
    # frequent words distinguish templates (*order*, *flight*)
    if total / len(distinct[fewest]) >= _MEAN_REPEATS:
        for word in sorted(distinct[fewest]):
            _partition([name for name in names if rows[name][fewest] == word], rows, counts)
        return
    # few distinct words may be choices, many are values
    places = [place for place in distinct if len(distinct[place]) >= _LEAST_FILLERS]
    constants = len(rows[names[0]]) - len(distinct)
    if constants >= max(_FEWEST_CONSTANTS, len(distinct)) and len(places) == len(distinct):
        for name in names:
            for place in places:
                rows[name][place] = WILDCARD
