"""Training of the reader of successors (``graph/embedding/successors.npz``): expectations, and newer notes that answer instead.

Its judgement beside those of the reader of pairs (``train_pairs``) reads a question, an older and a newer note: does the newer one
answer in place of the older? The answer of an ``update`` question does for the older notes of its change; other newer notes do for
none. The pairs of facts of ``changes/`` and ``indirect/`` are labelled in ``pairs/succeeded.txt``. Three stages go on from each other:

- ``first``, from the reader of pairs at twice its rank: what that one was trained on, five more files of expectations in ``pairs/``,
  and ``changes/``. Newer notes that it judged wrong are read again in two more epochs.
- ``more``: seven more files of expectations, and ``indirect/``.
- ``expectations``: all expectations three times, and few questions.

Needs what ``train`` needs. In one thread they take an hour, half an hour, and three quarters.

    export OMP_NUM_THREADS=1 MODEL=bge-small-en-v1.5.onnx READER=graph/embedding/successors.npz
    python -m benchmarks.adapter.train_successors --model $MODEL --stage first --start graph/embedding/pairs.npz --out $READER
    python -m benchmarks.adapter.train_successors --model $MODEL --stage more --start $READER --out $READER
    python -m benchmarks.adapter.train_successors --model $MODEL --stage expectations --start $READER --out $READER
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.adapter import train_pairs as pairs
from benchmarks.adapter.model import Encoder, load, save, tokenizer
from benchmarks.adapter.successions import Succession, Successions, successions
from benchmarks.adapter.train import questions_of
from benchmarks.adapter.train_pairs import Facts, Group, Row
from benchmarks.runner import say
from graph.embedding.adapter import CORES, head_of, open_adapted
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings

if TYPE_CHECKING:
    from graph.kernel.values import Floats

T = TypeVar("T")
_FOLDER = Path(__file__).parent
_RANK, _WIDTH, _LONGEST = 16, 384, 192
_INSTEAD = 7  # the column behind those of the reader of pairs
_TAKES_OVER, _TAKES_NOT = 8, 9  # labels
_LATER = ("expected_[7-9].txt", "expected_1[01].txt")  # than those of the reader of pairs
_LATEST = ("expected_1[2-8].txt",)
_OTHERS = 1.5  # times as many pairs of facts that let the older hold as such that do not
_OF_FIRST = 3500  # rows of the blocks that the reader of pairs has read four times
_TAKING_NOTHING = 2  # times as many newer notes that take over nothing as such that do
_JUDGED = 20_000  # pairs that take over nothing, of which the wrong ones are read again
_WRONG = -2.0  # log-odds from which on such a pair is read again
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Stage:
    """Rates and numbers of epochs, what they read, and at most how many rows of each kind an epoch draws.

    Blocks that are ``read`` are read whole, and ``rows_beside`` of those ``beside``; ``questions`` are groups of three rows.
    """

    epochs: tuple[tuple[float, int], ...]
    folders: tuple[str, ...]
    read: tuple[str, ...]
    beside: tuple[str, ...]
    rows_beside: int
    facts: int
    questions: int
    taking: int


_STAGES = {
    "first": Stage(
        epochs=((6e-4, 1), (5e-4, 2)),
        folders=("sets", "changes"),
        read=_LATER,
        beside=pairs.BLOCKS,
        rows_beside=_OF_FIRST,
        facts=_ALL,
        questions=500,
        taking=_ALL,
    ),
    "more": Stage(
        epochs=((5e-4, 2),),
        folders=("sets", "changes", "indirect"),
        read=_LATEST,
        beside=(*pairs.BLOCKS, *_LATER),
        rows_beside=4600,
        facts=3500,
        questions=300,
        taking=2000,
    ),
    "expectations": Stage(
        epochs=((5e-4, 1), (5e-4, 2)),
        folders=("sets", "changes", "indirect"),
        read=("expected_*.txt",),
        beside=(),
        rows_beside=0,
        facts=0,
        questions=0,
        taking=1200,
    ),
}


@dataclass(frozen=True, slots=True)
class Texts:
    """Everything that is read, each for one of the judgements."""

    facts: Facts
    blocks: list[Row]
    beside: list[Row]
    groups: list[Group]
    successions: Successions

    def epoch(
        self, stage: Stage, wrong: list[Row], draws: np.random.Generator, rng: random.Random
    ) -> list[list[Row]]:
        """Return batches of all judgements, with rows that were judged wrong before."""
        taking = _some(self.successions.taking_over(), stage.taking, rng)
        others = self.successions.others(rng, _TAKING_NOTHING * len(taking))
        rows = [
            *_some(self.facts.rows(draws, _OTHERS), stage.facts, rng),
            *self.blocks,
            *_some(self.beside, stage.rows_beside, rng),
            *(row for group in _some(self.groups, stage.questions, rng) for row in group.rows(rng)),
            *(_row(one, _TAKES_OVER) for one in taking),
            *(_row(one, _TAKES_NOT) for one in others),
            *wrong,
        ]
        return pairs.batches(rows, rng)


def _some(rows: list[T], most: int, rng: random.Random) -> list[T]:
    return rng.sample(rows, min(most, len(rows)))


def _row(one: Succession, label: int) -> Row:
    return Row(one.question, one.notes, label)


def judged(rows: Sequence[Row], model: Path, adapter: Path, column: int) -> Floats:
    """Return the log-odds of a saved reader's judgement of rows, shape ``(n,)``."""
    tokens = tokenizer(model.parent, _LONGEST)
    session, (head, bias) = open_adapted(model, str(adapter)), head_of(str(adapter))
    encoded = tokens.encode_batch([(row.first, row.second) for row in rows])
    with ThreadPoolExecutor(CORES) as pool:
        states = np.array(list(pool.map(session.first_state, encoded)))
    return (states @ head + bias)[:, column].astype(np.float64)


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross entropy of each row in the columns of its judgement."""
    known = labels < _TAKES_OVER
    asked = ~known
    total = torch.zeros(())
    if known.any():
        total = total + pairs.loss_of(logits[known], labels[known]) * known.sum()
    instead = (labels[asked] == _TAKES_OVER).float()
    total = total + F.binary_cross_entropy_with_logits(
        logits[asked, _INSTEAD], instead, reduction="sum"
    )
    return total / len(labels)


def texts_of(stage: Stage, data: Path) -> Texts:
    """Read what a stage reads."""
    embedder = load_embedder()
    folders = [data / name for name in stage.folders]
    told = {name: notes for each in folders for name, notes in questions_of(each)[0].items()}
    labels = pairs.labelled_changes("replaced.txt", "succeeded.txt")
    return Texts(
        pairs.facts_of(told, labels, embedder),
        pairs.written(*stage.read),
        pairs.written(*stage.beside),
        pairs.groups_of(data / "sets", embedder),
        successions(folders, labels, embedder),
    )


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_FOLDER)
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--stage", choices=_STAGES, required=True)
    parser.add_argument("--start", type=Path, required=True, help="the reader to go on from")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(0)
    rng, draws = random.Random(0), np.random.default_rng(0)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    model, stage = folder / "model.onnx", _STAGES[options.stage]
    texts = texts_of(stage, options.data)
    tokens = tokenizer(folder, _LONGEST)
    net, head = Encoder(options.model, _RANK), nn.Linear(_WIDTH, _INSTEAD + 1)
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    load(net, options.start, head, range(_INSTEAD + (options.stage != "first")))
    wrong: list[Row] = []
    for rate, epochs in stage.epochs:
        plan = [batch for _ in range(epochs) for batch in texts.epoch(stage, wrong, draws, rng)]
        pairs.train(net, head, tokens, plan, rate, loss_of)
        save(net, model, options.out, head)
        if options.stage == "first":
            wrong = judged_wrong(texts.successions, rng, model, options.out)


def judged_wrong(known: Successions, rng: random.Random, model: Path, adapter: Path) -> list[Row]:
    """Return newer notes that take over nothing, but do so by a saved reader."""
    near = [_row(one, _TAKES_NOT) for one in _some(known.nearest(), _JUDGED, rng)]
    odds = judged(near, model, adapter.absolute(), _INSTEAD)
    wrong = [row for row, one in zip(near, odds, strict=True) if one > _WRONG]
    say(f"{len(wrong)} of {len(near)} pairs that take over nothing were judged wrong")
    return wrong


if __name__ == "__main__":
    main()
