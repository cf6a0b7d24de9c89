from __future__ import annotations

import pytest

from graph.kernel.scope import Caller
from graph.model.recall.candidates import Context, Filters
from service.use_cases.recall.contexts import MOST_CONTEXTS, contexts_of
from service.use_cases.recall.request import RecallRequest

ANNA = Caller("local", "anna")


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        (RecallRequest(ANNA, text="x"), ()),
        (RecallRequest(ANNA, text="x", phase="planning"), ("phase:planning",)),
        (
            RecallRequest(ANNA, text="x", filters=Filters(domain="tea", tags_all=("b", "a"))),
            ("domain:tea", "tag:a", "tag:b"),
        ),
        (
            RecallRequest(
                ANNA,
                text="x",
                phase="action",
                filters=Filters(domain="tea", tags_all=("a",)),
                context=Context("coffee", ("z", "z")),
            ),
            ("phase:action", "domain:coffee", "tag:z"),
        ),
        (RecallRequest(ANNA, text="x", filters=Filters(domain="tea"), context=Context()), ()),
        (RecallRequest(ANNA, text="x", filters=Filters(tags_any=("a",), phase="action")), ()),
    ],
)
def test_a_request_stands_in_its_phase_its_domain_and_its_tags(
    request_: RecallRequest, names: tuple[str, ...]
) -> None:
    assert contexts_of(request_) == names


def test_contexts_are_bounded() -> None:
    tags = tuple(f"t{place:02}" for place in range(40))
    names = contexts_of(RecallRequest(ANNA, text="x", context=Context("d", tags)))
    assert len(names) == MOST_CONTEXTS
    assert names[:2] == ("domain:d", "tag:t00")
