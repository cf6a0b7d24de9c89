"""Redaction of memories and questions before they are stored or embedded."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import tenant_of
from graph.kernel.values import KINDS, Kind
from graph.model.memories.memory import LISTS_AND_OBJECTS, NAMES, TEXTS, NewMemory
from graph.model.memories.privacy import PiiPolicy
from graph.model.transfer.records import KeptMemory, Record
from graph.ports.privacy import Recognizer, TenantSecrets
from graph.ports.telemetry import UNWATCHED, Telemetry
from service.use_cases.memories.cleaning import Cleaner

REASONING: frozenset[Kind] = frozenset({"problem", "episode", "concept", "strategy"})
_SEVERAL = 8  # rows from which the work leaves the event loop
# fields to redact in records of an export other than memories
_RECORDS: Mapping[str, tuple[str, ...]] = {
    "scope": ("speakers",),
    "plugin": ("settings", "state"),
    "expectation": ("context", "spreads", "outcomes"),
    "version": (*TEXTS, *LISTS_AND_OBJECTS),
    "retrieval": ("contexts",),
    "reward": ("reason",),
    "rewarded": ("contexts",),
    "estimate": ("context",),
    "credit": ("contexts",),
    "cycle": ("goal", "actions", "answers"),
    "step": ("calls", "findings"),
    "patch": ("problem", "cause", "correction", "answers", "findings", "plan"),
}


@dataclass(frozen=True, slots=True)
class GuardRules:
    """Redaction policy by tenant, for memories of reasoning or all."""

    policy: PiiPolicy = "mask"
    tenants: Mapping[str, PiiPolicy] = field(default_factory=dict[str, "PiiPolicy"])
    all_memories: bool = False

    def of(self, tenant: str) -> PiiPolicy:
        """Return a tenant's policy."""
        return self.tenants.get(tenant, self.policy)


