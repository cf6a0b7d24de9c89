"""The default model with trained low-rank changes, and the file that the service reads them from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

_WIDTH, _HEADS, _LAYERS = 384, 12, 12


class Low(nn.Module):
    """A fixed matrix with a trained change of low rank."""

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        self.a = nn.Parameter(torch.randn(rank, weight.shape[1]) / math.sqrt(weight.shape[1]))
        self.b = nn.Parameter(torch.zeros(weight.shape[0], rank))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.a), self.b)


class Encoder(nn.Module):
    """bge-small-en-v1.5 with the weights of an ONNX file, each matrix with a low-rank change."""

    def __init__(self, path: Path, rank: int) -> None:
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
            self.parts.append(Low(torch.cat([q, k, v]), bias, rank))
            self.parts.append(Low(o, tensors[f"{at}attention.output.dense.bias"], rank))
            self.parts.append(Low(first, tensors[f"{at}intermediate.dense.bias"], rank))
            self.parts.append(Low(second, tensors[f"{at}output.dense.bias"], rank))

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return F.layer_norm(
            x, (_WIDTH,), self.fixed[f"{name}.weight"], self.fixed[f"{name}.bias"], 1e-12
        )

    def forward(self, ids: Tensor, types: Tensor, drop: float) -> Tensor:
        """Return the last states of [CLS], shape ``(n, 384)``; a token of 0 is padding."""
        rows, length = ids.shape
        mask = ids != 0
        x = (
            self.fixed["embeddings.word_embeddings.weight"][ids]
            + self.fixed["embeddings.position_embeddings.weight"][:length]
            + self.fixed["embeddings.token_type_embeddings.weight"][types]
        )
        x = self._norm(x, "embeddings.LayerNorm")
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
        return x[:, 0].float()

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


def load(net: Encoder, file: Path, head: nn.Linear, columns: Sequence[int]) -> None:
    """Start from a saved change of at most that rank, and from some columns of its linear layer; the rest changes nothing yet."""
    with np.load(file) as parts, torch.no_grad():
        names = parts["names"].tolist()
        for number, part in enumerate(net.parts):
            layer, kind = divmod(number, 4)
            own = net.names[6 * layer : 6 * layer + 6]
            own = own[:3] if kind == 0 else [own[kind + 2]]
            places = [names.index(name) for name in own]
            shared = torch.tensor(parts[f"a{parts['shared'][places[0]]}"], dtype=torch.float32).T
            pieces = [parts[f"b{place}"] for place in places]
            part.a[: len(shared)] = shared
            part.b[:, : len(shared)] = torch.tensor(np.concatenate(pieces, axis=1)).float().T
        head.weight[: len(columns)] = torch.tensor(parts["head"][:, columns]).T
        head.bias[: len(columns)] = torch.tensor(parts["bias"][columns])


def tokenizer(folder: Path, longest: int) -> Tokenizer:
    """Open the tokenizer of the model, which cuts texts beyond so many tokens and pads none."""
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.no_padding()
    tokens.enable_truncation(longest)
    return tokens


def save(net: Encoder, model: Path, out: Path, head: nn.Linear | None = None) -> None:
    """Write the change, with the places of the matrices in the 8-bit model, and a linear layer over the first state."""
    data = model.read_bytes()
    tensors = {tensor.name: tensor for tensor in onnx.load(str(model)).graph.initializer}
    parts: dict[str, np.ndarray] = {}
    if head is not None:
        parts = {"head": head.weight.detach().T.numpy(), "bias": head.bias.detach().numpy()}
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
