"""Training of the reader of successors (``graph/embedding/successors.npz``): expectations, and newer notes that answer instead.

Goes on from the reader of pairs (``train_pairs``) at twice its rank, with what that one was trained on and more: five more files of
expectations in ``pairs/``, and the 66 sets of ``changes/``, whose pairs of facts are labelled in ``pairs/succeeded.txt``. Its new
judgement reads a question, an older and a newer note: does the newer one answer in place of the older? The answer of an ``update``
question does for the older notes of its change; other newer notes do for none. Those that the first stage judged wrong are read
again in the second. Needs what ``train`` needs. An epoch takes a quarter of an hour on two cores.

    python -m benchmarks.adapter.train_successors --model bge-small-en-v1.5.onnx --out graph/embedding/successors.npz
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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

_FOLDER = Path(__file__).parent
_RANK, _WIDTH, _LONGEST = 16, 384, 192
_INSTEAD = 7  # the column behind those of the reader of pairs
_TAKES_OVER, _TAKES_NOT = 8, 9  # labels
_LATER = ("expected_[7-9].txt", "expected_1?.txt")
_OTHERS = 1.5  # times as many pairs of facts that let the older hold as such that do not
_OF_FIRST = 3500  # rows of the blocks that the reader of pairs has read four times
_BLOCKS = 9000  # rows of blocks in an epoch
_QUESTIONS_BESIDE = 500  # an epoch, so that the questions are not forgotten
_TAKING_NOTHING = 2.0  # times as many newer notes that take over nothing as such that do
_JUDGED = 20_000  # pairs that take over nothing, of which the wrong ones are read again
_WRONG = -2.0  # log-odds from which on such a pair is read again
_STAGES = ((6e-4, 1), (5e-4, 2))  # rates and epochs


@dataclass(frozen=True, slots=True)
class Texts:
    """Everything that is read, each for one of the judgements."""

    facts: Facts
    blocks: list[Row]
    groups: list[Group]
    successions: Successions

    def epoch(
        self, wrong: list[Row], draws: np.random.Generator, rng: random.Random
    ) -> list[list[Row]]:
        """Return batches of all judgements, with rows that were judged wrong before."""
        questions = rng.sample(self.groups, _QUESTIONS_BESIDE)
        taking = self.successions.taking_over()
        others = self.successions.others(rng, int(_TAKING_NOTHING * len(taking)))
        rows = [
            *self.facts.rows(draws, _OTHERS),
            *rng.sample(self.blocks, min(_BLOCKS, len(self.blocks))),
            *(row for group in questions for row in group.rows(rng)),
            *(_row(one, _TAKES_OVER) for one in taking),
            *(_row(one, _TAKES_NOT) for one in others),
            *wrong,
        ]
        return pairs.batches(rows, rng)


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


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_FOLDER / "sets")
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--start", type=Path, default=Path("graph/embedding/pairs.npz"))
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.manual_seed(0)
    rng, draws = random.Random(0), np.random.default_rng(0)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    model, embedder = folder / "model.onnx", load_embedder()
    folders = [options.data, _FOLDER / "changes"]
    told = {name: notes for each in folders for name, notes in questions_of(each)[0].items()}
    labels = pairs.labelled_changes("replaced.txt", "succeeded.txt")
    texts = Texts(
        pairs.facts_of(told, labels, embedder),
        [*pairs.written(*_LATER), *rng.sample(pairs.written(*pairs.BLOCKS), _OF_FIRST)],
        pairs.groups_of(options.data, embedder),
        successions(folders, labels, embedder),
    )
    tokens = tokenizer(folder, _LONGEST)
    net, head = Encoder(options.model, _RANK), nn.Linear(_WIDTH, _INSTEAD + 1)
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    load(net, options.start, head, range(_INSTEAD))
    wrong: list[Row] = []
    for rate, epochs in _STAGES:
        plan = [batch for _ in range(epochs) for batch in texts.epoch(wrong, draws, rng)]
        pairs.train(net, head, tokens, plan, rate, loss_of)
        save(net, model, options.out, head)
        nearest = texts.successions.nearest()
        near = [_row(one, _TAKES_NOT) for one in rng.sample(nearest, min(_JUDGED, len(nearest)))]
        odds = judged(near, model, options.out.absolute(), _INSTEAD)
        wrong = [row for row, one in zip(near, odds, strict=True) if one > _WRONG]
        say(f"{len(wrong)} of {len(near)} pairs that take over nothing were judged wrong")


if __name__ == "__main__":
    main()
