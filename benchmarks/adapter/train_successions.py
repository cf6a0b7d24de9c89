"""Training of the reader of questions in its second judgement: a newer note answers in place of an older one, or does not.

Goes on from a reader of questions (``train_answers``) with what that one was trained on, with the thirty sets of ``changes/``, and
with rows of a question, an older and a newer note. The answer of an ``update`` question takes over from the older note of its change
(``pairs/replaced.txt``, ``pairs/succeeded.txt``); other newer notes take over from nothing. The second round adds the pairs that the
first one judged wrong, the third holds the first judgement to that of the reader it started from. Needs what ``train`` needs. A
round takes a quarter of an hour on two cores.

    python -m benchmarks.adapter.train_successions --model bge-small-en-v1.5.onnx --start answers.npz --out graph/embedding/answers.npz
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.adapter import train_answers as answers
from benchmarks.adapter.model import Encoder, load, save
from benchmarks.adapter.train import questions_of
from benchmarks.adapter.train_pairs import Row, read
from benchmarks.everyday.__main__ import load as load_sets
from graph.embedding.adapter import CORES, head_of, open_adapted
from graph.embedding.pairs import LATER
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

if TYPE_CHECKING:
    from graph.kernel.values import Floats
    from graph.ports.world import Embedder

_FOLDER = Path(__file__).parent
_RANK, _BATCH, _DROP, _WARM, _WIDTH, _LONGEST = 8, 32, 0.1, 30, 384, 128
_ANSWERS, _REPLACES = 0, 1  # columns of the head
_HARDER = 8.0  # how much rather the nearer newer notes are drawn
_SUREST = 8.0  # log-odds beyond which a judgement is not held to
_WRONG = -2.0  # log-odds from which on a pair that takes over nothing is read again


@dataclass(frozen=True, slots=True)
class Round:
    """Rate, epochs, questions of both folders of sets and of chats in an epoch, and pairs that take over nothing for each that does.

    ``held``: the first judgement is held to that of the reader it started from.
    """

    rate: float
    epochs: int
    questions: int
    of_changes: int
    of_chats: int
    share: float
    held: bool = False


_ROUNDS = (
    Round(5e-4, 2, 3000, 2250, 400, 3.0),
    Round(4e-4, 2, 1500, 1200, 300, 2.0),
    Round(4e-4, 1, 1800, 800, 500, 1.5, held=True),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A question of a set: the place of its answer, if any, and the cosines of the question with all facts."""

    agent: str
    text: str
    right: int | None
    category: str
    cosines: Floats


