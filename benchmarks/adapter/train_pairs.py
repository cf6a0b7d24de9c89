"""Training of the reader of pairs (``graph/embedding/pairs.npz``): three judgements by one model.

Older note and later note: does the older no longer hold, wholly or in part? Expectation and outcome: met, not met, or neither?
Question and note: does it answer? Everything was written by hand: the sets a to g of ``sets/`` with the pairs of their facts in
``pairs/replaced.txt`` (set, older and newer fact, and R wholly, P in part, N not, S doubtful and left out), blocks of notes in
``pairs/notes_*.txt`` (O an older note, R what replaces it, K what lets it hold) and of expectations in six of ``pairs/expected_*.txt``
(E an expectation, M and U outcomes that meet it and do not, X what says neither). Needs what ``train`` needs. It takes
three quarters of an hour in one thread.

    OMP_NUM_THREADS=1 python -m benchmarks.adapter.train_pairs --model bge-small-en-v1.5.onnx --out graph/embedding/pairs.npz
"""

from __future__ import annotations

import argparse
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.adapter.model import Encoder, save, tokenizer
from benchmarks.adapter.train import questions_of
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from graph.ports.world import Embedder

_FOLDER = Path(__file__).parent
_RANK, _BATCH, _WARM, _DROP, _SMOOTH = 8, 32, 30, 0.1, 0.03
_WIDTH, _LONGEST = 384, 160
_NOTES, _OUTCOMES, _ANSWER = slice(0, 3), slice(3, 6), 6  # columns of the head
_LABELS = {"R": 0, "P": 1, "K": 2, "N": 2, "M": 3, "U": 4, "X": 5}
_ANSWERS, _ANSWERS_NOT = 6, 7
_NEAR, _NEAREST = 0.5, 8  # facts of a set that are taken as pairs without a label
_OTHERS = 2.5  # times as many pairs that let the older hold as such that do not
_HARDER = 8.0  # how much rather the nearer of them are taken
_SAME = 0.75  # cosine from which on two facts may be versions of one
_QUESTIONS_BESIDE = 833  # an epoch, so that the questions are not forgotten


BLOCKS = ("notes_*.txt", "expected_[1-6].txt")
"""Files of the blocks that this reader was trained on."""
Labels: TypeAlias = dict[str, dict[tuple[int, int], str]]
"""Labels of pairs of facts: R wholly replaced, P in part, N not, S doubtful."""


@dataclass(frozen=True, slots=True)
class Row:
    """Two texts and their label."""

    first: str
    second: str
    label: int


@dataclass(frozen=True, slots=True)
class Group:
    """A question, the fact that answers it if any, and its nearest others."""

    text: str
    right: str | None
    others: tuple[str, ...]

    def rows(self, rng: random.Random) -> list[Row]:
        """Return the answer and two others."""
        rows = [Row(self.text, one, _ANSWERS_NOT) for one in rng.sample(self.others, 2)]
        return rows if self.right is None else [Row(self.text, self.right, _ANSWERS), *rows]


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of the facts of the sets: those with a label, and near ones without, with their cosines."""

    labelled: list[Row]
    near: list[Row]
    cosines: np.ndarray

    def rows(self, rng: np.random.Generator, others: float = _OTHERS) -> list[Row]:
        """Return the labelled ones and a draw of the others, so many times as there are replacements."""
        wanted = int(others * sum(row.label != _LABELS["N"] for row in self.labelled))
        weights = np.exp(_HARDER * self.cosines)
        drawn = rng.choice(len(self.near), wanted, replace=False, p=weights / weights.sum())
        return [*self.labelled, *(self.near[place] for place in drawn)]


def blocks(pattern: str) -> Iterator[list[tuple[str, str]]]:
    """Read blocks of lines: a letter and a text."""
    for path in sorted((_FOLDER / "pairs").glob(pattern)):
        for block in re.split(r"\n\s*\n", path.read_text("utf-8").strip()):
            yield [(line[0], line[2:].strip()) for line in block.splitlines()]


def written(*patterns: str) -> list[Row]:
    """Read the blocks of notes and of expectations in some files."""
    return [
        Row(first, text, _LABELS[letter])
        for pattern in patterns
        for (_, first), *others in blocks(pattern)
        for letter, text in others
    ]


def labelled_changes(*files: str) -> Labels:
    """Read the labels of pairs of facts, by set and by the places of the older and the newer fact."""
    found: Labels = {}
    for file in files:
        for line in (_FOLDER / "pairs" / file).read_text("utf-8").splitlines():
            name, older, newer, letter = line.split()
            found.setdefault(name, {})[int(older) - 1, int(newer) - 1] = letter
    return found


def facts_of(texts: dict[str, list[str]], labels: Labels, embedder: Embedder) -> Facts:
    """Pair the facts of each set, older with newer."""
    labelled: list[Row] = []
    near: list[tuple[Row, float]] = []
    for name, told in texts.items():
        known = labels.get(name)
        if known is None:  # the sets h to l have no labels
            continue
        vectors = embedder.embed(told)
        cosines = vectors @ vectors.T
        for (older, newer), letter in known.items():
            if letter in _LABELS:
                labelled.append(Row(told[older], told[newer], _LABELS[letter]))
        for newer in range(len(told)):
            for older in np.argsort(-cosines[newer, :newer])[:_NEAREST].tolist():
                if cosines[newer, older] >= _NEAR and (older, newer) not in known:
                    row = Row(told[older], told[newer], _LABELS["N"])
                    near.append((row, float(cosines[newer, older])))
    return Facts(labelled, [row for row, _ in near], np.array([cosine for _, cosine in near]))


def groups_of(data: Path, embedder: Embedder) -> list[Group]:
    """Read the questions, each with the five nearest facts that do not answer it."""
    texts, asked = questions_of(data)
    facts = {agent: embedder.embed(told) for agent, told in texts.items()}
    found: list[Group] = []
    for one in asked:
        known = facts[one.agent]
        order = np.argsort(-(known @ embedder.embed_question(one.text)))[:7].tolist()
        same: set[int] = set()
        if one.right is not None:
            versions = np.flatnonzero(known @ known[one.right] > _SAME).tolist()
            same = set(versions) if one.versioned else {one.right}
        others = [texts[one.agent][place] for place in order if place not in same][:5]
        right = None if one.right is None else texts[one.agent][one.right]
        if len(others) > 1:
            found.append(Group(one.text, right, tuple(others)))
    return found


def read(net: Encoder, head: nn.Linear, tokens: Tokenizer, rows: list[Row], drop: float) -> Tensor:
    """Return the logits of pairs, in bfloat16 but for the head."""
    encoded = tokens.encode_batch([(row.first, row.second) for row in rows])
    ids = torch.zeros(len(encoded), max(len(item.ids) for item in encoded), dtype=torch.long)
    types = torch.zeros_like(ids)
    for row, item in enumerate(encoded):
        ids[row, : len(item.ids)] = torch.tensor(item.ids)
        types[row, : len(item.ids)] = torch.tensor(item.type_ids)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        states = net(ids, types, drop)
    return head(F.dropout(states, drop))


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross entropy of each row in the columns of its judgement."""
    total = torch.zeros(())
    for columns, chosen in (
        (_NOTES, labels < _OUTCOMES.start),
        (_OUTCOMES, (labels >= _OUTCOMES.start) & (labels < _ANSWERS)),
    ):
        if chosen.any():
            right = labels[chosen] - columns.start
            total = total + F.cross_entropy(
                logits[chosen, columns], right, reduction="sum", label_smoothing=_SMOOTH
            )
    asked = labels >= _ANSWERS
    answers = (labels[asked] == _ANSWERS).float()
    total = total + F.binary_cross_entropy_with_logits(
        logits[asked, _ANSWER], answers, reduction="sum"
    )
    return total / len(labels)


