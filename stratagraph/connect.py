"""Address of a service, and the connection: key, certificates, proxy."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import httpx
import truststore

from stratagraph.errors import UsageError

DEFAULT_URL = "http://127.0.0.1:8400"
URL_VARIABLE = "STRATAGRAPH_URL"
KEY_VARIABLE = "STRATAGRAPH_API_KEY"
CONNECT_SECONDS = 5.0

Verify = bool | str | Path | ssl.SSLContext
Certificate = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """Address and key of a service."""

    url: httpx.URL
    key: str | None

    @property
    def shown(self) -> str:
        """The address without user and password, for messages."""
        return str(self.url.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every request."""
        headers = {"User-Agent": f"stratagraph/{_version()}", "Accept": "application/json"}
        if self.key and self.url.userinfo:
            # The address has its own authorization, for a proxy in front of the service.
            headers["X-API-Key"] = self.key
        elif self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        return headers

    @property
    def is_here(self) -> bool:
        """Return whether it names this machine, which a proxy cannot reach."""
        return self.url.host in {"localhost", "127.0.0.1", "::1"}


def target_of(url: str | None, api_key: str | None, environ: Mapping[str, str]) -> Target:
    """Return the given address, else that of the environment, else the default.

    Raises
    ------
    UsageError
        If the address or the key cannot be used.
    """
    said = url or environ.get(URL_VARIABLE) or DEFAULT_URL
    key = api_key or environ.get(KEY_VARIABLE) or None
    # httpx would fail during a request, and show the key
    if key is not None and not (key.isascii() and key.isprintable()):
        raise UsageError("The API key holds characters that no header can carry.")
    return Target(_url(said), key)


def http_options(
    target: Target, verify: Verify, cert: Certificate | None, proxy: str | None
) -> dict[str, Any]:
    """Return the arguments of both httpx clients."""
    return {
        "base_url": target.url,
        "headers": target.headers,
        "verify": tls_context(verify, cert),
        "proxy": proxy,
        "trust_env": not target.is_here,
        # a redirect would send the key to another address
        "follow_redirects": False,
    }


def tls_context(verify: Verify, cert: Certificate | None) -> ssl.SSLContext:
    """Return a TLS context that trusts the machine's authorities, a file or folder, or (False) any certificate.

    Raises
    ------
    UsageError
        If a certificate cannot be read.
    """
    if isinstance(verify, ssl.SSLContext):
        return verify
    try:
        context = _trusting(verify)
        if cert is not None:
            context.load_cert_chain(*((cert,) if isinstance(cert, str) else cert))
    except OSError as error:
        raise UsageError(f"A certificate cannot be used: {error}") from error
    return context


def timeouts(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def environment() -> Mapping[str, str]:
    return os.environ


def _trusting(verify: bool | str | Path) -> ssl.SSLContext:
    if verify is True:
        # the machine's own store, which includes authorities of a company
        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if verify is False:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    place = Path(verify)
    if place.is_dir():
        return ssl.create_default_context(capath=place)
    return ssl.create_default_context(cafile=place)


def _url(said: str) -> httpx.URL:
    try:
        url = httpx.URL(said)
    except httpx.InvalidURL as error:
        raise UsageError(f"The address of the service cannot be used: {error}") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise UsageError(
            "The address of the service must look like http://127.0.0.1:8400 "
            "or https://memory.example.com/prefix."
        )
    return url


@cache
def _version() -> str:
    try:
        return version("stratagraph")
    except PackageNotFoundError:
        return "unknown"