@dataclass(frozen=True, slots=True)
class Successions:
    """Questions of sets with labelled changes, from which rows are drawn."""

    texts: dict[str, list[str]]
    vectors: dict[str, Floats]
    changes: dict[str, dict[tuple[int, int], str]]
    cases: list[Case]

    def taking_over(self) -> list[Row]:
        """Return a row for each question about a change."""
        return [
            self._row(case, older, case.right, 1)
            for case in self.cases
            if case.category == "update" and case.right is not None
            for older in self._olders(case)
        ]

    def others(self, rng: random.Random, wanted: int) -> list[Row]:
        """Draw rows whose newer note takes over nothing."""
        found: list[Row] = []
        for case in self.cases:
            for older, count in self._firsts(case):
                found += [
                    self._row(case, older, newer, 0)
                    for newer in self._drawn(case, older, count, rng)
                ]
        return rng.sample(found, min(wanted, len(found)))

    def nearest(self) -> list[Row]:
        """Return rows of the notes that recalls would read and that take over nothing."""
        found: list[Row] = []
        for case in self.cases:
            for older, _ in self._firsts(case):
                newer = self._newer(case, older)
                near = self.vectors[case.agent] @ self.vectors[case.agent][older]
                best = [*sorted(newer, key=lambda place: -case.cosines[place])[:4]]
                best += sorted(newer, key=lambda place: -near[place])[:2]
                found += [self._row(case, older, place, 0) for place in dict.fromkeys(best)]
        return found

    def _olders(self, case: Case) -> list[int]:
        changes = self.changes[case.agent].items()
        return [older for (older, newer), kind in changes if newer == case.right and kind in "RP"]

    def _firsts(self, case: Case) -> list[tuple[int, int]]:
        """Return the notes that may come first, each with how many newer ones are drawn."""
        if case.right is None:
            return [(int(np.argmax(case.cosines)), 1)]
        if case.category == "update":
            return [*((older, 2) for older in self._olders(case)), (case.right, 1)]
        return [] if case.category == "time" else [(case.right, 2)]

    def _newer(self, case: Case, older: int) -> list[int]:
        versions = {newer for first, newer in self.changes[case.agent] if first == older}
        after = range(older + 1, len(self.texts[case.agent]))
        return [place for place in after if place not in versions and place != case.right]

    def _drawn(self, case: Case, older: int, count: int, rng: random.Random) -> list[int]:
        newer = self._newer(case, older)
        if not newer:
            return []
        vectors = self.vectors[case.agent]
        weights = np.exp(_HARDER * np.maximum(vectors[newer] @ vectors[older], case.cosines[newer]))
        draws = np.random.default_rng(rng.randrange(2**30))
        return draws.choice(newer, min(count, len(newer)), False, weights / weights.sum()).tolist()

    def _row(self, case: Case, older: int, newer: int, label: int) -> Row:
        told = self.texts[case.agent]
        return Row(case.text, f"{told[older]}{LATER}{told[newer]}", label)


def successions(folders: Sequence[Path], embedder: Embedder) -> Successions:
    """Read the sets whose changes are labelled."""
    changes: dict[str, dict[tuple[int, int], str]] = {}
    for file in ("replaced.txt", "succeeded.txt"):
        for line in (_FOLDER / "pairs" / file).read_text("utf-8").splitlines():
            name, older, newer, kind = line.split()
            changes.setdefault(name, {})[int(older) - 1, int(newer) - 1] = kind
    texts: dict[str, list[str]] = {}
    vectors: dict[str, Floats] = {}
    cases: list[Case] = []
    for folder in folders:
        told, asked = questions_of(folder)
        texts |= told
        vectors |= {agent: embedder.embed(notes) for agent, notes in told.items()}
        category = {(one.agent, one.text): one.category for one in load_sets(folder)[1]}
        for one in asked:
            cosines = vectors[one.agent] @ embedder.embed_question(one.text)
            kind = category[one.agent, one.text]
            cases.append(Case(one.agent, one.text, one.right, kind, cosines))
    labelled = [case for case in cases if case.agent in changes]
    return Successions(texts, vectors, changes, labelled)


def judged(rows: Sequence[Row], model: Path, adapter: Path, column: int) -> Floats:
    """Return the log-odds of a reader's judgement of rows, shape ``(n,)``."""
    tokens = Tokenizer.from_file(str(model.parent / "tokenizer.json"))
    tokens.no_padding()
    tokens.enable_truncation(_LONGEST)
    session, (head, bias) = open_adapted(model, str(adapter)), head_of(str(adapter))
    encoded = tokens.encode_batch([(row.first, row.second) for row in rows])
    with ThreadPoolExecutor(CORES) as pool:
        states = np.array(list(pool.map(session.first_state, encoded)))
    return (states @ head + bias)[:, column].astype(np.float64)


def batches(rows: list[Row], rng: random.Random) -> list[list[Row]]:
    """Part rows into batches of about one length."""
    shuffled = rng.sample(rows, len(rows))
    found: list[list[Row]] = []
    for start in range(0, len(shuffled), 8 * _BATCH):
        part = sorted(
            shuffled[start : start + 8 * _BATCH], key=lambda row: len(row.first + row.second)
        )
        found += [part[at : at + _BATCH] for at in range(0, len(part), _BATCH)]
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """A batch: questions with their notes and, if they are held, log-odds to be held to; or pairs of notes."""

    questions: list[list[Row]]
    pairs: list[Row]
    held_to: Tensor | None = None


