"""Wiring of the default embedder's files: settings to the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from graph.embedding.sentence import NAME, install_model, installed_model

__all__ = ["NAME", "ModelSettings", "fetch_model", "model_folder", "uses_default_model"]


class ModelSettings(Protocol):
    """Settings that fetching the model reads."""

    @property
    def cache(self) -> Path: ...
    @property
    def embedder(self) -> str | None: ...


def uses_default_model(settings: ModelSettings) -> bool:
    """Whether the settings leave the choice to the graph, or name the default embedder."""
    return settings.embedder in (None, NAME)


def model_folder(settings: ModelSettings) -> Path | None:
    """Find the default embedder's files; None while they are not fetched."""
    return installed_model(_cache(settings))


def fetch_model(
    settings: ModelSettings,
    *,
    progress: Callable[[int, int, str], None],
    from_folder: Path | None = None,
) -> Path:
    """Fetch the default embedder's files unless they are there, and return their folder."""
    return install_model(_cache(settings), progress=progress, from_folder=from_folder)


def _cache(settings: ModelSettings) -> Path:
    return settings.cache.expanduser().absolute()
