"""Messages of `serve`: text, or objects with JSON logs."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from service.logs import JsonFormatter

if TYPE_CHECKING:
    from service.settings import Settings

_NAME = "stratagraph.serve"


def tell(settings: Settings, message: str, action: str, **facts: str) -> None:
    """Print what happens; ``action`` is its name for programs."""
    if settings.log_format == "text":
        print(message, flush=True)
        return
    record = logging.makeLogRecord(
        {"name": _NAME, "levelno": logging.INFO, "levelname": "INFO", "msg": _first_line(message)}
        | {"action": action, **facts}
    )
    # on standard error, with the other log lines
    print(JsonFormatter().format(record), file=sys.stderr, flush=True)


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0]
