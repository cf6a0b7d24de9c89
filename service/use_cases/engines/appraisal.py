"""Initial importance of memories: from the importance they were stored with, or from tables of words.

With a table of emotions and one of sources it is their product, ``I = emotion·source``; where a table has no
word of a text, its default counts, and where there is no table of emotions, the stored importance does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from graph.kernel.values import Floats
from graph.kernel.words import CHARACTER
from graph.model.engines.config import AgentEngine, Table
from graph.model.recall.candidates import CandidatePool
from graph.scoring.human_centric import initial_importance
from graph.scoring.retention import importance_share

_KEPT_TABLES = 256


def importance_of(pool: CandidatePool, engine: AgentEngine) -> Floats:
    """Return the initial importance ``I`` of a pool, shape ``(n,)``, each in [0, 1]."""
    texts = [f"{memory.text}\n{memory.speaker or ''}" for memory in pool.memories]
    emotion = importance_share(np.clip(pool.importance.astype(np.float64), 1.0, 5.0))
    if engine.emotions:
        emotion = weights_of(texts, engine.emotions, engine.config.emotion_default)
    if not engine.sources:
        return emotion
    return initial_importance(
        emotion, weights_of(texts, engine.sources, engine.config.source_default)
    )


def weights_of(texts: Sequence[str], table: Table, usual: float) -> Floats:
    """Return the greatest weight of a table's words in each text, or the usual one."""
    pattern = _pattern(tuple(table))
    return np.array(
        [
            max((table[word] for word in pattern.findall(text.casefold())), default=usual)
            # the greatest: one strong word decides, however many weak ones stand beside it
            for text in texts
        ],
        dtype=np.float64,
    )


@lru_cache(_KEPT_TABLES)
# by the words: tables that differ in weights alone share it
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Find each of some words where it stands alone, the longest of those that begin alike."""
    # the longest first: *new york* before *new*
    longest = sorted(words, key=len, reverse=True)
    either = "|".join(map(re.escape, longest))
    # looked ahead, so that words may overlap
    return re.compile(rf"(?<!{CHARACTER})(?=({either})(?!{CHARACTER}))")
