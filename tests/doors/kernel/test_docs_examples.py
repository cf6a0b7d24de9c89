"""The curl lines and the Python of README.md and docs/api.md, run against the service.

Each section starts on an empty store into which the sections it builds on were run first. What a page
shows as the answer must be in the answer: the same fields, the same words, numbers as numbers.
"""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from stratagraph import Client

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PATIENCE_SECONDS = 10.0
# What differs from run to run.
ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}.*|[0-9a-f]{32}|\d{4}-\d\d-\d\dT.*")
NEEDS = {"Remember": (), "Outcome": ("Remember", "Recall")}
USUALLY = ("Remember",)
# Shows the answer about another memory than the one asked for: only its fields are compared.
LOOSE = ("Versions and surroundings",)


@dataclass(frozen=True)
class Section:
    """One part of a page: its fenced blocks, as (language, text)."""

    title: str
    blocks: tuple[tuple[str, str], ...]

    def of(self, *languages: str) -> list[tuple[str, str]]:
        return [block for block in self.blocks if block[0] in languages]


def sections(page: str) -> dict[str, Section]:
    parts = re.split(r"^## (.+)$", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = zip(["Start", *parts[1::2]], parts[::2], strict=True)
    return {title: Section(title, tuple(BLOCK.findall(text))) for title, text in pairs}


API, README = sections("docs/api.md"), sections("README.md")
WITH_CURL = [
    title for title, part in API.items() if any("curl " in text for _, text in part.blocks)
]
WITH_PYTHON = [title for title, part in API.items() if part.of("python")]


def calls(block: str) -> list[list[str]]:
    """Split a block into its curl commands, each as words."""
    text = re.sub(r"\\\n\s*", " ", block)
    commands = re.split(r"^(?=curl )", text, flags=re.MULTILINE)
    return [shlex.split(command) for command in commands if command.startswith("curl ")]


async def send(client: httpx.AsyncClient, words: list[str]) -> httpx.Response:
    """Do what curl would do."""
    method, headers, body, address = "", dict[str, str](), None, ""
    rest = iter(words[1:])
    for word in rest:
        match word:
            case "-X":
                method = next(rest)
            case "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            case "-d" | "--data-binary":
                body = next(rest)
            case _ if not word.startswith("-"):
                address = re.sub(r"^(\$API|http://127\.0\.0\.1:8400)", "", word)
            case _:
                pass
    assert address.startswith("/"), words
    if "If-Match" in headers:
        headers["If-Match"] = (await client.get(address)).headers["etag"]
    method = method or ("POST" if body else "GET")
    return await client.request(method, address, headers=headers, content=body)


async def run(client: httpx.AsyncClient, part: Section) -> None:
    """Run a section's commands; each shown answer is that of the command before it."""
    words: list[str] | None = None
    for language, text in part.of("sh", "json"):
        if language == "json" and words is not None:
            await expect(client, words, json.loads(text), loose=part.title in LOOSE)
            words = None
            continue
        for command in calls(text):
            words = command
            answer = await send(client, command)
            assert answer.is_success, f"{part.title}: {command[1:]}: {answer.text}"


async def expect(
    client: httpx.AsyncClient, words: list[str], shown: object, *, loose: bool
) -> None:
    """Compare with what is answered; a reading is asked again while the indexes lag behind."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while True:
        answer = (await send(client, words)).json()
        if loose:
            assert cast("dict[str, object]", shown).keys() <= answer.keys()
            return
        fault = difference(shown, answer)
        for result in answer.get("results", ()) if isinstance(answer, dict) else ():  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] -- any JSON
            fault = fault and difference(shown, cast("object", result))
        if not fault or asyncio.get_running_loop().time() > deadline:
            break
        await asyncio.sleep(0.05)
    assert not fault, f"{fault}\nin {answer}"


def difference(shown: Any, answer: Any, where: str = "answer") -> str:
    """Say where an answer lacks what a page shows; empty if it has all of it."""
    if isinstance(shown, dict) and isinstance(answer, dict):
        named = cast("dict[str, Any]", shown)
        for key, value in named.items():
            if key not in answer:
                return f"{where} has no {key}"
            fault = difference(value, answer[key], f"{where}.{key}")
            if fault:
                return fault
        return ""
    if isinstance(shown, list) and isinstance(answer, list):
        rows = cast("list[Any]", shown)
        if len(rows) > len(cast("list[Any]", answer)):
            return f"{where} is shorter"
        faults = (
            difference(one, answer[place], f"{where}[{place}]") for place, one in enumerate(rows)
        )
        return next(filter(None, faults), "")
    return _leaf(cast("object", shown), cast("object", answer), where)


def _leaf(shown: object, answer: object, where: str) -> str:
    if isinstance(shown, str) and isinstance(answer, str):
        start, cut, _ = shown.partition("…")
        same = answer.startswith(start) if cut else shown == answer or ID.fullmatch(shown)
        # An effect of asking again: the same memory, the same outcome.
        again = where.endswith("status") and answer in ("unchanged", "duplicate")
        return "" if same or again else f"{where} is {answer!r}, not {shown!r}"
    numbers = isinstance(shown, int | float) and isinstance(answer, int | float)
    if numbers and not isinstance(shown, bool):
        return ""
    if where.endswith("applied"):
        return ""
    return "" if shown == answer else f"{where} is {answer!r}, not {shown!r}"


async def prepare(client: httpx.AsyncClient, title: str) -> None:
    for needed in NEEDS.get(title, USUALLY):
        await run(client, API[needed])


@pytest.mark.parametrize("title", WITH_CURL)
async def test_the_curl_lines_of_a_section_work(client: httpx.AsyncClient, title: str) -> None:
    await prepare(client, title)
    await run(client, API[title])


@pytest.mark.parametrize("title", WITH_PYTHON)
async def test_the_python_of_a_section_works(
    client: httpx.AsyncClient, url: str, title: str
) -> None:
    await prepare(client, title)

    def play() -> None:
        with Client(url, agent_id="planner") as memory:
            for _, text in API[title].of("python"):
                exec(compile(text, f"docs/api.md, {title}", "exec"), {"memory": memory})  # noqa: S102

    await asyncio.to_thread(play)


async def test_the_quick_start_works_from_top_to_bottom(client: httpx.AsyncClient) -> None:
    for part in README.values():
        await run(client, part)


async def test_the_numbers_of_the_quick_start_are_true(client: httpx.AsyncClient) -> None:
    blocks = [block for part in README.values() for block in part.of("sh", "json")]
    answers: list[object] = []
    for language, text in blocks:
        if language == "sh" and calls(text):
            answers += [(await _until_found(client, words)).json() for words in calls(text)]
        elif language == "json":
            found = _numbers(answers[-1])
            for where, shown in _numbers(json.loads(text)):
                # Weights of eight bits give a little else on each kind of processor.
                near = [value for place, value in found if place == where]
                assert any(abs(value - shown) <= 0.01 for value in near), (where, shown, near)
    assert len(answers) == 9


async def _until_found(client: httpx.AsyncClient, words: list[str]) -> httpx.Response:
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while True:
        answer = await send(client, words)
        found = answer.json().get("results", True)
        if found or asyncio.get_running_loop().time() > deadline:
            return answer
        await asyncio.sleep(0.05)


def _numbers(value: Any, where: str = "") -> set[tuple[str, float]]:
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {row for key, one in pairs for row in _numbers(one, f"{where}.{key}")}
    if isinstance(value, list):
        return {row for one in cast("list[Any]", value) for row in _numbers(one, where)}
    if isinstance(value, int | float):
        return {(where, round(float(value), 3))}
    return set()


def test_pages_show_enough() -> None:
    assert {"Remember", "Recall", "Outcome", "Read and remove"} <= set(WITH_CURL)
    assert {"Remember", "Recall", "Outcome"} <= set(WITH_PYTHON)
