"""Everything this project raises on purpose.

StratagraphError
├── InvalidInputError            something in the request cannot be used
│   └── PayloadTooLargeError     the request is larger than is read
├── AuthenticationError          no key, or an unknown one
├── NotFoundError                nothing with that name in this scope
├── ConflictError                it clashes with what is stored
│   ├── BudgetExceededError      a scope holds as many episodes as it may
│   ├── HistoryTrimmedError      the history of a utility no longer reaches back so far
│   ├── LeaseLostError           another worker has taken over
│   └── PreconditionFailedError  the memory is not the revision that was named
├── TooManyStreamsError          more listeners than the settings allow
├── ConfigurationError           a setting is missing, unknown or contradictory
├── EmbedderMismatchError        the graph was filled by another embedder
├── EmbedderUnavailableError     the embedding model cannot be loaded here
├── EmbedderChangedError         the graph went over to another embedder a moment ago
├── DownloadError                a file could not be fetched or is not the locked one
├── LanguageModelError           the language model gave no usable answer
├── DatabaseError                Neo4j refused a statement
│   ├── DatabaseUnavailableError nobody answers, or not in time
│   ├── QueryTimeoutError        a statement took longer than it may
│   ├── DatabaseCredentialsError user or password is wrong
│   ├── DiskFullError            Neo4j's disk has no room for a write
│   ├── DatabaseTooOldError      the server lacks what the statements need
│   └── SchemaNewerError         the store was migrated by a newer release
└── ManagedServerError           the Neo4j this service starts itself
    ├── JavaError                no usable Java
    ├── HomeNotWritableError     the home folder cannot be written
    ├── HomeInUseError           another process works on the home folder
    ├── PortTakenError           a port the user chose is taken
    ├── ServerStartError         the server did not come up
    │   └── HeapTooSmallError    its heap did not suffice to recover the data
    ├── ServerDiedError          the server died too often
    └── DumpError                a dump could not be written or loaded
        └── RecoveryNeededError  the data were not closed properly

The docstring of a leaf is its default message.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class StratagraphError(Exception):
    """Something went wrong in Stratagraph."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.__doc__)

    @property
    def message(self) -> str:
        return str(self.args[0])


class InvalidInputError(StratagraphError):
    """The request cannot be used."""

    def __init__(self, message: str | None = None, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class PayloadTooLargeError(InvalidInputError):
    """The request is larger than is read."""


class AuthenticationError(StratagraphError):
    """An API key is needed: send it as `Authorization: Bearer <key>`."""


class NotFoundError(StratagraphError):
    """No record with that name in this scope."""


def required(value: T | None, message: str) -> T:
    """Return a found value; raise ``NotFoundError`` with a message for None."""
    if value is None:
        raise NotFoundError(message)
    return value


class ConflictError(StratagraphError):
    """The request clashes with what is stored."""


class BudgetExceededError(ConflictError):
    """This scope holds as many episodes, or bytes of them, as its budget allows; clear some."""


class HistoryTrimmedError(ConflictError):
    """The history of this utility no longer reaches back so far."""


class LeaseLostError(ConflictError):
    """Another worker has taken over; what this one was about to write is not kept."""


class PreconditionFailedError(ConflictError):
    """The memory has changed since it was read: read it again, and try with its new ETag."""


class TooManyStreamsError(StratagraphError):
    """As many listen to events here as the settings allow; ask another replica, or later."""


class ConfigurationError(StratagraphError):
    """A setting is missing, unknown or contradictory."""


class EmbedderMismatchError(StratagraphError):
    """The graph was filled by another embedder."""


class EmbedderUnavailableError(StratagraphError):
    """The embedding model cannot be loaded."""


class EmbedderChangedError(StratagraphError):
    """The graph went over to another embedder a moment ago; send it again."""


class DownloadError(StratagraphError):
    """A file that is needed could not be fetched."""


class LanguageModelError(StratagraphError):
    """The language model gave no usable answer."""


class DatabaseError(StratagraphError):
    """Neo4j refused a statement."""

    may_be_stored = False
    """Flag of a write that failed at its commit, so that nobody knows if it is kept."""


class DatabaseUnavailableError(DatabaseError):
    """Neo4j does not answer."""


class QueryTimeoutError(DatabaseError):
    """The question took longer than a statement may; ask for less, or raise the setting."""


class DatabaseCredentialsError(DatabaseError):
    """Neo4j refused the user name or the password."""


class DiskFullError(DatabaseError):
    """Too little free space for a write on the disk of Neo4j."""


class DatabaseTooOldError(DatabaseError):
    """This Neo4j is too old."""


class SchemaNewerError(DatabaseError):
    """The store was migrated by a newer release of Stratagraph."""


class ManagedServerError(StratagraphError):
    """The managed Neo4j cannot be used."""


class JavaError(ManagedServerError):
    """No usable Java."""


class HomeNotWritableError(ManagedServerError):
    """The home folder cannot be written."""


class HomeInUseError(ManagedServerError):
    """Another process works on the home folder."""


class PortTakenError(ManagedServerError):
    """A port that was asked for is taken."""


class ServerStartError(ManagedServerError):
    """Neo4j did not come up."""


class HeapTooSmallError(ServerStartError):
    """Neo4j needs more heap to recover its data."""


class ServerDiedError(ManagedServerError):
    """Neo4j died too often."""


class DumpError(ManagedServerError):
    """The dump could not be written or loaded."""


class RecoveryNeededError(DumpError):
    """The data were not closed properly; Neo4j has to be started on them and stopped once."""
