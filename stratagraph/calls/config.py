"""What is set of utility and of strata while the service runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stratagraph import wire
from stratagraph.calls.call import Call, Caller, encoded, reader, stated

if TYPE_CHECKING:
    from stratagraph.fields import ConfigFields, IdentityFields, StrataConfigFields

_UTILITY = "/v1/utility/config"
_STRATA = "/v1/strata/config"
_IDENTITY = frozenset({"agent_id", "channel_ids", "user_ids"})


def utility_config() -> Call[wire.ConfigView]:
    return _show(_UTILITY)


def strata_config() -> Call[wire.ConfigView]:
    return _show(_STRATA)


def change_utility_config(caller: Caller, fields: ConfigFields) -> Call[wire.ConfigView]:
    return _change(_UTILITY, caller, fields)


def change_strata_config(caller: Caller, fields: StrataConfigFields) -> Call[wire.ConfigView]:
    return _change(_STRATA, caller, fields)


def reset_utility_config(caller: Caller, identity: IdentityFields) -> Call[wire.ConfigView]:
    return _reset(_UTILITY, caller, identity)


def reset_strata_config(caller: Caller, identity: IdentityFields) -> Call[wire.ConfigView]:
    return _reset(_STRATA, caller, identity)


def utility_config_changes(limit: int | None, cursor: str | None) -> Call[wire.ConfigChangePage]:
    return _changes(_UTILITY, limit, cursor)


def strata_config_changes(limit: int | None, cursor: str | None) -> Call[wire.ConfigChangePage]:
    return _changes(_STRATA, limit, cursor)


def _show(path: str) -> Call[wire.ConfigView]:
    return Call("GET", path, reader(wire.ConfigView))


def _change(path: str, caller: Caller, fields: IdentityFields) -> Call[wire.ConfigView]:
    """Set values; None is sent, for it leaves a value to the environment again."""
    values: dict[str, Any] = {name: v for name, v in fields.items() if name not in _IDENTITY}
    body = encoded(values | caller.fields(fields))
    return Call("PATCH", path, reader(wire.ConfigView), body=body)


def _reset(path: str, caller: Caller, identity: IdentityFields) -> Call[wire.ConfigView]:
    return Call("DELETE", path, reader(wire.ConfigView), query=caller.fields(identity))


def _changes(path: str, limit: int | None, cursor: str | None) -> Call[wire.ConfigChangePage]:
    query = stated({"limit": limit, "cursor": cursor})
    return Call("GET", f"{path}/changes", reader(wire.ConfigChangePage), query=query)
