"""Cache of a model's states by tokens, which are deterministic."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding

    from graph.embedding.adapter import Session
    from graph.kernel.values import Vector

    FirstState = Callable[[Session, Encoding], Vector]
    Tokens = tuple[tuple[int, ...], tuple[int, ...]]


def remembered(first_state: FirstState) -> FirstState:
    """Run a model once for the same tokens."""
    states: WeakKeyDictionary[InferenceSession, dict[Tokens, Vector]] = WeakKeyDictionary()

    def run(session: Session, encoding: Encoding) -> Vector:
        kept = states.setdefault(session.model, {})
        tokens = tuple(encoding.ids), tuple(encoding.type_ids)
        if tokens not in kept:
            kept[tokens] = first_state(session, encoding)
        return kept[tokens].copy()

    return run
