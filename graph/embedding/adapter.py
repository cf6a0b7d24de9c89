"""Low-rank adapters of the default model (LoRA), and sessions that run the adapted model.

An adapter belongs to one model file, so it names where each weight matrix lies in it.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt
    from onnxruntime import InferenceSession, OrtValue, SessionOptions
    from tokenizers import Encoding

    from graph.kernel.values import Vector

    Weights = npt.NDArray[np.generic]
    Matrix = npt.NDArray[np.float32]

QUESTIONS = "questions.npz"
PAIRS = "pairs.npz"
ANSWERS = "answers.npz"
CORES = os.cpu_count() or 1
_MOST = 127.0  # of a weight of eight bits, as the model has them: symmetric


@dataclass(frozen=True, slots=True)
class Session:
    """An open model, with the adapted weights that it reads in place."""

    model: InferenceSession
    weights: tuple[OrtValue, ...] = ()

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
    return _open(model, {})


def open_adapted(model: Path, adapter: str) -> Session:
    """Open the model with the weights of an adapter."""
    return _open(model, adapted_weights(model, adapter))


def _open(model: Path, weights: Mapping[str, Weights]) -> Session:
    from onnxruntime import InferenceSession, OrtValue

    values = {name: OrtValue.ortvalue_from_numpy(array) for name, array in weights.items()}
    options = _options()
    for name, value in values.items():
        options.add_initializer(name, value)
    session = InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return Session(session, tuple(values.values()))


def _options() -> SessionOptions:
    from onnxruntime import SessionOptions

    # one thread for a text: many texts share the cores by threads of their own (ADR 42)
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # spinning threads would take the cores that Neo4j needs
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def adapted_weights(model: Path, adapter: str) -> Mapping[str, Weights]:
    """Return the weights of the model with an adapter, by their names in the model.

    Computes, for each matrix, ``W = s · W8 + A B``, and quantises it again by columns: ``s' = max|W| / 127``,
    ``W8' = round(W / s')``. Query, key and value of a layer share ``A``.

    References
    ----------
    Hu and others, "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022.
    """
    found: dict[str, Weights] = {}
    for name, change, whole in _matrices(model, adapter):
        adapted = whole + change
        # a column of zeros has no scale, and nothing may be divided by 0
        scale = np.maximum(np.abs(adapted).max(axis=0) / _MOST, np.finfo(np.float32).tiny)
        found[f"{name}_quantized"] = np.rint(adapted / scale).astype(np.int8)
        found[f"{name}_scale"] = scale.astype(np.float32)
    return found


def head_of(adapter: str) -> tuple[Matrix, Matrix]:
    """Return the linear layer over the first state that an adapter brings: ``(384, n)`` and ``(n,)``."""
    with as_file(files("graph.embedding") / adapter) as file, np.load(file) as parts:
        return parts["head"].astype(np.float32), parts["bias"].astype(np.float32)


def _matrices(model: Path, adapter: str) -> Iterator[tuple[str, Matrix, Matrix]]:
    """Give each matrix of the model: its name, its change, and itself in full precision."""
    with as_file(files("graph.embedding") / adapter) as file, np.load(file) as parts:
        for place, name in enumerate(parts["names"].tolist()):
            weights, scales = parts["offsets"][place].tolist()
            a = parts[f"a{parts['shared'][place]}"].astype(np.float32)
            b = parts[f"b{place}"].astype(np.float32)
            shape = (a.shape[0], b.shape[1])
            plain = np.asarray(np.memmap(model, np.int8, "r", weights, shape), np.float32)
            scale = np.memmap(model, "<f4", "r", scales, shape[1:])
            yield name, a @ b, plain * np.asarray(scale, np.float32)
