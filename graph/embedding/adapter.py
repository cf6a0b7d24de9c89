"""Low-rank adapter of the default model for questions (LoRA).

Memories keep the vectors of the plain model; only questions are embedded by the adapted one. The adapter belongs to one
model file, so it names where each weight matrix lies in it.
"""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import numpy.typing as npt

    Weights = npt.NDArray[np.generic]
    Matrix = npt.NDArray[np.float32]

ADAPTER = "questions.npz"
_MOST = 127.0  # of a weight of eight bits, as the model has them: symmetric


def adapted_weights(model: Path) -> Mapping[str, Weights]:
    """Return the weights of the model with the adapter, by their names in the model.

    Computes, for each matrix, ``W = s · W8 + A B``, and quantises it again by columns: ``s' = max|W| / 127``,
    ``W8' = round(W / s')``. Query, key and value of a layer share ``A``.

    References
    ----------
    Hu and others, "LoRA: Low-Rank Adaptation of Large Language Models", ICLR 2022.
    """
    found: dict[str, Weights] = {}
    for name, change, whole in _matrices(model):
        adapted = whole + change
        scale = np.maximum(np.abs(adapted).max(axis=0) / _MOST, np.finfo(np.float32).tiny)
        found[f"{name}_quantized"] = np.rint(adapted / scale).astype(np.int8)
        found[f"{name}_scale"] = scale.astype(np.float32)
    return found


def _matrices(model: Path) -> Iterator[tuple[str, Matrix, Matrix]]:
    """Give each matrix of the model: its name, its change, and itself in full precision."""
    with as_file(files("graph.embedding") / ADAPTER) as file, np.load(file) as parts:
        for place, name in enumerate(parts["names"].tolist()):
            weights, scales = parts["offsets"][place].tolist()
            a = parts[f"a{parts['shared'][place]}"].astype(np.float32)
            b = parts[f"b{place}"].astype(np.float32)
            shape = (a.shape[0], b.shape[1])
            plain = np.asarray(np.memmap(model, np.int8, "r", weights, shape), np.float32)
            scale = np.memmap(model, "<f4", "r", scales, shape[1:])
            yield name, a @ b, plain * np.asarray(scale, np.float32)
