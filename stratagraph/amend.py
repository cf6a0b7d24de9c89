"""The request that changes a memory. No I/O."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from stratagraph.call import Call, Caller, encoded
from stratagraph.operations.memories import AMEND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stratagraph import wire
    from stratagraph.fields import IdentityFields, PatchFields

_MERGE_PATCH = "application/merge-patch+json"


def amend(
    caller: Caller,
    name: str,
    changes: PatchFields | Mapping[str, Any],
    if_match: wire.MemoryView | str | None,
    identity: IdentityFields,
) -> Call[wire.AmendedView]:
    """Return the request; with ``if_match`` it is not repeated.

    A repeat could not tell its own change from another's.
    """
    headers = {"Content-Type": _MERGE_PATCH}
    if if_match is not None:
        headers["If-Match"] = if_match if isinstance(if_match, str) else tag_of(if_match)
    call = AMEND.call(caller, {"name": name})
    return replace(
        call,
        query=caller.fields(identity),
        body=encoded(dict(cast("Mapping[str, Any]", changes))),
        headers=headers,
        repeatable=if_match is None,
    )


def tag_of(memory: wire.MemoryView) -> str:
    """Return the entity tag of a memory as it was read."""
    return f'"{memory.uid}-{memory.revision}"'
