"""wordllama: static token vectors that come inside a wheel; an extra of 16 MB."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graph.kernel.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wordllama import WordLlamaInference

    from graph.kernel.values import Vector

DIMENSION = 256
_WORD = re.compile(r"\w")


class StaticEmbedder:
    """Mean of a text's token vectors (wordllama), at length 1; needs no download and no GPU.

    Raises
    ------
    EmbedderUnavailableError
        If the extra is not installed.
    """

    reader = None
    quick = True  # about 50 µs
    source = "wordllama"

    def __init__(self) -> None:
        self._model = _load()

    @property
    def name(self) -> str:
        """Name that the graph records."""
        return f"wordllama-{DIMENSION}"

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed ``n`` texts: float32 of shape ``(n, 256)``, unit length.

        A text without any letter or digit has a zero row: its tokens would say nothing of it.
        """
        out = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        if not texts:
            return out
        encodings = self._model.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        table = self._model.embedding
        for place, (text, encoding) in enumerate(zip(texts, encodings, strict=True)):
            ids = np.asarray(encoding.ids, dtype=np.int64)
            if not ids.size or not _WORD.search(text):
                continue
            mean = table[np.minimum(ids, len(table) - 1)].mean(axis=0, dtype=np.float32)
            norm = float(np.linalg.norm(mean))
            if norm > 0:
                out[place] = mean / norm
        return out

    def embed_query(self, text: str) -> Vector:
        """Embed a question as any text: float32 of shape ``(256,)``."""
        return self.embed([text])[0]

    def embed_question(self, text: str) -> Vector:
        """Embed a question as any text that is sought."""
        return self.embed_query(text)

    def knows(self, word: str) -> bool:
        """Tell whether a word is one token of the model."""
        return len(self._model.tokenizer.encode(word, add_special_tokens=False).ids) == 1


def _load() -> WordLlamaInference:
    """Load the packaged model; the library looks elsewhere for its tokenizer unless told."""
    # the library sets logging up when it is imported; what was there comes back
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        import wordllama
    except ModuleNotFoundError as error:
        raise EmbedderUnavailableError(
            "wordllama is not installed. To go on with a graph that it filled: "
            "pip install 'stratagraph-server[wordllama]'; to go over to the default embedder: "
            "stratagraph reembed"
        ) from error
    root.handlers[:], root.level = handlers, level
    folder = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSION, disable_download=True)
    model.tokenizer.no_padding()
    return model
