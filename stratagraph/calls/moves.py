"""Moving memories between strata by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, post, stated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph.fields import MoveFields, PromotionFields


def move(
    caller: Caller, direction: wire.MoveDirection, names: Sequence[str], fields: MoveFields
) -> Call[wire.MovesAnswer]:
    """What a lost answer moved is not asked for again: it would go one further."""
    body = {"direction": direction, "names": list(names)}
    call = post("/v1/strata/moves", body | stated(fields) | caller.fields(fields), wire.MovesAnswer)
    return replace(call, repeatable=fields.get("dry_run") is True)


def promote_successful(caller: Caller, fields: PromotionFields) -> Call[wire.MovesAnswer]:
    """What a lost answer moved is not asked for again: it would go one further."""
    body = stated(fields) | caller.fields(fields)
    call = post("/v1/strata/promotions", body, wire.MovesAnswer)
    return replace(call, repeatable=fields.get("dry_run") is not False)
