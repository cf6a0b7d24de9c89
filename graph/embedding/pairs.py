"""Reader of pairs of texts: the default model with adapters that read both texts together (cross-encoder)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graph.embedding.adapter import ANSWERS, CORES, PAIRS, Session, head_of, open_adapted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from tokenizers import Tokenizer

    from graph.kernel.values import Floats

_NOTES, _MET, _UNMET = slice(0, 3), 3, 4  # columns of the head of pairs
_TEMPERATURE = 2.0  # of notes: as trained, it is surer than it is right
_LONGEST = 512  # tokens of a pair
_LONGEST_ANSWER = 128  # of a question with a note, as in training


class PairReader:
    """Probabilities of how two texts stand to each other.

    A pair of 40 tokens takes about as long as a question of that length. Notes and expectations are read in the caller's
    thread, mostly in the background; a question with notes on all cores, as somebody waits. One adapter reads notes and
    expectations, another one questions. Both were trained on hand-written texts (``benchmarks/adapter``).
    """

    def __init__(self, model: Path, tokenizer: Tokenizer) -> None:
        self._pairs = _Adapted(model, tokenizer, PAIRS, _LONGEST)
        # One pool for all who wait: each run holds memory, and more of them than cores win nothing.
        threads = ThreadPoolExecutor(CORES, thread_name_prefix="read")
        self._answers = _Adapted(model, tokenizer, ANSWERS, _LONGEST_ANSWER, threads)

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read older notes with later ones: shape ``(n, 2)``, each in [0, 1].

        The columns are the probabilities that the older note no longer holds, and that a part of it no longer does.
        """
        return _softmax(self._pairs.logits(pairs)[:, _NOTES] / _TEMPERATURE)[:, :2]

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read expectations with outcomes: log-odds of met against not met, shape ``(n,)``."""
        logits = self._pairs.logits(pairs)
        return logits[:, _MET] - logits[:, _UNMET]

    def answers(self, question: str, notes: Sequence[str]) -> Floats:
        """Read a question with notes: log-odds that each note answers it, shape ``(n,)``; 128 tokens of each pair count."""
        return self._answers.logits([(question, note) for note in notes])[:, 0]


class _Adapted:
    """The model with one adapter and its linear layer; opened at the first pair, as many services never read one."""

    def __init__(
        self,
        model: Path,
        tokenizer: Tokenizer,
        adapter: str,
        longest: int,
        threads: Executor | None = None,
    ) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._adapter = adapter
        self._longest = longest
        self._threads = threads
        self._head, self._bias = head_of(adapter)

    @cached_property
    def _session(self) -> Session:
        return open_adapted(self._model, self._adapter)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        if not pairs:
            return np.zeros((0, len(self._bias)))
        encodings = self._tokenizer.encode_batch(list(pairs))
        # not by the tokenizer, which all readers share: its limit is a state of it
        for encoding in encodings:
            encoding.truncate(self._longest)
        first_state, threads = self._session.first_state, self._threads
        states = (
            map(first_state, encodings) if threads is None else threads.map(first_state, encodings)
        )
        return (np.array(list(states)) @ self._head + self._bias).astype(np.float64)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)
