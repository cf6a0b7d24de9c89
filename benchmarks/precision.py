"""PrecisionMemBench: precision and recall of results.

Beliefs are stored with one agent per user, their scope as the domain and their aliases as tags; superseded beliefs are
stored with their successors. Scored like the benchmark's own runner: pinned beliefs are a separate tier and do not
count, a correctly empty answer has no precision.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.everyday.__main__ import wait_linked
from benchmarks.runner import add_common_arguments, print_result, running_service, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import httpx

_USER = "test-user"
_MOST = 20


@dataclass(frozen=True, slots=True)
class Case:
    """One question: its expected results, and the pinned tier."""

    name: str
    query: str
    user: str
    domain: str
    most: int
    expected: frozenset[str]
    pinned: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scored:
    """One answered case."""

    case: Case
    returned: frozenset[str]

    @property
    def precision(self) -> float | None:
        """Share of the results that were expected; None without either."""
        if not self.returned:
            return None if not self.case.expected else 0.0
        return len(self.returned & self.case.expected) / len(self.returned)

    @property
    def recall(self) -> float | None:
        """Share of the expected that were returned; None without any."""
        expected = self.case.expected
        return len(self.returned & expected) / len(expected) if expected else None


def load(folder: Path) -> tuple[list[dict[str, Any]], list[Case]]:
    """Read the beliefs and the cases with a question."""
    beliefs = json.loads((folder / "beliefs.seed.json").read_text(encoding="utf-8"))
    raw = json.loads((folder / "retrieval.cases.json").read_text(encoding="utf-8"))
    cases = [_case(beliefs, one) for one in raw]
    return beliefs, [case for case in cases if case.query.strip() and case.most]


def _case(beliefs: Sequence[Mapping[str, Any]], raw: Mapping[str, Any]) -> Case:
    user, scopes = raw.get("userId") or _USER, set(raw["scope"])
    wanted = raw["expect"].get("relevantBeliefs", {})
    pinned = frozenset(b["_id"] for b in beliefs if b["user_id"] == user and _is_pinned(b, scopes))
    expected = frozenset(wanted.get("shouldOnlyInclude", wanted.get("mustInclude", ())))
    most = int(raw.get("budget", {}).get("maxBeliefs", _MOST))
    return Case(raw["caseId"], raw["query"], user, raw["scope"][0], most, expected, pinned)


def _is_pinned(belief: Mapping[str, Any], scopes: set[str]) -> bool:
    gone = belief.get("superseded_by") or belief.get("resolved_at")
    kept = belief["pinned"] and belief["type"] != "open_question" and not gone
    return bool(kept and scopes & set(belief["scope"]))


def remember(client: httpx.Client, beliefs: Sequence[Mapping[str, Any]]) -> None:
    """Store every belief, superseded ones before their successors."""
    replaced: dict[str, list[str]] = {}
    for belief in beliefs:
        if belief.get("superseded_by"):
            replaced.setdefault(belief["superseded_by"], []).append(belief["_id"])
    waiting = {belief["_id"]: belief for belief in beliefs}
    while waiting:
        ready = [
            b for b in waiting.values() if not waiting.keys() & set(replaced.get(b["_id"], ()))
        ]
        for belief in ready:
            _remember_one(client, belief, replaced.get(belief["_id"], ()))
            del waiting[belief["_id"]]
    for user in {str(belief["user_id"]) for belief in beliefs}:
        wait_linked(client, [user])


def _remember_one(client: httpx.Client, belief: Mapping[str, Any], replaced: Iterable[str]) -> None:
    names = [belief["canonical_name"], *belief["aliases"]]
    body = {
        "agent_id": belief["user_id"],
        "external_id": belief["_id"],
        "text": " ".join([*names, belief["content"], belief["why_it_matters"]]),
        "domain": belief["scope"][0],
        "tags": names,
        "occurred_at": belief["created_at"],
        "supersedes": [f"external:{name}" for name in replaced],
    }
    client.post("/v1/memories", json=body).raise_for_status()


def ask(
    client: httpx.Client, cases: Sequence[Case], relations: Mapping[str, list[str]]
) -> list[Scored]:
    """Ask every case with the defaults of the service but for the limit."""
    scored: list[Scored] = []
    for case in cases:
        body = {
            "agent_id": case.user,
            "text": case.query,
            "k": case.most,
            "filters": {"domain": case.domain},
        }
        rows = client.post("/v1/recall", json=body).raise_for_status().json()["results"]
        found = [row["external_id"] for row in rows if row["external_id"] not in case.pinned]
        found += [
            name for one in found for name in relations.get(one, ()) if name not in case.pinned
        ]
        scored.append(Scored(case, frozenset(found)))
    return scored


def measures(scored: Sequence[Scored]) -> dict[str, float]:
    """Mean precision and recall, exact sets, and answers where nothing is expected."""
    precisions = [one.precision for one in scored if one.precision is not None]
    recalls = [one.recall for one in scored if one.recall is not None]
    answered = [one.precision or 0.0 for one in scored if one.case.expected]
    nothing = [one for one in scored if not one.case.expected]
    return {
        "precision": sum(precisions) / max(1, len(precisions)),
        "precision_answered": sum(answered) / max(1, len(answered)),
        "recall": sum(recalls) / max(1, len(recalls)),
        "exact": sum(one.returned == one.case.expected for one in scored),
        "cases": len(scored),
        "noise": sum(bool(one.returned) for one in nothing),
        "nothing_expected": len(nothing),
    }


def main() -> None:
    """Measure, print errors on request, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of PrecisionMemBench")
    parser.add_argument("--wrong", action="store_true", help="print the sets that are not exact")
    add_common_arguments(parser)
    options = parser.parse_args()
    beliefs, cases = load(options.data)
    relations = {b["_id"]: b.get("participants", []) for b in beliefs if b["type"] == "relation"}
    with running_service() as running:
        remember(running.client, beliefs)
        scored = ask(running.client, cases, relations)
    for one in scored if options.wrong else ():
        if one.returned != one.case.expected:
            missing, extra = one.case.expected - one.returned, one.returned - one.case.expected
            say(f"{one.case.query[:100]}\n   missing {sorted(missing)} extra {sorted(extra)}")
    print_result(measures(scored), as_json=options.json)


if __name__ == "__main__":
    main()
