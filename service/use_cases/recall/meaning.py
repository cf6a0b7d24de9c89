"""Vectors of questions, and the calibration of an embedder's cosines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.expecting.texts import TextScale
from graph.kernel.values import Vector
from graph.ports.world import Embedder
from graph.questions.calibration import COMMON_QUESTIONS, PAIRS
from service.use_cases.kernel.embedding import QuestionVectors

# half: of half, three quarters and all it puts most right facts first (ADR 44)
_SHARED = 0.5  # of what all questions have in common, taken off a question's vector
_PARAPHRASED = (
    0.65  # of the way from different things to the same words; 100 pairs of the default model
)
_LEAST_SPREAD = 0.1  # of cosines, where an embedder tells nothing apart


@dataclass(frozen=True, slots=True)
class Scale:
    """Calibration of the cosines of one embedder.

    ``common`` is the part of a question's vector that says only that it is a question, shape ``(d,)``;
    ``unrelated`` and ``related`` are the mean cosines of facts that do not and do answer a question; ``texts``
    is how facts are compared with each other.
    """

    common: Vector
    unrelated: float
    related: float
    texts: TextScale


class Meanings:
    """Vectors of questions by the embedders in use; each embedder is calibrated once."""

    def __init__(self, vectors: QuestionVectors) -> None:
        self._vectors = vectors
        self._scales: dict[str, Scale] = {}
        self._scaling = asyncio.Lock()

    async def scale(self, embedder: Embedder) -> Scale:
        """Return the calibration of an embedder's cosines, measured once in about a quarter of a second."""
        # locked, so that concurrent first questions measure once
        async with self._scaling:
            if embedder.name not in self._scales:
                self._scales[embedder.name] = await asyncio.to_thread(_measure, embedder)
            return self._scales[embedder.name]

    async def question(self, embedder: Embedder, text: str) -> Vector:
        """Embed a question, minus the mean of all questions: unit length, or zeros."""
        scale = await self.scale(embedder)
        return _centred(await self._vectors.embed_question(embedder, text), scale.common)

    async def text(self, embedder: Embedder, text: str) -> Vector:
        """Embed a text like stored texts: unit length, or zeros."""
        return await self._vectors.embed_as_stored(embedder, text)


def _measure(embedder: Embedder) -> Scale:
    """Calibrate an embedder by plain questions and facts."""
    common = _SHARED * _questions(embedder, COMMON_QUESTIONS).mean(axis=0)
    questions = _centred(_questions(embedder, [question for question, _ in PAIRS]), common)
    facts = embedder.embed([fact for _, fact in PAIRS])
    cosines = (questions @ facts.T).astype(np.float64)
    related = float(np.diag(cosines).mean())
    size = len(PAIRS)
    unrelated = float((cosines.sum() - np.diag(cosines).sum()) / (size * (size - 1)))
    # avoids a division by zero for an embedder without discrimination
    return Scale(common, unrelated, max(related, unrelated + _LEAST_SPREAD), _of_texts(facts))


def _of_texts(facts: Vector) -> TextScale:
    """Measure the mean cosine of unrelated facts, and estimate that of paraphrases from it."""
    apart = (facts @ facts.T)[~np.eye(len(facts), dtype=np.bool_)]
    unlike = float(apart.mean())
    return TextScale(unlike, max(unlike + _PARAPHRASED * (1.0 - unlike), unlike + _LEAST_SPREAD))


def _questions(embedder: Embedder, texts: Sequence[str]) -> Vector:
    return np.array([embedder.embed_question(text) for text in texts], dtype=np.float32)


def _centred(vectors: Vector, shared: Vector) -> Vector:
    """Subtract the shared mean from vectors, and scale them to unit length; zeros stay."""
    present = vectors.any(axis=-1, keepdims=True)
    moved = np.where(present, vectors - shared, 0.0).astype(np.float32)
    norms = np.linalg.norm(moved, axis=-1, keepdims=True)
    return np.divide(moved, norms, out=np.zeros_like(moved), where=norms > 0)
