"""Gates of the strata on a clock that stands."""

from __future__ import annotations

import pytest

from graph.model.strata.gates import GateRun
from graph.store.strata.store import StrataStore
from service.bootstrap import Service
from service.use_cases.kernel.runs import UndoRun
from service.use_cases.strata.gates import MOVED_AT_ONCE, UNKNOWN_GATE_RUN, Gates, RunGates
from tests.standing_clock import At


@pytest.fixture
def strata(service: Service) -> StrataStore:
    return StrataStore(service.database, service.configs)


@pytest.fixture
def gates(service: Service, strata: StrataStore) -> Gates:
    return Gates(strata, service.configs, service.remember.identifiers)


@pytest.fixture
def run_gates(service: Service, strata: StrataStore, gates: Gates, clock: At) -> RunGates:
    return RunGates(strata, gates, clock=clock, identifiers=service.remember.identifiers)


@pytest.fixture
def undo(strata: StrataStore, clock: At) -> UndoRun[GateRun]:
    return UndoRun(strata, clock=clock, at_once=MOVED_AT_ONCE, unknown=UNKNOWN_GATE_RUN)
