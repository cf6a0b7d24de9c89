"""Profile of a person, a project or a tool: current statements with their evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import groupby

from graph.condensing.layout import day_of
from graph.condensing.model import Source
from graph.condensing.naming import names_of, parts_of
from graph.condensing.profile import GROUPS, Statement, statements
from graph.kernel.errors import InvalidInputError
from graph.kernel.scope import Caller
from graph.model.consolidation.profiles import Mention, Profile, ProfileLine, Successor
from graph.replacing.detection import VALUE
from graph.store.consolidation.profiles import ProfileStore
from service.use_cases.consolidation.condensing import replaces
from service.use_cases.episodes.rendering import tokens_of
from service.use_cases.kernel.watched import TimedUseCase, watched

_MOST_MEMORIES = 500
_SURE = VALUE  # least confidence that a turn is replaced: replacements of turns by the reader alone are mostly wrong
_HEADS = {
    "facts": "Facts",
    "preferences": "Preferences",
    "relations": "Around it",
    "decisions": "Decisions",
    "notes": "Notes",
}


@dataclass(frozen=True, slots=True)
class ShowProfile(TimedUseCase):
    """Return what is known about a subject at a time.

    Raises
    ------
    InvalidInputError
        If the subject has no word.
    DatabaseUnavailableError
        If Neo4j does not answer.
    """

    store: ProfileStore

    @watched("show_profile")
    async def __call__(
        self, caller: Caller, subject: str, as_of: datetime | None = None, max_tokens: int = 1000
    ) -> Profile:
        """Return the statements that fit into ``max_tokens``, the weightiest groups first."""
        if not any(char.isalnum() for char in subject):
            raise InvalidInputError("subject: needs a word", field="subject")
        now = self.clock.now()
        at = as_of or now
        naming = partial(
            self.store.mentions, caller.readable, at=at, now=now, limit=_MOST_MEMORIES, sure=_SURE
        )
        found = await naming((subject,))
        if parts := parts_of(subject, [each.text for each in found]):
            found = await naming((subject, *parts))
        # the oldest first: later sentences replace earlier ones
        return await asyncio.to_thread(_profile, subject, at, list(reversed(found)), max_tokens)


def _profile(subject: str, at: datetime, mentions: Sequence[Mention], max_tokens: int) -> Profile:
    sources = [Source(each.text, each.speaker, each.occurred_at) for each in mentions]
    later = _later(mentions)
    names = names_of(subject, [each.text for each in mentions])
    lines = [_line(row, mentions, later) for row in statements(names, sources, replaces, at.date())]
    lines.sort(key=lambda line: (GROUPS.index(line.group), line.replaced_by is not None))
    texts = {each.uid: each.text for each in later.values()}
    # possibly replaced statements are cut first, whatever their group
    kept = sorted(range(len(lines)), key=lambda place: lines[place].replaced_by is not None)
    text = _written(subject, at, lines, texts)
    while kept and tokens_of(text) > max_tokens:
        # whole lines are cut, in each step about half of those that the excess needs
        excess = tokens_of(text) - max_tokens
        step = max(1, excess // (2 * max(tokens_of(line.text) for line in lines)))
        kept = kept[: max(0, len(kept) - step)]
        text = _written(subject, at, [lines[place] for place in sorted(kept)], texts)
    fitting = tuple(lines[place] for place in sorted(kept))
    return Profile(subject, at, fitting, text, tokens_of(text), len(lines) - len(fitting))


def _later(mentions: Sequence[Mention]) -> dict[int, Successor]:
    """Return the memory that may replace each one, by index; ``mentions`` are the oldest first.

    A note counts as the replacement of one memory only: the one with the highest confidence.
    """
    pairs = [(older, newer) for older, each in enumerate(mentions) for newer in each.newer]
    pairs.sort(key=lambda pair: (pair[1].confidence, pair[0]))
    surest = {newer.uid: (older, newer) for older, newer in pairs}
    # the last entry of a memory stays: of sure replacements the latest, else the one with the highest confidence
    return dict(
        sorted(
            surest.values(),
            key=lambda pair: (min(pair[1].confidence, _SURE), pair[1].occurred_at, pair[1].uid),
        )
    )


def _line(
    row: Statement, mentions: Sequence[Mention], later: Mapping[int, Successor]
) -> ProfileLine:
    newest = mentions[row.sources[0]]
    claim = row.claim
    replaced = [later.get(place) for place in row.sources]
    return ProfileLine(
        group="preferences" if newest.kind == "preference" else row.group,
        text=row.text,
        speaker=row.speaker,
        occurred_at=_happened(row.day, newest.occurred_at),
        evidence=tuple(mentions[place].uid for place in row.sources),
        relation=claim and claim.relation,
        value=claim and claim.value,
        negated=claim is not None and claim.negated,
        # replaced only if all sources are
        replaced_by=replaced[0].uid if replaced[0] and all(replaced) else None,
    )


def _happened(day: date | None, of_memory: datetime) -> datetime:
    """Return when a sentence was said: its own day, in a memory of several days."""
    if day is None or day == of_memory.date():
        return of_memory
    return datetime.combine(day, time.min, UTC)


def _written(
    subject: str, at: datetime, lines: Sequence[ProfileLine], texts: Mapping[str, str]
) -> str:
    """Write the lines as text for a prompt; empty without lines."""
    if not lines:
        return ""
    text = [f"{subject}, as known on {day_of(at.date())}:"]
    for group, rows in groupby(lines, key=lambda line: line.group):
        text.append(f"{_HEADS[group]}:")
        text += [_shown(row, texts) for row in rows]
    return "\n".join(text)


def _shown(line: ProfileLine, texts: Mapping[str, str]) -> str:
    who = f"{line.speaker}: " if line.speaker else ""
    # a question with its answer has the speakers in its text (ADR 83)
    who = "" if who in line.text else who
    later = texts.get(line.replaced_by or "")
    # a note of several lines does not fit into one line of a profile
    quoted = f": {later}" if later and "\n" not in later else ""
    doubt = f"; a later note may replace it{quoted}" if later else ""
    return f"- {who}{line.text} ({day_of(line.occurred_at.date())}{doubt})"
