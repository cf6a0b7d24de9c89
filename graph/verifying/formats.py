"""Checkers of formats: JSON schema, regular expression, SQL, HTTP status."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from graph.model.cycles.checks import Finding, failed, passed, undecided

_MOST_TEXT = 20_000
_MOST_PATTERN = 500
_MOST_SCHEMA = 20_000
_SECONDS = 0.1  # seconds for one search, which blocks all other requests
_DIALECTS = frozenset(
    ("", "bigquery", "duckdb", "mysql", "oracle", "postgres", "snowflake", "sqlite", "tsql")
)
_KEYWORDS_OF_PATTERNS = frozenset(("pattern", "patternProperties", "$ref", "$dynamicRef"))
_LEAST_STATUS, _GOOD, _ELSEWHERE, _BAD, _ABOVE = 100, 200, 300, 400, 600


def check_schema(given: Mapping[str, Any]) -> Finding:
    """Check that a ``value`` fits a JSON ``schema``; one with patterns or references is undecided."""
    from jsonschema import Draft202012Validator  # slow to import, and rarely used
    from jsonschema.exceptions import best_match

    schema = given.get("schema")
    if not isinstance(schema, dict) or "value" not in given:
        return undecided("json_schema", "needs `value`, and `schema` as an object")
    typed = cast("dict[str, Any]", schema)
    if len(json.dumps(typed)) > _MOST_SCHEMA or _keys(typed) & _KEYWORDS_OF_PATTERNS:
        return undecided("json_schema", "the schema is too long, or holds patterns or references")
    if not Draft202012Validator(Draft202012Validator.META_SCHEMA).is_valid(typed):
        return undecided("json_schema", "the schema is none of Draft 2020-12")
    error = best_match(Draft202012Validator(typed).iter_errors(given["value"]))
    if error is None:
        return passed("json_schema", "fits the schema")
    return failed("json_schema", f"`{error.validator}` says no at {error.json_path}")


def check_regex(given: Mapping[str, Any]) -> Finding:
    """Check that all of a ``text`` fits a ``pattern``, within a tenth of a second."""
    import regex  # this library alone can stop a search that takes too long

    text, pattern = given.get("text"), given.get("pattern")
    if not isinstance(text, str) or not isinstance(pattern, str):
        return undecided("regex", "needs `text` and `pattern`")
    if len(text) > _MOST_TEXT or len(pattern) > _MOST_PATTERN:
        return undecided("regex", "the text or the pattern is too long")
    try:
        found = regex.fullmatch(pattern, text, timeout=_SECONDS)
    except TimeoutError:
        return undecided("regex", "the search took longer than 0.1 s")
    except regex.error:
        return undecided("regex", "the pattern is no regular expression")
    return passed("regex", "fits") if found else failed("regex", "does not fit the pattern")


def check_sql(given: Mapping[str, Any]) -> Finding:
    """Check that ``sql`` parses in a ``dialect``; tables are not checked."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    sql, dialect = given.get("sql"), given.get("dialect", "")
    if not isinstance(sql, str) or not sql.strip() or len(sql) > _MOST_TEXT:
        return undecided("sql", "needs `sql` of at most 20,000 characters")
    if dialect not in _DIALECTS:
        return undecided(
            "sql", f"knows no such dialect; it knows {', '.join(sorted(_DIALECTS)[1:])}"
        )
    try:
        statements = sqlglot.parse(sql, dialect=dialect or None)
    except SqlglotError as error:
        return failed("sql", _place_of(error))
    except RecursionError:
        return undecided("sql", "is nested too deeply to be parsed")
    if not any(statements):
        return undecided("sql", "holds no statement")
    if any(type(one).__name__ == "Command" for one in statements):
        return undecided("sql", "holds a command that is not parsed")
    return passed("sql", f"{len(statements)} statements parse")


def check_status(given: Mapping[str, Any]) -> Finding:
    """Check an HTTP ``status`` against those ``expected``; by default 2xx passes, 4xx and 5xx fail."""
    status, expected = given.get("status"), given.get("expected")
    if not isinstance(status, int) or not _LEAST_STATUS <= status < _ABOVE:
        return undecided("http_status", "needs `status`, 100 to 599")
    if isinstance(expected, list | tuple) and expected:
        wanted = cast("Sequence[object]", expected)
        right = status in wanted
        return (passed if right else failed)("http_status", f"{status} was answered")
    if status >= _BAD:
        return failed("http_status", f"{status} is an error")
    if _GOOD <= status < _ELSEWHERE:
        return passed("http_status", f"{status} is a success")
    return undecided("http_status", f"{status} says neither success nor failure")


def _keys(value: object) -> set[str]:
    if isinstance(value, dict):
        held = cast("dict[str, object]", value)
        return set(held).union(*map(_keys, held.values()))
    if isinstance(value, list):
        return set[str]().union(*map(_keys, cast("list[object]", value)))
    return set()


def _place_of(error: Exception) -> str:
    faults = cast("list[dict[str, Any]]", getattr(error, "errors", None) or [{}])
    line, column = faults[0].get("line"), faults[0].get("col")
    return f"does not parse at line {line}, column {column}" if line else "does not parse"
