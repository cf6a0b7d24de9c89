"""Checkers of steps: what holds, what is wrong, and what they cannot tell."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from graph.model.cycles.checks import CHECKER_NAMES, Check
from graph.verifying import callback
from graph.verifying.callback import SignedCallback
from graph.verifying.registry import CHECKERS, run_check

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def verdict(checker: Any, **given: Any) -> str:
    return run_check(Check(checker, given)).verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16 - 3 = <<16-3=13>>13 eggs", "passed"),
        ("She has 16-3=12 eggs", "failed"),
        ("16 - 3 = <<16-3=12>>12 eggs", "failed"),
        ("16 - 3 = <<16-3=13>>31 eggs", "failed"),
        ("That is 50/12 = <<50/12=4.17>>4.17", "passed"),
        ("That is 50/12 = 5.17", "failed"),
        ("0.1 + 0.2 = <<0.1+0.2=0.30000000000000004>>0.3", "passed"),
        ("$1,200 * 10% = $120", "passed"),
        ("2 × (3 + 4) = 14", "passed"),
        ("5 ÷ 0 = 0", "undecided"),
        ("x = 3", "undecided"),
        ("apples * 3 = 12", "undecided"),
        ("nothing to see", "undecided"),
        ("1 = 1 + 2 = 3", "passed"),
        ("-(2 + 3) = -5 and (3 = 4", "passed"),
    ],
)
def test_arithmetic(text: str, expected: str) -> None:
    assert verdict("arithmetic", text=text) == expected


def test_a_long_line_of_signs_is_read_in_no_time() -> None:
    assert verdict("arithmetic", text="1 - " * 4000 + "1 = 0") == "undecided"
    assert verdict("arithmetic", text="9" * 15_000 + " + 1 = 2") == "undecided"
    assert verdict("arithmetic", text="(" * 5000 + "1 = 2") in ("failed", "undecided")
    assert verdict("arithmetic", text="x" * 30_000) == "undecided"


def test_grounding() -> None:
    source = "Ada has sixteen eggs and eats three. A dozen costs $6."
    assert verdict("grounding", text="16 - 3 = 13\n13 / 12 = 1.08", source=source) == "passed"
    assert verdict("grounding", text="16 - 3 = 13\n13 * 57 = 741", source=source) == "failed"
    assert verdict("grounding", text="no sums", source=source) == "undecided"
    assert verdict("grounding", text="1 + 1 = 2") == "undecided"


def test_answer() -> None:
    assert verdict("answer", text="3 * 4 = 12\nA: 12") == "passed"
    assert verdict("answer", text="3 * 4 = 12\nA: 13") == "failed"
    assert verdict("answer", text="3 * 4 = 12\n4 * 5 = 20\nA: 12") == "undecided"
    assert verdict("answer", text="3 - 4 = -1\nA: -1", source="3 and 4") == "failed"
    assert verdict("answer", text="1 / 5 = 0.2\nA: 20") == "undecided"
    assert verdict("answer", text="no answer") == "undecided"


def test_consistency() -> None:
    assert verdict("consistency", text="A: 1", others=["A: 1", "A: 1"]) == "passed"
    assert verdict("consistency", text="A: 1", others=["A: 2", "A: 2"]) == "failed"
    assert verdict("consistency", text="A: 1", others=["A: 2", "A: 3"]) == "undecided"
    assert verdict("consistency", text="A: 1", others=["A: 2"]) == "undecided"
    assert verdict("consistency", text="A: 1") == "undecided"


def test_consistency_with_accuracies() -> None:
    def weighed(text: str, *others: object, accuracies: object) -> str:
        return verdict("consistency", text=text, others=list(others), accuracies=accuracies)

    # Who is seldom right, against one who often is and one who sometimes is.
    assert weighed("A: 1", "A: 2", "A: 2", accuracies=[0.2, 0.6, 0.4]) == "failed"
    assert weighed("A: 2", "A: 1", "A: 2", accuracies=[0.6, 0.2, 0.4]) == "passed"
    assert weighed("A: 1", "A: 2", "A: 3", accuracies=[0.3, 0.3, 0.3]) == "undecided"
    assert weighed("A: 1", "A: 2", "A: 3", accuracies=[0.02, 0.95, 0.3]) == "failed"
    assert weighed("A: 1", "A: 2", "A: 2", "none", accuracies=[0.2, 0.6, 0.4, 0.9]) == "failed"
    for wrong in ([0.2, 0.6], [0.2, 0.6, 1.5], [0.2, 0.6, "x"], 0.5):
        assert weighed("A: 1", "A: 2", "A: 2", accuracies=wrong) == "undecided"
    assert weighed("A: 1", "A: 2", accuracies=[0.2, 0.9]) == "undecided"


def test_json_schema() -> None:
    schema = {"type": "object", "required": ["to"]}
    assert verdict("json_schema", value={"to": "TRN"}, schema=schema) == "passed"
    assert verdict("json_schema", value={}, schema=schema) == "failed"
    assert verdict("json_schema", value={}, schema={"type": "nothing"}) == "undecided"
    assert verdict("json_schema", value="x", schema={"pattern": "(a+)+$"}) == "undecided"
    assert verdict("json_schema", value="x") == "undecided"


def test_regex() -> None:
    assert verdict("regex", text="TRN", pattern="[A-Z]{3}") == "passed"
    assert verdict("regex", text="trn", pattern="[A-Z]{3}") == "failed"
    assert verdict("regex", text="a", pattern="(") == "undecided"
    assert verdict("regex", text="a" * 5000 + "b", pattern="(a|a)*(a|a)*(a|a)*c") in (
        "undecided",
        "failed",
    )
    assert verdict("regex", text="a") == "undecided"


def test_units_and_ranges() -> None:
    assert verdict("unit_range", value="5 km", unit="m", min=1000, max=6000) == "passed"
    assert verdict("unit_range", value="5 km", unit="m", max=4000) == "failed"
    assert verdict("unit_range", value="5 km", unit="m", min=6000) == "failed"
    assert verdict("unit_range", value="5 km", unit="kg", min=1) == "failed"
    assert verdict("unit_range", value="$1,200.50", unit="$", max=2000) == "passed"
    assert verdict("unit_range", value=0.4, min=0, max=1) == "passed"
    assert verdict("unit_range", value="5 km", unit="m") == "undecided"
    for value in ("5 parsecs", "far", True, None, "$5 km"):
        assert verdict("unit_range", value=value, unit="m", min=1) == "undecided"
    assert verdict("unit_range", value="5 km", unit="m", min="1") == "undecided"


def test_a_bare_number_has_the_unit_that_is_named() -> None:
    assert verdict("unit_range", value=4.2, unit="bar", min=3, max=6) == "passed"
    assert verdict("unit_range", value=7, unit="bar", max=6) == "failed"


@pytest.mark.parametrize(
    ("value", "unit", "low", "high"),
    [
        ("4.2 bar", "kPa", 419, 421),
        ("60 psi", "bar", 4.1, 4.2),
        ("96 cubic metres per hour", "l/s", 26, 27),
        ("96 m³/h", "m3/h", 95.9, 96.1),
        ("12 mg/l", "g/l", 0.011, 0.013),
        ("212 °F", "°C", 99.9, 100.1),
        ("21 degrees", "°F", 69, 71),
        ("2 hours", "min", 119, 121),
        ("3 kWh", "kJ", 10_799, 10_801),
        ("2 square metres", "m2", 1.9, 2.1),
    ],
)
def test_units_of_one_dimension_are_converted(
    value: str, unit: str, low: float, high: float
) -> None:
    assert verdict("unit_range", value=value, unit=unit, min=low, max=high) == "passed"


def test_sql() -> None:
    assert verdict("sql", sql="SELECT a FROM b WHERE c = 1") == "passed"
    assert verdict("sql", sql="SELECT FROM WHERE (") == "failed"
    assert verdict("sql", sql="SELECT 1", dialect="klingon") == "undecided"
    assert verdict("sql", sql="-- nothing") == "undecided"
    assert verdict("sql") == "undecided"
    assert verdict("sql", sql="SELECT " + "(" * 3000) in ("failed", "undecided")


def test_http_status() -> None:
    found = [verdict("http_status", status=status) for status in (200, 204, 302, 404, 500, 99)]
    assert found == ["passed", "passed", "undecided", "failed", "failed", "undecided"]
    assert verdict("http_status", status=404, expected=[404]) == "passed"
    assert verdict("http_status", status=200, expected=[404]) == "failed"
    assert verdict("http_status", status="200") == "undecided"


@pytest.mark.parametrize("name", CHECKER_NAMES)
def test_without_what_it_needs_no_checker_passes(name: Any) -> None:
    assert run_check(Check(name)).verdict == "undecided"
    assert (name in CHECKERS) == (name != "callback")


class Answers:
    """A server that notes what it was asked, in the place of a network."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, status: int, content: bytes) -> None:
        self.asked: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            self.asked.append(request)
            return httpx.Response(status, content=content, headers={"location": "http://evil/"})

        plain = httpx.AsyncClient

        def client(**options: Any) -> httpx.AsyncClient:
            return plain(transport=httpx.MockTransport(answer), **options)

        monkeypatch.setattr(callback.httpx, "AsyncClient", client)