def batches(rows: list[Row], rng: random.Random) -> list[list[Row]]:
    """Part rows into batches of about one length."""
    rng.shuffle(rows)
    found: list[list[Row]] = []
    for start in range(0, len(rows), 8 * _BATCH):
        part = sorted(rows[start : start + 8 * _BATCH], key=lambda row: len(row.first + row.second))
        found += [part[at : at + _BATCH] for at in range(0, len(part), _BATCH)]
    rng.shuffle(found)
    return found


def train(
    net: Encoder,
    head: nn.Linear,
    tokens: Tokenizer,
    plan: list[list[Row]],
    rate: float,
    loss_of: Callable[[Tensor, Tensor], Tensor] = loss_of,
) -> None:
    """Take a step for each batch; the rate rises over thirty steps and falls to nothing."""
    adam = torch.optim.AdamW([*net.parameters(), *head.parameters()], weight_decay=0.01)
    for step, rows in enumerate(plan):
        for group in adam.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / _WARM) * max(0.03, 1 - step / len(plan))
        logits = read(net, head, tokens, rows, _DROP)
        loss = loss_of(logits, torch.tensor([row.label for row in rows]))
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([*net.parameters(), *head.parameters()], 1.0)
        adam.step()
        if step % 25 == 0:
            print(f"{step}/{len(plan)} loss {loss.item():.3f}", flush=True)


def plans(
    facts: Facts, blocks: list[Row], groups: list[Group], rng: random.Random
) -> Iterator[tuple[list[list[Row]], float]]:
    """Give the stages with their rates: questions twice, then all three judgements four times."""

    def every(some: list[Group]) -> list[Row]:
        return [row for group in some for row in group.rows(rng)]

    for rate in (1e-3, 7e-4):
        yield batches(every(groups), rng), rate
    draws = np.random.default_rng(0)
    epochs = [
        batches([*facts.rows(draws), *blocks, *every(rng.sample(groups, _QUESTIONS_BESIDE))], rng)
        for _ in range(4)
    ]
    yield [batch for epoch in epochs for batch in epoch], 8e-4


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_FOLDER / "sets")
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = random.Random(0)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    embedder = load_embedder()
    texts, _ = questions_of(options.data)
    facts = facts_of(texts, labelled_changes("replaced.txt"), embedder)
    groups = groups_of(options.data, embedder)
    tokens = tokenizer(folder, _LONGEST)
    net, head = Encoder(options.model, _RANK), nn.Linear(_WIDTH, 7)
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    for plan, rate in plans(facts, written(*BLOCKS), groups, rng):
        train(net, head, tokens, plan, rate)
    save(net, folder / "model.onnx", options.out, head)


if __name__ == "__main__":
    main()
