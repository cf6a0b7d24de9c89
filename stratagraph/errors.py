"""Everything a client raises.

StratagraphError
├── UsageError                    the client was given something it cannot use
├── ConnectionFailedError         nobody answered
│   └── RequestTimeoutError       nobody answered in time
├── UnexpectedAnswerError         what answered is no Stratagraph service, or another release
└── RefusedError                  the service answered with a problem
    ├── InvalidRequestError       something in the request cannot be used
    │   └── PayloadTooLargeError  the request is larger than is read
    ├── UnauthorizedError         no API key, an unknown one, or not from this address
    ├── NotFoundError             nothing with that name in the caller's scopes
    ├── MethodNotAllowedError     this release of the service does not serve that
    ├── ConflictError             it clashes with what is stored
    │   ├── BudgetExceededError      a scope holds as many episodes as it may
    │   └── PreconditionFailedError  it was changed since it was read
    ├── UnavailableError          the service or its database cannot answer now
    │   └── RateLimitedError      too many requests
    └── ServiceError              a fault of the service or of its set-up

A problem of a type that this release does not know is raised by its status, else as
RefusedError itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stratagraph.wire import FaultView, Problem

URN = "urn:stratagraph:error:"


class StratagraphError(Exception):
    """A call did not do what it was asked for."""

    def __init__(self, message: str, *, request_id: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.request_id = request_id

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, self.__dict__)


class UsageError(StratagraphError):
    """The client was given something it cannot use, such as a faulty address."""


class ConnectionFailedError(StratagraphError):
    """Nobody answered; whether the request arrived is not known unless ``sent`` is false."""

    def __init__(self, message: str, *, request_id: str | None = None, sent: bool = True) -> None:
        super().__init__(message, request_id=request_id)
        self.sent = sent


class RequestTimeoutError(ConnectionFailedError):
    """Nobody answered in time."""


class UnexpectedAnswerError(StratagraphError):
    """The answer is not of a Stratagraph service, or of a release that answers otherwise."""


class RefusedError(StratagraphError):
    """The service answered with a problem; ``remedy`` is what its caller can do."""

    remedy: ClassVar[str] = ""

    def __init__(self, message: str, *, problem: Problem, request_id: str | None = None) -> None:
        super().__init__(message, request_id=problem.request_id or request_id)
        self.problem = problem

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def type(self) -> str:
        """The stable name of the error, such as ``not-found``."""
        return self.problem.type.removeprefix(URN)

    @property
    def errors(self) -> tuple[FaultView, ...]:
        """Fields that cannot be used, and why."""
        return self.problem.errors


class InvalidRequestError(RefusedError):
    """Something in the request cannot be used; ``errors`` names each field."""


class PayloadTooLargeError(InvalidRequestError):
    """The request is larger than the service reads."""


class UnauthorizedError(RefusedError):
    """The service wants an API key, does not know this one, or serves only its own machine."""

    remedy = "Give the client an `api_key`, or set STRATAGRAPH_API_KEY."


class NotFoundError(RefusedError):
    """No record with that name in the scopes of this caller."""


class MethodNotAllowedError(RefusedError):
    """The service does not serve this; it may be of another release."""

    remedy = "Is the service of an older release than this client?"


class ConflictError(RefusedError):
    """The request clashes with what is stored."""


class BudgetExceededError(ConflictError):
    """The scope holds as many episodes, or bytes of them, as it may."""

    remedy = "Clear some, or raise STRATAGRAPH_EPISODES_MAX of the service, or have it evict."


class PreconditionFailedError(ConflictError):
    """The memory was changed since it was read."""

    remedy = "Read it again, and decide anew."


class UnavailableError(RefusedError):
    """The service, or its database, cannot answer now."""


class RateLimitedError(UnavailableError):
    """Too many requests."""


class ServiceError(RefusedError):
    """A fault of the service or of its set-up; its log says more under the request id."""


def _restored(
    kind: type[StratagraphError], args: tuple[Any, ...], state: Mapping[str, Any]
) -> StratagraphError:
    """Create an error again in another process."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


BY_TYPE: dict[str, type[RefusedError]] = {
    "invalid-input": InvalidRequestError,
    "malformed-body": InvalidRequestError,
    "media-type": InvalidRequestError,
    "payload-too-large": PayloadTooLargeError,
    "authentication": UnauthorizedError,
    "not-found": NotFoundError,
    "method-not-allowed": MethodNotAllowedError,
    "conflict": ConflictError,
    "budget-exceeded": BudgetExceededError,
    "embedder-changed": UnavailableError,
    "too-many-streams": UnavailableError,
    "history-trimmed": ConflictError,
    "language-model": UnavailableError,
    "lease-lost": ConflictError,
    "query-timeout": UnavailableError,
    "precondition-failed": PreconditionFailedError,
    "embedder-unavailable": UnavailableError,
    "database-unavailable": UnavailableError,
    "database-credentials": UnavailableError,
    "database-too-old": UnavailableError,
    "disk-full": UnavailableError,
    "heap-too-small": UnavailableError,
    "schema-newer": UnavailableError,
    "managed-server": UnavailableError,
    "download": UnavailableError,
    "java": UnavailableError,
    "home-not-writable": UnavailableError,
    "home-in-use": UnavailableError,
    "port-taken": UnavailableError,
    "server-start": UnavailableError,
    "server-died": UnavailableError,
    "dump": UnavailableError,
    "recovery-needed": UnavailableError,
    "configuration": ServiceError,
    "embedder-mismatch": ServiceError,
    "database": ServiceError,
    "internal": ServiceError,
}
BY_STATUS: dict[int, type[RefusedError]] = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: UnauthorizedError,
    404: NotFoundError,
    405: MethodNotAllowedError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: PayloadTooLargeError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitedError,
    500: ServiceError,
    502: UnavailableError,
    503: UnavailableError,
    504: UnavailableError,
}


def class_of(problem: Problem) -> type[RefusedError]:
    """Return the exception class of a problem: by its type, else by its status, else the base."""
    known = BY_TYPE.get(problem.type.removeprefix(URN))
    return known or BY_STATUS.get(problem.status, RefusedError)
