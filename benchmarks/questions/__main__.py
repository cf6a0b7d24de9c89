"""Questions in words: how many are converted to exactly the right object, and how long an answer takes.

`chosen.jsonl` (300) and `held.jsonl` (100) were written by people who had not seen the grammar. It was corrected on the
first; the second was written after that. `later.jsonl` (60) and `latest.jsonl` (40) are about alternatives and
exclusions, in other domains; the grammar was corrected on the first, then the second was asked. `fresh.jsonl` (60, some
German) is half of what an author who knew the grammar wrote; it was corrected on the other half. `daily` (60) and `unseen` (30)
are by such an author too; it was corrected on the first, then the second was asked. `german`, `french` and `spanish` (45 each) are
read in English first; of each, phrases were chosen on 30, then 15 were asked. Each line has a question, its object, whether part of it is not supported and must be reported (`unread`), and other correct objects
(`alternatives`). Of `similar_to` the content words count. A question is *inverted* if the opposite is asked: correct
for wrong, the success for the failure rate, the slowest for the fastest, a name that is to be excluded.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np

from benchmarks.episodes import made
from benchmarks.runner import add_common_arguments, print_result, progress, running_service, say
from graph.languages.english import english_from
from graph.model.episodes.questions import Vocabulary
from graph.questions.content import content_words
from graph.questions.grammar import read_question
from graph.questions.objects import object_of
from graph.questions.translation import read_in_english
from stratagraph import Client

FOLDER = Path(__file__).parent
NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
VOCABULARY = Vocabulary(
    domains=("sql", "cooking", "debugging", "customer support"),
    models=("gpt-4o", "llama-3", "mistral-7b"),
    agents=("ada", "bob"),
    actions=("explain", "create_index", "search"),
    tags=("flaky", "urgent"),
)
_OPPOSITES = (
    ("success_rate", "failure_rate"),
    ("newest", "oldest"),
    ("slowest", "fastest"),
    ("most_", "fewest_"),
    ("most_", "least_"),
    ("highest_", "lowest_"),
)
OTHERS = {
    "later": Vocabulary(
        domains=("gardening", "contract review", "warehouse"),
        models=("opus-7", "mini-2", "qwen-3"),
        agents=("lena", "otto"),
        actions=("measure", "lookup", "prune", "scan"),
        tags=("urgent", "seasonal", "nda"),
    ),
    "latest": Vocabulary(
        domains=("veterinary", "hotel desk", "youth football"),
        models=("atlas-2", "birch", "cedar-9b"),
        agents=("mia", "jonas", "noor"),
        actions=("call", "book", "weigh", "search_db"),
        tags=("vip", "night-shift", "rerun"),
    ),
    "daily": Vocabulary(
        domains=("bakery", "data pipelines", "stage lighting"),
        models=("falcon-2", "lumen", "sparrow-mini"),
        agents=("marek", "tove", "inaya"),
        actions=("query", "retry", "weigh", "dim", "backfill"),
        tags=("sourdough", "nightly", "premiere", "pia"),
    ),
    "unseen": Vocabulary(
        domains=("beekeeping", "tax filing", "ferry timetable"),
        models=("falcon-2", "lumen", "sparrow-mini"),
        agents=("marek", "tove", "inaya"),
        actions=("query", "inspect", "submit", "reroute"),
        tags=("swarm", "overdue", "winter", "ravi"),
    ),
    **{
        name: Vocabulary(
            domains=(domain, "sql"),
            models=("falcon-2", "lumen"),
            agents=("marek", "tove"),
            actions=("query", "retry"),
            tags=tags,
        )
        for name, domain, tags in (
            ("german", "Fahrradwerkstatt", ("eilig", "nachts")),
            ("french", "boulangerie", ("urgent", "nocturne")),
            ("spanish", "panadería", ("urgente", "nocturno")),
        )
    },
    "fresh": Vocabulary(
        domains=("invoicing", "route planning", "lab reports"),
        models=("nova-3", "quill", "zephyr-8b"),
        agents=("petra", "sam", "yusuf"),
        actions=("ocr", "calculate", "send_mail", "lookup"),
        tags=("rush", "pilot", "audit"),
    ),
}
"""Names of the domains that files other than the first two are about."""
FILES = ("chosen", "held", *OTHERS)
LANGUAGES = {"german": "de", "french": "fr", "spanish": "es"}
_ENDS = (("", "_any", "_all"), ("_not", "_none"))
"""What the fields of names that are asked for end in, and those of names that are left out."""
_EPISODES = 1_000


def load(name: str) -> list[dict[str, Any]]:
    """Read the questions of one file; topics in English, as they are searched."""
    lines = [
        json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    ]
    for said in (one for line in lines for one in (line["object"], *line.get("alternatives", ()))):
        if name in LANGUAGES and "similar_to" in said:
            said["similar_to"] = english_from(LANGUAGES[name], said["similar_to"])
    return lines


def read(
    text: str, names: Vocabulary = VOCABULARY, *, translated: bool = False
) -> tuple[dict[str, Any], bool]:
    """Return the grammar's result for a question, and whether it reported an unread part."""
    reading = (read_in_english if translated else read_question)(text, names, NOW)
    return comparable(object_of(reading.question)), bool(reading.unread)