@dataclass(frozen=True, slots=True)
class Guarded:
    """A redacted row and the redactions by type; with ``error`` it must not be stored."""

    row: NewMemory
    redacted: Mapping[str, int] = field(default_factory=dict[str, int])
    error: InvalidInputError | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """Redacts memories, records and questions."""

    recognizer: Recognizer
    secrets: TenantSecrets
    rules: GuardRules
    telemetry: Telemetry = UNWATCHED

    def guards(self, kind: str) -> bool:
        """Return whether memories of a kind are looked at."""
        return self.rules.all_memories or kind in REASONING

    async def rows(
        self, rows: Sequence[NewMemory], ids: Collection[str] = NAMES
    ) -> Sequence[Guarded]:
        """Redact rows independently of each other; ``ids`` are those of their names that are new."""
        tenants = {tenant_of(row.scope) for row in rows if self.guards(row.kind)}
        secrets = {tenant: await self._secret(tenant) for tenant in tenants}

        def clean() -> list[Guarded]:
            return [self._redact(row, secrets, ids) for row in rows]

        # for few rows a thread is slower
        cleaned = clean() if len(rows) < _SEVERAL else await asyncio.to_thread(clean)
        for one in cleaned:
            self._count(one.redacted)
            if one.error is not None:
                self.telemetry.count("redaction_refusals")
        return cleaned

    async def row(self, row: NewMemory, ids: Collection[str] = NAMES) -> Guarded:
        """Redact one row.

        Raises
        ------
        InvalidInputError
            If it may not be stored; the message has the field and the types, never a value.
        """
        [guarded] = await self.rows([row], ids)
        if guarded.error is not None:
            raise guarded.error
        return guarded

    async def kept(self, rows: Sequence[KeptMemory]) -> list[tuple[KeptMemory, Guarded]]:
        """Redact imported memories; a changed text loses its vector and hash."""
        cleaned = await self.rows([row.new for row in rows])
        return [(_kept(row, one), one) for row, one in zip(rows, cleaned, strict=True)]

    async def record(self, tenant: str, record: Record) -> Record:
        """Redact a record of an export that is no memory.

        Raises
        ------
        InvalidInputError
            If it may not be stored.
        """
        names = _RECORDS.get(record.type, ())
        # versions of kinds that are not redacted
        if record.type == "version" and not self.guards(record.values.get("kind", "")):
            return record
        values = {name: record.values[name] for name in names if name in record.values}
        if not values:
            return record
        cleaner = await self.cleaner(tenant)
        cleaned = {name: cleaner.value(value, name) for name, value in values.items()}
        self._count(cleaner.found)
        if all(cleaned[name] is values[name] for name in values):
            return record
        return Record(record.type, {**record.values, **cleaned})

    async def text(self, tenant: str, text: str, name: str) -> str:
        """Redact a text that is no memory, such as the reason of a reward.

        Raises
        ------
        InvalidInputError
            If it may not be stored.
        """
        cleaner = await self.cleaner(tenant)
        cleaned = cleaner.text(text, name)
        self._count(cleaner.found)
        return cleaned

    async def value(self, tenant: str, value: Any, name: str) -> Any:
        """Redact a JSON value that is no memory.

        Raises
        ------
        InvalidInputError
            If it may not be stored.
        """
        cleaner = await self.cleaner(tenant)
        cleaned = cleaner.value(value, name)
        self._count(cleaner.found)
        return cleaned

    def check_name(self, tenant: str, name: str, field: str) -> None:
        """Refuse a name that identifies a person: names are references, and cannot be redacted.

        Raises
        ------
        InvalidInputError
            If it does.
        """
        if self.rules.of(tenant) != "off" and self.finds(name):
            raise InvalidInputError(
                f"{field}: identifies a person, and names are kept as they are; give it another",
                field=field,
            )

    async def question(self, tenant: str, text: str, kinds: Collection[str] = KINDS) -> str:
        """Return a question redacted like the memories that it is about.

        If only some of their kinds are redacted, it has both the original words and the tokens.
        """
        policy = self.rules.of(tenant)
        guarded = [kind for kind in kinds or KINDS if self.guards(kind)]
        # a question is not stored, so it is never refused
        if policy in {"off", "reject"} or not guarded:
            return text
        places = self.recognizer.find(text)
        if not places:
            return text
        cleaner = await self.cleaner(tenant)
        if len(guarded) == len(kinds or KINDS):
            return cleaner.text(text, "text")
        # some memories have the name, others its token
        return " ".join([text, *(cleaner.token(place) for place in places)])

    def finds(self, text: str) -> bool:
        """Return whether a text identifies anybody."""
        return bool(self.recognizer.find(text))

    async def cleaner(self, tenant: str) -> Cleaner:
        """Return the redaction of a tenant, which counts its findings."""
        return Cleaner(self.rules.of(tenant), self.recognizer, await self._secret(tenant))

    def _redact(
        self, row: NewMemory, secrets: Mapping[str, bytes], ids: Collection[str]
    ) -> Guarded:
        if not self.guards(row.kind):
            return Guarded(row)
        tenant = tenant_of(row.scope)
        cleaner = Cleaner(self.rules.of(tenant), self.recognizer, secrets[tenant])
        try:
            return Guarded(cleaner.row(row, ids), cleaner.found)
        except InvalidInputError as error:
            return Guarded(row, error=error)

    async def _secret(self, tenant: str) -> bytes:
        return await self.secrets.secret(tenant) if self.rules.of(tenant) == "hash" else b""

    def _count(self, found: Mapping[str, int]) -> None:
        for kind, number in found.items():
            self.telemetry.count("redactions", number, type=kind)


def _kept(row: KeptMemory, cleaned: Guarded) -> KeptMemory:
    if cleaned.row is row.new:
        return row
    # the vector is of the old text
    same_text = cleaned.row.text == row.new.text
    vector = row.vector if same_text else None
    changes: dict[str, Any] = {"new": cleaned.row, "vector": vector, "content_hash": None}
    return replace(row, **changes)
