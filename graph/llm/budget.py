"""Token budget of a language model, per hour and process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from graph.kernel.errors import LanguageModelError

_HOUR = 3600.0


class TokenBudget:
    """Tokens of the last hour; a call reserves the most it could take, and settles what it took."""

    def __init__(self, tokens: int, seconds: Callable[[], float]) -> None:
        self._most = tokens
        self._seconds = seconds
        self._spent = deque[list[float]]()

    @property
    def spent(self) -> int:
        """Tokens that the last hour has taken, with those that are reserved."""
        horizon = self._seconds() - _HOUR
        while self._spent and self._spent[0][0] <= horizon:
            self._spent.popleft()
        return int(sum(tokens for _, tokens in self._spent))

    def reserve(self, tokens: int) -> Callable[[int], None]:
        """Set tokens aside; return what to call with the number that was taken.

        Raises
        ------
        LanguageModelError
            If the hour has not so many left.
        """
        if self.spent + tokens > self._most:
            raise LanguageModelError(
                f"the language model's {self._most} tokens an hour do not suffice for another call"
            )
        entry: list[float] = [self._seconds(), float(tokens)]
        self._spent.append(entry)

        def settle(taken: int) -> None:
            entry[1] = float(taken)

        return settle
