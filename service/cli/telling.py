"""Messages of `serve`: sentences for people, or with JSON logs one object each."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from service.logs import JsonFormatter

if TYPE_CHECKING:
    from service.settings import Settings

_NAME = "stratagraph.serve"


def tell(settings: Settings, message: str, action: str, **facts: str) -> None:
    """Say on standard output what happens; ``action`` is its name for machines."""
    if settings.log_format == "text":
        print(message, flush=True)
        return
    record = logging.makeLogRecord(
        {"name": _NAME, "levelno": logging.INFO, "levelname": "INFO", "msg": _first_line(message)}
        | {"action": action, **facts}
    )
    # on standard error, with the other lines of the log
    print(JsonFormatter().format(record), file=sys.stderr, flush=True)


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]
