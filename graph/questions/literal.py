"""Texts that hold all words of a topic."""

from __future__ import annotations

import re

from graph.questions.content import content_words, stem

MATCHES_NOTHING = "(?!)"
"""Pattern that no text matches."""

_MOST_WORDS = 4
_SHORTEST_STEM = 5  # letters; shorter ones begin words of other meanings
_SIGNS = re.compile(r"\W+")
_ENDINGS = "(?:e?s|e?d|ing)?"


def literal_pattern(topic: str) -> str:
    """Return a regular expression of the texts that hold all content words of a topic; none holds many.

    A short topic is near to few texts: *estimate* has a cosine of .55 to *Estimate the hours for raking leaves*.

    Examples
    --------
    >>> bool(re.fullmatch(literal_pattern("estimates"), "A leaf raking estimate"))
    True
    >>> bool(re.fullmatch(literal_pattern("cat"), "A category of leaves"))
    False
    """
    words = content_words(topic)
    if not 0 < len(words) <= _MOST_WORDS:
        return MATCHES_NOTHING
    return "(?is)" + "".join(rf"(?=.*\b{_forms(word)})" for word in words) + ".*"


def _forms(word: str) -> str:
    root = stem(word)
    if len(root) >= _SHORTEST_STEM and word.startswith(root):
        return _SIGNS.sub(r"\\W+", root)
    bare = _SIGNS.sub(r"\\W+", word.removesuffix("s") or word)
    return rf"{bare}{_ENDINGS}\b"
