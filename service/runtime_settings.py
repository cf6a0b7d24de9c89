"""Environment variables of the settings that can be changed while the service runs."""

from __future__ import annotations

from functools import partial
from math import isinf
from typing import TYPE_CHECKING, Annotated, Any, Literal

from annotated_types import Ge, Gt, Le
from pydantic import AfterValidator, Field, StringConstraints, create_model
from pydantic_settings import BaseSettings

from graph.model.strata.config import STRATA_SETTINGS
from graph.model.utility.config import UTILITY_SETTINGS
from service.variables import seed_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from graph.model.utility.settings import Setting


def _field(setting: Setting) -> tuple[Any, Any]:
    kind: Any = Literal[*setting.choices] if setting.choices else setting.type
    if setting.range is not None:
        low, high, above = setting.range
        kind = Annotated[kind, Gt(low) if above else Ge(low)]
        kind = kind if isinf(high) else Annotated[kind, Le(high)]
    if setting.form is not None:
        kind = Annotated[str, StringConstraints(pattern=f"^(?:{setting.form})$")]
    if setting.reads is not None:
        kind = Annotated[kind, AfterValidator(partial(_readable, setting.reads))]
    variable = setting.variable and seed_name(setting.variable, setting.name)
    return kind, Field(default=setting.default, validation_alias=variable, description=setting.text)


def _readable(reads: Callable[[str], object], value: str) -> str:
    reads(value)
    return value


_FIELDS: dict[str, Any] = {
    name: _field(setting) for name, setting in {**UTILITY_SETTINGS, **STRATA_SETTINGS}.items()
}

if TYPE_CHECKING:
    RuntimeSettings = BaseSettings
else:
    RuntimeSettings = create_model("RuntimeSettings", __base__=BaseSettings, **_FIELDS)
