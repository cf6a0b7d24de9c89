"""Training of the reader of questions (``graph/embedding/answers.npz``), which tells whether a note answers a question.

Starts from the reader of pairs, and reads each question of ``sets/`` with the note that answers it and with near ones that do not.
The loss is the cross entropy of each pair, plus half of that of the right note among those read and *nothing*. Then, with
``--start``, it goes on with the questions of ``chats/`` (turns, a line ``---``, lines ``kind|question|turn that answers``) and a
part of those of the sets. Needs what ``train`` needs. The first takes half an hour in one thread, the second a quarter.

    OMP_NUM_THREADS=1 python -m benchmarks.adapter.train_answers --model bge-small-en-v1.5.onnx --out graph/embedding/answers.npz
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
from benchmarks.adapter.train import questions_of
from benchmarks.adapter.train_pairs import Group, Row, read
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

if TYPE_CHECKING:
    from graph.ports.world import Embedder

_FOLDER = Path(__file__).parent
_RANK, _EPOCHS, _BATCH, _RATE, _WARM, _DROP = 8, 2, 12, 6e-4, 30, 0.1
_WIDTH, _LONGEST = 384, 128
_ANSWER = 6  # the column of the reader of pairs it starts from
_SAME = 0.75  # cosine from which on two facts may be versions of one
_NEAREST = 6  # facts that do not answer a question, of which two or three are read
_CHAT_ROUNDS, _SETS_BESIDE = 3, 2000  # over all chats, with questions of the sets in each
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
    """Read the questions, each with the nearest facts that do not answer it."""
    texts, asked = questions_of(data)
    facts = {agent: embedder.embed(told) for agent, told in texts.items()}
    found: list[Group] = []
    for one in asked:
        known, told = facts[one.agent], texts[one.agent]
        same: set[int] = set()
        if one.right is not None:
            versions = np.flatnonzero(known @ known[one.right] > _SAME).tolist()
            same = set(versions) if one.versioned else {one.right}
        order = np.argsort(-(known @ embedder.embed_question(one.text))).tolist()
        others = tuple(told[place] for place in order if place not in same)[:_NEAREST]
        found.append(Group(one.text, None if one.right is None else told[one.right], others))
    return found


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
    parser.add_argument("--data", type=Path, default=_FOLDER / "sets")
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--pairs", type=Path, default=Path("graph/embedding/pairs.npz"))
    parser.add_argument("--start", type=Path, help="a reader of questions to go on from (*.npz)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = random.Random(1)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    embedder = load_embedder()
    groups = groups_of(options.data, embedder)
    tokens = tokenizer(folder, _LONGEST)
    net, head = Encoder(options.model, _RANK), nn.Linear(_WIDTH, 1)
    load(net, options.start or options.pairs, head, [0 if options.start else _ANSWER])
    adam = torch.optim.AdamW([*net.parameters(), *head.parameters()], weight_decay=0.01)
    if options.start:
        chats = chat_groups(_FOLDER / "chats", embedder)
        rounds = [[*chats, *rng.sample(groups, _SETS_BESIDE)] for _ in range(_CHAT_ROUNDS)]
    else:
        rounds = [groups] * _EPOCHS
    plan = [batch for some in rounds for batch in batches(some, rng)]
    for step, batch in enumerate(plan):
        for parameters in adam.param_groups:
            rise = min(1.0, (step + 1) / _WARM)
            parameters["lr"] = _RATE * rise * max(0.03, 1 - step / len(plan))
        rows = [rows_of(group, rng) for group in batch]
        flat = [row for group in rows for row in group]
        loss = loss_of(read(net, head, tokens, flat, _DROP)[:, 0], rows)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*net.parameters(), *head.parameters()], 1.0)
        adam.step()
        if step % 25 == 0:
            print(f"{step}/{len(plan)} loss {loss.item():.3f}", flush=True)
    save(net, folder / "model.onnx", options.out, head)


if __name__ == "__main__":
    main()
