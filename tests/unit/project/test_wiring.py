"""Every use case is made of what its fields ask for."""

from __future__ import annotations

import dataclasses
import sys
from functools import cached_property
from typing import Any, cast
from unittest.mock import MagicMock

import pytest

from service.bootstrap.making import made
from service.bootstrap.wiring import Service
from service.settings import Settings


@pytest.fixture(scope="module")
def service() -> Service:
    """Wire a service whose database, embedders and telemetry answer nothing."""
    parts: list[Any] = [MagicMock() for _ in range(5)]
    return Service(Settings(), *parts)


def _classes() -> dict[str, type]:
    """Return the classes of the product, but for protocols: those are not what is given."""
    modules = [
        module for name, module in sys.modules.items() if name.startswith(("graph.", "service."))
    ]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, type)]
    return {each.__name__: each for each in found if not getattr(each, "_is_protocol", False)}


def _named() -> list[str]:
    return [name for name, each in vars(Service).items() if isinstance(each, cached_property)]


@pytest.mark.parametrize("name", _named())
def test_each_field_of_a_use_case_gets_its_type(service: Service, name: str) -> None:
    use_case = getattr(service, name)
    if not dataclasses.is_dataclass(use_case):
        return
    classes = _classes()
    for field in dataclasses.fields(use_case):
        value = getattr(use_case, field.name)
        wanted = classes.get(str(field.type).partition("[")[0])
        if wanted is not None and not isinstance(value, MagicMock):
            assert isinstance(value, wanted), f"{name}.{field.name} is a {type(value).__name__}"


def test_a_field_that_nothing_is_named_as_fails_when_the_service_is_wired(service: Service) -> None:
    @dataclasses.dataclass
    class Asks:
        unheard_of: int

    class Other(Service):
        asks = made(Asks)

    other = cast("Any", object.__new__(Other))
    other.__dict__.update(vars(service))
    with pytest.raises(TypeError, match="unheard_of"):
        other.make_all()
