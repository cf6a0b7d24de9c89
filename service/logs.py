"""Log formats: text, or one JSON object per line; both include ``extra``.

The message of an exception may quote a memory: only its class and place are logged.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

LogFormat = Literal["text", "json"]

# Request id and trace id of the current context.
context: ContextVar[Mapping[str, str] | None] = ContextVar("log_context", default=None)

_OURS = ("stratagraph", "service", "graph")
_BESIDES = frozenset({"message", "asctime", "taskName", "color_message"})
_KNOWN = frozenset(vars(logging.makeLogRecord({}))) | _BESIDES


class TextFormatter(logging.Formatter):
    """Time, level, logger, message, then other fields as ``name=value``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line, with the place of an exception below it."""
        facts = " ".join(f"{name}={_word(value)}" for name, value in facts_of(record).items())
        line = f"{_time(record)} {record.levelname} {record.name} {record.getMessage()}"
        place = _place(record)
        return f"{line} {facts}".rstrip() + (f"\n{place}" if place else "")


class JsonFormatter(logging.Formatter):
    """One object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the object; values unknown to JSON become text."""
        told: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **facts_of(record),
        }
        if place := _place(record):
            told["place"] = place
        return json.dumps(told, default=str)


def formatter(log_format: LogFormat) -> logging.Formatter:
    return JsonFormatter() if log_format == "json" else TextFormatter()


def configure_logging(level: str, log_format: LogFormat = "text") -> None:
    """Send all log lines of this process, and warnings of libraries, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(log_format))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in _OURS:
        logging.getLogger(name).setLevel(level.upper())
    # Its warnings about retried transactions quote the server, and its debug lines parameters.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the ``extra`` of a line, and the fields of its request."""
    extra = {name: value for name, value in vars(record).items() if name not in _KNOWN}
    if record.exc_info and record.exc_info[0]:
        extra["error"] = record.exc_info[0].__name__
    return {**extra, **(context.get() or {})}


def _word(value: object) -> str:
    """Return a value as JSON unless it is one printable word."""
    text = str(value)
    return text if text.isprintable() and not set(text) & set(' "=') else json.dumps(text)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _place(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[2] is None:
        return ""
    return "".join(traceback.format_tb(record.exc_info[2])).rstrip()
