"""Everyday questions: whether the right memory is first, and unanswerable questions have no results.

Every ``*.txt`` of a folder is one agent: lines ``YYYY-MM-DD fact`` or ``YYYY-MM-DD fact | tag, tag``, a line ``---``,
lines ``category|question|content of the right memory``. Questions of the category ``none`` have no right memory. Each
is asked one day after the last fact. A chat has lines ``YYYY-MM-DD HH:MM|speaker|message``; three silent hours end a
session. Lines that begin with ``#`` are comments. With ``--into`` the memories are stored as ``working`` and
consolidated up to a stratum first. With ``--beside`` each agent also remembers an unrelated chat of another folder.
"""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.runner import add_common_arguments, print_result, progress, running_service, say
from graph.kernel.values import STRATA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import httpx

_NOON = 12
_NONE = "none"
_SETTLE_SECONDS = 120.0
_SILENCE = timedelta(hours=3)
_MESSAGE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d)\|([^|]+)\|(.+)")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact with its day and tags; a message of a chat has a speaker and a session."""

    day: datetime
    text: str
    tags: tuple[str, ...] = ()
    speaker: str | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One question; an empty ``wanted`` means that nothing answers it."""

    agent: str
    category: str
    text: str
    wanted: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """Rank of the right memory, from 1 or None, and the number of results."""

    asked: Asked
    place: int | None
    results: tuple[str, ...]

    def within(self, k: int) -> bool:
        """Return whether the right memory is among the first ``k``."""
        return self.place is not None and self.place <= k


def load(folder: Path) -> tuple[dict[str, list[Fact]], list[Asked]]:
    """Read every set of a folder.

    Raises
    ------
    SystemExit
        If there is none, or a line is not of the form.
    """
    files = sorted(folder.glob("*.txt"))
    if not files:
        raise SystemExit(f"no set (*.txt) in {folder}")
    facts: dict[str, list[Fact]] = {}
    questions: list[Asked] = []
    for file in files:
        told, _, asked = file.read_text(encoding="utf-8").partition("\n---\n")
        facts[file.stem] = in_sessions([_fact(file, line) for line in _lines(told)])
        now = max(fact.day for fact in facts[file.stem]) + timedelta(days=1)
        questions += [_asked(file, line, now) for line in _lines(asked)]
    return facts, questions


def _lines(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def in_sessions(facts: Sequence[Fact]) -> list[Fact]:
    """Assign sessions to messages, named by their first day; other facts have none."""
    found: list[Fact] = []
    for fact in facts:
        last = found[-1] if found else None
        goes_on = last is not None and last.session and fact.day - last.day < _SILENCE
        session = last.session if last is not None and goes_on else f"{fact.day:%Y-%m-%d %H:%M}"
        found.append(replace(fact, session=session if fact.speaker else None))
    return found


def _fact(file: Path, line: str) -> Fact:
    if message := _MESSAGE.fullmatch(line):
        at = datetime.fromisoformat(message[1]).replace(tzinfo=UTC)
        return Fact(at, message[3].strip(), speaker=message[2])
    day, _, told = line.partition(" ")
    text, _, tags = told.partition(" | ")
    named = tuple(tag.strip() for tag in tags.split(",") if tag.strip())
    try:
        noon = datetime.fromisoformat(day).replace(hour=_NOON, tzinfo=UTC)
        return Fact(noon, text.strip(), named)
    except ValueError as error:
        raise SystemExit(f"{file.name}: not `YYYY-MM-DD fact`: {line}") from error


def _asked(file: Path, line: str, now: datetime) -> Asked:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) not in (2, 3):
        raise SystemExit(f"{file.name}: not `category|question|wanted`: {line}")
    category, text, wanted = (*parts, "")[:3]
    return Asked(file.stem, category, text, "" if category == _NONE else wanted, now)


def remember(
    client: httpx.Client, facts: Mapping[str, Sequence[Fact]], into: str | None = None
) -> None:
    """Store every fact, consolidated up to a stratum if given, and wait until all are linked."""
    for agent, told in facts.items():
        rows = [
            {
                "external_id": f"fact-{place}",
                "text": fact.text,
                "occurred_at": fact.day.isoformat(),
                "tags": list(fact.tags),
                "speaker": fact.speaker,
                "session_id": fact.session,
                **({"stratum": STRATA[0]} if into else {}),
            }
            for place, fact in enumerate(told)
        ]
        answer = client.post("/v1/memories", json={"agent_id": agent, "memories": rows})
        answer.raise_for_status()
    wait_linked(client, facts)
    for stratum in STRATA[: STRATA.index(into)] if into else ():
        for agent in facts:
            consolidate(client, agent, stratum)
        wait_linked(client, facts)


def consolidate(client: httpx.Client, agent: str, stratum: str) -> None:
    """Consolidate a stratum of an agent, with memories that are not due, and wait for its end."""
    asked = {"agent_id": agent, "strata": [stratum], "everything": True, "dry_run": False}
    run = client.post("/v1/consolidations", json=asked).raise_for_status().json()["run"]
    # on a busy machine a run outlasts the request; without work there is none
    while run and run["state"] in ("planning", "running"):
        time.sleep(0.5)
        path = f"/v1/consolidations/{run['run']}"
        run = client.get(path, params={"agent_id": agent}).raise_for_status().json()
    if run and run["state"] != "done":
        raise SystemExit(f"consolidation {run['run']} of {stratum} is {run['state']}")


def wait_linked(client: httpx.Client, agents: Iterable[str]) -> None:
    """Wait until memories of these agents are linked."""
    agents = list(agents)
    deadline = time.monotonic() + _SETTLE_SECONDS
    while time.monotonic() < deadline and any(_pending(client, agent) for agent in agents):
        time.sleep(0.5)


def _pending(client: httpx.Client, agent: str) -> bool:
    answer = client.post("/v1/recall", json={"agent_id": agent, "text": "anything"})
    return bool(answer.raise_for_status().json().get("links_pending"))


def ask(
    client: httpx.Client, questions: Sequence[Asked], options: Mapping[str, Any]
) -> list[Place]:
    """Ask every question with the defaults of the service."""
    places: list[Place] = []
    for number, asked in enumerate(questions, start=1):
        body = {
            "agent_id": asked.agent,
            "text": asked.text,
            "now": asked.now.isoformat(),
            **options,
        }
        answer = client.post("/v1/recall", json=body)
        texts = tuple(row["text"] for row in answer.raise_for_status().json()["results"])
        places.append(Place(asked, place_of(asked, texts), texts))
        progress("asked", number, len(questions))
    return places


def place_of(asked: Asked, texts: Sequence[str]) -> int | None:
    """Return the rank of the right memory among texts, from 1."""
    found = [place for place, text in enumerate(texts, 1) if asked.wanted and asked.wanted in text]
    return found[0] if found else None


def measures(places: Iterable[Place]) -> dict[str, float]:
    """Shares of questions with the right memory first or among three, and of correctly empty answers."""
    places = list(places)
    answered = [place for place in places if place.asked.category != _NONE]
    nothing = [place for place in places if place.asked.category == _NONE]
    values = {"all_top1": _share(answered, 1), "all_top3": _share(answered, 3)}
    for category in sorted({place.asked.category for place in answered}):
        rows = [place for place in answered if place.asked.category == category]
        values |= {f"{category}_top1": _share(rows, 1), f"{category}_top3": _share(rows, 3)}
    if nothing:
        values["none_empty"] = sum(not place.results for place in nothing) / len(nothing)
    if answered:
        values["results"] = sum(len(place.results) for place in answered) / len(answered)
    return values


def _share(places: Sequence[Place], k: int) -> float:
    return sum(place.within(k) for place in places) / max(1, len(places))


def beside(facts: Mapping[str, Sequence[Fact]], folder: Path) -> dict[str, list[Fact]]:
    """Return the facts of each agent with a chat of a folder, moved so that both end on the same day."""
    chats = list(load(folder)[0].values())
    mixed: dict[str, list[Fact]] = {}
    for place, (agent, told) in enumerate(facts.items()):
        chat = chats[place % len(chats)]
        last, end = (max(fact.day for fact in each) for each in (told, chat))
        later = timedelta(days=(last.date() - end.date()).days)
        moved = [replace(turn, day=turn.day + later) for turn in chat]
        mixed[agent] = sorted([*told, *moved], key=lambda fact: fact.day)
    return mixed


def main() -> None:
    """Measure, print a table by set, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of sets (*.txt)")
    parser.add_argument("--wrong", action="store_true", help="print what came instead, too")
    parser.add_argument("--into", choices=STRATA[1:], help="consolidate up to this stratum first")
    parser.add_argument("--beside", type=Path, help="folder of chats, one beside each set's facts")
    add_common_arguments(parser)
    options = parser.parse_args()
    facts, questions = load(options.data)
    if options.beside:
        facts = beside(facts, options.beside)
    with running_service() as running:
        remember(running.client, facts, options.into)
        places = ask(running.client, questions, {})
    if options.wrong:
        _print_wrong(places)
    for agent in facts:
        values = measures(place for place in places if place.asked.agent == agent)
        print(f"{agent:>24} " + " ".join(f"{name}={value:.2f}" for name, value in values.items()))
    print_result(measures(places), as_json=options.json)


def _print_wrong(places: Iterable[Place]) -> None:
    for place in places:
        right = not place.results if place.asked.category == _NONE else place.within(1)
        if not right:
            say(
                f"{place.asked.agent} {place.asked.category}: {place.asked.text} -> {place.asked.wanted}"
            )
            for text in place.results[:3]:
                say(f"      {text}")


if __name__ == "__main__":
    main()
