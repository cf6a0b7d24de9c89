"""Reader of pairs of texts: the default model with adapters that read both texts together (cross-encoder)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graph.embedding.adapter import (
    ANSWERS,
    CORES,
    PAIRS,
    SUCCESSORS,
    Session,
    head_of,
    open_adapted,
)
from graph.languages.english import english, english_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from tokenizers import Tokenizer

    from graph.kernel.values import Floats

LATER = " Later: "
"""Separator of an older and a newer note that are read as one text."""
_NOTES = slice(0, 3)  # columns of the head of pairs
_MET, _UNMET, _INSTEAD = 3, 4, 7  # of the head of successors
_TEMPERATURE = 2.0  # of notes: as trained, it is surer than it is right
_LONGEST = 512  # tokens of a pair
_LONGEST_ANSWER = 128  # of a question with a note, as in training
_LONGEST_BOTH = 192  # of a question with two notes


class PairReader:
    """Probabilities of how two texts stand to each other.

    A pair of 40 tokens takes about as long as a question of that length. Notes and expectations are read in the caller's
    thread, mostly in the background; a question with notes on all cores, as somebody waits. One adapter reads notes, one
    what answers a question, and one expectations and newer notes that answer instead. All were trained on hand-written
    texts (``benchmarks/adapter``).
    """

    def __init__(self, model: Path, tokenizer: Tokenizer) -> None:
        self._pairs = _Adapted(model, tokenizer, PAIRS)
        self._answers = _Adapted(model, tokenizer, ANSWERS)
        self._successors = _Adapted(model, tokenizer, SUCCESSORS)
        # One pool for all who wait: each run holds memory, and more of them than cores win nothing.
        self._threads = ThreadPoolExecutor(CORES, thread_name_prefix="read")

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read older notes with later ones: shape ``(n, 2)``, each in [0, 1].

        The columns are the probabilities that the older note no longer holds, and that a part of it no longer does.
        """
        return _softmax(self._pairs.logits(_english(pairs), _LONGEST)[:, _NOTES] / _TEMPERATURE)[
            :, :2
        ]

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read expectations with outcomes: log-odds of met against not met, shape ``(n,)``."""
        logits = self._successors.logits([english_of(*pair) for pair in pairs], _LONGEST)
        return logits[:, _MET] - logits[:, _UNMET]

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        """Read a question with notes: log-odds that each note answers it, shape ``(n,)``; 128 tokens of each pair count."""
        pairs = _english((question, note) for note in notes)
        return self._answers.logits(pairs, _LONGEST_ANSWER, self._threads)[:, 0]

    def answers_instead(self, question: str, notes: Sequence[tuple[str, str]]) -> Floats:
        """Read a question with an older and a newer note each: log-odds that the newer answers in place of the older.

        Shape ``(n,)``; 192 tokens of a question with both notes count.
        """
        pairs = _english((question, f"{older}{LATER}{newer}") for older, newer in notes)
        return self._successors.logits(pairs, _LONGEST_BOTH, self._threads)[:, _INSTEAD]


class _Adapted:
    """The model with one adapter and its linear layer; opened at the first pair, as many services never read one."""

    def __init__(self, model: Path, tokenizer: Tokenizer, adapter: str) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._adapter = adapter
        self._head, self._bias = head_of(adapter)

    @cached_property
    def _session(self) -> Session:
        return open_adapted(self._model, self._adapter)

    def logits(
        self, pairs: Sequence[tuple[str, str]], longest: int, threads: Executor | None = None
    ) -> Floats:
        """Read pairs in English in the caller's thread, or in those of a pool: shape ``(n, columns of the head)``."""
        if not pairs:
            return np.zeros((0, len(self._bias)))
        encodings = self._tokenizer.encode_batch(list(pairs))
        # not by the tokenizer, which all readers share: its limit is a state of it
        for encoding in encodings:
            encoding.truncate(longest)
        first_state = self._session.first_state
        states = (
            map(first_state, encodings) if threads is None else threads.map(first_state, encodings)
        )
        return (np.array(list(states)) @ self._head + self._bias).astype(np.float64)


def _english(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(english(first), english(second)) for first, second in pairs]


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)
