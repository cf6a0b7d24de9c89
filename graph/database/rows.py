"""Records from the rows and nodes that a statement returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from neo4j.time import DateTime

if TYPE_CHECKING:
    from collections.abc import Mapping


def fields_of(kind: type[Any], row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a row holds of the fields of a dataclass, times as Python's; a null is left to its default."""
    values = {name: row.get(name) for name in kind.__dataclass_fields__}
    return {name: _native(value) for name, value in values.items() if value is not None}


def _native(value: Any) -> Any:
    return value.to_native() if isinstance(value, DateTime) else value
