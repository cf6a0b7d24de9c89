"""Identity of a caller: the tenant of the key, and the agent, channels and users named in it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from pydantic import SecretStr
from starlette.types import ASGIApp, Receive, Scope, Send

from graph.kernel.errors import AuthenticationError
from graph.kernel.scope import Caller
from service.http.kernel.state import Bound, bound_service
from stratagraph.wire import Identity
from stratagraph.wire.kernel.values import KNOWN_STRATA

LOCAL_TENANT = "local"
_OWN_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})

bearer_scheme = HTTPBearer(auto_error=False, description="An API key.")
header_scheme = APIKeyHeader(name="X-API-Key", auto_error=False, description="An API key.")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """API keys by their hashes, each with its tenant."""

    tenants: tuple[tuple[bytes, str], ...]

    @classmethod
    def of(cls, keys: Iterable[tuple[str, SecretStr]]) -> KeyRing:
        return cls(tuple((_digest(key.get_secret_value()), tenant) for tenant, key in keys))

    def tenant_of(self, key: str) -> str:
        """Return the tenant of a key in constant time.

        Raises
        ------
        AuthenticationError
            If no such key is known.
        """
        digest = _digest(key)
        # every key is compared, so that the time reveals nothing
        found = [name for known, name in self.tenants if hmac.compare_digest(known, digest)]
        if not found:
            raise AuthenticationError("this API key is not known")
        return found[0]


def tenant_of(
    request: Request,
    service: Bound,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer_scheme)],
    header: Annotated[str | None, Depends(header_scheme)],
) -> str:
    keys = service.settings.api_keys
    # without keys there is one tenant, for callers on this machine
    if not keys:
        refuse_other_hosts(request)
        return LOCAL_TENANT
    # either header: clients differ in which one they can send
    key = bearer.credentials if bearer else header
    if not key:
        raise AuthenticationError
    ring: KeyRing | None = getattr(request.app.state, "keys", None)
    if ring is None:
        # cached per application: hashing all keys is slow
        ring = request.app.state.keys = KeyRing.of(keys)
    return ring.tenant_of(key)


def refuse_but_operators(
    request: Request, key: SecretStr | None, given: str | None, setting: str
) -> None:
    """Refuse callers without the key of a setting; without any keys, those on other machines.

    Keys of tenants are refused, as the routes show data of all tenants.

    Raises
    ------
    AuthenticationError
        If the key is missing or wrong, or there is none that would open.
    """
    # only its own key, not those of tenants
    if key is not None:
        if not given:
            raise AuthenticationError(f"send {setting} as `Authorization: Bearer <key>`")
        KeyRing.of([("operator", key)]).tenant_of(given)
    # with tenants, but without an operator's key, nobody has access
    elif bound_service(request).settings.api_keys:
        raise AuthenticationError(
            f"set {setting} and send that key: a tenant's does not open this path"
        )
    else:
        refuse_other_hosts(request)


def refuse_other_hosts(request: Request) -> None:
    """Without keys, refuse requests under other host names than this machine's.

    A page from elsewhere whose name was made to resolve to this machine (DNS rebinding) sends another host.
    """
    if request.url.hostname not in _OWN_NAMES:
        raise AuthenticationError(
            "without API keys only requests to 127.0.0.1 or localhost are served"
        )


class Guarded:
    """An application that is no route of the framework, behind the same keys."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        bearer, header = await bearer_scheme(request), await header_scheme(request)
        # dependencies of the framework do not run here: the key is checked explicitly
        tenant_of(request, bound_service(request), bearer, header)
        await self._app(scope, receive, send)


async def tenant_in_use(
    tenant: Annotated[str, Depends(tenant_of)], service: Bound
) -> AsyncGenerator[str]:
    """Return the tenant, and set its strata for the request."""
    # request models validate strata by this
    token = KNOWN_STRATA.set(service.configs.strata_of(tenant).order)
    try:
        yield tenant
    finally:
        KNOWN_STRATA.reset(token)


Tenant = Annotated[str, Depends(tenant_in_use)]


def caller_of(tenant: str, identity: Identity) -> Caller:
    return Caller(tenant, identity.agent_id, identity.channels, identity.users)


def caller_in_query(tenant: Tenant, identity: Annotated[Identity, Query()]) -> Caller:
    return caller_of(tenant, identity)


QueryCaller = Annotated[Caller, Depends(caller_in_query)]


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()
