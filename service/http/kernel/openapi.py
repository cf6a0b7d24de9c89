"""The OpenAPI description, and its pages at `/docs`, without external resources."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from stratagraph import wire
from stratagraph.operations.table import OPERATIONS

DOCS = "/docs"
ASSETS = "/docs-assets"
_SCHEMA_PLACE = "#/components/schemas/{model}"
# Swagger UI uses inline styles
_POLICY = "default-src 'self' 'unsafe-inline'; img-src 'self' data:"


def request_body(
    examples: Mapping[str, tuple[str, Mapping[str, Any]]],
    *models: type[BaseModel],
    media_types: tuple[str, ...] = ("application/json",),
) -> dict[str, Any]:
    """Describe a body that the route reads by itself."""
    schemas = [{"$ref": _SCHEMA_PLACE.format(model=model.__name__)} for model in models]
    content = {
        "schema": schemas[0] if len(schemas) == 1 else {"oneOf": schemas},
        "examples": {
            name: {"summary": summary, "value": value}
            for name, (summary, value) in examples.items()
        },
    }
    return {"requestBody": {"required": True, "content": dict.fromkeys(media_types, content)}}


def describe_bodies(app: FastAPI) -> None:
    """Add the models of such bodies to the description."""

    def description() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _description(app)
        return app.openapi_schema

    app.openapi = description


def _description(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    _, requests = models_json_schema(
        [(model, "validation") for model in _bodies()], ref_template=_SCHEMA_PLACE
    )
    _, answers = models_json_schema([(wire.Problem, "serialization")], ref_template=_SCHEMA_PLACE)
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    # merged: a model that is sent and answered has one name
    schemas.update(requests["$defs"])
    schemas.update(answers["$defs"])
    return document


def _bodies() -> set[type[BaseModel]]:
    """Return the models of all bodies."""
    with_body = [each for each in OPERATIONS.values() if each.has_body]
    return {model for each in with_body for model in each.bodies or (each.takes,) if model}


def serve_docs(app: FastAPI) -> None:
    """Serve Swagger UI from its wheel."""
    folder = resources.files("fastapi_offline") / "static"
    app.mount(ASSETS, StaticFiles(directory=str(folder)), name="docs-assets")

    def docs() -> HTMLResponse:
        page = get_swagger_ui_html(
            openapi_url="/openapi.json",
            title=f"{app.title} API",
            swagger_js_url=f"{ASSETS}/swagger-ui-bundle.js",
            swagger_css_url=f"{ASSETS}/swagger-ui.css",
            swagger_favicon_url="data:,",  # prevents a request for an icon
            # the external validator would receive the description
            swagger_ui_parameters={"validatorUrl": None, "tryItOutEnabled": True},
        )
        page.headers["Content-Security-Policy"] = _POLICY
        return page

    app.add_api_route(DOCS, docs, include_in_schema=False)
