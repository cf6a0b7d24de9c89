"""Gate between working memory and what lasts: importance, and one seeded draw for each memory."""

from __future__ import annotations

import numpy as np

from graph.kernel.values import Stratum
from graph.model.strata.config import StrataConfig
from graph.model.strata.gates import StratumRows
from graph.scoring.relevance import Flags
from graph.scoring.retention import importance_share
from graph.scoring.stores import consolidates


def passing(rows: StratumRows, stratum: Stratum, config: StrataConfig) -> Flags | None:
    """Say which memories of `working` pass the consolidation gate; None where there is no gate."""
    if stratum != "working" or not config.gates_working:
        return None
    pairs = zip(rows.uids, rows.importance, strict=True)
    return np.array(
        [passes_gate(uid, float(level), config) for uid, level in pairs], dtype=np.bool_
    )


def passes_gate(uid: str, importance: float, config: StrataConfig) -> bool:
    """Say whether a memory passes from `working` into what lasts; the same each time it is asked."""
    # by the memory's own name: asked again, the draw is the same (ADR 52)
    seed = [config.consolidation_seed, *uid.encode()]
    return bool(
        consolidates(
            importance_share(np.array([importance])),
            np.random.default_rng(seed),
            gate=config.consolidation_gate,
            probability=config.consolidation_probability,
        )[0]
    )
