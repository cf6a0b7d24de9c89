"""A transformer small enough for a test, without downloads."""

from __future__ import annotations

import string
from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing
from torch.nn import Module
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

DIMENSION = 32
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def save_tiny_model(folder: Path, *, seed: int, prompts: dict[str, str] | None = None) -> Path:
    """Save a BERT of one layer whose words are letters, and return its folder."""
    letters = string.ascii_lowercase + string.digits
    words = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    parts = folder.parent / f"{folder.name}-parts"
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=DIMENSION,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(parts)
    _tokenizer(words).save_pretrained(parts)
    modules: list[Module] = [Transformer(str(parts), max_seq_length=64), Pooling(DIMENSION)]
    model = SentenceTransformer(modules=modules, prompts=prompts, device="cpu")
    model.save(str(folder), create_model_card=False)
    return folder


def _tokenizer(words: list[str]) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(
        WordPiece({word: place for place, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ["pad_token", "unk_token", "cls_token", "sep_token", "mask_token"]
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **dict(zip(names, SPECIAL, strict=True))
    )
