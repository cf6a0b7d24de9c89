"""Wiring of the default embedder's files in the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from graph.embedding.sentence import NAME, install_model, installed_model

__all__ = ["NAME", "ModelSettings", "fetch_model", "model_folder", "uses_default_model"]


class ModelSettings(Protocol):
    """Settings for downloading the model."""

    @property
    def cache(self) -> Path: ...
    @property
    def embedder(self) -> str | None: ...


def uses_default_model(settings: ModelSettings) -> bool:
    """Return whether the default embedder may be needed: it is named, or the choice is the graph's."""
    return settings.embedder in (None, NAME)


def model_folder(settings: ModelSettings) -> Path | None:
    """Return the folder of the default embedder, or None."""
    return installed_model(_cache(settings))


def fetch_model(
    settings: ModelSettings,
    *,
    progress: Callable[[int, int, str], None],
    from_folder: Path | None = None,
) -> Path:
    """Download the default embedder's files if missing; return their folder."""
    return install_model(_cache(settings), progress=progress, from_folder=from_folder)


def _cache(settings: ModelSettings) -> Path:
    return settings.cache.expanduser().absolute()
