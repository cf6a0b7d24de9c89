"""``SUPERSEDES`` and ``MAY_SUPERSEDE`` edges, and the end of validity of replaced memories.

Both ends of an edge are locked before it changes; `settle` then computes the end of validity of replaced memories from
their given end and the edges that count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import QUERIES
from graph.database.driver import Database, Rows, Transaction
from graph.database.keys import end_keys
from graph.database.locks import lock_all, renew_versions
from graph.database.names import one_name
from graph.database.rows import in_utc
from graph.database.store import Store, in_transaction
from graph.kernel.errors import ConflictError, InvalidInputError
from graph.kernel.values import BEGINNING, END
from graph.model.memories.superseding import (
    Replaceable,
    Replaced,
    Succession,
    Superseding,
    Supersession,
)
from graph.store.memories.saving import COPY, ITSELF, SUPERSEDES, TOO_EARLY

ScopedName = tuple[str, str]

MOST_REPLACED = 5
_CYCLE = "the older memory already replaces the newer one; take that back first"


class SupersessionStore(Store):
    """Store of replacements between memories."""

    @in_transaction
    async def state(
        self, transaction: Transaction, scopes: Sequence[str], newer: str, older: str, now: datetime
    ) -> tuple[str, Supersession | None] | None:
        """Store that one memory replaces another; both by uid or ``external:<id>``.

        Return their scope and the new replacements; None if one of them is not in the scopes.

        Raises
        ------
        InvalidInputError
            If they lie in two scopes, are one memory, or the newer begins to hold before the older.
        ConflictError
            If one of them is a copy, or the older already replaces the newer.
        """
        pair = await _locked_pair(transaction, scopes, newer, older)
        if pair is None:
            return None
        _check_pair(*pair)
        wanted = Supersession(pair[0]["uid"], pair[1]["uid"])
        scope: str = pair[0]["scope"]
        new = await state_supersessions(transaction, [wanted], now)
        await renew_versions(transaction, [scope])
        return scope, next(iter(new), None)

    @in_transaction
    async def part(
        self, transaction: Transaction, scopes: Sequence[str], newer: str, older: str, now: datetime
    ) -> bool:
        """Store that one memory does not replace another; False if one of them is not in the scopes."""
        pair = await _locked_pair(transaction, scopes, newer, older)
        if pair is None:
            return False
        _check_scopes(*pair)
        uids = [row["uid"] for row in pair]
        given = {"newer": uids[0], "older": uids[1], "now": now}
        await transaction.run(QUERIES["memories.part_supersessions"], given)
        await settle(transaction, uids[1:])
        await renew_versions(transaction, [pair[0]["scope"]])
        return True


async def state_supersessions(
    transaction: Transaction, wanted: Sequence[Supersession], now: datetime
) -> tuple[Supersession, ...]:
    """Store stated replacements; return the new ones.

    Raises
    ------
    ConflictError
        If what is replaced already replaces what replaces it.
    """
    pairs = sorted({(one.newer, one.older): one for one in wanted}.items())
    rows = [
        {"newer": newer, "older": older, "confidence": one.confidence}
        for (newer, older), one in pairs
    ]
    await lock_all(transaction, _ends(rows))
    # under the locks: concurrent statements of both directions would form a cycle
    if await transaction.run(QUERIES["memories.find_supersession_cycles"], {"pairs": rows}):
        raise ConflictError(_CYCLE)
    given = {"pairs": rows, "now": now, "open": BEGINNING}
    query = QUERIES["memories.save_supersessions"].choose("stated")
    [row] = await transaction.run(query, given)
    await settle(transaction, {older for (_, older), _ in pairs})
    known = {one: said for one, said in pairs}
    return tuple(known[newer, older] for newer, older, _ in row["saved"])


async def save_detected(
    transaction: Transaction, found: Sequence[Supersession], now: datetime
) -> tuple[Supersession, ...]:
    """Store detected replacements of locked memories; return the new ones.

    Suspected ones become ``MAY_SUPERSEDE`` edges and are not returned.
    """
    suspected = _rows(one for one in found if one.suspected)
    if suspected:
        given = {"pairs": suspected, "now": now}
        await transaction.run(QUERIES["memories.save_supersessions"].choose("suspected"), given)
    known = {(one.newer, one.older): one for one in found if not one.suspected}
    rows = _rows(known.values())
    if not rows:
        return ()
    given = {"pairs": rows, "now": now, "open": BEGINNING}
    query = QUERIES["memories.save_supersessions"].choose("detected")
    [row] = await transaction.run(query, given)
    await settle(transaction, {older for _, older in known})
    return tuple(known[newer, older] for newer, older in row["saved"])


def _rows(found: Iterable[Supersession]) -> list[dict[str, Any]]:
    pairs = sorted({(one.newer, one.older): one for one in found}.items())
    return [
        {
            "newer": newer,
            "older": older,
            "confidence": one.confidence,
            "evidence": one.evidence,
            "decisive": one.decisive,
            "revisions": list(one.revisions or ()),
            "starts": one.starts,
        }
        for (newer, older), one in pairs
    ]


async def settle(transaction: Transaction, uids: Collection[str]) -> None:
    """Compute the end of validity of locked memories: the given one, or the start of what replaces them."""
    if not uids:
        return
    given = {"uids": sorted(uids), "open": BEGINNING}
    found = await transaction.run(QUERIES["memories.read_validity_ends"], given)
    rows = [row for row in map(_validity, found) if row is not None]
    if not rows:
        return
    [row] = await transaction.run(QUERIES["memories.set_validity"], {"rows": rows})
    await renew_versions(transaction, row["scopes"])


async def settle_imported(transaction: Transaction, edges: Sequence[Mapping[str, Any]]) -> None:
    """Compute the end of validity of memories that imported edges replace."""
    older = {row["to"] for row in edges if row.get("edge") == "SUPERSEDES"}
    if older:
        await lock_all(transaction, older)
        await settle(transaction, older)


async def joined_before(transaction: Transaction, uids: Sequence[str]) -> dict[str, str]:
    """Lock the neighbours by replacement of memories about to change.

    Return the current texts of all that have such an edge, by uid.
    """
    given = {"uids": sorted(uids)}
    found = await transaction.run(QUERIES["memories.find_joined_supersessions"], given)
    if not found:
        return {}
    others = {other for row in found for other in row["others"]}
    await lock_all(transaction, {*others, *uids})
    # again under the locks: edges may have changed
    found = await transaction.run(QUERIES["memories.find_joined_supersessions"], given)
    return {row["uid"]: row["text"] for row in found}


async def follow_changes(
    transaction: Transaction, before: Mapping[str, str], texts: Mapping[str, str]
) -> None:
    """Update replacements of memories in both directions after a change of content."""
    if not before:
        return
    joined = await transaction.run(
        QUERIES["memories.find_joined_supersessions"], {"uids": sorted(before)}
    )
    rows = [{"uid": uid, "reworded": texts[uid] != text} for uid, text in sorted(before.items())]
    given = {"rows": rows, "open": BEGINNING}
    await transaction.run(QUERIES["memories.follow_changes"], given)
    others = {other for row in joined for other in row["others"]}
    await settle(transaction, {*others, *before})


async def replaced_by(
    transaction: Transaction, uids: Sequence[str], *, requested: bool
) -> list[str]:
    """Lock the memories that those about to be removed replace; return them for `settle` after the removal.

    If the removal was not requested, they stay superseded.
    """
    given = {"uids": sorted(uids)}
    found = await transaction.run(QUERIES["memories.find_superseded"], given)
    older = [row["uid"] for row in found]
    if older:
        await lock_all(transaction, older)
        if not requested:
            await transaction.run(QUERIES["memories.keep_validity_ends"], given)
    return older


async def read_replaceable(
    transaction: Transaction, names: Sequence[ScopedName]
) -> dict[ScopedName, Replaceable]:
    """Read the replaced memories of rows, by scope and name."""
    if not names:
        return {}
    found = await transaction.run(
        QUERIES["memories.find_named"].choose("replaced"),
        {"names": [{"scope": scope, **one_name(name)} for scope, name in names], "open": BEGINNING},
    )
    return {
        names[row["place"]]: Replaceable(row["uid"], row["begins"].to_native(), row["is_copy"])
        for row in found
    }


async def read_successions(
    database: Database, uids: Iterable[str], at: datetime
) -> dict[str, Succession]:
    """Return the replacements of memories in both directions that had taken effect at a time, by uid."""
    given = {"uids": sorted(uids), "most": MOST_REPLACED, "at": at}
    rows = await database.read(QUERIES["memories.read_successions"], given)
    return {row["uid"]: _succession(row) for row in rows}


async def read_supersessions(
    database: Database, uid: str
) -> tuple[tuple[Superseding, ...], tuple[Superseding, ...]]:
    """Read the replacements of a memory in both directions, newest first."""
    rows = await database.read(QUERIES["memories.read_supersessions"], {"uid": uid})
    if not rows:
        return (), ()
    return _superseding(rows[0]["replaces"]), _superseding(rows[0]["replaced_by"])


def _superseding(rows: Sequence[Sequence[Any]]) -> tuple[Superseding, ...]:
    return tuple(
        Superseding(uid, confidence, evidence, found_by, found_at.to_native(), ends)
        for uid, confidence, evidence, found_by, found_at, ends in rows
    )


def _succession(row: Mapping[str, Any]) -> Succession:
    replaced = tuple(
        Replaced(uid, text, at.to_native(), confidence, evidence, found_by)
        for uid, text, at, confidence, evidence, found_by in row["replaced"]
    )
    return Succession(replaced, row["superseded_by"])


def _validity(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the change of a memory's end of validity; None for no change."""
    before = row["held_until"]
    given = in_utc(before or row["valid_to"])
    ends = {uid: in_utc(since) for uid, since in row["ending"]}
    valid_to = min([given, *ends.values()])
    held_until = given if ends else None
    same = (held_until is None) == (before is None) and valid_to == row["valid_to"].to_native()
    if same and set(row["marked"]) == ends.keys():
        return None
    return {
        "uid": row["uid"],
        "valid_to": valid_to,
        "held_until": held_until,
        "keys": [] if valid_to == END else end_keys(valid_to),
        "ending": sorted(ends),
    }


