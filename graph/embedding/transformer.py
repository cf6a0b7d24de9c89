"""Any model of sentence-transformers, by name or from a folder; an extra, as it brings torch."""

from __future__ import annotations

import hashlib
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graph.kernel.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sentence_transformers import SentenceTransformer

    from graph.kernel.values import Vector

_WORD = re.compile(r"\w")
_CHUNK = 1 << 20
_MODEL_CARD = ".md"  # says nothing of the vectors
_E5 = re.compile(r"(?:^|[-_])e5-(?!.*instruct)", re.IGNORECASE)
_E5_PROMPTS = {"query": "query: ", "document": "passage: "}


class TransformerEmbedder:
    """Vectors of a sentence-transformers model, at length 1.

    Models that tell questions from documents are given both with their own prompts. The e5 models
    do, and their files name none: they get those they were trained with.

    Raises
    ------
    EmbedderUnavailableError
        If the extra is not installed, or the model or the device cannot be used.
    """

    reader = None
    quick = False

    def __init__(self, source: str, *, device: str | None = None, batch_size: int = 32) -> None:
        self._source = source
        self._batch_size = batch_size
        # Tokenizers keep their padding as state: two threads at once raise "Already borrowed".
        self._alone = threading.Lock()
        self._name = model_name(source)
        self._model = _load(source, device)
        self._dimension = int(self._encode(self._model.encode_document, ["a"]).shape[1])

    @property
    def name(self) -> str:
        """Name that the graph records; of a folder it changes with the files in it."""
        return self._name

    @property
    def source(self) -> str:
        """Source of the model: a name, or the absolute path of a folder."""
        folder = as_folder(self._source)
        return str(folder) if folder else self._source

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed ``n`` texts: float32 of shape ``(n, dimension)``, unit length.

        A text without any letter or digit has a zero row. What is longer than the model reads is
        cut by the model.
        """
        return self._rows(self._model.encode_document, texts)

    def embed_query(self, text: str) -> Vector:
        """Embed a question: float32 of shape ``(dimension,)``, unit length or zero."""
        return self._rows(self._model.encode_query, [text])[0]

    def embed_question(self, text: str) -> Vector:
        """Embed a question as any text that is sought."""
        return self.embed_query(text)

    def knows(self, word: str) -> bool:
        """Tell whether a word is one token of the model."""
        return len(self._model.tokenizer.tokenize(word)) == 1

    def _rows(self, encode: Callable[..., Vector], texts: Sequence[str]) -> Vector:
        out = np.zeros((len(texts), self._dimension), dtype=np.float32)
        worded = [place for place, text in enumerate(texts) if _WORD.search(text)]
        if worded:
            out[worded] = self._encode(encode, [texts[place] for place in worded])
        return out

    def _encode(self, encode: Callable[..., Vector], texts: Sequence[str]) -> Vector:
        with self._alone:
            return encode(
                list(texts),
                batch_size=self._batch_size,
                show_progress_bar=False,
                normalize_embeddings=True,
            )


def as_folder(source: str) -> Path | None:
    """Return the folder that a source names, if there is one; else it is a model's name."""
    path = Path(source).expanduser()
    if path.is_dir():
        return path.absolute()
    if path.is_absolute() or source.startswith((".", "~")):
        raise EmbedderUnavailableError(f"there is no folder {source} to load an embedder from")
    return None


def model_name(source: str) -> str:
    """Name a model: by its own name, or a folder by its name and what its files hold.

    Raises
    ------
    EmbedderUnavailableError
        If the source is a path and no folder is there.
    """
    folder = as_folder(source)
    return f"{folder.name}#{_fingerprint(folder)}" if folder else source


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in inside.parts)
        if hidden or path.suffix == _MODEL_CARD or not path.is_file():
            continue
        digest.update(f"{inside.as_posix()}\0{path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()[:12]


def _load(source: str, device: str | None) -> SentenceTransformer:
    try:
        from sentence_transformers import SentenceTransformer
    except ModuleNotFoundError as error:
        raise EmbedderUnavailableError(
            f"{source} needs the extra sentence-transformers; install it: "
            "pip install 'stratagraph-server[sentence-transformers]'"
        ) from error
    folder = as_folder(source)
    name, _, revision = (str(folder), "", "") if folder else source.partition("@")
    try:
        model = SentenceTransformer(
            # no code that comes with a model is run
            name,
            device=device,
            revision=revision or None,
            trust_remote_code=False,
        )
    except Exception as error:  # libraries of four makers read the files
        raise EmbedderUnavailableError(
            f"the embedder {source} cannot be loaded ({type(error).__name__}): check the name or "
            "the folder, the device, and whether the model is on this machine or can be fetched"
        ) from error
    if _E5.search(Path(name).name) and not any(model.prompts.values()):
        model.prompts.update(_E5_PROMPTS)
    return model
