"""`made`: a use case declared in a line, made of what has the names of its fields."""

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
    """Declare a use case of the service; it is made when it is first asked for, and kept.

    Each of its fields gets what the service or its stores have by that name; where they have none, a
    field keeps its default. ``parts`` gives what is named otherwise there: another use case, a store
    such as ``Stores.memories``, a function of the service, or a value.
    """
    # the alias of a generic has no signature
    make: Callable[..., T] = get_origin(kind) or kind

    def made_of(service: Service) -> T:
        given = {name: _resolved(part, service) for name, part in parts.items()}
        # only what nobody gave is looked up
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
    """Find what has that name; what the service itself has goes before a store."""
    for owner, attribute in ((service, name), (service, f"_{name}"), (service.stores, name)):
        # Not `hasattr`: it would make the thing, and hide that this failed.
        if attribute in vars(owner) or attribute in vars(type(owner)):
            return owner, attribute
    return None
