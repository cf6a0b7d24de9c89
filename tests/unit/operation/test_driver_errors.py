from __future__ import annotations

import pytest
from neo4j import exceptions

from graph.database.driver import ConstraintViolatedError, NothingToSearchError, mapped_errors
from graph.kernel.errors import (
    DatabaseCredentialsError,
    DatabaseError,
    DatabaseUnavailableError,
    DiskFullError,
    StratagraphError,
)

CLASSES = [
    value
    for value in (getattr(exceptions, name) for name in exceptions.__all__)
    if isinstance(value, type) and issubclass(value, Exception)
]


def made(kind: type[Exception]) -> Exception:
    return kind("as the server said it")


def mapped(error: Exception) -> StratagraphError:
    with pytest.raises(StratagraphError) as caught, mapped_errors():
        raise error
    assert caught.value.__cause__ is error
    return caught.value


def test_the_driver_names_its_exceptions() -> None:
    assert len(CLASSES) >= 30


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_exception_of_the_driver_becomes_one_of_ours(kind: type[Exception]) -> None:
    assert isinstance(mapped(made(kind)), DatabaseError)


@pytest.mark.parametrize(
    "kind",
    [
        exceptions.ServiceUnavailable,
        exceptions.SessionExpired,
        exceptions.TransientError,
        exceptions.DatabaseUnavailable,
        exceptions.IncompleteCommit,
        exceptions.ReadServiceUnavailable,
        exceptions.WriteServiceUnavailable,
        exceptions.RoutingServiceUnavailable,
        OSError,
        ConnectionRefusedError,
        TimeoutError,
    ],
)
def test_a_server_that_does_not_answer_is_unavailable(kind: type[Exception]) -> None:
    assert isinstance(mapped(made(kind)), DatabaseUnavailableError)


@pytest.mark.parametrize(
    "kind", [exceptions.AuthError, exceptions.TokenExpired, exceptions.AuthConfigurationError]
)
def test_a_refused_password_names_the_variables(kind: type[Exception]) -> None:
    error = mapped(made(kind))
    assert isinstance(error, DatabaseCredentialsError)
    assert "NEO4J_PASSWORD" in error.message


def test_a_taken_unique_value_is_told_apart() -> None:
    assert isinstance(mapped(made(exceptions.ConstraintError)), ConstraintViolatedError)


def test_no_message_repeats_what_the_server_said() -> None:
    for kind in CLASSES:
        assert "as the server said it" not in mapped(made(kind)).message


def test_errors_that_are_not_the_drivers_pass() -> None:
    with pytest.raises(KeyError), mapped_errors():
        raise KeyError("x")


def test_nothing_happens_where_nothing_is_raised() -> None:
    with mapped_errors():
        pass


class _TornLog(exceptions.DatabaseError):
    code = "Neo.DatabaseError.Transaction.TransactionLogError"  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] -- the driver sets it on hydration


class _Panicked(exceptions.DatabaseError):
    message = "The database has encountered a critical error, and needs to be restarted."  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] -- the driver sets it on hydration


def test_a_log_that_cannot_be_appended_to_is_a_full_disk() -> None:
    assert isinstance(mapped(_TornLog()), DiskFullError)


def test_a_database_that_closed_itself_is_unavailable_and_says_what_helps() -> None:
    error = mapped(_Panicked())
    assert isinstance(error, DatabaseUnavailableError)
    assert "restarted" in error.message


@pytest.mark.parametrize(
    ("message", "nothing"),
    [
        ("Index 33554431 out of bounds for length 1", True),
        ("Index 33554274 out of bounds for length 2", True),
        ("Index 5 out of bounds for length 5", False),
        ("Something else", False),
    ],
)
def test_a_search_past_the_end_of_an_index_is_told_apart(message: str, nothing: bool) -> None:
    error = mapped(exceptions.DatabaseError(message))
    assert isinstance(error, NothingToSearchError) == nothing
