"""Wiring of redaction: recogniser, policies and secrets from the settings."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from graph.database.driver import Database
from graph.ports.privacy import Recognizer, TenantSecrets
from graph.ports.telemetry import Telemetry
from graph.privacy.light import LightRecognizer
from graph.privacy.phones import check_regions
from graph.privacy.presidio import PresidioRecognizer
from graph.store.operation.secrets import Neo4jSecrets
from service.settings import Settings
from service.use_cases.memories.guarding import Guard, GuardRules


class DerivedSecrets:
    """Secrets of tenants derived from a setting, not stored in the graph."""

    def __init__(self, master: str) -> None:
        self._master = master.encode()

    async def secret(self, tenant: str) -> bytes:
        """See ``TenantSecrets.secret``."""
        # one secret per tenant: equal names of two tenants have different hashes
        return hmac.new(self._master, tenant.encode(), hashlib.sha256).digest()


def open_guard(settings: Settings, database: Database, telemetry: Telemetry) -> Guard:
    """Return the configured guard.

    Raises
    ------
    ConfigurationError
        If its recogniser needs a package that is not installed, or a region is no country.
    """
    rules = GuardRules(
        policy=settings.pii_policy,
        tenants=dict(settings.pii_policies),
        all_memories=settings.pii_memories == "all",
    )
    return Guard(_recognizer(settings), _secrets(settings, database), rules, telemetry)


def _recognizer(settings: Settings) -> Recognizer:
    check_regions(settings.pii_regions)
    if settings.pii_recognizer == "presidio":
        return PresidioRecognizer(settings.pii_regions)
    return LightRecognizer(settings.pii_regions)


def _secrets(settings: Settings, database: Database) -> TenantSecrets:
    # derived, so that replicas agree without the graph
    if settings.pii_hash_key is not None:
        return DerivedSecrets(settings.pii_hash_key.get_secret_value())
    return Neo4jSecrets(database, lambda: secrets.token_hex(32))
