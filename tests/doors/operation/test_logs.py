"""What is logged, and what never is."""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import AsyncGenerator, Generator
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from service.logs import JsonFormatter, TextFormatter, configure_logging, context
from tests.swapping import app_for

SECRET = "The vault opens with tulip-7431"


@pytest.fixture(autouse=True)
def restored() -> Generator[None]:
    """Leave the process's logging as it was."""
    root = logging.getLogger()
    handlers, names = root.handlers[:], ("", "stratagraph", "service", "graph", "neo4j")
    levels = {name: logging.getLogger(name).level for name in names}
    yield
    root.handlers[:] = handlers
    logging.captureWarnings(capture=False)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
async def client(service: Service) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app_for(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


async def test_a_remembered_secret_is_in_no_line(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("info", "json")
    memory = {"agent_id": "anna-secret", "text": SECRET, "external_id": "id-secret"}
    for body in (memory, memory, {**memory, "kind": "no kind"}):
        await client.post("/v1/memories", json=body)
    question = {"agent_id": "anna-secret", "text": SECRET, "task_id": "task-secret"}
    await client.post("/v1/recall", json=question)
    outcome = {"agent_id": "anna-secret", "status": "success"}
    await client.post("/v1/tasks/task-secret/outcome", json=outcome)
    await client.get("/v1/memories/external:id-secret?agent_id=anna-secret")
    await client.get(f"/{SECRET}")
    said = capsys.readouterr()
    loggers = [line["logger"] for line in lines_of(said.err)]
    assert loggers.count("stratagraph.access") == 7
    assert set(loggers) == {"stratagraph.access", "stratagraph.events"}
    for word in (SECRET, "tulip", "secret"):
        assert word not in said.err + said.out


async def test_a_request_is_one_object(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("info", "json")
    await client.post(
        "/v1/recall", json={"agent_id": "a", "text": "x"}, headers={"X-Request-ID": "r-1"}
    )
    await client.get("/healthz")
    [event, line] = lines_of(capsys.readouterr().err)
    assert (event["logger"], event["request_id"]) == ("stratagraph.events", "r-1")
    assert event["action"] == "memory:utility_retrieval_completed"
    assert line.pop("ms") >= 0
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "stratagraph.access",
        "message": "request answered",
        "action": "request",
        "method": "POST",
        "route": "/v1/recall",
        "status": "200",
        "request_id": "r-1",
    }


async def test_every_line_of_a_request_has_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json")
    token = context.set({"request_id": "r-2", "trace_id": "t"})
    logging.getLogger("graph.store").warning("careful", extra={"action": "careful"})
    context.reset(token)
    logging.getLogger("graph.store").warning("later")
    first, second = lines_of(capsys.readouterr().err)
    assert (first["request_id"], first["trace_id"], first["action"]) == ("r-2", "t", "careful")
    assert "request_id" not in second


def test_what_libraries_say_takes_the_same_form(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json")
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    logging.getLogger("uvicorn.error").info("Started")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old\nand gone", stacklevel=1)
    uvicorn, warned = lines_of(capsys.readouterr().err)
    assert (uvicorn["logger"], uvicorn["level"]) == ("uvicorn.error", "warning")
    assert warned["logger"] == "py.warnings"


def test_the_drivers_own_words_are_kept_back(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("debug", "json")
    logging.getLogger("neo4j").warning("Transaction failed and will be retried: %s", SECRET)
    logging.getLogger("neo4j.io").debug("RUN %s", SECRET)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("form", [TextFormatter(), JsonFormatter()])
def test_an_exception_is_told_by_class_and_place(form: logging.Formatter) -> None:
    try:
        raise ValueError(SECRET)
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "it failed", (), sys.exc_info())
    line = form.format(record)
    assert SECRET not in line
    assert "ValueError" in line
    assert "test_logs.py" in line


def test_a_line_for_people_quotes_what_is_not_one_word() -> None:
    record = logging.makeLogRecord({"msg": "done", "levelname": "INFO", "name": "x", "created": 0})
    record.what, record.plain = "a b\nINFO forged", 3
    line = TextFormatter().format(record)
    assert line == '1970-01-01T00:00:00.000+00:00 INFO x done what="a b\\nINFO forged" plain=3'


def test_levels_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("error")
    logging.getLogger("service.bootstrap").warning("hidden")
    logging.getLogger("service.bootstrap").error("shown")
    said = capsys.readouterr().err
    assert "shown" in said
    assert "hidden" not in said
