"""Requests and answers with episodes, in the format of *Memory Design for Self-Evolving Reasoning*."""

from __future__ import annotations

from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import to_json

from stratagraph.vocabulary import BudgetPolicy, SaveStatus, ScopeKind, State
from stratagraph.wire.kernel.base import Answer, FaultView, Identity, Request
from stratagraph.wire.kernel.values import (
    MAX_BATCH,
    MAX_EPISODE_BYTES,
    NOW,
    UID_EXAMPLE,
    Flag,
    Name,
    Share,
    Tags,
    Text,
    check_json,
    fault,
    owner,
    time_as_text,
    zoned,
)
from stratagraph.wire.memories.models import CountsView
from stratagraph.wire.memories.patch import RemovedCounts, RemovedSample

MAX_STEPS = 1_000
ID_EXAMPLE = "ep-0001"
RUN_EXAMPLE = "episodic_20251102_m0_abc123"
RECORD_EXAMPLE: dict[str, Any] = {
    "episode_id": ID_EXAMPLE,
    "timestamp": "2025-11-02T10:15:00Z",
    "input": {
        "problem": "A pen costs 3 dollars. How much do 4 pens cost?",
        "problem_id": "shop-17",
        "domain": "math",
    },
    "trace": [
        {
            "step": 1,
            "thought": "Multiply the price by the number of pens.",
            "action": "3*4",
            "observation": "12",
        }
    ],
    "output": {"answer": "12", "correct": True, "confidence": 0.9},
    "metadata": {"tokens_used": 120, "latency_ms": 850.0, "model": "small-1", "temperature": 0.2},
}


def _said(value: str) -> str:
    if "\0" in value:
        raise fault("text", "must not hold the character NUL")
    return value


def _in_utc(value: datetime) -> datetime:
    # Format of `datetime.isoformat()` for a time without a zone, as in many run files.
    return zoned(value if value.utcoffset() is not None else value.replace(tzinfo=UTC))


_SaidText = Annotated[str, AfterValidator(_said)]
Moment = Annotated[datetime, BeforeValidator(time_as_text), AfterValidator(_in_utc)]
_Amount = Annotated[float, Field(strict=True, ge=0, lt=2**53)]


class EpisodeStep(Request):
    """One step of an attempt."""

    step: Annotated[int, Field(strict=True, ge=0, lt=2**31)] | None = Field(
        default=None,
        description="Its number; grows from step to step. Unset: one more than that before.",
        examples=[1],
    )
    thought: _SaidText | None = Field(
        default=None, description="What was thought.", examples=["Multiply the price by the pens."]
    )
    action: _SaidText | None = Field(
        default=None,
        description="What was done, if anything: a sum, a call such as `search(…)`, or words.",
        examples=["3*4"],
    )
    observation: _SaidText | None = Field(
        default=None, description="What came of it.", examples=["12"]
    )


class EpisodeInput(Request):
    """Problem of an episode."""

    problem: Text = Field(
        description="The problem's text; what is embedded.",
        examples=["A pen costs 3 dollars. How much do 4 pens cost?"],
    )
    problem_id: Name | None = Field(
        default=None, description="Its id in the dataset.", examples=["shop-17"]
    )
    domain: Name | None = Field(
        default=None, description="Such as math, code, qa.", examples=["math"]
    )


class EpisodeOutput(Request):
    """Result of an episode."""

    answer: _SaidText | None = Field(default=None, description="The final answer.", examples=["12"])
    correct: Flag | None = Field(
        default=None,
        description="Whether it was right; unset or null: nobody judged it yet.",
        examples=[True],
    )
    confidence: Share | None = Field(
        default=None, description="How sure the model was, 0 to 1.", examples=[0.9]
    )


class EpisodeMetadata(Request):
    """Cost and circumstances of an episode.

    Other keys are stored as they are, unless they look like a misspelling of one of these.
    """

    model_config = ConfigDict(extra="allow", protected_namespaces=())

    tokens_used: Annotated[int, Field(strict=True, ge=0, lt=2**53)] | None = Field(
        default=None, description="All tokens of the attempt.", examples=[120]
    )
    latency_ms: _Amount | None = Field(
        default=None, description="Milliseconds from end to end.", examples=[850.0]
    )
    model: Name | None = Field(default=None, description="The model at work.", examples=["small-1"])
    temperature: _Amount | None = Field(
        default=None, description="How it was sampled.", examples=[0.2]
    )

    @model_validator(mode="after")
    def _others_are_json(self) -> Self:
        for name, value in (self.model_extra or {}).items():
            if close := get_close_matches(name, type(self).model_fields, 1, 0.8):
                raise fault("request", f"{name}: is not a field here; did you mean {close[0]}?")
            check_json({name: value}, 3)
        return self


