"""The adapter of a language model, against a server that answers what a script says."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from graph.kernel.errors import ConfigurationError, LanguageModelError
from graph.llm.openai import ChatModel, Endpoint, misfit, open_model
from graph.ports.language import LanguageModel
from service.bootstrap.language import open_language_model
from service.bootstrap.telemetry import open_telemetry
from service.settings import Settings, load_settings
from tests.scripted_model import Scripted, said, scripted_model

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "sure": {"type": "boolean"}},
    "required": ["name"],
    "additionalProperties": False,
}
SECRET = "sk-never-to-be-told"
QUESTION = "what did Anna buy for 4711 dollars?"


@asynccontextmanager
async def model_of(script: Scripted, **options: Any) -> AsyncGenerator[ChatModel]:
    """A model that never really waits between two tries."""
    slept: list[float] = []

    async def pause(seconds: float) -> None:
        slept.append(seconds)

    options = {"timeout_seconds": 2.0, **options}
    async with httpx.AsyncClient() as client:
        model = ChatModel(Endpoint(script.url, "tiny", SECRET, **options), client, pause=pause)
        yield model
        script.asked.append({"slept": slept})


async def ask(model: LanguageModel, most_tokens: int = 64) -> dict[str, Any]:
    return dict(await model.fill("Name it.", QUESTION, SCHEMA, most_tokens=most_tokens))


async def test_an_object_that_fits_is_the_answer() -> None:
    with scripted_model(said({"name": "ratio", "sure": True}, tokens=33)) as script:
        async with open_model(Endpoint(script.url + "/", "tiny", SECRET)) as model:
            assert await ask(model) == {"name": "ratio", "sure": True}
            assert (model.name, model.tokens_spent) == ("tiny", 33)
    [asked] = script.asked
    assert asked["model"] == "tiny"
    assert asked["max_tokens"] == 64
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert asked["messages"][1]["content"] == QUESTION
    assert script.headers[0]["authorization"] == f"Bearer {SECRET}"


async def test_a_fence_around_the_object_does_no_harm() -> None:
    with scripted_model(said('```json\n{"name": "ratio"}\n```')) as script:
        async with open_model(Endpoint(script.url, "tiny")) as model:
            assert await ask(model) == {"name": "ratio"}
    assert "authorization" not in script.headers[0]


async def test_a_format_that_is_refused_is_not_asked_for_again() -> None:
    with scripted_model((400, "no json_schema here"), said({"name": "ratio"})) as script:
        async with open_model(Endpoint(script.url, "tiny")) as model:
            await ask(model)
            await ask(model)
    formats = [asked.get("response_format", {}).get("type") for asked in script.asked]
    assert formats == ["json_schema", "json_object", "json_object"]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (said("I would rather not."), "no JSON"),
        (said("[1, 2]"), "no JSON object"),
        (said({"sure": True}), "`required`"),
        (said({"name": 5}), "`type` says no at"),
        (said({"name": "x" * 21}), "`maxLength`"),
        (said({"name": "ratio", "also": 1}), "`additionalProperties`"),
        (said({"name": "rat"}, finish="length"), "cut off"),
        ((200, '{"choices": []}'), "another form"),
        ((200, '{"choices": [{"message": {"content": null}}]}'), "no text"),
        ((200, "<html>"), "no JSON"),
        ((200, "x" * (2**20 + 1)), "too long"),
        ((401, "bad key"), "answers 401"),
        ((302, "elsewhere"), "answers 302"),
    ],
)
async def test_a_useless_answer_is_an_error_that_repeats_nothing(
    reply: tuple[int, object], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    with scripted_model(reply) as script:
        async with model_of(script) as model:
            with (
                caplog.at_level(logging.DEBUG, "stratagraph"),
                pytest.raises(LanguageModelError, match=why),
            ):
                await ask(model)
    assert len(script.asked) == 2  # one question, and how long the pauses were
    [logged] = [record for record in caplog.records if record.name == "stratagraph.llm"]
    told = f"{logged.__dict__} {caplog.text}"
    assert why in told
    for secret in (SECRET, QUESTION, "I would rather not", "bad key"):
        assert secret not in told


async def test_what_passes_is_tried_again_with_growing_pauses() -> None:
    with scripted_model((503, ""), (429, ""), said({"name": "ratio"})) as script:
        async with model_of(script) as model:
            assert await ask(model) == {"name": "ratio"}
    assert script.asked[-1] == {"slept": [0.5, 1.0]}


async def test_the_server_says_how_long_to_wait_but_not_for_ever() -> None:
    with scripted_model((429, "")) as script:
        script.retry_after = "3600"
        async with model_of(script, retries=1) as model:
            with pytest.raises(LanguageModelError, match="answers 429, after 2 tries"):
                await ask(model)
    assert script.asked[-1] == {"slept": [10.0]}


async def test_a_slow_server_is_left_in_time() -> None:
    def slow(_: object) -> tuple[int, object]:
        time.sleep(1.0)
        return said({"name": "late"})

    with scripted_model(slow) as script:
        async with model_of(script, timeout_seconds=0.2, retries=0) as model:
            begun = time.perf_counter()
            with pytest.raises(LanguageModelError, match=r"not answer in time|ReadTimeout"):
                await ask(model)
            assert time.perf_counter() - begun < 0.9


async def test_nobody_there_is_an_error_that_says_what_to_check() -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", "tiny", retries=0, timeout_seconds=2)
    async with open_model(endpoint) as model:
        with pytest.raises(LanguageModelError, match="STRATAGRAPH_LLM_BASE_URL"):
            await ask(model)


async def test_an_hour_has_so_many_tokens_and_no_more() -> None:
    clock = [0.0]
    with scripted_model(said({"name": "ratio"}, tokens=450)) as script:
        async with httpx.AsyncClient() as client:
            endpoint = Endpoint(script.url, "tiny", tokens_per_hour=500)
            model = ChatModel(endpoint, client, seconds=lambda: clock[0])
            await ask(model)
            assert model.tokens_spent == 450
            with pytest.raises(LanguageModelError, match="500 tokens an hour"):
                await ask(model)
            assert len(script.asked) == 1
            clock[0] = 3600.0
            await ask(model)
            assert (len(script.asked), model.tokens_spent) == (2, 450)


async def test_an_answer_that_counts_no_tokens_took_the_most_it_could() -> None:
    reply = {"choices": [{"message": {"content": '{"name": "ratio"}'}}]}
    with scripted_model((200, reply)) as script:
        async with open_model(Endpoint(script.url, "tiny")) as model:
            await ask(model, most_tokens=100)
            assert model.tokens_spent > 100


async def test_calls_and_tokens_are_counted() -> None:
    with scripted_model(said({"name": "ratio"}, tokens=25), said("no")) as script:
        settings = Settings(llm_base_url=script.url, llm_model="tiny")
        async with (
            open_telemetry(settings) as (metrics, telemetry),
            open_language_model(settings, telemetry) as model,
        ):
            assert model is not None
            await ask(model)
            with pytest.raises(LanguageModelError):
                await ask(model)
            told = metrics.exposition().decode()
    assert 'stratagraph_language_calls_total{outcome="ok"} 1.0' in told
    assert 'stratagraph_language_calls_total{outcome="error"} 1.0' in told
    assert "stratagraph_language_tokens_total 65.0" in told


async def test_without_an_address_there_is_none() -> None:
    async with (
        open_telemetry(Settings()) as (_, telemetry),
        open_language_model(Settings(), telemetry) as model,
    ):
        assert model is None


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({"LLM_BASE_URL": "http://127.0.0.1:1/v1"}, "set STRATAGRAPH_LLM_MODEL"),
        ({"LLM_BASE_URL": "ftp://there", "LLM_MODEL": "tiny"}, "LLM_BASE_URL"),
    ],
)
def test_half_a_model_is_refused_at_start(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], why: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(f"STRATAGRAPH_{name}", value)
    with pytest.raises(ConfigurationError, match=why):
        load_settings()


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        (True, {"type": "number"}, False),
        (1, {"type": ["integer", "null"]}, True),
        (None, {"type": ["integer", "null"]}, True),
        ("b", {"enum": ["a"]}, False),
        (["a", 1], {"type": "array", "items": {"type": "string"}}, False),
        (["a", "b"], {"type": "array", "maxItems": 1}, False),
        ({"a": {"b": 1}}, {"properties": {"a": {"required": ["c"]}}}, False),
        (3, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, True),
        ("abcde", {"maxLength": 4}, False),
        ({"a": 1, "b": 2}, {"properties": {"a": {}}, "additionalProperties": False}, False),
        (3.5, {"anyOf": [{"type": "string"}, {"type": "integer"}]}, False),
    ],
)
def test_a_value_fits_a_schema_or_not(value: object, schema: dict[str, Any], fits: bool) -> None:
    assert (misfit(value, schema) is None) is fits


def test_where_a_value_does_not_fit_is_told_without_the_value() -> None:
    schema = {"properties": {"a": {"items": {"type": "string", "maxLength": 4}}}}
    assert misfit({"a": ["x", "a secret"]}, schema) == "`maxLength` says no at $.a[1]"
    assert misfit({"secret": 1}, {"additionalProperties": False}) == (
        "`additionalProperties` says no at $"
    )
