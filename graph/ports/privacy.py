"""Recognisers of personal data, and the secrets behind tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graph.model.memories.privacy import Finding


class Recognizer(Protocol):
    """Finds e-mail addresses, numbers of phones, cards and accounts, and the like; offline."""

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """Return what identifies a person, in the order of the text, without overlap.

        ``context`` says what the text is, as the name of its field does: `phone` lets ten bare
        digits be one.
        """
        ...


class TenantSecrets(Protocol):
    """A secret of each tenant, by which equal values become equal tokens and none can be guessed."""

    async def secret(self, tenant: str) -> bytes:
        """Return the tenant's secret, made at the first call and the same ever after.

        Raises
        ------
        DatabaseUnavailableError
            If it has to be read and Neo4j does not answer.
        """
        ...
