"""All metrics: kind, labels and meaning; `docs/operations.md` lists them.

Label values are names from the code (routes, statements, classes of errors), so their number is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graph.ports.telemetry import Work

PREFIX = "stratagraph_"

Kind = Literal["counter", "gauge", "histogram"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SHORT_SECONDS = (0.0001, 0.00025, 0.0005, *_SECONDS[:-2])
_LONG_SECONDS = (0.01, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_NUMBERS = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric; the full name has the prefix, and for a counter the suffix ``_total``."""

    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    def full_name(self, name: str) -> str:
        return f"{PREFIX}{name}{'_total' if self.kind == 'counter' else ''}"


def _counter(meaning: str, *labels: str) -> Metric:
    return Metric("counter", meaning, labels)


def _gauge(meaning: str, *labels: str) -> Metric:
    return Metric("gauge", meaning, labels)


def _histogram(meaning: str, buckets: tuple[float, ...], *labels: str) -> Metric:
    return Metric("histogram", meaning, labels, buckets)


CATALOGUE: Mapping[str, Metric] = {
    "http_requests": _counter(
        "Requests answered; `route` is the template of the path, `(none)` where none fits.",
        *("method", "route", "status"),
    ),
    "moves": _counter(
        "Memories that gates moved, by action: promote, demote, archive, purge, delete.", "action"
    ),
    "room_failures": _counter(
        "Writes after which a stratum that was full could not be made room in; the log says why."
    ),
    "condensed": _counter("Clusters of memories that became one memory."),
    "patterns": _counter("Patterns across sessions that consolidations wrote, new and known ones."),
    "supersessions": _counter(
        "Memories that came to be replaced by another, by how that was found: stated or detected.",
        "found_by",
    ),
    "surprises": _counter("Events that were measured, by the type of their surprise.", "type"),
    "cycles": _counter(
        "Cycles of reasoning: open, found (under a name again), completed.", "state"
    ),
    "cycle_steps": _counter(
        "Steps of cycles, by what they came to and the mode from then on.", "outcome", "mode"
    ),
    "checks": _counter("Steps that were verified, by checker and verdict.", "checker", "verdict"),
    "patches": _counter("Patches made or judged, by their state then.", "state"),
    "observations": _counter("Observations of surprise plugins."),
    "executions": _counter("Executions that were observed; one that is reported again counts not."),
    "learn_runs": _counter("Runs of the jobs that learn from executions, by job.", "job"),
    "patterns_shared": _counter(
        "Patterns of channels' members that came to be shared, were shared anew, or no longer are: "
        "created, updated, withdrawn.",
        "status",
    ),
    "mcp_calls": _counter(
        "Calls of tools at `/mcp`, by tool (`unknown` where there is none) and whether they were "
        "answered or ended in an error; each is a request of its own to a route too.",
        *("tool", "outcome"),
    ),
    "http_request_duration_seconds": _histogram(
        "Time from a request's head to the end of its answer.",
        _SECONDS,
        *("method", "route", "status"),
    ),
    "http_requests_in_progress": _gauge("Requests that are being answered."),
    "use_case_duration_seconds": _histogram(
        "Time of one call of a use case; `outcome` is ok, error or cancelled.",
        _SECONDS,
        *("use_case", "outcome"),
    ),
    "recall_phase_duration_seconds": _histogram(
        "Time of one phase of a recall: understand, embed, candidates, rank, read, answer, note.",
        _SHORT_SECONDS,
        *("phase", "outcome"),
    ),
    "retrieval_phase_duration_seconds": _histogram(
        "Time of one phase of a retrieval of episodes: walk, rank, read, note.",
        _SHORT_SECONDS,
        *("phase", "outcome"),
    ),
    "retrieval_candidates": _histogram("Episodes in the pool of one retrieval.", _NUMBERS),
    "recall_candidates": _histogram("Memories in the pool of one recall.", _NUMBERS),
    "recall_results": _histogram("Results of one recall.", _NUMBERS),
    "episodes_evicted": _counter("Episodes that went because their scope was full."),
    "memories": _counter(
        "Memories that were to be remembered, by what became of them: created, updated, "
        "unchanged, duplicate or rejected; what the door refused is not among them.",
        "status",
    ),
    "collected": _counter("Episodes that were hidden because they help nobody."),
    "purged": _counter("Episodes that were removed for good after their grace."),
    "erasures": _counter("Erasures that were asked for, by what was to be erased.", "kind"),
    "redactions": _counter("What identified a person and was taken out, by type.", "type"),
    "redaction_refusals": _counter("Rows refused because they identified a person."),
    "rewards": _counter(
        "Rewards beside outcomes: `kind` is step, signal or manual; `applied` is false for one that "
        "was reported before.",
        *("kind", "applied"),
    ),
    "reward_reverts": _counter(
        "Rewards taken back; `applied` is false for one that had been taken back before.", "applied"
    ),
    "outcomes": _counter(
        "Outcomes of tasks; `applied` is false for one that was reported before.",
        *("status", "applied"),
    ),
    "concepts": _counter("Concepts that extractions made, or found again (merged).", "status"),
    "concept_problems": _counter("Problems that were joined to a concept."),
    "episodes_archived": _counter("Attempts that were archived behind their concept."),
    "episodes_restored": _counter("Attempts and problems that were brought back from there."),
    "language_calls": _counter(
        "Questions to the language model, where one is configured; `outcome` is ok or error.",
        "outcome",
    ),
    "language_tokens": _counter("Tokens that the language model took, as it says or at most."),
    "config_changes": _counter("Values of utility that were set, or taken back, at run time."),
    "events": _counter("Events of utility, by name.", "event"),
    "events_dropped": _counter("Events that could not be kept for those who listen."),
    "event_streams": _gauge("Listeners to events on this replica."),
    "event_queue_length": _gauge("Events that wait to be written."),
    "access_queue_length": _gauge("Memories whose access counts wait to be written."),
    "database_transaction_duration_seconds": _histogram(
        "Time of one unit of work on Neo4j (read, write, or look: read under a lock and rolled "
        "back) with its wait for a connection, its retries and its commit.",
        _SECONDS,
        *("mode", "outcome"),
    ),
    "database_statement_duration_seconds": _histogram(
        "Time of one statement until its last row; the name is that of its file under `cypher/`.",
        _SECONDS,
        *("statement", "mode", "outcome"),
    ),
    "database_connections_in_use": _gauge(
        "Units of work that hold a connection of the pool, or wait for one."
    ),
    "database_connections_max": _gauge("Size of the connection pool."),
    "database_retries": _counter("Statements and transactions that were tried again."),
    "question_fallbacks": _counter(
        "Questions in words that the grammar read because a language model gave nothing usable."
    ),
    "database_errors": _counter("Units of work that failed, by class of error.", "error"),
    "neo4j_up": _gauge("1 if Neo4j answered a statement just now, 0 if not."),
    "schema_version": _gauge("Version of the graph's schema, as last read."),
    "managed_server_up": _gauge("1 while the supervisor sees the managed Neo4j alive, 0 if not."),
    "managed_server_deaths": _counter("Deaths of the managed Neo4j."),
    "managed_server_restarts": _counter("Restarts of the managed Neo4j after a death."),
    "store_size_bytes": _gauge("Size of the managed Neo4j's data on disk."),
    "store_free_bytes": _gauge("Free space on the disk of the managed Neo4j's data."),
    "job_duration_seconds": _histogram(
        "Time of one run of a job in the background; `outcome` is ok, error or cancelled.",
        _LONG_SECONDS,
        *("job", "outcome"),
    ),
    "credits_waiting": _gauge("Shares of rewards that strategies and concepts still wait for."),
    "links_pending": _gauge("Memories that wait to be linked, as last counted."),
    "worker_leader": _gauge("1 while this replica holds the lease of the background work."),
    "build_info": _gauge("Always 1; the labels say what runs.", *("version", "schema", "python")),
}


@dataclass(frozen=True, slots=True)
class Timed:
    """Metrics of one kind of span: a histogram, and a gauge of active ones."""

    histogram: str
    label: str
    running: str | None = None


SPANS: Mapping[Work, Timed] = {
    "request": Timed("http_request_duration_seconds", "method", "http_requests_in_progress"),
    "use_case": Timed("use_case_duration_seconds", "use_case"),
    "recall_phase": Timed("recall_phase_duration_seconds", "phase"),
    "retrieval_phase": Timed("retrieval_phase_duration_seconds", "phase"),
    "transaction": Timed(
        "database_transaction_duration_seconds", "mode", "database_connections_in_use"
    ),
    "statement": Timed("database_statement_duration_seconds", "statement"),
    "job": Timed("job_duration_seconds", "job"),
}