async def _locked_pair(
    transaction: Transaction, scopes: Sequence[str], newer: str, older: str
) -> Rows | None:
    query = QUERIES["memories.find_named"].choose("stated")
    names = [one_name(newer), one_name(older)]
    given = {"scopes": list(scopes), "names": names, "open": BEGINNING}
    found = await transaction.run(query, given)
    if len(found) < 2:
        return None
    await lock_all(transaction, (row["uid"] for row in found))
    found = await transaction.run(query, given)
    return found if len(found) == 2 else None


def _check_pair(newer: Mapping[str, Any], older: Mapping[str, Any]) -> None:
    _check_scopes(newer, older)
    if newer["is_copy"] or older["is_copy"]:
        raise ConflictError(COPY)
    if older["begins"].to_native() > newer["begins"].to_native():
        raise InvalidInputError(TOO_EARLY, field=SUPERSEDES)


def _check_scopes(newer: Mapping[str, Any], older: Mapping[str, Any]) -> None:
    if newer["uid"] == older["uid"]:
        raise InvalidInputError(ITSELF, field=SUPERSEDES)
    if newer["scope"] != older["scope"]:
        raise InvalidInputError(
            f"{SUPERSEDES}: the two memories lie in different scopes; one replaces another only within one",
            field=SUPERSEDES,
        )


def _ends(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    return {row[end] for row in rows for end in ("newer", "older")}
