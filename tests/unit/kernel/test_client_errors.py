"""Every error of the service has an exception in the client."""

from __future__ import annotations

import pickle

import httpx
import pytest

from service.http.kernel.errors import STATUSES, URN
from stratagraph import (
    NotFoundError,
    RefusedError,
    ServiceError,
    StratagraphError,
    errors,
    wire,
)
from stratagraph.exchange import refusal

SLUGS = [
    *((slug, int(status)) for status, slug in STATUSES.values()),
    ("internal", 500),
    ("method-not-allowed", 405),
]


def answered(slug: str, status: int) -> StratagraphError:
    problem = wire.Problem(
        type=URN + slug, title="Title", status=status, detail="this case", request_id="r"
    )
    return refusal(httpx.Response(status, content=problem.model_dump_json()), "http://there", "q")


@pytest.mark.parametrize(("slug", "status"), SLUGS)
def test_every_error_of_the_service_has_its_exception(slug: str, status: int) -> None:
    error = answered(slug, status)
    assert type(error) is errors.BY_TYPE[slug]
    assert isinstance(error, errors.BY_STATUS[status])
    assert (error.type, error.status, error.request_id) == (slug, status, "r")
    assert str(error).startswith(f"http://there: this case ({status})")


def test_no_exception_is_for_an_error_that_the_service_does_not_know() -> None:
    assert errors.BY_TYPE.keys() == {slug for slug, _ in SLUGS}


@pytest.mark.parametrize(
    ("status", "kind"),
    [(409, errors.ConflictError), (412, errors.PreconditionFailedError), (418, RefusedError)],
)
def test_an_error_of_a_later_release_is_told_by_its_status(
    status: int, kind: type[RefusedError]
) -> None:
    assert type(answered("of-tomorrow", status)) is kind


def test_an_error_survives_the_way_to_another_process() -> None:
    error = answered("not-found", 404)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own
    assert isinstance(error, NotFoundError)
    assert isinstance(again, NotFoundError)
    assert (str(again), again.problem) == (str(error), error.problem)


def test_the_tree_is_drawn_as_it_is() -> None:
    drawn = (errors.__doc__ or "").split("A problem")[0]
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    ours = [kind for kind in kinds if issubclass(kind, StratagraphError)]
    assert len(ours) > 10
    for kind in ours:
        [line] = [line for line in drawn.splitlines() if f"{kind.__name__} " in f"{line} "]
        assert line.index(kind.__name__) == 4 * (len(kind.__mro__) - 4)


def test_a_fault_of_the_service_names_its_request() -> None:
    error = answered("internal", 500)
    assert isinstance(error, ServiceError)
    assert error.request_id == "r"
