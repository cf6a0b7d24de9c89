"""Wiring of checkers that agents bring along."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from graph.verifying.callback import SignedCallback
from service.settings import Settings


def open_callback(settings: Settings, now: Callable[[], datetime]) -> SignedCallback:
    """Return what asks the addresses that the settings allow."""
    named = (one.strip() for one in settings.callback_addresses.split(","))
    secret = settings.callback_secret
    return SignedCallback(
        tuple(one for one in named if one),
        "" if secret is None else secret.get_secret_value(),
        now,
        settings.callback_seconds,
    )
