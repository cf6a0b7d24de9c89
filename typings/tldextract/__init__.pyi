from collections.abc import Callable, Sequence
from typing import Any

class TLDExtract:
    def __init__(self, *, suffix_list_urls: Sequence[str] = ..., cache_dir: str | None = ...) -> None: ...
    def __call__(self, url: str) -> Any: ...

extract: Callable[[str], Any]