def comparable(said: dict[str, Any]) -> dict[str, Any]:
    """Return an object in normal form, so that equal queries are equal."""
    flat = {**said.get("filters", {}), **{k: v for k, v in said.items() if k != "filters"}}
    flat.pop("time_zone", None)
    if flat.get("similar_to"):
        flat["similar_to"] = " ".join(content_words(flat["similar_to"]))
    for name in ("tags", "actions"):  # any of one is all of one
        if len(flat.get(f"{name}_any", ())) == 1:
            flat.setdefault(f"{name}_all", []).extend(flat.pop(f"{name}_any"))
    if flat.get("occurred_to", "") >= NOW.isoformat():  # nothing is in the future
        del flat["occurred_to"]
    out = {name: _plain(value) for name, value in flat.items() if _is_said(value)}
    if "by" in out:
        out.setdefault("measure", "attempts")  # every group has its count anyway
    return out


def _is_said(value: Any) -> bool:
    return value is not None and value is not False and value not in ("", [])


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(map(str, cast("list[object]", value)))
    return float(f"{value:.2g}") if isinstance(value, int | float) and value is not True else value


def is_exact(line: dict[str, Any], said: dict[str, Any], *, unread: bool) -> bool:
    """Return whether an object is a correct one, and unsupported parts were reported."""
    meant = [comparable(one) for one in (line["object"], *line.get("alternatives", ()))]
    told = unread or not (line["unread"] or said == {})
    return told and said in meant


def is_inverted(line: dict[str, Any], said: dict[str, Any]) -> bool:
    """Return whether an object asks for the opposite of every correct object."""
    return all(
        _opposed(comparable(one), said) for one in (line["object"], *line.get("alternatives", ()))
    )


def _opposed(meant: dict[str, Any], said: dict[str, Any]) -> bool:
    judged = {"True", "False"}
    asked, found = set(meant.get("correct", ())), set(said.get("correct", ()))
    if found and asked and not (asked & found):
        return True
    if found and not asked and "measure" not in meant and len(found & judged) == 1:
        return True
    for name in ("domain", "model", "agent_id", "session_id", "tags", "actions"):
        wanted, unwanted = (_named(meant, name, *ends) for ends in _ENDS)
        if wanted & _named(said, name, *_ENDS[1]) or unwanted & _named(said, name, *_ENDS[0]):
            return True
    words = [(meant.get(name, ""), said.get(name, "")) for name in ("order", "measure")]
    return any(
        one.startswith(left) and other.startswith(right)
        for pair in words
        for one, other in (pair, pair[::-1])
        for left, right in _OPPOSITES
    )


def _named(said: dict[str, Any], name: str, *ends: str) -> set[str]:
    """Return the names that a field includes, or excludes."""
    values = [said.get(name + end, ()) for end in ends]
    return {one for value in values for one in ((value,) if isinstance(value, str) else value)}


def accuracy(name: str, *, show: bool) -> dict[str, float]:
    """Return the shares of one file that are exact and inverted, and print the others on request."""
    exact = inverted = untold = 0
    lines = load(name)
    for line in lines:
        names = OTHERS.get(name, VOCABULARY)
        said, unread = read(line["question"], names, translated=name in LANGUAGES)
        right, turned = is_exact(line, said, unread=unread), is_inverted(line, said)
        silent = not right and not unread
        exact, inverted, untold = exact + right, inverted + turned, untold + silent
        if show and (turned or not right):
            mark = "INVERTED " if turned else "SILENT " if silent else ""
            say(
                f"{mark}{line['question']}\n   meant {comparable(line['object'])} {line['unread']}\n   read  {said} {unread}"
            )
    return {
        f"{name}_exact": exact / len(lines),
        f"{name}_inverted": inverted,
        f"{name}_wrong_untold": untold / len(lines),
    }


def latency() -> dict[str, float]:
    """Ask a service with 1,000 episodes each question of both files; return milliseconds."""
    with (
        running_service() as running,
        Client(running.url, agent_id="asker", timeout=600) as client,
    ):
        client.add_episodes([made(number) for number in range(_EPISODES)])
        questions = [line["question"] for name in ("chosen", "held") for line in load(name)]
        took: list[float] = []
        for number, question in enumerate([*questions, *questions], start=1):
            started = time.perf_counter()
            client.ask_episodes(question)
            took.append(1000 * (time.perf_counter() - started))
            progress("asked", number, 2 * len(questions))
    return {
        "ask_p50_ms": float(np.percentile(took[len(questions) :], 50)),
        "ask_p95_ms": float(np.percentile(took[len(questions) :], 95)),
    }


def main() -> None:
    """Print the shares of both files, and the time of an answer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", metavar="NAME", help="print what is not exact in one file")
    parser.add_argument("--offline", action="store_true", help="start no service, time nothing")
    add_common_arguments(parser)
    options = parser.parse_args()
    found: dict[str, float] = {}
    for name in FILES:
        found |= accuracy(name, show=options.show == name)
    if not options.offline:
        found |= latency()
    print_result(found, as_json=options.json)


if __name__ == "__main__":
    main()
