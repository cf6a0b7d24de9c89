"""`GET /v1/profiles/{subject}`: what is known about somebody, then and now, and of nobody else's scope."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from tests.conftest import Run
from tests.doors.mcp.test_mcp import call, speaking

ANNA = {"agent_id": "anna"}
FACTS = [
    ("2026-03-01", "Lena lives in Hamburg."),
    ("2026-03-02", "Lena is allergic to peanuts."),
    ("2026-03-03", "Lena's sister is called Ida."),
    ("2026-04-10", "Lena moved from Hamburg to Berlin."),
    ("2026-04-11", "Karl lives in Bonn."),
]


async def fill(client: httpx.AsyncClient) -> list[str]:
    rows: list[dict[str, Any]] = [
        {"text": text, "occurred_at": f"{day}T12:00:00Z"} for day, text in FACTS
    ]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    return [row["uid"] for row in answer.json()["results"]]


async def profile(client: httpx.AsyncClient, subject: str, least: int = 1, **asked: Any) -> Any:
    """Ask until the index shows enough; it is a moment late."""
    path = f"/v1/profiles/{subject}"
    found: Any = None
    for _ in range(200):
        answer = await client.get(path, params=ANNA | asked)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        if len(found["lines"]) + found["left_out"] >= least:
            return found
        await asyncio.sleep(0.05)
    raise AssertionError(f"{subject}: {found}")


def replaced_by(cypher: Run, newer: str, older: str, confidence: float) -> None:
    """Note that the background found one memory to replace another."""
    cypher(
        "MATCH (n:Memory {uid: $newer}), (m:Memory {uid: $older}) "
        "CREATE (n)-[:SUPERSEDES {confidence: $confidence, found_by: 'detected', since: n.occurred_at}]->(m)",
        newer=newer,
        older=older,
        confidence=confidence,
    )


async def test_a_profile_says_what_holds_now_with_its_evidence(client: httpx.AsyncClient) -> None:
    uids = await fill(client)
    found = await profile(client, "Lena", 3)
    by_text = {line["text"]: line for line in found["lines"]}
    assert by_text["Lena is allergic to peanuts."]["group"] == "facts"
    assert by_text["Lena's sister is called Ida."]["group"] == "relations"
    assert by_text["Lena is allergic to peanuts."]["evidence"] == [uids[1]]
    assert (by_text["Lena is allergic to peanuts."]["relation"], by_text["Lena is allergic to peanuts."]["value"]) == (
        "be allergic to",
        "peanuts",
    )  # fmt: skip
    assert "Lena lives in Hamburg." not in by_text
    assert "Lena moved from Hamburg to Berlin." in by_text
    assert not any("Karl" in text for text in by_text)
    assert all(text in found["text"] for text in by_text)
    assert found["tokens"] <= 1000


async def test_an_earlier_state_is_shown_as_it_was(client: httpx.AsyncClient) -> None:
    await fill(client)
    await profile(client, "Lena", 3)
    found = await profile(client, "Lena", as_of="2026-03-15T00:00:00Z")
    assert "Lena lives in Hamburg." in found["text"]
    assert "Berlin" not in found["text"]


@pytest.mark.usefixtures("in_pairs")
async def test_an_earlier_state_is_shown_as_it_was_after_a_consolidation(
    client: httpx.AsyncClient,
) -> None:
    rows: list[dict[str, Any]] = [
        {
            "text": text,
            "occurred_at": f"{day}T12:00:00Z",
            "session_id": "calls",
            "stratum": "episodic",
        }
        for day, text in [
            ("2026-03-02", "Lena is allergic to peanuts."),
            ("2026-04-11", "Thanks! Lena plays the cello."),
        ]
    ]
    await client.post("/v1/memories", json=ANNA | {"memories": rows})
    await profile(client, "Lena", 2)
    done = await client.post(
        "/v1/consolidations", json=ANNA | {"everything": True, "dry_run": False}
    )
    assert done.json()["run"]["counts"]["condensed"] > 0
    now = await profile(client, "Lena", 2)
    days = {line["text"]: line["occurred_at"][:10] for line in now["lines"]}
    assert days["Lena is allergic to peanuts."] == "2026-03-02"
    assert days["Lena plays the cello."] == "2026-04-11"
    then = await profile(client, "Lena", as_of="2026-03-15T00:00:00Z")
    assert "allergic to peanuts" in then["text"]
    assert "cello" not in then["text"]


async def test_what_does_not_fit_is_counted(client: httpx.AsyncClient) -> None:
    await fill(client)
    whole = await profile(client, "Lena", 3)
    found = await profile(client, "Lena", 3, max_tokens=50)
    assert found["left_out"] == len(whole["lines"]) - len(found["lines"]) > 0
    assert found["tokens"] <= 50


async def test_what_a_later_note_may_replace_says_so_and_stands_last(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    told = [
        ("2026-02-08", "Biscuit belongs to the Hendersons."),
        ("2026-02-09", "Biscuit takes 5 mg of prednisolone every morning."),
        ("2026-03-23", "Biscuit's dose was lowered to 2.5 mg."),
    ]
    rows = [{"text": text, "occurred_at": f"{day}T12:00:00Z"} for day, text in told]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    owner, dose, lowered = (row["uid"] for row in answer.json()["results"])
    for older, confidence in ((owner, 0.56), (dose, 0.6)):  # one note replaces one thing
        replaced_by(cypher, lowered, older, confidence)
    found = await profile(client, "Biscuit", 3)
    replaced = {line["text"]: line["replaced_by"] for line in found["lines"]}
    assert replaced == {told[0][1]: None, told[1][1]: lowered, told[2][1]: None}
    doubt = f"(9 February 2026; a later note may replace it: {told[2][1]})"
    assert f"- {told[1][1]} {doubt}" in found["text"]
    facts = [line["text"] for line in found["lines"] if line["group"] == "facts"]
    assert facts[-1] == told[1][1]
    short = await profile(client, "Biscuit", 3, max_tokens=found["tokens"] - 1)
    assert told[1][1] not in {line["text"] for line in short["lines"]}
    assert short["left_out"] == 1
    earlier = await profile(client, "Biscuit", 2, as_of="2026-03-01T00:00:00Z")
    assert all(line["replaced_by"] is None for line in earlier["lines"])


async def test_what_replaces_a_statement_need_not_name_its_subject(
    client: httpx.AsyncClient, cypher: Run
) -> None:
    told = [
        ("2026-02-09", "Biscuit takes 5 mg of prednisolone every morning."),
        ("2026-03-02", "Dr Voss put the prednisolone down to 4 mg."),
        ("2026-03-23", "Dr Voss put the prednisolone down to 2 mg."),
    ]
    rows = [{"text": text, "occurred_at": f"{day}T12:00:00Z"} for day, text in told]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    dose, lowered, latest = (row["uid"] for row in answer.json()["results"])
    cypher("MATCH (:Memory)-[r:SUPERSEDES|MAY_SUPERSEDE]->(:Memory) DELETE r")
    for newer in (latest, lowered):
        replaced_by(cypher, newer, dose, 0.6)
    found = await profile(client, "Biscuit", 1)
    assert [(line["text"], line["replaced_by"]) for line in found["lines"]] == [
        (told[0][1], latest)
    ]
    assert f"(9 February 2026; a later note may replace it: {told[2][1]})" in found["text"]
    earlier = await profile(client, "Biscuit", 1, as_of="2026-03-10T00:00:00Z")
    assert [line["replaced_by"] for line in earlier["lines"]] == [lowered]
    # what no longer holds itself replaces nothing
    cypher("MATCH (m:Memory {uid: $uid}) SET m.valid_to = m.valid_from", uid=latest)
    after = await profile(client, "Biscuit", 1)
    assert [line["replaced_by"] for line in after["lines"]] == [lowered]


@pytest.mark.parametrize(("confidence", "marked"), [(0.65, False), (0.8, True)])
async def test_a_turn_is_replaced_by_what_is_told_and_not_by_a_guess(
    client: httpx.AsyncClient, cypher: Run, confidence: float, marked: bool
) -> None:
    rows = [
        {
            "text": text,
            "speaker": "Ottilie",
            "session_id": "move",
            "occurred_at": f"{day}T12:00:00Z",
        }
        for day, text in (
            ("2026-09-07", "I live in Ulm."),
            ("2026-09-11", "It stays in one piece."),
        )
    ]
    answer = await client.post("/v1/memories", json=ANNA | {"memories": rows})
    older, newer = (row["uid"] for row in answer.json()["results"])
    replaced_by(cypher, newer, older, confidence)
    found = await profile(client, "Ottilie", 1)
    replaced = {line["text"]: line["replaced_by"] for line in found["lines"]}
    assert replaced["I live in Ulm."] == (newer if marked else None)


async def test_nobody_sees_the_profile_of_anothers_memories(client: httpx.AsyncClient) -> None:
    await fill(client)
    await profile(client, "Lena", 3)
    answer = await client.get("/v1/profiles/Lena", params={"agent_id": "bert"})
    assert (answer.json()["lines"], answer.json()["text"]) == ([], "")


@pytest.mark.parametrize(
    ("subject", "asked", "status"),
    [
        ("Lena", {}, 422),
        ("%2A%2A", ANNA, 422),
        ("Lena", ANNA | {"max_tokens": 1}, 422),
        ("AND%20OR", ANNA, 200),
        ("AC%2FDC", ANNA, 200),
    ],
)
async def test_what_makes_no_sense_is_refused(
    client: httpx.AsyncClient, subject: str, asked: dict[str, Any], status: int
) -> None:
    answer = await client.get(f"/v1/profiles/{subject}", params=asked)
    assert answer.status_code == status, answer.text


async def test_what_a_speaker_said_is_in_the_profile_after_a_consolidation(
    client: httpx.AsyncClient,
) -> None:
    turns = [
        "I live in Ulm with my son Paul.",
        "Nice! And where do you work?",
        "I work at a bakery.",
    ]
    rows = [
        {
            "text": text,
            "speaker": ("Lea", "Bot")[place % 2],
            "session_id": "s",
            "stratum": "episodic",
        }
        for place, text in enumerate(turns)
    ]
    await client.post("/v1/memories", json=ANNA | {"memories": rows})
    assert len((await profile(client, "Lea", 2))["lines"]) == 2
    done = await client.post(
        "/v1/consolidations", json=ANNA | {"everything": True, "dry_run": False}
    )
    assert done.json()["run"]["state"] == "done"
    found = await profile(client, "Lea", 2)
    assert {line["text"] for line in found["lines"]} == {turns[0], turns[2]}


async def test_the_tool_shows_it_too(service: Service, client: httpx.AsyncClient) -> None:
    await fill(client)
    await profile(client, "Lena", 3)
    async with speaking(service) as tools:
        found = await call(tools, "get_profile", subject="Lena", agentId="anna")
        then = await call(
            tools, "get_profile", subject="Lena", agentId="anna", asOf="2026-03-15T00:00:00Z"
        )
    assert "Lena is allergic to peanuts." in found["text"]
    assert "Lena lives in Hamburg." not in found["text"]
    assert "Lena lives in Hamburg." in then["text"]


async def test_a_person_is_known_by_each_name_that_means_nobody_else(
    client: httpx.AsyncClient,
) -> None:
    texts = [
        "Marian Hargreaves called for the first time.",
        "We must tell Marian that the wasps are back; Marian is allergic to wasp stings.",
        "The gate code of Mrs Hargreaves is 4471.",
        "Marian found it too dear. Quote Q-58 was lowered to 1,980 euros because she helps.",
        "Kofi Osei wants one invoice per quarter.",
        "Then Ama Osei paid the invoice.",
    ]
    rows = [
        {"text": text, "kind": "preference" if "invoice per" in text else "observation"}
        for text in texts
    ]
    await client.post("/v1/memories", json=ANNA | {"memories": rows})
    for name in ("Marian Hargreaves", "marian hargreaves"):
        found = await profile(client, name, 4)
        assert "1,980 euros" in found["text"]
        assert {line["text"] for line in found["lines"]} == {*texts[:4]}
    titled = await profile(client, "Mrs Hargreaves", 2)
    assert {line["text"] for line in titled["lines"]} == {texts[0], texts[2]}
    [line] = (await profile(client, "Kofi Osei"))["lines"]
    assert (line["group"], line["text"]) == ("preferences", texts[4])
