"""The service of a command: configured, or running on its home."""

from __future__ import annotations

from service.bootstrap.managed import read_service
from service.settings import load_settings
from stratagraph.cli.asking import KnownService


def known_service() -> KnownService:
    """Return the configured service, else the one on this home."""
    settings = load_settings()
    key = settings.api_key.get_secret_value() if settings.api_key else None
    if settings.url:
        return KnownService(settings.url, key)
    record = read_service(settings.home.expanduser().absolute())
    return KnownService(record.api_url if record else None, key)
