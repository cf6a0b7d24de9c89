"""Filters for the full-text index: hashed values and sortable times in one list property.

Lucene scores words; filters must not be scored and must pass the analyzer unchanged. So each filterable value of a
memory becomes a key of 19 digits, and each time a letter and 20 digits in the order of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from graph.kernel.scope import hashed_key
from graph.kernel.values import BEGINNING, END, KINDS, STATES, State
from graph.kernel.words import CHARACTER, without_accents
from graph.model.episodes.attempts import EpisodeFilters
from graph.model.memories.memory import NewMemory
from graph.model.recall.candidates import Filters, Window

# Keys that a change of state replaces in ``keys``; statements use them by name.
STATE_KEYS: Mapping[State, str] = {state: hashed_key(f"state:{state}") for state in STATES}

MATCHES_NOTHING = "+scope_key:0"
MAX_TERMS = 64  # Lucene fails beyond 1,024 clauses; each term is in two fields

_EPOCH = datetime(1, 1, 1, tzinfo=UTC)
_TERM = re.compile(rf"\w{CHARACTER}*(?:['.]{CHARACTER}+)*")


def estimate_uid(memory_uid: str, context: str) -> str:
    """Return the uid of a memory's estimate in a context."""
    return f"{memory_uid}-{hashed_key(context)}"


def integer_key(value: str | None) -> int:
    """Hash a value to an integer of 62 bits; 0 stands for none.

    The vector index filters numbers without enumerating all distinct terms, which took a third of a search for names of
    sessions and agents.
    """
    return int(hashed_key(value)) % 2**62 + 1 if value else 0


def filter_keys(
    memory: NewMemory, state: State, recorded_at: datetime, actions: Iterable[str] = ()
) -> list[str]:
    """Return the keys by which full-text search filters a memory; ``actions`` are an episode's."""
    keys = [
        hashed_key(f"{field}:{value}")
        for field, value in (
            ("kind", memory.kind),
            ("stratum", memory.stratum),
            ("state", state),
            ("importance", memory.importance),
            ("agent", memory.agent_id),
            ("session", memory.session_id),
            ("domain", memory.domain),
            ("phase", memory.phase),
            ("model", memory.model),
            ("correct", correct_name(memory.correct)),
            *(("tag", tag) for tag in memory.tags),
            *(("action", name) for name in sorted(set(actions))),
        )
        if value not in (None, "")
    ]
    times = (
        ("o", memory.occurred_at),
        ("r", recorded_at),
        ("f", memory.valid_from),
        ("t", memory.valid_to),
        ("x", memory.expires_at),
    )
    return keys + [_time_key(letter, time) for letter, time in times if time is not None]


def end_keys(valid_to: datetime) -> list[str]:
    """Return the key of an end of validity, as in `filter_keys`."""
    return [_time_key("t", valid_to)]


def correct_name(correct: bool | None) -> str:
    """Return a verdict as stored: true, false, or empty for none."""
    return "" if correct is None else str(correct).lower()


def lexical_query(
    terms: Sequence[str], scopes: Sequence[str], filters: Filters, now: datetime, *, most: bool
) -> str:
    """Return the Lucene query of a recall, which matches nothing without terms.

    ``most`` means that the scopes contain most of the graph. A required clause prevents Lucene from skipping low
    scores, so other scopes are excluded instead.
    """
    words = " ".join(_longest(terms))
    # a query without words, or with stop words only, would match every memory of the scopes
    if not words:
        return MATCHES_NOTHING
    where = [
        _exclude_other_scopes(scopes) if most else _within_scopes(scopes),
        *_where(filters, now),
    ]
    return " ".join([*where, f"+(context_text:({words}) folded_text:({words}))"])


def naming_query(
    names: Sequence[str], scopes: Sequence[str], filters: Filters, now: datetime
) -> str:
    """Return the query for memories whose text contains all words of one of the names."""
    named = [words for name in names if (words := _TERM.findall(name.lower())[:MAX_TERMS])]
    if not named:
        return MATCHES_NOTHING
    either = " ".join(map(_with_all, named))
    return " ".join([_within_scopes(scopes), *_where(filters, now), f"+({either})"])


def _with_all(words: Sequence[str]) -> str:
    """Return the query for texts that contain all words."""
    plain = " ".join(f"+{word}" for word in words)
    bare = " ".join(f"+{folded(word) or word}" for word in words)
    return f"text:({plain}) folded_text:({bare})"


def knowledge_query(words: Sequence[str], scopes: Sequence[str]) -> str:
    """Return the query of knowledge from executions, which matches nothing without words."""
    sought = " ".join(_longest(words))
    return f"{_within_scopes(scopes)} +words:({sought})" if sought else MATCHES_NOTHING


