"""Checker of the client: a signed request to an address that a setting allows."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import httpx

from graph.model.cycles.checks import Check, Finding, undecided

_MOST_BYTES = 65_536
_OK = 200
SIGNATURE = "x-stratagraph-signature"
TIMESTAMP = "x-stratagraph-timestamp"


@dataclass(frozen=True, slots=True)
class SignedCallback:
    """The default ``CallbackChecker``.

    The signature is the HMAC-SHA256 of ``timestamp.body`` in hexadecimal. Redirects are not followed, and addresses
    must begin with an allowed one, up to a boundary of its path.
    """

    allowed: tuple[str, ...]
    secret: str
    now: Callable[[], datetime]
    seconds: float = 2.0

    async def check(self, check: Check) -> Finding:
        """See ``CallbackChecker.check``."""
        address = check.given.get("url")
        if not isinstance(address, str) or not self._allows(address):
            return undecided(
                "callback", "the setting callback_addresses does not allow this address"
            )
        if not self.secret:
            return undecided("callback", "the setting callback_secret is not set")
        try:
            return await self._ask(address, check.given.get("value"))
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError):
            return undecided("callback", f"no usable answer within {self.seconds:g} s")

    def _allows(self, address: str) -> bool:
        try:
            asked = httpx.URL(address)
        except httpx.InvalidURL:
            return False
        return any(_is_below(asked, httpx.URL(one)) for one in self.allowed)

    async def _ask(self, address: str, value: object) -> Finding:
        body = json.dumps({"value": value}, ensure_ascii=False).encode()
        at = str(int(self.now().timestamp()))
        signed = hmac.new(self.secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
        headers = {
            "content-type": "application/json",
            TIMESTAMP: at,
            SIGNATURE: signed.hexdigest(),
        }
        # No proxy of the environment: only the allowed address is contacted.
        async with httpx.AsyncClient(timeout=self.seconds, trust_env=False) as client:
            return _finding(await _answer(client, address, body, headers, self.seconds))


async def _answer(
    client: httpx.AsyncClient, address: str, body: bytes, headers: dict[str, str], seconds: float
) -> Any:
    async with asyncio.timeout(seconds):  # in total: an HTTP timeout restarts with each byte
        async with client.stream("POST", address, content=body, headers=headers) as response:
            if response.status_code != _OK:
                raise ValueError(response.status_code)
            content = b""
            async for part in response.aiter_bytes():
                content += part
                if len(content) > _MOST_BYTES:
                    raise ValueError("too long")
    return json.loads(content)


def _finding(answer: Any) -> Finding:
    said = cast("dict[str, Any]", answer) if isinstance(answer, dict) else {}
    verdict, why = said.get("verdict"), said.get("why")
    if verdict not in ("passed", "failed"):
        return undecided("callback", "the callback does not decide")
    return Finding("callback", verdict, why[:500] if isinstance(why, str) else "says the callback")


def _is_below(asked: httpx.URL, allowed: httpx.URL) -> bool:
    same = (asked.scheme, asked.host, asked.port) == (allowed.scheme, allowed.host, allowed.port)
    base = allowed.path.rstrip("/")
    is_inside = asked.path == base or asked.path.startswith(f"{base}/")
    return same and not asked.userinfo and ".." not in asked.path and is_inside
