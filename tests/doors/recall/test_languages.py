"""The table of docs/languages.md, row by row, on the real server."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from tests.doors.asking import results_of

PAGE = Path(__file__).parents[3] / "docs" / "languages.md"
ROW = re.compile(r"^\| (\w+) \| (.+?) \| (.+?) \| (yes|no) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_the_table_is_there() -> None:
    assert len(ROWS) >= 20
    assert {found for *_, found in ROWS} == {"yes", "no"}


@pytest.mark.parametrize(
    ("language", "text", "asked", "found"), ROWS, ids=[f"{row[0]}-{row[2]}" for row in ROWS]
)
async def test_words_find_what_the_page_says(
    client: httpx.AsyncClient, language: str, text: str, asked: str, found: str
) -> None:
    saved = await client.post("/v1/memories", json={"agent_id": language, "text": text})
    assert saved.status_code == 201
    question = {"agent_id": language, "text": asked, "explain": True}
    [result] = await results_of(client, question, expect=1)
    lexical = result["explanation"]["components"]["lexical"]
    assert (lexical > 0) == (found == "yes"), lexical
