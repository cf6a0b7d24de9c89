"""Patches: repairs of failed reasoning, with their evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from graph.model.cycles.checks import Check, Finding
from stratagraph.vocabulary import EvidenceKind, PatchState


class Evidence(NamedTuple):
    """Evidence for a correction: a correct attempt at a like problem, an error pattern, or an error of a tool.

    ``uid`` is that of a memory; of an error of a tool it is its key.
    """

    uid: str
    kind: EvidenceKind
    weight: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Patch:
    """Repair of a cycle's failure; ``missing`` lists what an incomplete one lacks.

    ``number`` counts the patches of a cycle, ``plan`` are the checks that confirm it.
    """

    uid: str
    scope: str
    cycle_uid: str
    number: int
    made_at: datetime
    problem: str
    cause: str = ""
    correction: str = ""
    plan: tuple[Check, ...] = ()
    missing: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    state: PatchState = "proposed"
    findings: tuple[Finding, ...] = ()
    memory_uid: str | None = None
    applied_at: datetime | None = None
    judged_at: datetime | None = None
    answers: tuple[str, ...] = field(default=())


class PatchQuery(NamedTuple):
    """Filter for patches of some scopes, newest first; ``before`` is a uid."""

    scopes: tuple[str, ...]
    cycle_uid: str | None = None
    states: tuple[PatchState, ...] = ()
    before: str | None = None
    limit: int = 20
