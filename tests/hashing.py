"""A small embedder of any dimension: texts with common words are similar."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence

import numpy as np

from graph.kernel.values import Vector
from graph.ports.world import Embedder
from service.bootstrap.embedders import Loader


class HashingEmbedder:
    """Counts words in as many cells as it has dimensions; without words a zero vector."""

    reader = None
    quick = True

    def __init__(self, dimension: int, pause: float = 0.0) -> None:
        self.dimension = dimension
        self.name = self.source = f"hashing-{dimension}"
        self._pause = pause

    def embed(self, texts: Sequence[str]) -> Vector:
        time.sleep(self._pause)
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                digest = hashlib.sha256(word.encode()).digest()
                row[int.from_bytes(digest[:4], "big") % self.dimension] += 1
            if length := float(np.linalg.norm(row)):
                row /= length
        return out

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]

    def embed_question(self, text: str) -> Vector:
        return self.embed_query(text)

    def knows(self, word: str) -> bool:
        return True


class HashingLoader(Loader):
    """Loads these embedders besides the product's."""

    def __call__(self, source: str) -> Embedder:
        if source.startswith("hashing-"):
            return HashingEmbedder(int(source.removeprefix("hashing-")))
        return super().__call__(source)

    def name_of(self, source: str) -> str:
        return source if source.startswith("hashing-") else super().name_of(source)
