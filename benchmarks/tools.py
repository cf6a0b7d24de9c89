"""Knowledge from conversations of a tool-using agent: next tools, repairs, warnings, patterns, time to learn, speed.

`--data FOLDER` holds `trajectories.jsonl`: one conversation a line, with its messages, tool calls and reward. The
service learns from it, and is tested on `--asked FOLDER`; without it, on each fifth of the tasks after learning from
the other four. Reference solutions are never read. Patterns and preferences with known truth, and the time to a correct
recommendation, come from generators that are described at their functions.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.floor import bare_nodes
from benchmarks.runner import (
    memory_megabytes,
    opened_service,
    print_result,
    progress,
    run_loop,
    running_service,
    say,
)
from graph.knowledge.foresight import Foresight, Situation, learn, situations, words_of
from graph.knowledge.ledger import collapsed
from graph.knowledge.lessons import agreed
from graph.knowledge.repairs import repair_of
from graph.knowledge.sequences import frequent_sequences
from graph.knowledge.templates import error_template, generalised, masked
from graph.model.knowledge.executions import Step
from graph.scoring.confidence import thompson_sample

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import httpx

    from benchmarks.runner import Running

_FOLDS = 5
_RECALL = 0.3
_BATCH = 250
_WRITERS = 2
_WARM = 10  # unmeasured: statements are planned at first use
Figures = dict[str, float]


class Run(NamedTuple):
    """One conversation: its task, success, first goal, and calls."""

    task: str
    ok: bool
    query: str
    steps: tuple[Step, ...]
    spoken: tuple[tuple[str, str], ...]


def load(folder: Path) -> list[Run]:
    """Read conversations; an answer that begins with "Error" is a failure."""
    lines = (folder / "trajectories.jsonl").read_text("utf-8").splitlines()
    return [_run(json.loads(line)) for line in lines if line.strip()]


def _run(row: Mapping[str, Any]) -> Run:
    steps: list[Step] = []
    spoken: list[tuple[str, str]] = []
    said, thought, query = "", "", ""
    for place, message in enumerate(row["traj"]):
        text = message.get("content") or ""
        if message["role"] == "user":
            said = text
            query = query or text
        elif message["role"] == "assistant":
            thought = text or thought
            for call in message.get("tool_calls") or ():
                answer = (
                    row["traj"][place + 1].get("content") or ""
                    if place + 1 < len(row["traj"])
                    else ""
                )
                failed = answer.startswith("Error")
                told = (said, thought if said else "")
                steps.append(
                    Step(
                        call["name"],
                        json.loads(call["arguments"]),
                        ok=not failed,
                        error=answer[:500] if failed else "",
                        said=words_of(told[0]),
                        thought=words_of(told[1]),
                    )
                )
                spoken.append(told)
                said = ""
    ended_well = row["reward"] == 1
    return Run(str(row["task_id"]), ended_well, query[:2000], tuple(steps), tuple(spoken))


class Fold(NamedTuple):
    """Runs for learning, and runs for testing."""

    learned: list[Run]
    asked: list[Run]


def folds_of(runs: Sequence[Run], asked: Sequence[Run] | None) -> list[Fold]:
    """Split by task, so that no task is in both parts; or learn from all, test the others."""
    if asked is not None:
        return [Fold(list(runs), list(asked))]
    tasks = sorted({run.task for run in runs})
    order = np.random.default_rng(0).permutation(tasks)
    return [
        Fold([r for r in runs if r.task not in held], [r for r in runs if r.task in held])
        for held in (set(order[k::_FOLDS]) for k in range(_FOLDS))
    ]


def next_tools(folds: Sequence[Fold]) -> Figures:
    """Predict the next tool before each call, including the first, beside two baselines."""
    hits: Counter[str] = Counter()
    for fold in folds:
        model = learn([run.steps for run in fold.learned])
        frequent, pairs = _counted(fold.learned)
        for run in fold.asked:
            for situation, step in zip(situations(run.steps), run.steps, strict=True):
                ranked = [name for name, _ in model.rank(situation)]
                bigram = _ordered(pairs[situation.last], frequent)
                hits["asked"] += 1
                for name, order in (
                    ("next", ranked),
                    ("bigram", bigram),
                    ("frequent", _ordered(Counter(), frequent)),
                ):
                    hits[f"{name}_hit@1"] += order[:1] == [step.tool]
                    hits[f"{name}_hit@3"] += step.tool in order[:3]
    asked = hits.pop("asked")
    figures = {name: count / asked for name, count in hits.items()}
    return figures | {"next_over_bigram": figures["next_hit@1"] / figures["bigram_hit@1"]}


def _counted(runs: Sequence[Run]) -> tuple[Counter[str], defaultdict[str, Counter[str]]]:
    frequent: Counter[str] = Counter()
    pairs: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        tools = [step.tool for step in run.steps]
        frequent.update(tools)
        for before, after in zip(["", *tools], tools, strict=False):
            pairs[before][after] += 1
    return frequent, pairs


def _ordered(counts: Counter[str], otherwise: Counter[str]) -> list[str]:
    known = [name for name, _ in counts.most_common()]
    return known + [name for name, _ in otherwise.most_common() if name not in known]


def repairs(folds: Sequence[Fold]) -> Figures:
    """Predict, at each error followed by a success, the next successful call: tool and changed parameters.

    By tool, error, and number of failures in this run; then by tool and error, then by tool.
    """
    hits: Counter[str] = Counter()
    for fold in folds:
        known: defaultdict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
        for run in fold.learned:
            for keys, solution, _ in _repaired(run):
                for key in keys:
                    known[key][solution] += 1
        for run in fold.asked:
            for keys, solution, tool in _repaired(run):
                best = next(
                    (_ordered(known[key], Counter())[0] for key in keys if known[key]), tool
                )
                hits["asked"] += 1
                hits["repair_hit@1"] += best == solution
                hits["again_hit@1"] += solution == tool
    asked = max(hits.pop("asked"), 1)
    return {name: hits[name] / asked for name in ("repair_hit@1", "again_hit@1")} | {
        "repairs_asked": asked
    }


def _repaired(run: Run) -> list[tuple[list[tuple[Any, ...]], str, str]]:
    found: list[tuple[list[tuple[Any, ...]], str, str]] = []
    for place, step in enumerate(run.steps):
        later = next((after for after in run.steps[place + 1 :] if after.ok), None)
        if step.ok or later is None or not repair_of(run.steps, place).solution:
            continue
        error = error_template(step.error)
        failed = min(3, sum(not s.ok and s.tool == step.tool for s in run.steps[: place + 1]))
        keys = [(step.tool, error, failed), (step.tool, error), (step.tool,)]
        found.append((keys, later.tool, step.tool))
    return found


def warnings(folds: Sequence[Fold]) -> Figures:
    """Rank all calls by the risk stated before each; return the precision at a recall of 0.3 of the failures."""
    told: list[tuple[float, bool]] = []
    for fold in folds:
        model = learn([run.steps for run in fold.learned])
        for run in fold.asked:
            for situation, step in zip(situations(run.steps), run.steps, strict=True):
                told.append((model.risk(situation, step) or 0.0, not step.ok))
    told.sort(key=lambda row: -row[0])
    failures = sum(failed for _, failed in told)
    caught = np.cumsum([failed for _, failed in told])
    place = int(np.searchsorted(caught, _RECALL * failures))
    return {
        "warned_precision@0.3": float(caught[place] / (place + 1)),
        "failure_rate": failures / len(told),
    }


def query_patterns(seed: int) -> tuple[float, float]:
    """Return precision and recall of query patterns on generated queries.

    12 templates of two to four constant words and one or two slots; a slot has one of 40 artificial words, so that no
    form reveals it. 600 queries. A pattern is correct if it is a template with wildcards for its slots.
    """
    draw = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    words = ["".join(draw.choice(letters, 6)) for _ in range(200)]
    deeds = [f"{word}e" for word in words[:12]]
    truth: list[list[str | None]] = []
    for deed in deeds:
        slots = int(draw.integers(1, 3))
        shape: list[str | None] = [deed]
        for _ in range(slots):
            shape += [str(draw.choice(words[12:60])), None]
        truth.append(shape)
    counts: Counter[str] = Counter()
    for _ in range(600):
        shape = truth[int(draw.integers(len(truth)))]
        counts[masked(" ".join(word or str(draw.choice(words[60:100])) for word in shape))] += 1
    joined = generalised(counts)
    found = {joined.get(name, name) for name in counts}
    wanted = {"_".join(word or "*" for word in shape) for shape in truth}
    return len(found & wanted) / len(found), len(found & wanted) / len(wanted)


def sequence_patterns(seed: int) -> tuple[float, float]:
    """Return precision and recall of tool sequences planted among noise.

    30 tools; 6 sequences of three, of 18 different tools. 400 runs: a run is two to four blocks, each a planted sequence
    (half of them) or two to four tools of the other 12 at random.
    """
    draw = np.random.default_rng(seed)
    tools = [f"tool{n}" for n in range(30)]
    planted = [tuple(tools[3 * n : 3 * n + 3]) for n in range(6)]
    runs: list[list[str]] = []
    for _ in range(400):
        run: list[str] = []
        for _ in range(int(draw.integers(2, 5))):
            if draw.random() < 0.5:
                run += planted[int(draw.integers(len(planted)))]
            else:
                run += [str(each) for each in draw.choice(tools[18:], int(draw.integers(2, 5)))]
        runs.append(run)
    found = set(frequent_sequences(runs))
    return len(found & set(planted)) / max(len(found), 1), len(found & set(planted)) / len(planted)


def preference_patterns(seed: int) -> tuple[float, float]:
    """Return precision and recall of defaults learned from corrections.

    40 parameters are corrected 10 times each; half of them, nine times in ten to one preferred value, the others to one
    of 20 at random. A default is reported if the lower bound of its share is a third or more.
    """
    draw = np.random.default_rng(seed)
    right = told = 0
    for parameter in range(40):
        preferred = parameter < 20
        values = [
            "preferred" if preferred and draw.random() < 0.9 else f"value {draw.integers(20)}"
            for _ in range(10)
        ]
        agreement = agreed(values)
        if agreement.confidence >= 1 / 3:
            told += 1
            right += preferred and agreement.value == "preferred"
    return right / max(told, 1), right / 20


def known_truth(times: int = 10) -> Figures:
    """Return the means over ten draws of each generator."""
    found: Figures = {}
    for name, generator in (
        ("query_patterns", query_patterns), ("sequences", sequence_patterns), ("preferences", preference_patterns),
    ):  # fmt: skip
        rows = np.array([generator(seed) for seed in range(times)])
        found[f"{name}_precision"], found[f"{name}_recall"] = map(float, rows.mean(axis=0))
    return found


def runs_to_learn(worlds: int = 50, most: int = 400) -> Figures:
    """Return the runs until a recommendation is right 9 of 10 times, median of 50 worlds.

    A world has 5 tools whose success rates in its context are 0.9, 0.6, 0.5, 0.4 and 0.3; each run calls the tool
    recommended by a draw, and counts its outcome. The best tool is right.
    """
    needed: list[int] = []
    for world in range(worlds):
        draw = np.random.default_rng(world)
        rates = draw.permutation([0.9, 0.6, 0.5, 0.4, 0.3])
        won, tried, right = np.zeros(5), np.zeros(5), list[bool]()
        for run in range(most):
            scores = thompson_sample(
                won, tried, np.full(5, 0.5), strength=4.0, seed=1000 * world + run
            )
            chosen = int(scores.argmax())
            tried[chosen] += 1
            won[chosen] += draw.random() < rates[chosen]
            right.append(bool(rates[chosen] == rates.max()))
            if sum(right[-10:]) >= 9:
                break
        needed.append(len(right))
    return {"runs_to_learn": float(np.median(needed))}


def report_of(run: Run, task_id: str) -> dict[str, Any]:
    """Return a run as it is reported over HTTP."""
    steps = [
        {
            "tool": step.tool, "parameters": dict(step.parameters), "error": step.error,
            "status": "completed" if step.ok else "failed", "said": spoken[0][:4000], "thought": spoken[1][:4000],
        }
        for step, spoken in zip(run.steps, run.spoken, strict=True)
    ]  # fmt: skip
    status = "success" if run.ok else "failure"
    return {
        "task_id": task_id,
        "status": status,
        "query": run.query,
        "context": "help desk",
        "steps": steps,
    }


def served(runs: Sequence[Run], executions: int, times: int) -> Figures:
    """Measure a running service: reports beside a bare write, queries beside recalls, batches."""
    with running_service({"STRATAGRAPH_WORKER": "false"}) as service:
        client = service.client
        figures = _batches(service, runs, executions)
        figures |= _queries(client, runs, times)
        figures |= _through_the_service(client, runs)
        return figures | run_loop(_observes(service, runs, times))


def _batches(service: Running, runs: Sequence[Run], executions: int) -> Figures:
    """Report executions by two writers of one scope, alternating writes and reads.

    Returns the overall rate, the ratio of the last tenth to the first, and the final memory use.
    """
    batches = range(0, executions, _BATCH)
    done: list[float] = []

    def send(first: int) -> None:
        rows = [report_of(runs[(first + i) % len(runs)], f"b{first + i}") for i in range(_BATCH)]
        _post(service.client, "executions/batch", {"agent_id": "batch", "executions": rows})
        done.append(time.perf_counter())
        progress("executions", len(done) * _BATCH, len(batches) * _BATCH)

    began = time.perf_counter()
    with ThreadPoolExecutor(_WRITERS) as writers:
        list(writers.map(send, batches))
    spent = np.diff(np.array([began, *sorted(done)]))
    tenth = max(1, len(spent) // 10)
    held, held_by_neo4j = memory_megabytes(service)
    return {
        "executions_per_second": len(spent) * _BATCH / float(spent.sum()),
        "last_over_first_tenth": float(spent[:tenth].sum() / spent[-tenth:].sum()),
        "service_megabytes": held,
        "neo4j_megabytes": held_by_neo4j,
    }


def _queries(client: httpx.Client, runs: Sequence[Run], times: int) -> Figures:
    texts = [run.query[:300] for run in runs if run.query]
    memories = [{"text": text} for text in texts]
    client.post("/v1/memories", json={"agent_id": "batch", "memories": memories}).raise_for_status()
    spent: defaultdict[str, list[float]] = defaultdict(list)
    for turn in range(times):
        text = texts[turn % len(texts)]
        for name, path, body in (
            ("recall", "/v1/recall", {"text": text}), ("query_memory", "/v1/knowledge/query", {"query": text}),
            ("advise", "/v1/knowledge/advice", {"query": text}),
            ("check", "/v1/knowledge/check", {"tool": runs[0].steps[0].tool}),
        ):  # fmt: skip
            began = time.perf_counter()
            client.post(path, json={"agent_id": "batch", **body}).raise_for_status()
            spent[name].append(1000 * (time.perf_counter() - began))
    figures = {f"{name}_p95_ms": _p95(values) for name, values in spent.items()}
    return figures | {
        "query_over_recall": figures["query_memory_p95_ms"] / figures["recall_p95_ms"]
    }


def _through_the_service(client: httpx.Client, runs: Sequence[Run]) -> Figures:
    """Learn by the jobs, and ask the service about its own runs: its answers must equal those of the model."""
    rows = [report_of(run, f"t{place}") for place, run in enumerate(runs)]
    _post(client, "executions/batch", {"agent_id": "taught", "executions": rows})
    began = time.perf_counter()
    _post(client, "learn", {"agent_id": "taught"})
    spent = time.perf_counter() - began
    model: Foresight = learn([run.steps for run in reversed(runs)])
    same = asked = 0
    for run in runs[:20]:
        for place, (said, thought) in enumerate(run.spoken[:5]):
            calls = [{"tool": s.tool, "parameters": dict(s.parameters)} for s in run.steps[:place]]
            body = {
                "agent_id": "taught",
                "calls": calls,
                "said": said[:4000],
                "thought": thought[:4000],
            }
            found = _post(client, "next", body)["tools"]
            step = run.steps[place]
            best = model.rank(Situation(run.steps[:place], step.said, step.thought))
            same += found[0]["tool_name"] == best[0][0]
            asked += 1
    return {"learn_seconds": spent, "service_agrees": same / max(asked, 1)}


async def _observes(running: Running, runs: Sequence[Run], times: int) -> Figures:
    """Measure single reports over HTTP beside bare writes of as many nodes, in turn and warm."""
    observed: list[float] = []
    bare: list[float] = []
    async with opened_service(running, worker=False) as service:
        for turn in range(-_WARM, times):
            if turn == 0:
                observed, bare = [], []
            run = runs[turn % len(runs)]
            began = time.perf_counter()
            row = {"agent_id": "single", **report_of(run, f"o{turn}")}
            await asyncio.to_thread(_post, running.client, "executions", row)
            observed.append(1000 * (time.perf_counter() - began))
            bare += await bare_nodes(service.database.driver, "neo4j", [_nodes(run)])
    figures = {"observe_p95_ms": _p95(observed), "bare_p95_ms": _p95(bare)}
    return figures | {"observe_over_bare": figures["observe_p95_ms"] / figures["bare_p95_ms"]}


def _nodes(run: Run) -> int:
    """Count the nodes that a report writes."""
    tools = {step.tool for step in run.steps}
    parameters = {(step.tool, name) for step in run.steps for name in step.parameters}
    errors = {(step.tool, error_template(step.error)) for step in run.steps if not step.ok}
    patterns = 1 + (len(collapsed([s.tool for s in run.steps])) > 1) + len(errors)
    return 2 + 2 * len(tools) + len(parameters) + len(errors) + patterns


def _post(client: httpx.Client, path: str, body: Mapping[str, Any]) -> Any:
    answer = client.post(f"/v1/knowledge/{path}", json=dict(body), timeout=120)
    answer.raise_for_status()
    return answer.json()


def _p95(values: Sequence[float]) -> float:
    return float(np.percentile(np.array(values), 95))


_MEASURES: tuple[Callable[[Sequence[Fold]], Figures], ...] = (next_tools, repairs, warnings)


def main() -> None:
    """Measure, print each figure, and end with one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that is learned from")
    parser.add_argument(
        "--asked", type=Path, help="folder that is asked about; unset: a split by task"
    )
    parser.add_argument(
        "--executions", type=int, default=10_000, help="reported in batches; 0: no service"
    )
    parser.add_argument("--times", type=int, default=200, help="single requests of each sort")
    parser.add_argument("--json", action="store_true", help="print the last line as JSON")
    options = parser.parse_args()
    runs = load(options.data)
    folds = folds_of(runs, load(options.asked) if options.asked else None)
    figures: Figures = {}
    for measure in _MEASURES:
        figures |= measure(folds)
    figures |= known_truth() | runs_to_learn()
    if options.executions:
        figures |= served(runs, options.executions, options.times)
    for name, value in figures.items():
        say(f"{name:<28} {value:,.3f}")
    print_result(figures, as_json=options.json)


if __name__ == "__main__":
    main()