class EpisodeRecord(Request):
    """One attempt at one problem, with the fields of the source document; unknown ones are null."""

    episode_id: Name | None = Field(
        default=None,
        description="Your id, unique in its scope: sent again, it is the same episode. Unset: made "
        "from what the episode says.",
        examples=[ID_EXAMPLE],
    )
    timestamp: Moment | None = Field(
        default=None,
        description="When it happened; without a zone: UTC. Unset: when it is stored.",
        examples=["2025-11-02T10:15:00Z"],
    )
    input: EpisodeInput = Field(
        description="The problem, with its id and domain.", examples=[RECORD_EXAMPLE["input"]]
    )
    trace: Annotated[tuple[EpisodeStep, ...], Field(max_length=MAX_STEPS)] = Field(
        default=(),
        description="The steps in their order, 1,000 at most.",
        examples=[RECORD_EXAMPLE["trace"]],
    )
    output: EpisodeOutput = Field(
        default_factory=EpisodeOutput,
        description="The answer, and whether it was right.",
        examples=[RECORD_EXAMPLE["output"]],
    )
    metadata: EpisodeMetadata = Field(
        default_factory=EpisodeMetadata,
        description="Tokens, time, model and temperature.",
        examples=[RECORD_EXAMPLE["metadata"]],
    )
    insight: _SaidText | None = Field(
        default=None,
        description="What to learn from it, in a sentence; shown where it is retrieved.",
        examples=["A price times a number is a product."],
    )
    tags: Tags = Field(default=(), description="Labels to filter by.", examples=[["algebra"]])

    @model_validator(mode="after")
    def _steps_grow(self) -> Self:
        last = -1
        for place, step in enumerate(self.trace):
            number = last + 1 if step.step is None else step.step
            if number <= last:
                raise fault(
                    "request",
                    f"trace.{place}.step: must be greater than that of the step before, {last}",
                )
            last = number
        return self

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(to_json(self.model_dump())) > MAX_EPISODE_BYTES:
            raise fault("request", "trace: an episode is at most 1 MiB as JSON; shorten its steps")
        return self

    def stored(self) -> dict[str, Any]:
        """Return the stored object: the document's fields in order, unknown ones null."""
        last = 0
        steps: list[dict[str, Any]] = []
        for step in self.trace:
            last = last + 1 if step.step is None else step.step
            steps.append({**step.model_dump(mode="json"), "step": last})
        record = self.model_dump(mode="json", include=_DOCUMENTED)
        record["trace"] = steps
        if self.insight is not None:
            record["insight"] = self.insight
        if self.tags:
            record["tags"] = list(self.tags)
        return record


_DOCUMENTED = {"episode_id", "timestamp", "input", "trace", "output", "metadata"}


class EpisodeFields(Request):
    """Scope and run of episodes."""

    scope_kind: ScopeKind | None = owner("Whose episodes they are")
    run: Name | None = Field(
        default=None,
        description="The run they are of; an export writes one file per run.",
        examples=[RUN_EXAMPLE],
    )


class AddEpisodeRequest(Identity, EpisodeFields, EpisodeRecord):
    """One episode with its owner."""


class AddEpisodesRequest(Identity, EpisodeFields):
    """Up to 1,000 episodes of one caller."""

    episodes: Annotated[tuple[EpisodeRecord, ...], Field(min_length=1, max_length=MAX_BATCH)] = (
        Field(description="The episodes, 1 to 1,000.", examples=[[RECORD_EXAMPLE]])
    )


class EpisodesEnvelope(Identity, EpisodeFields):
    """A batch with unparsed rows, so that each is validated separately."""

    episodes: Annotated[tuple[Any, ...], Field(min_length=1, max_length=MAX_BATCH)] = Field(
        description="The rows, 1 to 1,000.", examples=[[RECORD_EXAMPLE]]
    )


class EpisodeScopeRequest(Identity):
    """Scope whose episodes are counted, exported or cleared."""

    scope_kind: ScopeKind | None = owner("Whose episodes")


class ClearEpisodesRequest(EpisodeScopeRequest):
    """Episodes of one scope to clear."""

    domain: Name | None = Field(
        default=None, description="Only episodes of this domain.", examples=["math"]
    )
    run: Name | None = Field(
        default=None, description="Only episodes of this run.", examples=[RUN_EXAMPLE]
    )
    dry_run: bool = Field(
        default=True, description="Only say what would go; false removes.", examples=[False]
    )


