from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph.kernel.values import Vector
from service.use_cases.kernel.embedding import QuestionVectors
from service.use_cases.recall.meaning import Meanings
from tests.hashing import HashingEmbedder


class Counting(HashingEmbedder):
    """Notes the questions it was asked."""

    def __init__(self, dimension: int) -> None:
        super().__init__(dimension)
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        return super().embed_query(text)


class Constant(HashingEmbedder):
    """Gives every text the same vector."""

    def embed(self, texts: Sequence[str]) -> Vector:
        return np.tile(np.eye(1, 8, dtype=np.float32), (len(texts), 1))

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]


async def test_a_scale_is_measured_once_for_each_embedder() -> None:
    embedder, meanings = Counting(64), Meanings(QuestionVectors(10))
    scale = await meanings.scale(embedder)
    asked = len(embedder.asked)
    assert await meanings.scale(embedder) is scale
    assert len(embedder.asked) == asked
    assert scale.related > scale.unrelated


async def test_an_embedder_that_tells_nothing_apart_divides_by_no_zero() -> None:
    scale = await Meanings(QuestionVectors(10)).scale(Constant(8))
    assert scale.related - scale.unrelated >= 0.1 - 1e-6


async def test_a_repeated_question_is_embedded_once_and_is_of_length_one() -> None:
    embedder, meanings = Counting(64), Meanings(QuestionVectors(2))
    first = await meanings.question(embedder, "where is the cat")
    assert (first == await meanings.question(embedder, "where is the cat")).all()
    assert embedder.asked.count("where is the cat") == 1
    assert abs(np.linalg.norm(first) - 1) < 1e-6
