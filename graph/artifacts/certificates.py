"""TLS by the system's certificates instead of a bundled list."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager

import truststore


@contextmanager
def system_certificates() -> Generator[None]:
    """Within the block, downloads trust what the system trusts, and log nothing."""
    loggers = [logging.getLogger(name) for name in ("jgo", "urllib3")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    truststore.inject_into_ssl()
    try:
        yield
    finally:
        truststore.extract_from_ssl()
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
