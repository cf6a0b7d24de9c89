"""Training of the reader of questions (``graph/embedding/answers.npz``), which tells whether a note answers a question.

It reads each question of ``sets/``, ``changes/``, ``chats/`` (turns, a line ``---``, lines ``kind|question|turn that answers``) and
``indirect/`` (questions that need everyday knowledge) with the note that answers it and with near ones that do not. The loss is the
cross entropy of each pair, plus half of that of the right note among those read and *nothing*. Four stages go on from each other;
the first starts from the reader of pairs, and the last two take the mean of the weights after and before them, as they forget some of
what was taught before. The sets o to u of ``indirect/`` and the chats e and f were written for the last. Needs what ``train`` needs. In one
thread they take two hours, and half an hour each.

    export OMP_NUM_THREADS=1 MODEL=bge-small-en-v1.5.onnx READER=graph/embedding/answers.npz
    python -m benchmarks.adapter.train_answers --model $MODEL --stage first --start graph/embedding/pairs.npz --out $READER
    for STAGE in indirect chats all; do
      python -m benchmarks.adapter.train_answers --model $MODEL --stage $STAGE --start $READER --out $READER
    done
"""

from __future__ import annotations

import argparse
import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.adapter.model import Encoder, load, save, tokenizer
from benchmarks.adapter.train import Asked, questions_of
from benchmarks.adapter.train_pairs import Group, Row, labelled_changes, read
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graph.ports.world import Embedder

_FOLDER = Path(__file__).parent
_RANK, _BATCH, _WARM, _DROP = 16, 12, 30, 0.1
_RATES = {"first": 6e-4, "indirect": 4e-4, "chats": 5e-4, "all": 4e-4}
_WIDTH, _LONGEST = 384, 128
_ANSWER = 6  # the column of the reader of pairs it starts from
_SAME = 0.75  # cosine from which on two facts may be versions of one
_NEAREST = 6  # facts that do not answer a question, of which two or three are read
_HARDEST_OF = 8  # nearest facts, of which the reader in use tells the hardest
_ROUNDS = 2  # over the questions of the first stage, and over those of chats in the third
_BESIDE = 4000  # questions of the first stage in the second
_BESIDE_ALL = 3000  # of sets in the fourth
_SETS_BESIDE, _INDIRECT_BESIDE = 1000, 1200  # in each round of the third
_KEPT = {"chats": 0.5, "all": 0.25}  # share of the weights before a stage in its mean
_CHOICE = 0.5  # weight of choosing the right note beside judging each
_MOST = 15.0  # log-odds, so that their powers stay finite


def rows_of(group: Group, rng: random.Random) -> list[Row]:
    """Return the answer and two others, or three others; the nearer rather."""
    left, drawn = list(group.others), list[str]()
    while left and len(drawn) < (3 if group.right is None else 2):
        weights = [2 ** (-group.others.index(one) / 2) for one in left]
        drawn.append(rng.choices(left, weights)[0])
        left.remove(drawn[-1])
    answer = [] if group.right is None else [Row(group.text, group.right, 1)]
    return [*answer, *(Row(group.text, one, 0) for one in drawn)]


def groups_of(data: Path, embedder: Embedder) -> list[Group]:
    """Read the questions of sets, each with the nearest facts that do not answer it."""
    return [
        Group(one.text, right, tuple(near[:_NEAREST])) for one, right, near in _near(data, embedder)
    ]


def hard_groups(data: Path, embedder: Embedder) -> list[Group]:
    """Read the questions of sets, each with those facts that the reader in use takes for an answer most surely."""
    reader = embedder.reader
    if reader is None:
        raise SystemExit("the default model has no reader")
    found: list[Group] = []
    for one, right, near in _near(data, embedder):
        hardest = np.argsort(-reader.answers(one.text, near[:_HARDEST_OF]))
        found.append(Group(one.text, right, tuple(near[at] for at in hardest[:_NEAREST])))
    return found


def _near(data: Path, embedder: Embedder) -> Iterator[tuple[Asked, str | None, list[str]]]:
    """Yield each question, the fact that answers it, and the others, the nearest first, without other versions of the answer."""
    texts, asked = questions_of(data)
    facts = {agent: embedder.embed(told) for agent, told in texts.items()}
    changes = labelled_changes("succeeded.txt")
    for one in asked:
        known, told = facts[one.agent], texts[one.agent]
        same: set[int] = set()
        if one.right is not None:
            versions = np.flatnonzero(known @ known[one.right] > _SAME).tolist()
            same = {*(versions if one.versioned else ()), one.right}
            pairs = [pair for pair in changes.get(one.agent, {}) if one.right in pair]
            same.update(place for pair in pairs for place in pair)
        order = np.argsort(-(known @ embedder.embed_question(one.text))).tolist()
        right = None if one.right is None else told[one.right]
        yield one, right, [told[place] for place in order if place not in same]


