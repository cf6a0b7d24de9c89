from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

class WordLlamaInference:
    embedding: npt.NDArray[np.float32]
    tokenizer: Tokenizer

class WordLlama:
    @classmethod
    def load(
        cls, *, cache_dir: Path | None = ..., dim: int = ..., disable_download: bool = ...
    ) -> WordLlamaInference: ...