async def asked(url: object, allowed: str = "http://checker:9/steps", signing: str = "key") -> str:
    checker = SignedCallback((allowed,), signing, lambda: NOW)
    return (await checker.check(Check("callback", {"url": url, "value": 3}))).verdict


async def test_a_callback_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Answers(monkeypatch, 200, json.dumps({"verdict": "passed"}).encode())
    assert await asked("http://checker:9/steps/sum") == "passed"
    [request] = server.asked
    assert len(request.headers[callback.SIGNATURE]) == 64
    assert request.headers[callback.TIMESTAMP] == str(int(NOW.timestamp()))
    assert json.loads(request.content) == {"value": 3}


@pytest.mark.parametrize(
    "url",
    ["http://checker:9/", "http://checker:9/stepsister", "http://checker:90/steps", "https://checker:9/steps",
     "http://checker:9@evil/steps", "http://u:p@checker:9/steps", "http://checker:9/steps/../x", "nonsense", 5, "http://["],
)  # fmt: skip
async def test_no_other_address_is_asked(monkeypatch: pytest.MonkeyPatch, url: object) -> None:
    server = Answers(monkeypatch, 200, b'{"verdict": "passed"}')
    assert await asked(url) == "undecided"
    assert server.asked == []


@pytest.mark.parametrize(
    ("status", "content"),
    [(302, b""), (500, b'{"verdict": "passed"}'), (200, b"yes"), (200, b'{"verdict": "maybe"}'), (200, b"1" * 70_000)],
)  # fmt: skip
async def test_what_a_callback_says_otherwise_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, status: int, content: bytes
) -> None:
    Answers(monkeypatch, status, content)
    assert await asked("http://checker:9/steps") == "undecided"
    assert await asked("http://checker:9/steps", signing="") == "undecided"
