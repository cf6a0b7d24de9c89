"""Tests with the optional packages; `make test-extras` runs them in an environment of their own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"  # read when the libraries are imported


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete model of 32 dimensions in a folder: real files, random weights."""
    from tests.extras.tiny import save_tiny_model

    return save_tiny_model(tmp_path_factory.mktemp("models") / "tiny-bert", seed=7)
