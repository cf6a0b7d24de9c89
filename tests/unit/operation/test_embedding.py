from __future__ import annotations

import sys
import threading
from collections.abc import Sequence

import numpy as np
import pytest

from graph.embedding.static import StaticEmbedder
from graph.embedding.transformer import TransformerEmbedder, model_name
from graph.kernel.errors import EmbedderUnavailableError
from graph.kernel.values import Vector
from service.bootstrap.embedders import DEFAULT, Loader, load_embedder
from service.use_cases.kernel.embedding import QuestionVectors, embed_any
from tests.hashing import HashingEmbedder


class Counting(HashingEmbedder):
    """Notes what it was asked, and on which thread."""

    def __init__(self, dimension: int, *, quick: bool = True) -> None:
        super().__init__(dimension)
        self.quick = quick
        self.asked: list[str] = []
        self.threads: set[int] = set()

    def embed(self, texts: Sequence[str]) -> Vector:
        self.asked += texts
        self.threads.add(threading.get_ident())
        return super().embed(texts)


async def test_a_question_is_embedded_once_and_again_by_another_embedder() -> None:
    first, second, kept = Counting(8), Counting(16), QuestionVectors(10)
    for _ in range(3):
        assert (await kept.embed(first, "where is the cat")).shape == (8,)
        assert (await kept.embed(second, "where is the cat")).shape == (16,)
    assert first.asked == second.asked == ["where is the cat"]


async def test_a_kept_vector_cannot_be_changed() -> None:
    vector = await QuestionVectors(1).embed(Counting(8), "cat")
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1


async def test_the_questions_asked_longest_ago_go_first() -> None:
    embedder, kept = Counting(8), QuestionVectors(2)
    for text in ("one", "two", "one", "three", "one", "two"):
        await kept.embed(embedder, text)
    assert embedder.asked == ["one", "two", "three", "two"]
    assert len(kept) == 2


async def test_without_entries_nothing_is_kept() -> None:
    embedder, kept = Counting(8), QuestionVectors(0)
    for _ in range(2):
        await kept.embed(embedder, "cat")
    assert embedder.asked == ["cat", "cat"]
    assert len(kept) == 0


@pytest.mark.parametrize("quick", [True, False])
async def test_only_a_quick_embedder_works_on_the_event_loop(quick: bool) -> None:
    embedder = Counting(8, quick=quick)
    await QuestionVectors(1).embed(embedder, "cat")
    assert (threading.get_ident() in embedder.threads) == quick


def test_a_text_without_a_word_gets_a_direction_of_length_one() -> None:
    vectors = embed_any(HashingEmbedder(16), ["cat", "?!"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


def test_wordllama_answers_to_two_names() -> None:
    pytest.importorskip("wordllama", reason="no wheel for this Python or machine")
    for source in ("wordllama", "wordllama-256"):
        assert isinstance(Loader()(source), StaticEmbedder)
        assert Loader().name_of(source) == "wordllama-256"
    assert load_embedder().source == DEFAULT


def test_wordllama_embeds_a_question_as_any_text() -> None:
    pytest.importorskip("wordllama", reason="no wheel for this Python or machine")
    embedder = StaticEmbedder()
    assert np.array_equal(embedder.embed_query("a cat"), embedder.embed(["a cat"])[0])


def test_without_wordllama_its_graphs_are_told_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(
        EmbedderUnavailableError, match=r"stratagraph-server\[wordllama\]"
    ) as caught:
        Loader()("wordllama-256")
    assert "stratagraph reembed" in caught.value.message


def test_a_model_without_the_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(
        EmbedderUnavailableError, match=r"stratagraph-server\[sentence-transformers\]"
    ):
        TransformerEmbedder("some/model")


def test_a_model_by_name_is_recorded_by_its_name() -> None:
    assert model_name("some/model@v1") == "some/model@v1"
