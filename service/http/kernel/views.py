"""Conversion of values to views, and of requests to values, by equal names; names and tags of memories."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from http import HTTPStatus
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin

from fastapi import Path
from starlette.responses import Response

from graph.kernel.scope import without_tenant
from graph.model.memories.memory import Memory
from stratagraph import wire

MemoryName = Annotated[
    str,
    Path(
        max_length=265,
        description="A uid, or `external:<external_id>`.",
        examples=["external:ticket-17"],
    ),
]


def uid_of(what: str) -> Any:
    """Describe a uid in a path."""
    return Path(max_length=64, description=what, examples=[wire.UID_EXAMPLE])


A = TypeVar("A", bound=wire.Answer)
V = TypeVar("V")


def view_of(view: type[A], source: object, /, **own: Any) -> A:
    """Return a view with the source's fields of equal names; others are given in ``own``.

    Scopes are shown without their tenant, nested values by their views.
    """
    shown = {name: show(getattr(source, name)) for name, show in _shows(view) if name not in own}
    return view(**shown, **own)


def views_of(view: type[A], sources: Iterable[object]) -> tuple[A, ...]:
    """Return the views of several sources."""
    return tuple(view_of(view, source) for source in sources)


def value_of(kind: type[V], request: wire.Request, /, **own: Any) -> V:
    """Return a dataclass with the request's fields of equal names, the others in ``own``, else defaults."""
    fields = {
        name: getattr(request, name) for name in _alike(kind, type(request)) if name not in own
    }
    return kind(**fields, **own)


# cached for each pair: models do not change
@cache
def _alike(kind: type[Any], request: type[wire.Request]) -> tuple[str, ...]:
    return tuple(
        field.name for field in dataclasses.fields(kind) if field.name in request.model_fields
    )


@cache
def _shows(view: type[wire.Answer]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    return tuple(
        (name, without_tenant if name == "scope" else _how(info.annotation))
        for name, info in view.model_fields.items()
    )


def _how(annotation: Any) -> Callable[[Any], Any]:
    """Return the conversion of a value to a view's annotation."""
    origin, parts = get_origin(annotation), get_args(annotation)
    choices = [each for each in parts if each is not NoneType]
    if NoneType in parts and len(choices) == 1:
        show = _how(choices[0])
        return lambda value: None if value is None else show(value)
    if _is_view(annotation):
        return partial(view_of, annotation)
    if origin is tuple and _is_view(parts[0]):
        return partial(views_of, parts[0])
    # a copy: views must not share mutable values with the source
    return dict if origin is dict else _as_it_is


def _is_view(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, wire.Answer)


def _as_it_is(value: Any) -> Any:
    return value


def entity_tag(uid: str, revision: int) -> str:
    """Return the ETag of a memory's content; Q and counts do not change it."""
    return f'"{uid}-{revision}"'


def json_answer(
    status: HTTPStatus, view: wire.Answer, headers: Mapping[str, str] | None = None
) -> Response:
    # Rendered here once: the framework would validate and copy it again.
    body = view.model_dump_json(by_alias=True)
    return Response(body, status, dict(headers or {}), media_type="application/json")


def memory_answer(memory: Memory) -> Response:
    """Return the answer with a memory, and its tag for later changes."""
    tag = entity_tag(memory.uid, memory.revision)
    view = view_of(
        wire.SingleMemoryView,
        memory,
        supersedes=views_of(wire.SupersedingView, memory.replaces),
        superseded_by=views_of(wire.SupersedingView, memory.replaced_by),
    )
    return json_answer(HTTPStatus.OK, view, {"ETag": tag})
