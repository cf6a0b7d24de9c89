"""What is set of utility while the service runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, encoded, reader, stated

if TYPE_CHECKING:
    from stratagraph.fields import ConfigFields, IdentityFields

_PATH = "/v1/utility/config"
_IDENTITY = frozenset({"agent_id", "channel_ids", "user_ids"})


def utility_config() -> Call[wire.UtilityConfigView]:
    return Call("GET", _PATH, reader(wire.UtilityConfigView))


def change_utility_config(caller: Caller, fields: ConfigFields) -> Call[wire.UtilityConfigView]:
    """Set values; None is sent, for it leaves a value to the environment again."""
    values: dict[str, Any] = {name: v for name, v in fields.items() if name not in _IDENTITY}
    body = encoded(values | caller.fields(fields))
    return Call("PATCH", _PATH, reader(wire.UtilityConfigView), body=body)


def reset_utility_config(caller: Caller, identity: IdentityFields) -> Call[wire.UtilityConfigView]:
    query = caller.fields(identity)
    return Call("DELETE", _PATH, reader(wire.UtilityConfigView), query=query)


def utility_config_changes(limit: int | None, cursor: str | None) -> Call[wire.ConfigChangePage]:
    query = stated({"limit": limit, "cursor": cursor})
    return Call("GET", f"{_PATH}/changes", reader(wire.ConfigChangePage), query=query)
