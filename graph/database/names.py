"""Names of memories: a uid, or ``external:<id>``."""

from __future__ import annotations

_EXTERNAL = "external:"


def one_name(name: str) -> dict[str, str | None]:
    """Return a name as the parameters of a statement that accepts both kinds; the other one is null."""
    external = name.removeprefix(_EXTERNAL)
    if external != name:
        return {"uid": None, "external_id": external}
    return {"uid": name, "external_id": None}


def either_name(name: str) -> dict[str, str]:
    """Return a name as two parameters; the other one matches nothing."""
    return {key: value or "" for key, value in one_name(name).items()}
