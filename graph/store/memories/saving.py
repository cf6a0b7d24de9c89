"""Plan of a batch: which rows are created, updated or rejected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.kernel.errors import BudgetExceededError
from graph.kernel.scope import kind_in, tenant_of
from graph.model.memories.memory import NewMemory, PreparedMemory, Saved
from graph.model.memories.superseding import Replaceable, Supersession

SessionKey = tuple[str, str]

SUPERSEDES = "supersedes"
UNKNOWN = (
    f"{SUPERSEDES}: a memory named there is not in this memory's scope; give a uid or external:<id> of that "
    "scope, or write to the scope of the old memory (scope_kind)"
)
TOO_EARLY = f"{SUPERSEDES}: a memory named there begins to hold later than this one, which cannot replace it"
COPY = f"{SUPERSEDES}: a copy follows the memory it was published from; replace that one"
ITSELF = f"{SUPERSEDES}: a memory cannot replace itself"


@dataclass(frozen=True, slots=True)
class Existing:
    """A stored memory that a row names."""

    uid: str
    content_hash: str
    session_id: str
    sequence: int | None
    revision: int = 1
    agent_id: str = ""
    kind: str = "observation"
    correct: str = ""
    stored_bytes: int = 0
    dormant: bool = False  # archived by a gate; a repeated memory is active again
    replaced: bool = False  # superseded by another memory
    occurred_at: datetime | None = None

    def is_revived(self, new: NewMemory) -> bool:
        """Return whether repeating it makes it active, or valid, again."""
        return self.dormant or self.holds_anew(new)

    def holds_anew(self, new: NewMemory) -> bool:
        """Return whether it becomes valid again; rows with a name or time of their own are repeats only."""
        return self.replaced and new.external_id is None and new.occurred_at is None


@dataclass(frozen=True, slots=True)
class Written:
    """A written row: its position in the batch, and what it replaces."""

    place: int
    row: PreparedMemory
    existing: Existing | None


@dataclass(slots=True)
class SessionState:
    """Last place of a session during planning."""

    last_sequence: int | None
    tail_uid: str | None
    appended: list[str] = field(default_factory=list[str])
    inserted: list[str] = field(default_factory=list[str])
    first_tail: str | None = None

    def __post_init__(self) -> None:
        self.first_tail = self.tail_uid

    def add(self, uid: str, sequence: int) -> None:
        """Add a new memory: at the end, or in between."""
        if self.last_sequence is not None and sequence < self.last_sequence:
            self.inserted.append(uid)
            return
        self.appended.append(uid)
        self.last_sequence, self.tail_uid = sequence, uid


@dataclass(slots=True)
class SavePlan:
    """Plan of what to create, replace and answer, built row by row.

    ``dangling`` are refusals, by position, of rows with invalid targets of links or replacements; ``no_room`` are
    positions of rows beyond the budget of their scope.
    """

    sessions: Mapping[SessionKey, SessionState]
    existing: Mapping[int, Existing]
    taken_sequences: frozenset[int]
    link_targets: Mapping[tuple[str, str], str]
    dangling: Mapping[int, Saved] = field(default_factory=dict[int, Saved])
    no_room: frozenset[int] = frozenset()
    replaceable: Mapping[tuple[str, str], Replaceable] = field(
        default_factory=dict["tuple[str, str]", "Replaceable"]
    )
    answers: list[Saved] = field(default_factory=list[Saved])
    created: list[tuple[PreparedMemory, int | None]] = field(
        default_factory=list["tuple[PreparedMemory, int | None]"]
    )
    replaced: list[tuple[PreparedMemory, Existing]] = field(
        default_factory=list["tuple[PreparedMemory, Existing]"]
    )
    _echoes: set[tuple[str, str]] = field(default_factory=set["tuple[str, str]"])
    _linking: dict[int, tuple[str, PreparedMemory]] = field(
        default_factory=dict["int", "tuple[str, PreparedMemory]"]
    )
    _seen: dict[tuple[str, str], tuple[str, str]] = field(
        default_factory=dict["tuple[str, str]", "tuple[str, str]"]
    )
    _begins: dict[str, datetime] = field(default_factory=dict["str", "datetime"])
    _sequences: set[tuple[str, str, int]] = field(default_factory=set["tuple[str, str, int]"])
    _wanted: set[tuple[str, str]] = field(default_factory=set["tuple[str, str]"])
    _written: list[Written] = field(default_factory=list["Written"])

    def decide(self, place: int, row: PreparedMemory) -> None:
        """Decide a row after all rows before it; rows beside others come last."""
        # last: only then all rows that were not refused are known
        if row.beside:
            self.answers.append(self._add_companion(place, row))
            return
        answer = self._earlier_in_batch(row) or self._refusal(place, row)
        self.answers.append(answer or self._settle(place, row))

    @property
    def dangling_refusals(self) -> Mapping[int, Saved]:
        """Refusals of decided rows with invalid targets, by position."""
        refusals = {
            place: self._dangling_refusal(uid, row.new)
            for place, (uid, row) in self._linking.items()
        }
        return {place: refusal for place, refusal in refusals.items() if refusal is not None}

    @property
    def supersessions(self) -> list[Supersession]:
        """Replacements stated by the rows."""
        return [
            Supersession(uid, target.uid)
            for uid, row in self._linking.values()
            for name in row.new.supersedes
            if (target := self._replaceable(row.new.scope, name)) is not None
        ]

    @property
    def links(self) -> list[dict[str, str | bool]]:
        """Edges to create, each once, sorted against deadlocks.

        ``recounts`` marks edges of stored episodes.
        """
        new = {row.uid for row, _ in self.created}
        found = {
            (uid, to, kind, row.new.kind == "episode" and uid not in new)
            for uid, row in self._linking.values()
            for kind, to in self.joins(row)
        }
        return [
            {"from": start, "to": end, "type": kind, "recounts": recounts}
            for start, end, kind, recounts in sorted(found)
        ]

    @property
    def episodes(self) -> list[Written]:
        """Written contents that are, or were, episodes."""
        return [
            each
            for each in self._written
            if "episode" in {each.row.new.kind, each.existing.kind if each.existing else ""}
        ]

    @property
    def touched(self) -> set[str]:
        """Uids of stored memories that are replaced or linked to."""
        targets = {self._target(*name) for name in self._wanted}
        targets |= {existing.uid for _, existing in self.replaced}
        new = {row.uid for row, _ in self.created}
        return {uid for uid in targets if uid is not None and uid not in new}

    @property
    def turned(self) -> set[str]:
        """Uids of replaced memories that become problems or strategies."""
        return {
            existing.uid
            for row, existing in self.replaced
            if row.new.kind in {"problem", "strategy"} and existing.kind != row.new.kind
        }

    def joins(self, row: PreparedMemory) -> list[tuple[str, str]]:
        """Return type and target of each edge of a row."""
        return [(link.type, self._target(row.new.scope, link.to) or "") for link in row.new.links]

    def _add_companion(self, place: int, row: PreparedMemory) -> Saved:
        name = _identity(row)
        if name in self._seen or name not in self._wanted:
            return Saved("unchanged", self._seen.get(name, (None,))[0])
        existing = self.existing.get(place)
        uid = existing.uid if existing else row.uid
        self._seen[name] = (uid, row.content_hash)
        if existing is None:
            self._create(row)
        return Saved("unchanged" if existing else "created", uid)

    def _earlier_in_batch(self, row: PreparedMemory) -> Saved | None:
        new = row.new
        uid, content_hash = self._seen.get(_identity(row), ("", ""))
        if not uid:
            return None
        if content_hash == row.content_hash:
            return Saved("duplicate", uid)
        return _rejected(
            "external_id",
            f"external_id: {len(new.external_id or '')} characters that stand twice "
            "in this batch with two contents",
        )

    def _refusal(self, place: int, row: PreparedMemory) -> Saved | None:
        new = row.new
        if place in self.no_room:
            return _rejected("budget", f"budget: {BudgetExceededError.__doc__}")
        if place in self.dangling:
            return self.dangling[place]
        existing = self.existing.get(place)
        if existing is not None:
            if existing.session_id != (new.session_id or ""):
                return _rejected("session_id", "session_id: a stored memory keeps its session")
            return None
        if new.sequence is not None and new.session_id is not None:
            name = (new.scope, new.session_id, new.sequence)
            if place in self.taken_sequences or name in self._sequences:
                return _rejected("sequence", "sequence: this place in the session is taken")
        return None

    def _settle(self, place: int, row: PreparedMemory) -> Saved:
        existing = self.existing.get(place)
        uid = existing.uid if existing else row.uid
        self._seen[_identity(row)] = (uid, row.content_hash)
        same = existing is not None and existing.content_hash == row.content_hash
        revived = existing is not None and existing.is_revived(row.new)
        if not same or revived:
            self._written.append(Written(place, row, existing))
        if existing is None:
            self._create(row)
            answer = Saved("created", uid, 1)
        elif same and not revived:
            status = "unchanged" if row.new.external_id else "duplicate"
            self._echo(row.new, existing)
            answer = Saved(status, uid, existing.revision)
        else:
            self.replaced.append((row, existing))
            answer = Saved("updated", uid, existing.revision + 1)
        self._begins[uid] = _begins(row, existing)
        if row.new.supersedes or (row.new.links and answer.status != "duplicate"):
            self._linking[place] = (uid, row)
            self._wanted |= {(row.new.scope, link.to) for link in row.new.links}
        return answer

    def _echo(self, new: NewMemory, existing: Existing) -> None:
        """Record that an agent repeats in a channel what another has said."""
        if (
            kind_in(new.scope) == "channel"
            and new.agent_id
            and existing.agent_id not in {"", new.agent_id}
        ):
            self._echoes.add((f"{tenant_of(new.scope)}/agent/{new.agent_id}", existing.uid))

    @property
    def echoes(self) -> list[tuple[str, str]]:
        """Agents (scopes) that repeated another's memory in a channel, with its uid."""
        return sorted(self._echoes)

    def _dangling_refusal(self, uid: str, new: NewMemory) -> Saved | None:
        if any(self._target(new.scope, link.to) is None for link in new.links):
            return _rejected("links", "links: a target is not in this memory's scope")
        for name in new.supersedes:
            target = self._replaceable(new.scope, name)
            if target is None:
                return _rejected(SUPERSEDES, UNKNOWN)
            if target.uid == uid:
                return _rejected(SUPERSEDES, ITSELF)
            if target.is_copy:
                return _rejected(SUPERSEDES, COPY)
            if target.begins > self._begins[uid]:
                return _rejected(SUPERSEDES, TOO_EARLY)
        return None

    def _replaceable(self, scope: str, name: str) -> Replaceable | None:
        # rows may name others of the batch, which are not stored yet
        if name.startswith("external:") and (scope, name) in self._seen:
            uid = self._seen[scope, name][0]
            if uid in self._begins:
                return Replaceable(uid, self._begins[uid])
        return self.replaceable.get((scope, name))

    def _target(self, scope: str, name: str) -> str | None:
        if name.startswith("external:") and (scope, name) in self._seen:
            return self._seen[scope, name][0]
        return self.link_targets.get((scope, name))

    def _create(self, row: PreparedMemory) -> None:
        new = row.new
        sequence = None
        if new.session_id is not None:
            session = self.sessions[new.scope, new.session_id]
            after_last = 0 if session.last_sequence is None else session.last_sequence + 1
            sequence = after_last if new.sequence is None else new.sequence
            session.add(row.uid, sequence)
            self._sequences.add((new.scope, new.session_id, sequence))
        self.created.append((row, sequence))

    @property
    def only_creates(self) -> bool:
        """Return whether the batch only creates, which is one statement."""
        inserted = any(session.inserted for session in self.sessions.values())
        return bool(self.created) and not (self.replaced or self._linking or inserted)

    @property
    def written(self) -> list[NewMemory]:
        """Changes by the batch: scopes, memories, contents and links."""
        rows = [row for row, _ in self.created] + [row for row, _ in self.replaced]
        return [row.new for row in [*rows, *(row for _, row in self._linking.values())]]

    @property
    def rejected(self) -> bool:
        """Return whether any row was refused."""
        return any(answer.status == "rejected" for answer in self.answers)