def chat_groups(folder: Path, embedder: Embedder) -> list[Group]:
    """Read the questions to chats, each with the nearest turns that do not answer it and do not stand beside the answer."""
    found: list[Group] = []
    for path in sorted(folder.glob("*.txt")):
        told, _, asked = path.read_text("utf-8").partition("\n---\n")
        turns = told.splitlines()
        texts = [
            f"{before}\n{turn}" if before.endswith("?") else turn
            for before, turn in pairwise(["", *turns])
        ]
        vectors = embedder.embed(turns)
        for line in asked.splitlines():
            _, question, answer = line.split("|")
            right = int(answer) - 1 if answer else None
            beside = set() if right is None else {right - 1, right, right + 1}
            if right is not None:
                beside |= set(np.flatnonzero(vectors @ vectors[right] > _SAME).tolist())
            order = np.argsort(-(vectors @ embedder.embed_question(question))).tolist()
            others = tuple(texts[place] for place in order if place not in beside)[:_NEAREST]
            found.append(Group(question, None if right is None else texts[right], others))
    return found


def batches(groups: list[Group], rng: random.Random) -> list[list[Group]]:
    """Part groups into batches of about one length."""
    shuffled = rng.sample(groups, len(groups))
    found: list[list[Group]] = []
    for start in range(0, len(shuffled), 8 * _BATCH):
        part = sorted(shuffled[start : start + 8 * _BATCH], key=_length)
        found += [part[at : at + _BATCH] for at in range(0, len(part), _BATCH)]
    rng.shuffle(found)
    return found


def plan_of(data: Path, stage: str, rng: random.Random) -> list[list[Group]]:
    """Draw the batches of a stage."""
    embedder = load_embedder()
    sets = [*groups_of(data / "sets", embedder), *hard_groups(data / "changes", embedder)]
    chats = chat_groups(data / "chats", embedder)
    if stage == "first":
        return [batch for _ in range(_ROUNDS) for batch in batches([*sets, *chats], rng)]
    indirect = hard_groups(data / "indirect", embedder)
    if stage == "indirect":
        return batches([*indirect, *rng.sample([*sets, *chats], _BESIDE)], rng)
    if stage == "all":
        return batches([*indirect, *chats, *rng.sample(sets, _BESIDE_ALL)], rng)
    plan: list[list[Group]] = []
    for _ in range(_ROUNDS):
        beside = [*rng.sample(sets, _SETS_BESIDE), *rng.sample(indirect, _INDIRECT_BESIDE)]
        plan += batches([*chats, *beside], rng)
    return plan


def _length(group: Group) -> int:
    return len(group.text) + len(group.right or group.others[0])


def loss_of(logits: Tensor, rows: list[list[Row]]) -> Tensor:
    """Cross entropy of each row, and of the right one of each group among its rows and nothing, whose logit is 0."""
    labels = torch.tensor([float(row.label) for group in rows for row in group])
    place = torch.tensor([number for number, group in enumerate(rows) for _ in group])
    powers = logits.clamp(-_MOST, _MOST).exp()
    every = torch.ones(len(rows)).index_add(0, place, powers).log()
    right = torch.zeros(len(rows)).index_add(0, place, logits * labels)
    each = F.binary_cross_entropy_with_logits(logits, labels)
    return each + _CHOICE * (every - right).mean()


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_FOLDER)
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--stage", choices=_RATES, required=True)
    parser.add_argument("--start", type=Path, required=True, help="the reader to go on from")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(1)
    rng = random.Random(1)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    tokens = tokenizer(folder, _LONGEST)
    net, head = Encoder(options.model, _RANK), nn.Linear(_WIDTH, 1)
    load(net, options.start, head, [_ANSWER if options.stage == "first" else 0])
    weights = [*net.parameters(), *head.parameters()]
    before = [each.detach().clone() for each in weights]
    adam = torch.optim.AdamW(weights, weight_decay=0.01)
    plan, rate = plan_of(options.data, options.stage, rng), _RATES[options.stage]
    for step, batch in enumerate(plan):
        for parameters in adam.param_groups:
            rise = min(1.0, (step + 1) / _WARM)
            parameters["lr"] = rate * rise * max(0.03, 1 - step / len(plan))
        rows = [rows_of(group, rng) for group in batch]
        flat = [row for group in rows for row in group]
        loss = loss_of(read(net, head, tokens, flat, _DROP)[:, 0], rows)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        adam.step()
        if step % 25 == 0:
            print(f"{step}/{len(plan)} loss {loss.item():.3f}", flush=True)
    with torch.no_grad():
        for each, old in zip(weights, before, strict=True):
            each.lerp_(old, _KEPT.get(options.stage, 0.0))
    save(net, folder / "model.onnx", options.out, head)


if __name__ == "__main__":
    main()
