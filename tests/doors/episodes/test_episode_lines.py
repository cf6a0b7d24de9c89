from __future__ import annotations

import json
from typing import Any

import httpx

from tests.doors.attempts import counts, episode, read

IMPORT = "/v1/episodes/import?agent_id=anna"
EXPORT = "/v1/episodes/export?agent_id=anna"
NDJSON = {"Content-Type": "application/x-ndjson"}


def lines(*episodes: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in episodes)


async def send(client: httpx.AsyncClient, body: bytes, more: str = "") -> list[dict[str, Any]]:
    answer = await client.post(IMPORT + more, content=body, headers=NDJSON)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.content.splitlines()]


async def exported(client: httpx.AsyncClient, more: str = "") -> bytes:
    answer = await client.get(EXPORT + more)
    assert answer.status_code == 200, answer.text
    return answer.content


def day(number: int) -> str:
    return f"2025-11-{number:02d}T10:15:00Z"


async def test_what_is_imported_is_exported_as_it_was(client: httpx.AsyncClient) -> None:
    first = lines(
        episode("z", timestamp=day(1)),
        episode("a", timestamp=day(2), output__correct=None, insight="Ünits!", tags=["x"]),
        episode("m", timestamp=day(3), trace=[]),
    )
    answer = await send(client, first)
    assert answer[-1]["counts"]["created"] == 3
    out = await exported(client)
    assert [json.loads(line) for line in out.splitlines()] == [
        json.loads(line) for line in first.splitlines()
    ]
    again = await send(client, out)
    assert again[-1]["counts"]["unchanged"] == 3
    await client.delete("/v1/episodes?agent_id=anna&dry_run=false")
    await send(client, out)
    assert await exported(client) == out


async def test_an_episode_without_id_and_time_is_the_same_after_a_round(
    client: httpx.AsyncClient,
) -> None:
    await send(client, lines({"input": {"problem": "How many ducks?"}}))
    out = await exported(client)
    await client.delete("/v1/episodes?agent_id=anna&dry_run=false")
    await send(client, out)
    assert await exported(client) == out


async def test_bad_lines_are_told_by_number_and_the_rest_lands(client: httpx.AsyncClient) -> None:
    body = (
        lines(episode("a"))
        + b"no json\n\n[1]\n"
        + lines(episode("b", trace=[{"step": 2}, {"step": 1}]), episode("c", input__problem="?!"))
        + b'{"episode_id": "d", "input": {"problem": "cut'
    )
    answer = await send(client, body, "&first_line=11")
    told = [(line["line"], line.get("field")) for line in answer if line["type"] == "rejected"]
    assert [each for each in told if each[0] != 16] == [
        (12, None),
        (14, None),
        (15, "trace.1.step"),
        (17, None),
    ]
    summary = answer[-1]
    assert summary["line"] == 17
    assert summary["counts"]["rejected"] + summary["counts"]["created"] == 6
    assert (await counts(client))["episodes"] == summary["counts"]["created"] >= 1


async def test_a_trial_writes_nothing(client: httpx.AsyncClient) -> None:
    answer = await send(client, lines(episode("a"), {"input": {}}), "&dry_run=true")
    assert answer[-1]["counts"]["rejected"] == 1
    assert answer[0]["field"] == "input.problem"
    assert (await counts(client))["episodes"] == 0


async def test_runs_are_kept_apart(client: httpx.AsyncClient) -> None:
    await send(client, lines(episode("a"), episode("b")), "&run=run-1")
    await send(client, lines(episode("c")), "&run=run-2")
    await send(client, lines(episode("d")))
    assert (await read(client, "a"))["run"] == "run-1"
    assert (await counts(client))["runs"] == {"run-1": 2, "run-2": 1}
    for run, names in (("&run=run-1", "ab"), ("&run=run-2", "c"), ("&run=", "d"), ("", "abcd")):
        out = await exported(client, run)
        assert {json.loads(line)["episode_id"] for line in out.splitlines()} == set(names)


async def test_an_export_goes_on_where_it_was_cut(client: httpx.AsyncClient) -> None:
    await send(client, lines(*(episode(f"e{n}", timestamp=day(n)) for n in range(1, 8))))
    whole = await exported(client)
    assert whole.count(b"\n") == 7
    head = await exported(client, "&limit=3")
    assert head == b"".join(whole.splitlines(keepends=True)[:3])
    assert head + await exported(client, "&after=e3") == whole
    assert await exported(client, "&after=e7") == b""
    lost = await client.get(EXPORT + "&after=nobody")
    assert lost.status_code == 404


async def test_only_lines_are_taken(client: httpx.AsyncClient) -> None:
    answer = await client.post(IMPORT, json={})
    assert answer.status_code == 415
