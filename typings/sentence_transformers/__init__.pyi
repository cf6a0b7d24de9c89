from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

class _Tokenizer:
    def tokenize(self, text: str) -> list[str]: ...

class SentenceTransformer:
    prompts: dict[str, str]
    tokenizer: _Tokenizer
    def __init__(
        self,
        model_name_or_path: str,
        *,
        device: str | None = ...,
        revision: str | None = ...,
        trust_remote_code: bool = ...,
    ) -> None: ...
    def encode_query(
        self,
        inputs: Sequence[str],
        /,
        *,
        batch_size: int = ...,
        show_progress_bar: bool = ...,
        normalize_embeddings: bool = ...,
    ) -> npt.NDArray[np.float32]: ...
    def encode_document(
        self,
        inputs: Sequence[str],
        /,
        *,
        batch_size: int = ...,
        show_progress_bar: bool = ...,
        normalize_embeddings: bool = ...,
    ) -> npt.NDArray[np.float32]: ...
