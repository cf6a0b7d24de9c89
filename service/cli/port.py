"""The port of the API."""

from __future__ import annotations

import errno
import socket
from collections.abc import Generator
from contextlib import contextmanager

from graph.kernel.errors import ConfigurationError, PortTakenError
from service.settings import Settings

API_PORT = 8400
# Addresses for a browser on this machine instead of those of all interfaces.
SHOWN = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}  # noqa: S104


@contextmanager
def bind_api(settings: Settings) -> Generator[socket.socket]:
    """Bind the API's port: the configured one, else the default or any free one."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as listener:
        reuse_address(listener, yes=True)
        # the default port may be used by another service: any free one is used then
        if not _bound(listener, settings.host, settings.port or API_PORT):
            if settings.port is not None:
                raise port_taken(settings.port)
            listener.bind((settings.host, 0))
        # Two sockets that reuse addresses may both bind a port until one listens: only ours may
        # meanwhile.
        reuse_address(listener, yes=False)
        yield listener


def reuse_address(listener: socket.socket, *, yes: bool) -> None:
    """Return whether a port is only held by the last connections of an ended process."""
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, yes)


def _bound(listener: socket.socket, host: str, port: int) -> bool:
    try:
        listener.bind((host, port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise ConfigurationError(f"Cannot listen on {host}: {error.strerror}") from error
        return False
    return True


def port_taken(port: int) -> PortTakenError:
    return PortTakenError(
        f"Port {port} is taken, and --port or STRATAGRAPH_PORT asks for it. Stop what listens there, "
        "choose another, or name none to get a free one."
    )


def api_url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{SHOWN.get(host, host)}:{port}"