def train(net: Encoder, head: nn.Linear, tokens: Tokenizer, plan: list[Step], rate: float) -> None:
    """Take the steps of a round; the rate rises over thirty steps and falls to nothing."""
    adam = torch.optim.AdamW([*net.parameters(), *head.parameters()], weight_decay=0.01)
    for number, step in enumerate(plan):
        for parameters in adam.param_groups:
            rise = min(1.0, (number + 1) / _WARM)
            parameters["lr"] = rate * rise * max(0.03, 1 - number / len(plan))
        flat = [row for rows in step.questions for row in rows]
        logits = read(net, head, tokens, flat or step.pairs, _DROP)
        if step.pairs:
            labels = torch.tensor([float(row.label) for row in step.pairs])
            loss = F.binary_cross_entropy_with_logits(logits[:, _REPLACES], labels)
        elif step.held_to is not None:
            loss = F.smooth_l1_loss(logits[:, _ANSWERS], step.held_to)
        else:
            loss = answers.loss_of(logits[:, _ANSWERS], step.questions)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*net.parameters(), *head.parameters()], 1.0)
        adam.step()
        if number % 25 == 0:
            print(f"{number}/{len(plan)} loss {loss.item():.3f}", flush=True)


def started(net: Encoder, start: Path) -> nn.Linear:
    """Start from a reader of questions; the second judgement starts from nothing."""
    head, column = nn.Linear(_WIDTH, 2), nn.Linear(_WIDTH, 1)
    load(net, start, column, _ANSWERS)
    with torch.no_grad():
        head.weight[_ANSWERS], head.bias[_ANSWERS] = column.weight[0], column.bias[0]
        head.weight[_REPLACES].normal_(0.0, 0.02)
        head.bias[_REPLACES] = -1.0
    return head


def held(step: Step, model: Path, start: Path) -> Step:
    """Return a step of questions with the log-odds that a reader gives them."""
    rows = [row for rows in step.questions for row in rows]
    logits = np.clip(judged(rows, model, start, _ANSWERS), -_SUREST, _SUREST)
    return replace(step, held_to=torch.tensor(logits, dtype=torch.float32))


def main() -> None:
    """Train both rounds and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument(
        "--start", type=Path, required=True, help="the reader of questions to go on from (*.npz)"
    )
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(1)
    rng = random.Random(1)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    model, embedder = folder / "model.onnx", load_embedder()
    folders = [_FOLDER / "sets", _FOLDER / "changes"]
    sets, of_changes = (answers.groups_of(each, embedder) for each in folders)
    chats = answers.chat_groups(_FOLDER / "chats", embedder)
    pairs = successions(folders, embedder)
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.no_padding()
    tokens.enable_truncation(_LONGEST)
    net = Encoder(options.model, _RANK)
    head = started(net, options.start)
    wrong: list[Row] = []
    for each in _ROUNDS:
        plan: list[Step] = []
        for _ in range(each.epochs):
            groups = rng.sample(sets, each.questions) + rng.sample(chats, each.of_chats)
            groups += rng.sample(of_changes, min(each.of_changes, len(of_changes)))
            taking = pairs.taking_over()
            rows = [*taking, *pairs.others(rng, int(each.share * len(taking))), *wrong]
            asked = [
                Step([answers.rows_of(group, rng) for group in batch], [])
                for batch in answers.batches(groups, rng)
            ]
            asked = [held(step, model, options.start) for step in asked] if each.held else asked
            epoch = [*asked, *(Step([], batch) for batch in batches(rows, rng))]
            plan += rng.sample(epoch, len(epoch))
        train(net, head, tokens, plan, each.rate)
        save(net, model, options.out, head)
        near = pairs.nearest()
        odds = judged(near, model, options.out, _REPLACES)
        wrong = [row for row, each_odds in zip(near, odds, strict=True) if each_odds > _WRONG]


if __name__ == "__main__":
    main()
