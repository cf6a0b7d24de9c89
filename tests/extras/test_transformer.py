"""The real loading code of sentence-transformers, on a model that was built a moment ago."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graph.embedding.transformer import TransformerEmbedder, model_name
from graph.kernel.errors import EmbedderUnavailableError
from tests.extras.tiny import DIMENSION, save_tiny_model

TEXTS = ["a grey cat", "Bread rises in the oven.", "", "?!", "x" * 5000]


@pytest.fixture(scope="session")
def embedder(tiny_model: Path) -> TransformerEmbedder:
    return TransformerEmbedder(str(tiny_model), device="cpu", batch_size=2)


def test_rows_have_length_one_or_are_zero_where_there_is_no_word(
    embedder: TransformerEmbedder,
) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), DIMENSION)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.allclose(lengths, [1, 1, 0, 0, 1], atol=1e-5)
    assert embedder.dimension == DIMENSION
    assert not embedder.quick
    assert embedder.embed([]).shape == (0, DIMENSION)


def test_a_text_has_the_same_vector_in_any_batch(embedder: TransformerEmbedder) -> None:
    together = embedder.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.allclose(embedder.embed([text])[0], vector, atol=1e-5)


def test_many_threads_may_embed_at_once(embedder: TransformerEmbedder) -> None:
    expected = embedder.embed(TEXTS)
    with ThreadPoolExecutor(8) as threads:
        for vectors in threads.map(embedder.embed, [TEXTS] * 24):
            assert np.allclose(vectors, expected, atol=1e-5)


def test_a_model_with_prompts_tells_questions_from_documents(
    tmp_path: Path, embedder: TransformerEmbedder
) -> None:
    prompts = {"query": "query: ", "document": "passage: "}
    asked = TransformerEmbedder(
        str(save_tiny_model(tmp_path / "prompted", seed=7, prompts=prompts)), device="cpu"
    )
    assert np.allclose(embedder.embed_query("a cat"), embedder.embed(["a cat"])[0], atol=1e-5)
    assert not np.allclose(asked.embed_query("a cat"), asked.embed(["a cat"])[0], atol=1e-3)
    assert np.allclose(asked.embed_query("a cat"), embedder.embed(["query: a cat"])[0], atol=1e-5)


def test_an_e5_model_gets_the_prompts_it_was_trained_with(tmp_path: Path) -> None:
    plain, e5, prompted = (
        TransformerEmbedder(
            str(save_tiny_model(tmp_path / name, seed=7, prompts=prompts)), device="cpu"
        )
        for name, prompts in (
            ("tiny-bert", None),
            ("multilingual-e5-tiny", None),
            ("e5-tiny", {"query": "ask: ", "document": "tell: "}),
        )
    )
    assert np.allclose(e5.embed_query("a cat"), plain.embed(["query: a cat"])[0], atol=1e-5)
    assert np.allclose(e5.embed(["a cat"]), plain.embed(["passage: a cat"]), atol=1e-5)
    assert np.allclose(prompted.embed_query("a cat"), plain.embed(["ask: a cat"])[0], atol=1e-5)


def test_a_folder_is_named_by_what_its_files_hold(tiny_model: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "deeper" / tiny_model.name
    shutil.copytree(tiny_model, elsewhere)
    (elsewhere / "README.md").write_text("a model card")
    assert model_name(str(elsewhere)) == model_name(str(tiny_model))
    assert model_name(str(tiny_model)).startswith("tiny-bert#")
    other = save_tiny_model(tmp_path / "other" / tiny_model.name, seed=8)
    assert model_name(str(other)) != model_name(str(tiny_model))


def test_a_model_that_is_not_here_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailableError, match="nobody/nothing cannot be loaded"):
        TransformerEmbedder("nobody/nothing")
    with pytest.raises(EmbedderUnavailableError, match="no folder"):
        TransformerEmbedder(str(tmp_path / "missing"))
    with pytest.raises(EmbedderUnavailableError, match="cannot be loaded"):
        TransformerEmbedder(str(tmp_path))


def test_a_broken_file_or_an_unknown_device_is_one_clear_error(
    tiny_model: Path, tmp_path: Path
) -> None:
    with pytest.raises(EmbedderUnavailableError, match="the device"):
        TransformerEmbedder(str(tiny_model), device="toaster")
    broken = tmp_path / "broken"
    shutil.copytree(tiny_model, broken)
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(EmbedderUnavailableError, match="cannot be loaded"):
        TransformerEmbedder(str(broken), device="cpu")
