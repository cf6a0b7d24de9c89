"""Recalls: queries and answers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import Engine, FoundBy, Kind, MemoryProfile
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Flag,
    MemoryName,
    Name,
    Phase,
    Share,
    StratumName,
    Tags,
    Text,
    Time,
    UsedUtilityWeight,
    UtilityWeight,
    Vector,
    fault,
)
from stratagraph.wire.recall.filters import FiltersRequest


class ContextRequest(Request):
    """Context of a query: memories may have another utility in each context."""

    domain: Name | None = Field(
        default=None, description="The domain of the work.", examples=["billing"]
    )
    tags: Tags = Field(default=(), description="What else it is about.", examples=[["refund"]])


class RecallRequest(Identity):
    """A query: exactly one of `text`, `vector` and `like`."""

    text: Text | None = Field(
        default=None,
        description="What is sought, in words.",
        examples=["How does Ada like answers?"],
    )
    vector: Vector | None = Field(
        default=None, description="What is sought, as an embedding.", examples=[[0.12, -0.4, 0.07]]
    )
    like: MemoryName | None = Field(
        default=None,
        description="What is like this memory: a uid, or `external:<external_id>`.",
        examples=[UID_EXAMPLE],
    )
    phase: Phase | None = Field(
        default=None, description="Phase of the agent's work: it sets λ.", examples=["planning"]
    )
    utility_weight: UtilityWeight = None
    k: Annotated[int, Field(strict=True, ge=1, le=200)] | None = Field(
        default=None, description="Results at most, 1 to 200; unset: a setting (5).", examples=[5]
    )
    hops: Annotated[int, Field(strict=True, ge=0, le=2)] | None = Field(
        default=None,
        description="How far relevance spreads along edges, 0 to 2; unset: 1.",
        examples=[1],
    )
    filters: FiltersRequest = Field(
        default_factory=FiltersRequest,
        description="What may be recalled.",
        examples=[{"kinds": ["preference"]}],
    )
    min_similarity: Annotated[float, Field(strict=True, ge=-1, le=1)] | None = Field(
        default=None, description="Least cosine of a result, -1 to 1.", examples=[0.2]
    )
    min_relevance: Share | None = Field(
        default=None,
        description="Least relevance of a result, 0 to 1; unset: a setting (0.5). 0 returns the best whatever they are.",
        examples=[0.5],
    )
    now: Time | None = Field(
        default=None,
        description="What `yesterday` and `last week` in the text count from; unset: the clock.",
        examples=[TIME_EXAMPLE],
    )
    explain: Flag = Field(
        default=False,
        description="Say why each result is there, and what just missed.",
        examples=[True],
    )
    task_id: Name | None = Field(
        default=None,
        description="The task this serves: its outcome will reward the results.",
        examples=["answer-ticket-17"],
    )
    context: ContextRequest | None = Field(
        default=None,
        description="What the question is about, beside its phase; unset: the domain and `tags_all` "
        "of the filters.",
        examples=[{"domain": "billing", "tags": ["refund"]}],
    )
    explore: Flag | None = Field(
        default=None,
        description="Whether memories that few outcomes have reached get a chance; unset: a setting.",
        examples=[False],
    )

    arousal: Share | None = Field(
        default=None,
        description="How many results there are by how aroused the agent is, 0 to 1, and two important ones beside them; "
        "unset: `k` says it, or with a `profile` the latest surprise of the agent's plugin.",
        examples=[0.8],
    )
    profile: MemoryProfile | None = Field(
        default=None,
        description="Results from arousal 0 to 1; unset: a setting (MILLER_STANDARD).",
        examples=["MILLER_STANDARD"],
    )
    include_superseded: Flag = Field(
        default=False,
        description="Also what another memory has replaced, each with `superseded_by`.",
        examples=[True],
    )
    as_of: Time | None = Field(
        default=None,
        description="What held at this time, zoned, of what had happened by then; unset: what holds now.",
        examples=[TIME_EXAMPLE],
    )

    engine: Engine | None = Field(
        default=None,
        description="Law that orders the results; unset: what is set for the agent's type, else the "
        "tenant, else `utility`.",
        examples=["weighted"],
    )

    @model_validator(mode="after")
    def _one_question(self) -> Self:
        given = sum(value is not None for value in (self.text, self.vector, self.like))
        if given != 1:
            raise fault("request", "text: give exactly one of text, vector and like")
        return self


class ExplanationView(Answer):
    """Why a result has its rank."""

    components: dict[str, float] = Field(
        description="What each part added to the score.", examples=[{"cosine": 0.61}]
    )
    path: tuple[str, ...] = Field(
        description="How it was reached: uids and types of edges, from the query.",
        examples=[["vector", UID_EXAMPLE]],
    )


class ReplacedView(Answer):
    """Memory that a result replaced."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    text: str = Field(description="Its text.", examples=["Ada prefers short answers."])
    occurred_at: datetime = Field(description="When it happened.", examples=[NOW])
    confidence: float = Field(description="How sure it is, 0 to 1; stated is 1.", examples=[0.85])
    evidence: str | None = Field(
        default=None, description="What shows it, where it was detected.", examples=["says: now"]
    )
    found_by: FoundBy = Field(
        description="`stated` by somebody, or `detected` in the background.", examples=["detected"]
    )


