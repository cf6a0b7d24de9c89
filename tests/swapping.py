"""A service with some replaced parts, and its application."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from copy import copy
from functools import cache
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import State

from service.app import create_app
from service.bootstrap import Service
from service.http.kernel.state import bind


def swapped(service: Service, **parts: Any) -> Service:
    """Return a copy of a service with some replaced parts; the rest is shared."""
    other = copy(service)
    unknown = [name for name in parts if not hasattr(other, name)]
    assert not unknown, unknown
    vars(other).update(parts)
    return other


def app_for(service: Service) -> FastAPI:
    """Let one application serve a service, instead of the previous one.

    FastAPI builds the schemas of routes for each application, in a fifth of a second.
    """
    app = _app()
    app.state = State()  # the application caches the keys of the previous service
    bind(app, service)
    return app


@cache
def _app() -> FastAPI:
    return create_app(_none)


def _none() -> AbstractAsyncContextManager[Service]:
    raise AssertionError("the application of swapped services opens none")
