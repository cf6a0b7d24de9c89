"""A language model, where one is configured. Nothing depends on it: whatever it fills, rules can too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class LanguageModel(Protocol):
    """A model that fills a JSON object."""

    @property
    def name(self) -> str:
        """Name of the model, as answers and logs show it."""
        ...

    async def fill(
        self, instructions: str, question: str, schema: Mapping[str, Any], *, most_tokens: int = 512
    ) -> Mapping[str, Any]:
        """Return the object it answers with; the caller checks what is in it.

        ``schema`` is the JSON schema of the object. ``most_tokens`` bounds the answer.

        Raises
        ------
        LanguageModelError
            If it does not answer in time, is refused, or answers no object.
        """
        ...
