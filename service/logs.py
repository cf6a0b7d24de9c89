"""Log lines: for people, or one JSON object each; both say what an ``extra`` holds.

The message of an exception may quote a memory: only its class and its place are told.
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

# Where lines belong: the request's id and, with traces, the trace's.
context: ContextVar[Mapping[str, str] | None] = ContextVar("log_context", default=None)

_OURS = ("stratagraph", "service", "graph")
_BESIDES = frozenset({"message", "asctime", "taskName", "color_message"})
_KNOWN = frozenset(vars(logging.makeLogRecord({}))) | _BESIDES


class TextFormatter(logging.Formatter):
    """Time, level, logger, message, then what else is known as ``name=value``."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line, and the place of an exception below it."""
        facts = " ".join(f"{name}={_word(value)}" for name, value in facts_of(record).items())
        line = f"{_time(record)} {record.levelname} {record.name} {record.getMessage()}"
        place = _place(record)
        return f"{line} {facts}".rstrip() + (f"\n{place}" if place else "")


class JsonFormatter(logging.Formatter):
    """One object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the object; what JSON does not know becomes a string."""
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
    """Send every line of this process, libraries' warnings too, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(log_format))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in _OURS:
        logging.getLogger(name).setLevel(level.upper())
    # Its warnings about retried transactions quote the server, and its debug lines parameters.
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    logging.captureWarnings(capture=True)


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the ``extra`` of a line, and what is known of the request it belongs to."""
    extra = {name: value for name, value in vars(record).items() if name not in _KNOWN}
    if record.exc_info and record.exc_info[0]:
        extra["error"] = record.exc_info[0].__name__
    return {**extra, **(context.get() or {})}


def _word(value: object) -> str:
    """Quote what would not be one word of a line."""
    text = str(value)
    return text if text.isprintable() and not set(text) & set(' "=') else json.dumps(text)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _place(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[2] is None:
        return ""
    return "".join(traceback.format_tb(record.exc_info[2])).rstrip()
