"""Table of the synchronous checkers, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graph.model.cycles.checks import Check, CheckerName, Finding, undecided
from graph.verifying.arithmetic import (
    check_answer,
    check_arithmetic,
    check_consistency,
    check_grounding,
)
from graph.verifying.formats import check_regex, check_schema, check_sql, check_status
from graph.verifying.quantities import check_quantity

CHECKERS: Mapping[CheckerName, Callable[[Mapping[str, Any]], Finding]] = {
    "arithmetic": check_arithmetic,
    "grounding": check_grounding,
    "answer": check_answer,
    "consistency": check_consistency,
    "json_schema": check_schema,
    "regex": check_regex,
    "unit_range": check_quantity,
    "sql": check_sql,
    "http_status": check_status,
}


def run_check(check: Check) -> Finding:
    """Run the checker of that name; an unknown one is undecided."""
    checker = CHECKERS.get(check.checker)
    if checker is None:
        return undecided(check.checker, "no such checker answers here")
    return checker(check.given)
