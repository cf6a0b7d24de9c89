"""`made`: lazy declarative construction of use cases from objects with the names of their fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_origin

from service.bootstrap.stores import Stores

if TYPE_CHECKING:
    from service.bootstrap.wiring import Service
    from service.use_cases.utility.configure import ConfigSection

T = TypeVar("T")
Part: TypeAlias = "cached_property[Any] | Callable[[Service], object] | ConfigSection | str | int"


def made(kind: Callable[..., T], **parts: Part) -> cached_property[T]:
    """Declare a use case of the service, created at first use.

    Each field gets the object of the service or its stores with its name, else its default. ``parts`` gives objects
    with other names: another use case, a store such as ``Stores.memories``, a function of the service, or a value.
    """
    # the alias of a generic has no signature
    make: Callable[..., T] = get_origin(kind) or kind

    def made_of(service: Service) -> T:
        given = {name: _resolved(part, service) for name, part in parts.items()}
        # only fields that were not given
        for name in inspect.signature(make).parameters.keys() - given.keys():
            if (place := _place(name, service)) is not None:
                given[name] = getattr(*place)
        return make(**given)

    return cached_property(made_of)


def _resolved(part: Part, service: Service) -> object:
    if isinstance(part, cached_property):
        owner = service.stores if part in vars(Stores).values() else service
        return getattr(owner, str(part.attrname))
    return part(service) if isinstance(part, FunctionType) else part


def _place(name: str, service: Service) -> tuple[object, str] | None:
    """Return the object with a name, of the service, else of its stores."""
    for owner, attribute in ((service, name), (service, f"_{name}"), (service.stores, name)):
        # Not `hasattr`, which would create the object, and hide its errors.
        if attribute in vars(owner) or attribute in vars(type(owner)):
            return owner, attribute
    return None
