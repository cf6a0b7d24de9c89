"""The optional language model and callback checker."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from graph.llm.openai import Endpoint, open_model
from graph.ports.language import LanguageModel
from graph.ports.telemetry import Telemetry
from graph.verifying.callback import SignedCallback
from service.settings import Settings


@asynccontextmanager
async def open_language_model(
    settings: Settings, telemetry: Telemetry
) -> AsyncGenerator[LanguageModel | None]:
    """Return the configured model, or None."""
    if settings.llm_base_url is None or settings.llm_model is None:
        yield None
        return
    key = settings.llm_api_key
    endpoint = Endpoint(
        settings.llm_base_url,
        settings.llm_model,
        key.get_secret_value() if key else None,
        timeout_seconds=settings.llm_timeout_seconds,
        retries=settings.llm_retries,
        tokens_per_hour=settings.llm_tokens_per_hour,
    )
    async with open_model(endpoint, telemetry) as model:
        yield model


def open_callback(settings: Settings, now: Callable[[], datetime]) -> SignedCallback:
    """Return the client of the allowed callback addresses."""
    named = (one.strip() for one in settings.callback_addresses.split(","))
    secret = settings.callback_secret
    return SignedCallback(
        tuple(one for one in named if one),
        "" if secret is None else secret.get_secret_value(),
        now,
        settings.callback_seconds,
    )
