"""Retrieval of past attempts, for an agent to read."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from stratagraph.vocabulary import AttemptRole, RetrievalMode
from stratagraph.wire.episodes.queries import EpisodeFiltersRequest
from stratagraph.wire.kernel.base import Answer, Identity
from stratagraph.wire.kernel.values import (
    NOW,
    UID_EXAMPLE,
    Name,
    Phase,
    Share,
    Text,
    UsedUtilityWeight,
    UtilityWeight,
)

MAX_EPISODES = 50


class RetrieveEpisodesRequest(Identity):
    """A problem to be solved; attempts at similar problems are retrieved."""

    query: Text = Field(
        description="The problem, in words.", examples=["How many ducks are left after four fly?"]
    )
    k: Annotated[int, Field(strict=True, ge=1, le=MAX_EPISODES)] = Field(
        default=5, description="Episodes at most, 1 to 50.", examples=[3]
    )
    domain: Name | None = Field(default=None, description="Of this domain.", examples=["math"])
    filters: EpisodeFiltersRequest = Field(
        default_factory=EpisodeFiltersRequest,
        description="Which episodes may be given, however they are reached.",
        examples=[{"model": "small-1", "tokens_used_max": 500}],
    )
    mode: RetrievalMode = Field(
        default="all",
        description="`episodic`: the most similar problems' attempts (M0); `dual`: concepts beside "
        "them (M1-A); `structured`: by the filters, then by similarity (M1-B); `graph`: by a walk over "
        "similar problems (M1-C); `all`: all of it, and what the problem calls for.",
        examples=["graph"],
    )
    hops: Annotated[int, Field(strict=True, ge=1, le=2)] | None = Field(
        default=None,
        description="How many problems a walk goes through, 1 or 2; unset: 2.",
        examples=[1],
    )
    failures: Annotated[int, Field(strict=True, ge=0, le=MAX_EPISODES)] | None = Field(
        default=None,
        description="How many of the `k` must be failed attempts, if there are so many; more may "
        "come. Unset: 1 of five and more that teaches something beside the right ones, and with "
        "`episodic` and `structured` as similarity has it.",
        examples=[1],
    )
    diversity: Share | None = Field(
        default=None,
        description="How much results must differ, 0 to 1 (1 − λ of maximal marginal relevance); "
        "unset: 0.15, with `all` as far as shape tells how problems are solved, and with `episodic` "
        "and `structured` not at all.",
        examples=[0.3],
    )
    max_tokens: Annotated[int, Field(strict=True, ge=1, le=100_000)] | None = Field(
        default=None,
        description="Write the results as a `prompt` of so many tokens at most; unset: no prompt.",
        examples=[1500],
    )
    utility_weight: UtilityWeight = None
    phase: Phase | None = Field(
        default=None, description="Phase of the agent's work: it sets λ.", examples=["planning"]
    )
    task_id: Name | None = Field(
        default=None,
        description="The task this serves: its outcome will reward the results.",
        examples=["solve-17"],
    )


class AttemptStepView(Answer):
    """One step of an attempt."""

    step: int = Field(description="Its number.", examples=[1])
    thought: str = Field(description="What was thought.", examples=["Four of ten ducks fly off."])
    action: str = Field(description="What was done.", examples=["10-4"])
    observation: str = Field(description="What came of it.", examples=["6"])


class RetrievedEpisodeView(Answer):
    """One attempt: its problem, first steps, outcome and key insight, and why it was found."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    episode_id: str | None = Field(default=None, description="Your id.", examples=["ep-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    role: AttemptRole = Field(description="Right, wrong, or not judged.", examples=["success"])
    problem: str = Field(description="The problem's text.", examples=["How many ducks are left?"])
    steps: tuple[AttemptStepView, ...] = Field(description="The first three steps.", examples=[[]])
    step_count: int = Field(description="How many steps there are.", examples=[4])
    answer: str = Field(description="The answer it came to.", examples=["6"])
    correct: bool | None = Field(default=None, description="Whether it was right.", examples=[True])
    confidence: float | None = Field(
        default=None, description="How sure its agent was.", examples=[0.9]
    )
    insight: str | None = Field(
        default=None,
        description="The key insight: as its agent said, else, of a right attempt, from what it did.",
        examples=["Strategy: subtract. Take away what flew off."],
    )
    lesson: str | None = Field(
        default=None,
        description="What a wrong attempt teaches beside a right one.",
        examples=["At step 1 it chose add; a right attempt at this problem chose subtract."],
    )
    strategy: str | None = Field(
        default=None, description="What it did, in order.", examples=["subtract, multiply ×2"]
    )
    domain: str | None = Field(default=None, description="Its domain.", examples=["math"])
    model: str | None = Field(default=None, description="Who made it.", examples=["small-1"])
    occurred_at: datetime = Field(description="When it was made.", examples=[NOW])
    score: float = Field(description="What orders the results, 0 to 1.", examples=[0.93])
    similarity: float = Field(
        description="Cosine of its problem to the query, or along the walk.", examples=[0.61]
    )
    q_value: float = Field(description="Learned utility, 0 to 1.", examples=[0.5])
    hops: int = Field(
        description="How many problems or concepts led to it; 0: its own text did.", examples=[1]
    )
    path: tuple[str, ...] = Field(
        description="Nodes and edges on the way from the query.",
        examples=[["query", "NEAR", f"problem:{UID_EXAMPLE}", "SOLVED", f"episode:{UID_EXAMPLE}"]],
    )
    components: dict[str, float] = Field(
        description="What the score is made of.", examples=[{"shape": 0.4, "trust": 0.5}]
    )


class KnowledgeView(Answer):
    """A strategy or a concept."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    text: str = Field(description="What it says.", examples=["subtract, multiply ×2"])
    success_rate: float | None = Field(
        default=None, description="How often attempts with it were right.", examples=[0.8]
    )
    attempts: int = Field(description="How many attempts that rests on.", examples=[25])
    support: float = Field(
        description="How much of what was found speaks for it, 0 to 1.", examples=[0.4]
    )


class RetrievalAnswerView(Answer):
    """Attempts, best first, with their strategies and concepts."""

    mode: RetrievalMode = Field(description="How they were found.", examples=["all"])
    results: tuple[RetrievedEpisodeView, ...] = Field(description="Best first.", examples=[[]])
    strategies: tuple[KnowledgeView, ...] = Field(
        description="Ways of acting that what was found speaks for.", examples=[[]]
    )
    concepts: tuple[KnowledgeView, ...] = Field(
        description="Knowledge that the problem may need.", examples=[[]]
    )
    candidates: int = Field(description="How many episodes were compared.", examples=[212])
    utility_weight: UsedUtilityWeight
    tokens: int = Field(
        description="Tokens of the prompt, or of the results as they would be written: a quarter of "
        "their bytes.",
        examples=[612],
    )
    prompt: str | None = Field(
        default=None, description="With `max_tokens`.", examples=["A past attempt (1): …"]
    )
    task_id: str | None = Field(
        default=None, description="The task that was given these.", examples=["solve-17"]
    )
    nodes: dict[str, int] = Field(
        description="How many nodes of each kind the walk brought.", examples=[{"problems": 120}]
    )