def tagged_query(scopes: Sequence[str], filters: Filters, now: datetime) -> str:
    """Return the query for memories with certain tags."""
    if not filters.by_tags:
        return MATCHES_NOTHING
    return " ".join([_within_scopes(scopes), *_where(filters, now)])


def attempts_query(
    scopes: Sequence[str],
    filters: EpisodeFilters,
    now: datetime,
    states: Sequence[State] = ("active",),
) -> str:
    """Return the query for episodes with certain tags and actions."""
    named = (
        ("domain", filters.domain),
        ("model", filters.model),
        ("agent", filters.agent_id),
        ("session", filters.session_id),
    )
    clauses = [
        _within_scopes(scopes),
        _one_of("kind", ["episode"]),
        *(_one_of(field, names.any) for field, names in named if names.any),
        *(_none_of(field, names.none) for field, names in named),
        *(_one_of("tag", [tag]) for tag in filters.tags_all),
        *(_one_of("action", [name]) for name in filters.actions_all),
        _none_of("tag", filters.tags_none),
        _none_of("action", filters.actions_none),
        _one_of("state", states),
        _one_of("tag", filters.tags_any) if filters.tags_any else "",
        _one_of("action", filters.actions_any) if filters.actions_any else "",
        _within("o", filters.occurred),
        f"-keys:[t0 TO {_time_key('t', now)}]",
        f"-keys:[x0 TO {_time_key('x', now)}]",
    ]
    return " ".join(clause for clause in clauses if clause)


def folded(text: str) -> str | None:
    """Return the text without accents in lower case, or None if that is the same."""
    stripped = without_accents(text)
    return None if stripped == text.lower() else stripped


def _longest(terms: Sequence[str]) -> list[str]:
    """Keep the longest terms, which tend to be the rarest; folded forms beside the given ones."""
    safe = [word for term in terms for word in _TERM.findall(term.lower())]
    both = dict.fromkeys(word for term in safe for word in (term, folded(term) or term))
    kept = sorted(both, key=len, reverse=True)[:MAX_TERMS]
    return [word for word in both if word in set(kept)]


def _within_scopes(scopes: Sequence[str]) -> str:
    # ^0: not scored, as rare scopes would win (ADR 6)
    return f"+scope_key:({' '.join(hashed_key(scope) for scope in scopes)})^0"


def _exclude_other_scopes(scopes: Sequence[str]) -> str:
    """Exclude all scopes but some."""
    return f"-(*:* -scope_key:({' '.join(hashed_key(scope) for scope in scopes)}))"


def _where(filters: Filters, now: datetime) -> list[str]:
    """Return the unscored clauses; filters that nearly all memories pass are exclusions."""
    valid_at = filters.valid_at or now
    clauses = [
        _one_of("kind", filters.kinds, KINDS),
        _one_of("stratum", filters.strata) if filters.strata else "",
        _none_of("state", [state for state in STATES if state not in filters.states]),
        _one_of(
            "importance", range(filters.importance_min, filters.importance_max + 1), range(1, 6)
        ),
        *(
            _one_of(field, [value])
            for field, value in (
                ("agent", filters.agent_id),
                ("session", filters.session_id),
                ("domain", filters.domain),
                ("phase", filters.phase),
                ("model", filters.model),
                ("correct", correct_name(filters.correct)),
                *(("tag", tag) for tag in filters.tags_all),
            )
            if value
        ),
        _one_of("tag", filters.tags_any) if filters.tags_any else "",
        _within("o", filters.occurred),
        _within("r", filters.recorded),
        # 9 after the letter sorts after every time
        f"-keys:{{{_time_key('f', valid_at)} TO f9]",
        "" if filters.superseded else f"-keys:[t0 TO {_time_key('t', valid_at)}]",
        f"-keys:[x0 TO {_time_key('x', now)}]",
    ]
    return [clause for clause in clauses if clause]


def _one_of(field: str, wanted: Iterable[object], everything: Iterable[object] = ()) -> str:
    values = list(wanted)
    if set(values) >= set(everything) and everything:
        return ""
    return f"+keys:({' '.join(hashed_key(f'{field}:{value}') for value in values)})^0"


def _none_of(field: str, values: Sequence[str]) -> str:
    keys = " ".join(hashed_key(f"{field}:{value}") for value in values)
    return f"-keys:({keys})" if keys else ""


def _within(letter: str, window: Window) -> str:
    if (window.start, window.end) == (BEGINNING, END):
        return ""
    return f"+keys:[{_time_key(letter, window.start)} TO {_time_key(letter, window.end)}}}^0"


def _time_key(letter: str, time: datetime) -> str:
    since = time.astimezone(UTC) - _EPOCH
    microseconds = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return f"{letter}{microseconds:020d}"
