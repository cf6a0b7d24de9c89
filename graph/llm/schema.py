"""Whether a value fits a JSON schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def misfit(value: object, schema: Mapping[str, Any]) -> str | None:
    """Say where a value does not fit, without repeating it; None where it does."""
    # Loaded by the first answer of a model: most services have none.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return None
    return f"`{error.validator}` says no at {error.json_path}"
