"""Recall on LoCoMo: which turns hold the evidence of a question.

Each conversation is one agent's sessions; each question with evidence (categories 1–4) is one recall with k = 50. A
session counts by its best recalled turn.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np

from benchmarks.runner import (
    Running,
    add_common_arguments,
    print_result,
    progress,
    running_service,
    say,
)
from graph.kernel.scope import Caller
from graph.scoring.weights import RankingWeights
from service.bootstrap import open_service
from service.bootstrap.managed import running_connection
from service.settings import Settings
from service.use_cases.recall.recall import RecallRequest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.use_cases.recall.recall import Recall

_TURN = re.compile(r"D\d+:\d+")
_WHEN = re.compile(r"(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)")
_K = 50
_BATCH = 500

_DEFAULT = RankingWeights()
_NOTHING = RankingWeights(
    note_words=0.0,
    turn_words=0.0,
    hop_gains=(0.0, 0.0),
    answer_gain=0.0,
    session_gain=0.0,
    speaker_gain=0.0,
    date_gain=0.0,
    unseen_share=0.0,
    asking_loss=0.0,
)
_WORDS = replace(_NOTHING, note_words=_DEFAULT.note_words, turn_words=_DEFAULT.turn_words)
_NEXT = replace(_WORDS, hop_gains=_DEFAULT.hop_gains)
_ANSWERS = replace(_NEXT, answer_gain=_DEFAULT.answer_gain)
_SESSION = replace(_ANSWERS, session_gain=_DEFAULT.session_gain)
_SPEAKER = replace(_SESSION, speaker_gain=_DEFAULT.speaker_gain)
_DATE = replace(_SPEAKER, date_gain=_DEFAULT.date_gain)
# steps of the ranking, each added to the previous one; the last is the default
ABLATION: dict[str, RankingWeights] = {
    "meaning alone": _NOTHING,
    "+ words": _WORDS,
    "+ one NEXT edge": _NEXT,
    "+ answers": _ANSWERS,
    "+ session": _SESSION,
    "+ speaker": _SPEAKER,
    "+ date": _DATE,
    "+ unseen words": replace(_DATE, unseen_share=_DEFAULT.unseen_share),
    "+ who asks": _DEFAULT,
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its id, session, time, speaker and text."""

    name: str
    session: str
    time: datetime
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its conversation, text, evidence and category."""

    conversation: str
    text: str
    evidence: frozenset[str]
    category: int


def load(folder: Path) -> tuple[dict[str, list[Turn]], list[Asked]]:
    """Read turns by conversation, and every answerable question.

    Raises
    ------
    SystemExit
        If the folder holds no conversation.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise SystemExit(f"no LoCoMo conversation (*.json) in {folder}")
    turns: dict[str, list[Turn]] = {}
    questions: list[Asked] = []
    for file in files:
        raw = json.loads(file.read_text(encoding="utf-8"))
        turns[file.stem] = list(_turns(raw))
        names = {turn.name for turn in turns[file.stem]}
        for asked in raw["qa"]:
            found = {name for text in asked.get("evidence", []) for name in _TURN.findall(text)}
            if found & names and asked.get("category") != 5:
                evidence = frozenset(found & names)
                questions.append(Asked(file.stem, asked["question"], evidence, asked["category"]))
    return turns, questions


def _turns(raw: dict[str, Any]) -> Iterator[Turn]:
    sessions = [key for key in raw if re.fullmatch(r"session_\d+", key)]
    for key in sorted(sessions, key=lambda key: int(key.removeprefix("session_"))):
        time_of_session = _time(raw[f"{key}_date_time"])
        for turn in raw[key]:
            caption = turn.get("blip_caption") or ""
            text = f"{turn['speaker']}: {turn['text']} {caption}".strip()
            yield Turn(turn["dia_id"], key, time_of_session, turn["speaker"], text)


def _time(text: str) -> datetime:
    match = _WHEN.search(text)
    if match is None:
        raise ValueError(f"not a time of a session: {text}")
    hour, minute, half, day, month, year = match.groups()
    clock = f"{hour}:{minute} {half.upper()} {day} {month} {year}"
    return datetime.strptime(clock, "%I:%M %p %d %B %Y").replace(tzinfo=UTC)


def ingest(client: httpx.Client, turns: dict[str, list[Turn]]) -> float:
    """Remember every turn; return turns per second, until the last answer."""
    total = sum(map(len, turns.values()))
    done, started = 0, time.perf_counter()
    for conversation, rows in turns.items():
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            body = {"agent_id": conversation, "memories": [_memory(turn) for turn in batch]}
            answer = client.post("/v1/memories", json=body)
            answer.raise_for_status()
            created = answer.json()["counts"]["created"]
            if created != len(batch):
                raise SystemExit(f"{len(batch) - created} turns were not created: {answer.text}")
            done += len(batch)
            progress("remembered", done, total)
    return total / (time.perf_counter() - started)


def _memory(turn: Turn) -> dict[str, Any]:
    return {
        "external_id": turn.name,
        "session_id": turn.session,
        "speaker": turn.speaker,
        "text": turn.text,
        "occurred_at": turn.time.isoformat(),
    }


