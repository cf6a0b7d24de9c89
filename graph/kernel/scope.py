"""Scopes, and callers that read and write them; no other module constructs scopes.

A memory is in exactly one scope. A caller names an agent, channels and users inside the tenant of its key, which give
the scopes it reads, and the one it writes to.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast, get_args

from graph.kernel.errors import InvalidInputError
from stratagraph.vocabulary import ScopeKind

SCOPE_KINDS: tuple[ScopeKind, ...] = get_args(ScopeKind)

_TENANT = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_MAX_ID_LENGTH = 256
_MAX_IDS = 100
_KEPT_KEYS = 8192


@dataclass(frozen=True, slots=True)
class Caller:
    """An agent, channels and users inside one tenant.

    Raises
    ------
    InvalidInputError
        If nobody is named, an id is empty, too long or holds control characters, or there are more
        than 100 channels or users.
    """

    tenant: str
    agent_id: str | None = None
    channel_ids: tuple[str, ...] = ()
    user_ids: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_tenant(self.tenant)
        for field, ids in (
            ("agent_id", () if self.agent_id is None else (self.agent_id,)),
            ("channel_ids", self.channel_ids),
            ("user_ids", self.user_ids),
        ):
            if len(ids) > _MAX_IDS:
                raise InvalidInputError(f"{field}: at most {_MAX_IDS} are read", field=field)
            for name in ids:
                _check_id(field, name)
        if self.agent_id is None and not self.channel_ids and not self.user_ids:
            raise InvalidInputError(
                "name an agent_id, channel_ids or user_ids: nothing is read or written without",
                field="agent_id",
            )

    @property
    def readable(self) -> tuple[str, ...]:
        """The scopes this caller reads, sorted: its own, those of its channels and users, and the shared one."""
        own = () if self.agent_id is None else (_scope(self.tenant, "agent", self.agent_id),)
        channels = (_scope(self.tenant, "channel", name) for name in self.channel_ids)
        users = (_scope(self.tenant, "user", name) for name in self.user_ids)
        return tuple(sorted({*own, *channels, *users, f"{self.tenant}/shared"}))

    @property
    def home(self) -> str:
        """The scope that owns this caller's tasks: the agent's, else a user's, else a channel's."""
        if self.agent_id is not None:
            return _scope(self.tenant, "agent", self.agent_id)
        if self.user_ids:
            # the first in order, so that a task has one owner
            return _scope(self.tenant, "user", min(self.user_ids))
        return _scope(self.tenant, "channel", min(self.channel_ids))

    @property
    def channels(self) -> tuple[str, ...]:
        """The scopes of the named channels, sorted."""
        return tuple(sorted({_scope(self.tenant, "channel", name) for name in self.channel_ids}))

    def writable(self, kind: ScopeKind | None = None) -> str:
        """Return the scope to write to: the requested one, or the agent's, user's or channel's.

        Raises
        ------
        InvalidInputError
            If the kind needs exactly one id and the caller names none or several.
        """
        kind = kind or self._default_kind()
        if kind == "shared":
            return f"{self.tenant}/shared"
        ids = {
            "agent": () if self.agent_id is None else (self.agent_id,),
            "channel": self.channel_ids,
            "user": self.user_ids,
        }[kind]
        if len(ids) != 1:
            field = "agent_id" if kind == "agent" else f"{kind}_ids"
            raise InvalidInputError(
                f"scope_kind {kind}: writing needs exactly one {kind}, {len(ids)} are named",
                field=field,
            )
        return _scope(self.tenant, kind, ids[0])

    def check_writes(self, scope: str) -> None:
        """Refuse to write to a scope that this caller only reads, even beside others of its kind.

        Raises
        ------
        InvalidInputError
            If several channels or users are named, and the scope is one of these.
        """
        self.writable(kind_in(scope))

    def _default_kind(self) -> ScopeKind:
        if self.agent_id is not None:
            return "agent"
        return "user" if self.user_ids else "channel"


@dataclass(frozen=True, slots=True)
class Reach:
    """Scopes that an export shows; None: all of the tenant."""

    tenant: str
    scopes: tuple[str, ...] | None = None


def named_scope(tenant: str, shown: str) -> str:
    """Return the scope with a name without tenant, such as `agent/planner` or `shared`.

    Raises
    ------
    InvalidInputError
        If it is no such name.
    """
    kind, _, name = shown.partition("/")
    if shown == "shared":
        return f"{tenant}/shared"
    if kind not in SCOPE_KINDS or kind == "shared":
        raise InvalidInputError(
            "scope: must be agent/…, channel/…, user/… or shared", field="scope"
        )
    _check_id("scope", name)
    return _scope(tenant, kind, name)


def tenant_of(scope: str) -> str:
    """Return the tenant of a scope: of "acme/agent/anna", "acme"."""
    return scope.partition("/")[0]


def without_tenant(scope: str) -> str:
    """Return a scope as clients name it: of "acme/agent/anna", "agent/anna"."""
    return scope.partition("/")[2]


def kind_in(scope: str) -> ScopeKind:
    """Return the kind of a scope: of "acme/agent/anna", "agent"."""
    return cast("ScopeKind", scope.split("/", 2)[1])


def name_in(scope: str) -> str:
    """Return the id of a scope's owner, empty for the shared scope."""
    return scope.split("/", 2)[2] if scope.count("/") > 1 else ""


def agent_in(scope: str) -> str:
    """Return the id of the agent that owns a scope, empty if none does."""
    return name_in(scope) if kind_in(scope) == "agent" else ""


def check_tenant(tenant: str) -> None:
    """Refuse a tenant's name that cannot be part of a scope.

    Raises
    ------
    InvalidInputError
        If it is not 1 to 63 characters of a-z, 0-9, `_` and `-`.
    """
    if not _TENANT.fullmatch(tenant):
        raise InvalidInputError(
            "a tenant's name is 1 to 63 characters of a-z, 0-9, _ and -", field="tenant"
        )


@lru_cache(_KEPT_KEYS)
def hashed_key(value: str) -> str:
    """Return 19 decimal digits that represent a value in the full-text index.

    Digits pass an analyzer unchanged, where a raw id would be split and stemmed: `running` would match `run`.
    """
    digest = hashlib.sha256(value.encode()).digest()
    return f"{int.from_bytes(digest) % 10**19:019d}"


def _scope(tenant: str, kind: ScopeKind, name: str) -> str:
    return f"{tenant}/{kind}/{name}"


def _check_id(field: str, name: str) -> None:
    # control characters could break a log line, or a key of an index
    if not name.strip() or len(name) > _MAX_ID_LENGTH or not name.isprintable():
        raise InvalidInputError(
            f"{field}: an id is 1 to {_MAX_ID_LENGTH} printable characters", field=field
        )
