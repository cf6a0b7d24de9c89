"""Views are made of what their sources name alike, and of the views in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from service.http.kernel.views import view_of, views_of
from stratagraph.wire.kernel.base import Answer


class PartView(Answer):
    scope: str


class WholeView(Answer):
    name: str
    part: PartView | None
    parts: tuple[PartView, ...]
    counts: dict[str, int] | None
    either: int | str | None


class Part(NamedTuple):
    scope: str


@dataclass
class Whole:
    name: str = "whole"
    part: Part | None = None
    parts: tuple[Part, ...] = ()
    counts: Any = None
    either: int | str | None = None
    secret: str = field(default="not shown")


def test_what_has_a_view_of_its_own_is_shown_by_it() -> None:
    whole = Whole(part=Part("acme/agent/one"), parts=(Part("acme/agent/two"), Part("acme/shared")))
    view = view_of(WholeView, whole)
    assert view.part == PartView(scope="agent/one")
    assert view.parts == (PartView(scope="agent/two"), PartView(scope="shared"))
    assert "acme" not in view.model_dump_json()


def test_what_is_missing_stays_missing() -> None:
    assert view_of(WholeView, Whole()).model_dump() == {
        "name": "whole",
        "part": None,
        "parts": (),
        "counts": None,
        "either": None,
    }


def test_counts_in_pairs_are_shown_by_name() -> None:
    assert view_of(WholeView, Whole(counts=(("a", 1), ("b", 2)))).counts == {"a": 1, "b": 2}


def test_what_is_given_beside_the_source_wins() -> None:
    assert view_of(WholeView, Whole(either=3), name="given").name == "given"
    assert [each.either for each in views_of(WholeView, [Whole(either=3), Whole(either="x")])] == [
        3,
        "x",
    ]


def test_a_field_that_the_source_lacks_fails() -> None:
    with pytest.raises(AttributeError):
        view_of(WholeView, Part("acme/shared"))