def ask(
    client: httpx.Client, questions: Sequence[Asked], options: dict[str, Any]
) -> tuple[list[list[str]], list[float]]:
    """Recall for every question; return the ranked turns, and the seconds of each."""
    answers: list[list[str]] = []
    seconds: list[float] = []
    for place, asked in enumerate(questions, start=1):
        body = {"agent_id": asked.conversation, "text": asked.text, "k": _K, **options}
        started = time.perf_counter()
        answer = client.post("/v1/recall", json=body)
        seconds.append(time.perf_counter() - started)
        answer.raise_for_status()
        answers.append([result["external_id"] for result in answer.json()["results"]])
        progress("asked", place, len(questions))
    return answers, seconds


def measures(questions: Sequence[Asked], answers: Sequence[Sequence[str]]) -> dict[str, float]:
    """Mean recall of turns and sessions at several depths."""
    rows = [
        _measure(asked.evidence, answer) for asked, answer in zip(questions, answers, strict=True)
    ]
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}


def _measure(evidence: frozenset[str], answer: Sequence[str]) -> dict[str, float]:
    wanted = {name.partition(":")[0] for name in evidence}
    sessions = list(dict.fromkeys(name.partition(":")[0] for name in answer))
    row = {f"turn_recall@{k}": len(evidence & set(answer[:k])) / len(evidence) for k in (5, 10, 20)}
    row |= {f"session_recall@{k}": len(wanted & set(sessions[:k])) / len(wanted) for k in (5, 10)}
    return row | {"session_anyhit@10": float(bool(wanted & set(sessions[:10])))}


async def ablate(running: Running, questions: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Ask every question once per step of the ranking, in process, on the same store."""
    connection = running_connection(running.home)
    rows: dict[str, dict[str, float]] = {}
    async with open_service(Settings(neo4j_uri=connection.uri), connection) as service:
        for hops in (0, 2):
            recall = service.recall
            rows[f"default, {hops} hops"] = measures(
                questions, [await _names(recall, asked, hops) for asked in questions]
            )
        rows["default, k = 10"] = measures(
            questions, [await _names(service.recall, asked, k=10) for asked in questions]
        )
        for name, weights in ABLATION.items():
            recall = replace(service.recall, weights=weights)
            rows[name] = measures(questions, [await _names(recall, q) for q in questions])
            say(f"  {name}: turn_recall@10 {rows[name]['turn_recall@10']:.3f}")
    return rows


async def _names(recall: Recall, asked: Asked, hops: int | None = None, k: int = _K) -> list[str]:
    caller = Caller("local", asked.conversation)
    answer = await recall(RecallRequest(caller, text=asked.text, k=k, hops=hops))
    return [result.memory.external_id or "" for result in answer.results]


def main() -> None:
    """Measure, print the ablation, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of conversations (*.json)")
    parser.add_argument("--no-ablation", action="store_true", help="only the default ranking")
    add_common_arguments(parser)
    options = parser.parse_args()
    turns, questions = load(options.data)
    with running_service() as running:
        rate = ingest(running.client, turns)
        wait_searchable(running.client, turns)
        ask(running.client, questions[:100], {})  # warms the server up
        answers, seconds = ask(running.client, questions, {})
        if not options.no_ablation:
            _print_table(asyncio.run(ablate(running, questions)))
    _print_table(_by_category(questions, answers))
    milliseconds = np.array(seconds) * 1000
    print_result(
        {
            **measures(questions, answers),
            "ingest_per_s": rate,
            "p50_ms": float(np.percentile(milliseconds, 50)),
            "p95_ms": float(np.percentile(milliseconds, 95)),
        },
        as_json=options.json,
    )


def wait_searchable(client: httpx.Client, turns: dict[str, list[Turn]]) -> None:
    """Wait until the last turn of each conversation is found (indexes lag)."""
    for conversation, rows in turns.items():
        body = {"agent_id": conversation, "text": rows[-1].text, "k": 5}
        for _ in range(200):
            results = client.post("/v1/recall", json=body).raise_for_status().json()["results"]
            if any(result["external_id"] == rows[-1].name for result in results):
                break
            time.sleep(0.1)


def _by_category(
    questions: Sequence[Asked], answers: Sequence[Sequence[str]]
) -> dict[str, dict[str, float]]:
    names = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
    rows: dict[str, dict[str, float]] = {}
    for category, name in names.items():
        pairs = [
            pair for pair in zip(questions, answers, strict=True) if pair[0].category == category
        ]
        if pairs:
            rows[name] = measures([asked for asked, _ in pairs], [found for _, found in pairs])
    return rows


def _print_table(rows: dict[str, dict[str, float]]) -> None:
    names = list(next(iter(rows.values())))
    print(f"{'':>18}" + "".join(f"{name:>20}" for name in names))
    for label, row in rows.items():
        print(f"{label:>18}" + "".join(f"{row[name]:>20.4f}" for name in names))


if __name__ == "__main__":
    main()
