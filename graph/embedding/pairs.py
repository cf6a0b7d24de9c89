"""Reader of pairs of texts: the default model with an adapter that reads both together (cross-encoder)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from graph.embedding.adapter import PAIRS, Session, head_of, open_adapted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizers import Tokenizer

    from graph.kernel.values import Floats

_NOTES, _MET, _UNMET = slice(0, 3), 3, 4  # columns of the head
_TEMPERATURE = 2.0  # of notes: as trained, it is surer than it is right


class PairReader:
    """Probabilities of how two texts stand to each other.

    Reads one pair at a time in one thread; a pair of 40 tokens takes about as long as a question of that length. The model is
    opened at the first pair, as many services never compare texts.
    Trained on hand-written notes and expectations (``benchmarks/adapter``).
    """

    def __init__(self, model: Path, tokenizer: Tokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._head, self._bias = head_of(PAIRS)

    @cached_property
    def _session(self) -> Session:
        return open_adapted(self._model, PAIRS)

    def replaced(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read older notes with later ones: shape ``(n, 2)``, each in [0, 1].

        The columns are the probabilities that the older note no longer holds, and that a part of it no longer does.
        """
        return _softmax(self._logits(pairs)[:, _NOTES] / _TEMPERATURE)[:, :2]

    def met(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Read expectations with outcomes: log-odds of met against not met, shape ``(n,)``."""
        logits = self._logits(pairs)
        return logits[:, _MET] - logits[:, _UNMET]

    def _logits(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        if not pairs:
            return np.zeros((0, len(self._bias)))
        encodings = self._tokenizer.encode_batch(list(pairs))
        states = np.array(list(map(self._session.first_state, encodings)))
        return (states @ self._head + self._bias).astype(np.float64)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=1, keepdims=True)