class EvictedView(Answer):
    """An episode evicted for capacity."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    episode_id: str | None = Field(default=None, description="Its id.", examples=[ID_EXAMPLE])
    reason: str = Field(
        description="Why it was of the lowest value.", examples=["another of its problem is kept"]
    )


EpisodeRedacted = Annotated[
    dict[str, int],
    Field(
        description="How many details that identify a person were taken out, by type.",
        examples=[{"email": 1}],
    ),
]


class AddEpisodeAnswer(Answer):
    """Result of adding one episode."""

    status: SaveStatus = Field(
        description="created, updated (a new version) or unchanged.", examples=["created"]
    )
    uid: str = Field(description="Its uid from now on.", examples=[UID_EXAMPLE])
    episode_id: str = Field(description="Its id, given or made.", examples=[ID_EXAMPLE])
    evicted: tuple[EvictedView, ...] = Field(
        default=(), description="Episodes that went to make room.", examples=[[]]
    )
    redacted: EpisodeRedacted = Field(default_factory=dict[str, int])


class EpisodeRowAnswer(Answer):
    """Result of one row of a batch."""

    index: int = Field(description="The row, from 0.", examples=[0])
    status: SaveStatus = Field(description="What became of it.", examples=["created"])
    uid: str | None = Field(
        default=None, description="Its uid, unless it was rejected.", examples=[UID_EXAMPLE]
    )
    episode_id: str | None = Field(
        default=None, description="Its id, given or made.", examples=[ID_EXAMPLE]
    )
    error: FaultView | None = Field(
        default=None,
        description="Why it was rejected; the field `budget` where there was no room.",
        examples=[{"field": "trace.2.step", "message": "must be a whole number"}],
    )
    redacted: EpisodeRedacted = Field(default_factory=dict[str, int])


class AddEpisodesAnswer(Answer):
    """Result of a batch."""

    counts: CountsView = Field(description="Rows by result.", examples=[{"created": 2}])
    results: tuple[EpisodeRowAnswer, ...] = Field(
        description="One per row, in order.", examples=[[{"index": 0, "status": "created"}]]
    )
    evicted: tuple[EvictedView, ...] = Field(
        default=(), description="Episodes that went to make room.", examples=[[]]
    )


class AttemptedView(Answer):
    """A problem, strategy or concept of an episode."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    edge: str = Field(description="By what the episode is joined to it.", examples=["SOLVED"])
    kind: str = Field(description="What it is.", examples=["problem"])
    text: str = Field(description="Its text.", examples=["multiply"])
    attempts: int = Field(
        description="How many stored episodes with a verdict hang on it.", examples=[4]
    )
    successes: int = Field(description="How many of these were right.", examples=[3])


class EpisodeView(Answer):
    """A stored episode."""

    uid: str = Field(description="Its uid.", examples=[UID_EXAMPLE])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    state: State = Field(description="Whether it is retrieved.", examples=["active"])
    revision: int = Field(description="1 at birth; grows with each change.", examples=[1])
    run: str | None = Field(default=None, description="Its run.", examples=[RUN_EXAMPLE])
    recorded_at: datetime = Field(description="When it was stored.", examples=[NOW])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    episode: dict[str, Any] = Field(
        description="The episode, as the document has it.", examples=[RECORD_EXAMPLE]
    )
    hangs_on: tuple[AttemptedView, ...] = Field(
        default=(), description="Its problem, its strategy, and concepts.", examples=[[]]
    )


class BudgetView(Answer):
    """Limits of a scope; null is unlimited."""

    episodes: int | None = Field(description="Episodes at most.", examples=[10_000])
    bytes: int | None = Field(description="Bytes of episodes at most.", examples=[2**30])
    policy: BudgetPolicy = Field(
        description="What happens to one more: `refuse` it, or `evict` others.", examples=["refuse"]
    )


class EpisodeCountView(Answer):
    """Number of episodes in a scope, in any state, and its limits."""

    scope: str = Field(description="Scope of the episodes.", examples=["agent/planner"])
    episodes: int = Field(description="All of them.", examples=[120])
    correct: int = Field(description="With the verdict right.", examples=[80])
    wrong: int = Field(description="With the verdict wrong.", examples=[30])
    unjudged: int = Field(description="Without a verdict.", examples=[10])
    active: int = Field(description="Episodes that are retrieved.", examples=[110])
    bytes: int = Field(description="Bytes that count for the budget.", examples=[250_000])
    problems: int = Field(description="Problems of the scope.", examples=[90])
    strategies: int = Field(description="Strategies of the scope.", examples=[25])
    runs: dict[str, int] = Field(
        default_factory=dict[str, int],
        description="Episodes of each run that was named.",
        examples=[{RUN_EXAMPLE: 120}],
    )
    budget: BudgetView = Field(
        description="Its bounds, and what becomes of one more.",
        examples=[{"episodes": 10_000, "bytes": 2**30, "policy": "refuse"}],
    )


class ClearEpisodesAnswer(Answer):
    """Removed episodes, or planned for removal."""

    scope: str = Field(description="Scope of the episodes.", examples=["agent/planner"])
    dry_run: bool = Field(description="Whether nothing was removed.", examples=[True])
    matched: int = Field(description="How many episodes are meant.", examples=[42])
    deleted: int = Field(description="How many were removed.", examples=[0])
    bytes: int = Field(description="Bytes that these count for the budget.", examples=[90_000])
    problems: int = Field(
        description="Problems that went with the last of their episodes.", examples=[0]
    )
    strategies: int = Field(
        description="Strategies that went with the last of their episodes.", examples=[0]
    )
    sample: RemovedSample
    counts: RemovedCounts = Field(default_factory=dict[str, int])
