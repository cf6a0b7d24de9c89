"""Low-rank adapters of the default model (LoRA), and sessions that run the adapted model.

An adapter belongs to one model file, so it names where each weight matrix lies in it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    import numpy.typing as npt
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Encoding

    from graph.kernel.values import Vector

    Matrix = npt.NDArray[np.float32]

QUESTIONS = "questions.npz"
PAIRS = "pairs.npz"
ANSWERS = "answers.npz"
SUCCESSORS = "successors.npz"
CORES = os.cpu_count() or 1
_MOST = 127.0  # of a weight of eight bits, as the model has them: symmetric


@dataclass(frozen=True, slots=True)
class Session:
    """An open model."""

    model: InferenceSession

    def first_state(self, encoding: Encoding) -> Vector:
        """Run the model on one text or pair: the last state of its first token, [CLS], shape ``(384,)``."""
        ids = np.array([encoding.ids], dtype=np.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
        }
        return self.model.run(None, inputs)[0][0, 0]

    def first_states(self, encodings: Sequence[Encoding]) -> list[Vector]:
        """Run the model on several texts, each alone: many use all cores, one a single thread."""
        if len(encodings) < 2:
            return [self.first_state(encoding) for encoding in encodings]
        with ThreadPoolExecutor(min(len(encodings), CORES)) as pool:
            return list(pool.map(self.first_state, encodings))


def open_model(model: Path) -> Session:
    """Open the model as it is."""
    return Session(_open(model))


def open_adapted(model: Path, adapter: str) -> Session:
    """Open the model with the weights of an adapter."""
    # From a file: onnxruntime keeps the bytes of a model, and weights that are given beside one, as long as the session.
    with _file_of(adapted_model(model, adapter)) as path:
        return Session(_open(path))


def _open(path: Path) -> InferenceSession:
    from onnxruntime import InferenceSession

    session = InferenceSession(path, _options(), providers=["CPUExecutionProvider"])
    _return_freed_memory()
    return session


def _return_freed_memory() -> None:
    """Return memory that is free again to the system, where the C library can."""
    # 7 MB for each model, which glibc would keep (ADR 91)
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _options() -> SessionOptions:
    from onnxruntime import SessionOptions

    # one thread for a text: many texts share the cores by threads of their own (ADR 42)
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # spinning threads would take the cores that Neo4j needs
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


@contextmanager
def _file_of(content: bytearray) -> Generator[Path]:
    """Give the path of a file with that content, in memory where the system can: no disk is full then."""
    linux = sys.platform == "linux"
    with os.fdopen(os.memfd_create("model"), "wb") if linux else NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        yield Path(f"/proc/self/fd/{file.fileno()}" if linux else file.name)


def adapted_model(model: Path, adapter: str) -> bytearray:
    """Return the file of the model with the weights of an adapter in their places.

    Computes, for each matrix, ``W = s · W8 + A B``, and quantises it again by columns: ``s' = max|W| / 127``,
    ``W8' = round(W / s')``. Query, key and value of a layer share ``A``.

    References
    ----------
    Hu and others, "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022.
    """
    content = bytearray(model.read_bytes())
    for matrix in _matrices(model, adapter):
        adapted = matrix.whole + matrix.change
        # a column of zeros has no scale, and nothing may be divided by 0
        scale = np.maximum(np.abs(adapted).max(axis=0) / _MOST, np.finfo(np.float32).tiny)
        _put(content, matrix.weights_at, np.rint(adapted / scale).astype(np.int8))
        _put(content, matrix.scale_at, scale.astype("<f4"))
    return content


def _put(content: bytearray, at: int, array: npt.NDArray[np.generic]) -> None:
    content[at : at + array.nbytes] = array.tobytes()


def head_of(adapter: str) -> tuple[Matrix, Matrix]:
    """Return the linear layer over the first state that an adapter brings: ``(384, n)`` and ``(n,)``."""
    with as_file(files("graph.embedding") / adapter) as file, np.load(file) as parts:
        return parts["head"].astype(np.float32), parts["bias"].astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A matrix of the model in full precision, its change, and where its weights and scale lie in the file, in bytes."""

    whole: Matrix
    change: Matrix
    weights_at: int
    scale_at: int


def _matrices(model: Path, adapter: str) -> Iterator[_Matrix]:
    """Give each matrix that an adapter changes."""
    with as_file(files("graph.embedding") / adapter) as file, np.load(file) as parts:
        for place, (weights, scales) in enumerate(parts["offsets"].tolist()):
            a = parts[f"a{parts['shared'][place]}"].astype(np.float32)
            b = parts[f"b{place}"].astype(np.float32)
            shape = (a.shape[0], b.shape[1])
            plain = np.asarray(np.memmap(model, np.int8, "r", weights, shape), np.float32)
            scale = np.memmap(model, "<f4", "r", scales, shape[1:])
            yield _Matrix(plain * np.asarray(scale, np.float32), a @ b, weights, scales)
