"""Parsing and validation of an engine configuration file.

Each error names the place in the file, such as ``agent_types.household.memory_config.params.W_recency``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from graph.kernel.errors import InvalidInputError
from graph.model.engines.config import (
    ENGINE_SETTINGS,
    ENGINES,
    PARAMETERS,
    AgentEngine,
    AgentType,
    EngineConfig,
    Table,
    TenantEngines,
    changed,
)
from graph.model.strata.config import STRATA_SETTINGS
from graph.model.utility.configs import ConfigValue
from graph.model.utility.settings import Setting

_HUMAN_CENTRIC = "humancentric"
_MODES = ("basic", "weighted", "saliency")
_TABLES = ("emotion_keywords", "source_patterns")
_MOST = 1_000  # entries of a table, and agent types

OF_STRATA: Mapping[str, str] = MappingProxyType(
    {
        "max_working": "working_capacity",
        "max_longterm": "long_term_capacity",
        "I_gate": "consolidation_gate",
        "P_burn": "consolidation_probability",
        "arousal_threshold": "arousal_threshold",
    }
)
"""Parameters that say how memories are kept and when agents wake up, and the setting of strata of each."""

_IN_CODE = "surprise_strategy"


Place = tuple[str, ...]
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


class EngineFileError(InvalidInputError):
    """Entry of a configuration of engines that cannot be used."""

    def __init__(self, place: Place, text: str) -> None:
        # Input is not repeated, apart from keys that are plain words.
        named = ".".join(name if _PLAIN.fullmatch(name) else "…" for name in place)
        super().__init__(f"{named}: {text}", field=named)
        self.place = place  # keys that lead to it
        self.text = text


@dataclass(frozen=True, slots=True)
class EngineFile:
    """A valid configuration: the engines, and the named settings of strata."""

    engines: TenantEngines
    strata: Mapping[str, ConfigValue]


def read_engines(data: object) -> EngineFile:
    """Validate the parsed content of a file.

    Raises
    ------
    InvalidInputError
        With the place of the first entry that cannot be used as its field.
    """
    whole = _mapping(data, (), ("memory_config", "agent_types", *_TABLES))
    strata: dict[str, ConfigValue] = {}
    engine = _engine(whole, (), AgentEngine(), strata)
    types = _named(whole.get("agent_types", {}), ("agent_types",))
    if strata.get("working_capacity") or strata.get("long_term_capacity"):
        strata["eviction"] = "smart"
    return EngineFile(
        TenantEngines(
            engine,
            tuple(_type(name, said, ("agent_types", name), engine) for name, said in types.items()),
        ),
        strata,
    )


def _type(name: str, data: object, place: Place, usual: AgentEngine) -> AgentType:
    said = _mapping(data, place, ("agents", "memory_config", *_TABLES))
    agents = said.get("agents", [name, f"{name}-*", f"{name}_*"])
    if not _is_names(agents):
        raise _error((*place, "agents"), "must be a list of names or patterns")
    return AgentType(name, tuple(agents), _engine(said, place, usual, None))


def _engine(
    said: Mapping[str, Any], place: Place, usual: AgentEngine, strata: dict[str, ConfigValue] | None
) -> AgentEngine:
    found = usual
    if "memory_config" in said:
        where = (*place, "memory_config")
        found = replace(found, config=_config(said["memory_config"], where, usual.config, strata))
    for key, name in (("emotion_keywords", "emotions"), ("source_patterns", "sources")):
        if key in said:
            found = replace(found, **{name: _table(said[key], (*place, key))})
    return found


def _config(
    data: object, place: Place, usual: EngineConfig, strata: dict[str, ConfigValue] | None
) -> EngineConfig:
    said = _mapping(data, place, ("type", "params"))
    params = dict(_named(said.get("params", {}), (*place, "params")))
    values: dict[str, object] = {"engine": _law(said, params, place, usual)}
    for name, value in params.items():
        where = (*place, "params", name)
        if name in OF_STRATA:
            _put(strata, name, value, where)
            continue
        if name == _IN_CODE:
            raise _error(where, "attach a plugin to each agent instead: POST /v1/arousal/plugin")
        if name not in PARAMETERS:
            raise _error(where, f"there is no such parameter; known are {_known()}")
        if PARAMETERS[name] in values:
            raise _error(where, "is said twice, by two names")
        values[PARAMETERS[name]] = _checked(ENGINE_SETTINGS[PARAMETERS[name]], value, where)
    return changed(usual, values)


def _law(
    said: Mapping[str, Any], params: dict[str, Any], place: Place, usual: EngineConfig
) -> object:
    """Read the engine from ``type``, and from ``ranking_mode`` for that of the source."""
    kind = said.get("type", usual.engine)
    mode = params.pop("ranking_mode", None)
    if kind == _HUMAN_CENTRIC:
        if mode is not None and mode not in _MODES:
            raise _error((*place, "params", "ranking_mode"), f"must be one of {', '.join(_MODES)}")
        return mode or "basic"
    if kind not in ENGINES:
        raise _error((*place, "type"), f"must be one of {', '.join((_HUMAN_CENTRIC, *ENGINES))}")
    if mode is not None:
        raise _error((*place, "params", "ranking_mode"), f"belongs to the type {_HUMAN_CENTRIC}")
    return kind


def _put(strata: dict[str, ConfigValue] | None, name: str, value: object, where: Place) -> None:
    if strata is None:
        raise _error(where, "holds for a whole tenant: say it outside agent_types")
    value = _checked(STRATA_SETTINGS[OF_STRATA[name]], value, where)
    strata[OF_STRATA[name]] = cast("ConfigValue", value)


def _checked(declared: Setting, value: object, where: Place) -> object:
    try:
        declared.check(value)
    except InvalidInputError as error:
        needed = str(error).partition(": ")[2]
        raise _error(where, needed) from error
    return float(cast("float", value)) if declared.type is float else value


def _table(data: object, place: Place) -> Table:
    table: dict[str, float] = {}
    for word, weight in _named(data, place).items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise _error((*place, word), "must be a weight in [0, 1]")
        if not word.strip():
            raise _error(place, "a keyword must not be empty")
        table[word.strip().casefold()] = float(weight)
    return table


def _mapping(data: object, place: Place, known: tuple[str, ...]) -> Mapping[str, Any]:
    said = _named(data, place)
    for name in said:
        if name not in known:
            raise _error((*place, name), f"is not known here; known are {', '.join(known)}")
    return said


def _named(data: object, place: Place) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise _error(place or ("memory_config",), "must be an object of names and values")
    said = cast("Mapping[Any, Any]", data)
    if len(said) > _MOST:
        raise _error(place, f"must have at most {_MOST} entries")
    for name in said:
        if not isinstance(name, str):
            raise _error((*place, str(name)), "must have text as its name")
    return said


def _is_names(value: object) -> bool:
    if not isinstance(value, list | tuple):
        return False
    names = cast("list[object]", value)
    return 0 < len(names) <= _MOST and all(isinstance(one, str) and one for one in names)


def _known() -> str:
    return ", ".join(sorted({*PARAMETERS, *OF_STRATA, "ranking_mode"}))


def _error(place: Place, text: str) -> EngineFileError:
    return EngineFileError(place, text)
