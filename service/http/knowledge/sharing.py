"""`/v1/knowledge/export` and `/import`: exchange of learned counts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from graph.kernel.scope import Caller, without_tenant
from graph.knowledge.ledger import key_of
from graph.knowledge.sharing import NoiseParameters, SharedKnowledge
from graph.model.knowledge.executions import (
    ContextCounts,
    ErrorCounts,
    ParameterCounts,
    Pattern,
    ToolCounts,
)
from service.http.kernel.routing import serves
from service.http.kernel.state import Bound
from service.http.kernel.views import view_of
from service.use_cases.knowledge.share import SharingWish
from stratagraph import wire
from stratagraph.operations.knowledge import EXPORT_KNOWLEDGE, IMPORT_KNOWLEDGE

router = APIRouter()

# Each kind with its record, its lines in a file, and its key fields.
_SORTS: dict[str, tuple[type[Any], type[BaseModel], tuple[str, ...]]] = {
    "tools": (ToolCounts, wire.SharedTool, ("tool",)),
    "contexts": (ContextCounts, wire.SharedContext, ("tool", "context")),
    "errors": (ErrorCounts, wire.SharedError, ("tool", "error")),
    "parameters": (ParameterCounts, wire.SharedParameter, ("tool", "parameter")),
    "patterns": (Pattern, wire.SharedPattern, ("pattern_type", "pattern")),
}


@serves(router, EXPORT_KNOWLEDGE)
async def export_knowledge(
    caller: Caller, body: wire.ExportKnowledgeRequest, service: Bound
) -> wire.SharedKnowledgeView:
    wish = SharingWish(body.least, body.values_of, body.epsilon)
    file = await service.export_knowledge(caller, wish, body.scope_kind)
    return _view(file)


@serves(router, IMPORT_KNOWLEDGE)
async def import_knowledge(
    caller: Caller, body: wire.ImportKnowledgeRequest, service: Bound
) -> wire.ImportedKnowledgeView:
    file = _file(body.file)
    scope, merged, left_out = await service.import_knowledge(caller, file, body.scope_kind)
    return view_of(
        wire.ImportedKnowledgeView,
        merged,
        scope=without_tenant(scope),
        source=file.source,
        left_out=left_out,
    )


def _view(file: SharedKnowledge) -> wire.SharedKnowledgeView:
    rows: dict[str, Any] = {
        name: tuple(line(**_to_line(line, each)) for each in getattr(file, name))
        for name, (_, line, _) in _SORTS.items()
    }
    noise = file.noise and wire.SharedNoise(
        epsilon=file.noise.epsilon, sensitivity=file.noise.sensitivity, scale=file.noise.scale
    )
    return wire.SharedKnowledgeView(
        source=file.source, made_at=file.made_at, least=file.least, noise=noise, **rows
    )


def _to_line(line: type[BaseModel], record: Any) -> dict[str, Any]:
    said = asdict(record)
    return {name: said[name] for name in line.model_fields}


def _file(view: wire.SharedKnowledgeView) -> SharedKnowledge:
    noise = view.noise and NoiseParameters(view.noise.epsilon, view.noise.sensitivity)
    rows: dict[str, Any] = {
        name: [_record(kind, names, each) for each in getattr(view, name)]
        for name, (kind, _, names) in _SORTS.items()
    }
    return SharedKnowledge(view.source, view.made_at, view.least, noise=noise, **rows)


def _record(kind: type[Any], names: tuple[str, ...], line: BaseModel) -> Any:
    said = line.model_dump()
    key = key_of(*(said[name] for name in names))
    if "steps" in said:
        said["steps"] = list(said["steps"])
    return kind(key=key, **said)
