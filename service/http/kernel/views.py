"""Names, views and tags of memories."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

from fastapi import Path
from starlette.responses import Response

from graph.model.memories.memory import Memory
from graph.model.memories.superseding import Superseding
from stratagraph import wire

MemoryName = Annotated[
    str,
    Path(
        max_length=265,
        description="A uid, or `external:<external_id>`.",
        examples=["external:ticket-17"],
    ),
]


A = TypeVar("A", bound=wire.Answer)


def view_of(view: type[A], source: object, **own: Any) -> A:
    """Show what a view and its source name alike; what is named or shown otherwise is given beside it."""
    alike = view.model_fields.keys() - own.keys()
    return view(**{name: getattr(source, name) for name in alike}, **own)


def memory_view(memory: Memory) -> wire.MemoryView:
    """Show a memory; the tenant is left out of its scope."""
    return wire.MemoryView(**memory_values(memory))


def memory_values(memory: Memory) -> dict[str, Any]:
    """Return what is shown of a memory."""
    shown = {name: getattr(memory, name) for name in wire.MemoryView.model_fields}
    return {**shown, "scope": scope_view(memory.scope)}


def scope_view(scope: str) -> str:
    return scope.partition("/")[2]


def entity_tag(uid: str, revision: int) -> str:
    """Return the ETag of what a memory says; Q and counts do not change it."""
    return f'"{uid}-{revision}"'


def json_answer(
    status: HTTPStatus, view: wire.Answer, headers: Mapping[str, str] | None = None
) -> Response:
    # Rendered once, here: the framework would validate and copy it all again.
    body = view.model_dump_json(by_alias=True)
    return Response(body, status, dict(headers or {}), media_type="application/json")


def memory_answer(memory: Memory) -> Response:
    """Show one memory, with the tag by which a change can say what it was made from."""
    tag = entity_tag(memory.uid, memory.revision)
    view = wire.SingleMemoryView(
        **memory_values(memory),
        supersedes=tuple(map(_superseding, memory.replaces)),
        superseded_by=tuple(map(_superseding, memory.replaced_by)),
    )
    return json_answer(HTTPStatus.OK, view, {"ETag": tag})


def _superseding(other: Superseding) -> wire.SupersedingView:
    return view_of(wire.SupersedingView, other)