class AttemptOutcomeView(Answer):
    """Outcome of an attempt."""

    answer: str = Field(description="The answer it came to.", examples=["6"])
    correct: bool | None = Field(default=None, description="Whether it was right.", examples=[True])
    insight: str | None = Field(
        default=None,
        description="The key insight, as its agent said it.",
        examples=["Take away what flew off."],
    )


class RecalledView(Answer):
    """One result."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    external_id: str | None = Field(default=None, description="Your id.", examples=["ticket-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    kind: Kind = Field(description="What sort of memory.", examples=["preference"])
    stratum: StratumName = Field(description="How lasting it is.", examples=["long_term"])
    text: str = Field(description="Its text.", examples=["Ada prefers worked examples."])
    speaker: str | None = Field(default=None, description="Who said it.", examples=["Ada"])
    session_id: str | None = Field(
        default=None, description="Its session.", examples=["monday-call"]
    )
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["style"]])
    metadata: dict[str, Any] | None = Field(
        default=None, description="As it was given.", examples=[{"ticket": 17}]
    )
    occurred_at: datetime = Field(description="When it happened.", examples=[NOW])
    importance: int = Field(description="1 to 5.", examples=[3])
    score: float = Field(description="What orders the results.", examples=[1.42])
    relevance: float = Field(
        description="Confidence that it answers the question, 0 to 1.", examples=[0.93]
    )
    similarity: float = Field(description="Cosine to the question, -1 to 1.", examples=[0.61])
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    replaced: tuple[ReplacedView, ...] = Field(
        default=(), description="What it replaced, newest first, at most 5.", examples=[[]]
    )
    superseded_by: str | None = Field(
        default=None,
        description="The memory that replaced it: with `include_superseded` or `as_of`.",
        examples=[UID_EXAMPLE],
    )
    may_be_superseded_by: str | None = Field(
        default=None,
        description="A newer memory that probably replaces it, in part or as a whole; it still counts.",
        examples=[None],
    )
    attempt: AttemptOutcomeView | None = Field(
        default=None,
        description="Of an `episode`: its answer and whether it was right; the text is its problem.",
        examples=[None],
    )
    explanation: ExplanationView | None = Field(
        default=None, description="With `explain`.", examples=[{"components": {}, "path": []}]
    )


class NearMissView(Answer):
    """A candidate that nearly was a result."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    text: str = Field(description="Its text.", examples=["Bob prefers short answers."])
    score: float = Field(description="Its score.", examples=[-0.2])
    reason: str = Field(description="What kept it out.", examples=["6th of 5"])


class RecallExplanationView(Answer):
    """Explanation of the whole answer, with `explain`."""

    near_misses: tuple[NearMissView, ...] = Field(
        description="Up to five candidates that were not returned.", examples=[[]]
    )


class RecallAnswerView(Answer):
    """Recalled memories, best first."""

    results: tuple[RecalledView, ...] = Field(description="Best first.", examples=[[]])
    utility_weight: UsedUtilityWeight
    engine: Engine = Field(
        default="utility", description="The law that ordered the results.", examples=["utility"]
    )
    candidates: int = Field(description="How many memories were compared.", examples=[87])
    links_pending: int = Field(
        default=0,
        description="Memories of the caller's scopes that the background has not linked yet, "
        "as of two seconds ago at most.",
        examples=[0],
    )
    task_id: str | None = Field(
        default=None, description="The task that was given these.", examples=["answer-ticket-17"]
    )
    explanation: RecallExplanationView | None = Field(
        default=None, description="With `explain`.", examples=[{"near_misses": []}]
    )