def plan_batch(
    rows: Sequence[PreparedMemory],
    sessions: Mapping[SessionKey, SessionState],
    existing: Mapping[int, Existing],
    taken_sequences: frozenset[int],
    link_targets: Mapping[tuple[str, str], str],
    no_room: frozenset[int] = frozenset(),
    replaceable: Mapping[tuple[str, str], Replaceable] | None = None,
) -> SavePlan:
    """Decide every row in order, and again without the rows that have invalid targets."""
    dangling: dict[int, Saved] = {}
    # each round drops a row, so it terminates
    while True:
        fresh = {
            key: SessionState(state.last_sequence, state.tail_uid)
            for key, state in sessions.items()
        }
        plan = SavePlan(
            fresh,
            existing,
            taken_sequences,
            link_targets,
            dangling,
            no_room,
            replaceable or {},
        )
        for place, row in enumerate(rows):
            plan.decide(place, row)
        if not plan.dangling_refusals:
            return plan
        dangling |= plan.dangling_refusals


def link_names(rows: Sequence[PreparedMemory]) -> list[tuple[str, str]]:
    """Return every linked (scope, name), sorted."""
    return sorted({(row.new.scope, link.to) for row in rows for link in row.new.links})


def replaced_names(rows: Sequence[PreparedMemory]) -> list[tuple[str, str]]:
    """Return every replaced (scope, name), sorted."""
    return sorted({(row.new.scope, name) for row in rows for name in row.new.supersedes})


def _begins(row: PreparedMemory, existing: Existing | None) -> datetime:
    """Return the start of validity; an update without a time keeps the stored one."""
    stored = None
    if existing is not None and not existing.holds_anew(row.new):
        stored = existing.occurred_at
    return row.new.valid_from or row.new.occurred_at or stored or row.recorded_at


def _identity(row: PreparedMemory) -> tuple[str, str]:
    new = row.new
    return (new.scope, f"external:{new.external_id}" if new.external_id else row.content_hash)


def _rejected(field_name: str, error: str) -> Saved:
    return Saved("rejected", error=error, field=field_name)
