"""All statements by name, with each choice of a file."""

from __future__ import annotations

from cypher import QUERIES, Query


def every_choice() -> dict[str, Query]:
    """Return the statements of all files, each choice under its name in traces."""
    chosen = [each for query in QUERIES.values() for each in query.choices.values() or (query,)]
    return {query.name: query for query in chosen}


STATEMENTS = every_choice()
