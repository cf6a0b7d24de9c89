"""Problems with attempts that name them, as tests store them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from graph.kernel.scope import Caller
from graph.model.memories.memory import Link, NewMemory
from service.bootstrap import Service
from tests.conftest import Run

EGGS = [
    f"A hen lays {n} eggs a day. How much are the eggs of {n + 2} days at $2?" for n in range(20)
]
TRAINS = [
    f"A train goes {n} miles an hour. Then how far is the train after {n} hours?" for n in range(20)
]


@dataclass(frozen=True, slots=True)
class Tried:
    """An attempt at a problem: whether it was correct, and its calculations."""

    name: str
    problem: str
    right: bool | None = True
    actions: tuple[str, ...] = ("3*4=12", "12*2=24")
    confidence: float = 0.9

    @property
    def structured(self) -> dict[str, Any]:
        trace = [
            {"step": place, "thought": "", "action": action, "observation": ""}
            for place, action in enumerate(self.actions, 1)
        ]
        return {
            "episode_id": self.name,
            "timestamp": "2026-11-02T10:00:00Z",
            "input": {
                "problem": self.problem,
                "problem_id": f"id-{self.problem}",
                "domain": "math",
            },
            "trace": trace,
            "output": {"answer": "24", "correct": self.right, "confidence": self.confidence},
            "metadata": {"tokens_used": 90, "latency_ms": 5.0, "model": "m", "temperature": 0.0},
        }


async def attempt(service: Service, caller: Caller, *rows: Tried) -> None:
    """Store problems and attempts at them, each linked to its problem."""
    scope = caller.writable()
    problems = {row.problem for row in rows}
    await stored(service, [problem(scope, text) for text in sorted(problems)])
    await stored(service, [episode(scope, row) for row in rows])


async def stored(service: Service, rows: list[NewMemory]) -> None:
    for answer in await service.remember(rows):
        assert answer.status in {"created", "unchanged", "updated"}, answer


def problem(scope: str, text: str) -> NewMemory:
    name = f"problem:math:id-{text}"
    return NewMemory(scope, text, kind="problem", external_id=name, domain="math")


def episode(scope: str, row: Tried) -> NewMemory:
    return NewMemory(
        scope,
        row.problem,
        kind="episode",
        external_id=row.name,
        content_type="structured",
        structured=row.structured,
        domain="math",
        correct=row.right,
        model="m",
        occurred_at=datetime(2026, 11, 2, 10, tzinfo=UTC),
        links=(
            Link("SOLVED" if row.right else "ATTEMPTED", f"external:problem:math:id-{row.problem}"),
        ),
    )


def rows_of(prefix: str, texts: list[str], **fields: Any) -> list[Tried]:
    return [Tried(f"{prefix}{place}", text, **fields) for place, text in enumerate(texts)]


def waiting(cypher: Run, number: int, scope: str = "local/agent/anna") -> None:
    """Set the number of correct episodes of a scope that wait."""
    cypher("MATCH (s:Scope {scope: $scope}) SET s.solved_waiting = $n", scope=scope, n=number)


def concepts(cypher: Run) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (c:Concept) RETURN c.uid AS uid, c.text AS text, c.structured AS structured, "
        "c.attempts AS attempts, c.successes AS successes, c.scope AS scope, "
        "COUNT { (c)<-[:REQUIRES]-(:Problem) } AS problems, "
        "COUNT { (c)<-[:USED]-(:Episode) } AS used, "
        "COUNT { (c)-[:DERIVED_FROM]->(:Episode) } AS evidence ORDER BY problems DESC, text"
    )
