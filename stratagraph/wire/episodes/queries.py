"""Queries over episodes: as an object, in words, and their answers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from stratagraph.vocabulary import EpisodeGrouping, EpisodeMeasure, EpisodeOrder, State
from stratagraph.wire.kernel.base import Answer, Identity, Request
from stratagraph.wire.kernel.values import (
    NOW,
    TIME_EXAMPLE,
    UID_EXAMPLE,
    Flag,
    Name,
    Names,
    Tags,
    Text,
    Time,
    TimeZone,
    fault,
)

_Truth = Flag | Literal["unknown"]

_Whole = Annotated[int, Field(strict=True, ge=0, le=2**53)] | None
_Real = Annotated[float, Field(strict=True, ge=0, le=2**53)] | None
_Share = Annotated[float, Field(strict=True, ge=0, le=1)] | None
_Warmth = Annotated[float, Field(strict=True, ge=0, le=1_000)] | None
_OneOf = Name | Names | None
_NUMBERS = ("tokens_used", "latency_ms", "confidence", "temperature", "step_count", "occurred")


class EpisodeFiltersRequest(Request):
    """Filters for episodes; fields left out do not filter, a bound rejects unknown numbers.

    A name is one or a list of alternatives. `…_not` accepts episodes without a name. A retrieval takes one name of
    each, and no `…_not`.
    """

    correct: _Truth | Annotated[tuple[_Truth, ...], Field(min_length=1, max_length=3)] | None = (
        Field(
            default=None,
            description="Right, wrong, judged by nobody (`unknown`), or several of these.",
            examples=[False],
        )
    )
    domain: _OneOf = Field(
        default=None, description="Of this domain, or of one of these.", examples=["algebra"]
    )
    domain_not: Names = Field(
        default=(), description="Of none of these domains.", examples=[["geometry"]]
    )
    model: _OneOf = Field(
        default=None,
        description="By this model, or one of these.",
        examples=["small-1"],
    )
    model_not: Names = Field(
        default=(), description="By none of these models.", examples=[["small-1"]]
    )
    agent_id: _OneOf = Field(
        default=None,
        description="By this agent, or one of these (in a scope the caller reads).",
        examples=["planner"],
    )
    agent_id_not: Names = Field(
        default=(), description="By none of these agents.", examples=[["planner"]]
    )
    session_id: _OneOf = Field(
        default=None, description="Of this session, or one of these.", examples=["run"]
    )
    session_id_not: Names = Field(
        default=(), description="Of none of these sessions.", examples=[["run"]]
    )
    problem_id: _OneOf = Field(
        default=None,
        description="At the problem with this id of its dataset, or one of these.",
        examples=["gsm-17"],
    )
    problem_id_not: Names = Field(
        default=(), description="At none of these problems.", examples=[["gsm-17"]]
    )
    occurred_from: Time | None = Field(
        default=None, description="Made then or later.", examples=[TIME_EXAMPLE]
    )
    occurred_to: Time | None = Field(
        default=None, description="Made before.", examples=["2027-05-01T00:00:00Z"]
    )
    tokens_used_min: _Whole = Field(default=None, description="At least.", examples=[100])
    tokens_used_max: _Whole = Field(default=None, description="At most.", examples=[500])
    latency_ms_min: _Real = Field(default=None, description="At least.", examples=[100])
    latency_ms_max: _Real = Field(default=None, description="At most.", examples=[2000])
    confidence_min: _Share = Field(default=None, description="At least, 0 to 1.", examples=[0.8])
    confidence_max: _Share = Field(default=None, description="At most, 0 to 1.", examples=[0.9])
    temperature_min: _Warmth = Field(default=None, description="At least.", examples=[0])
    temperature_max: _Warmth = Field(default=None, description="At most.", examples=[0.7])
    step_count_min: _Whole = Field(default=None, description="At least.", examples=[2])
    step_count_max: _Whole = Field(default=None, description="At most.", examples=[5])
    tags_any: Tags = Field(default=(), description="With one of these tags.", examples=[["exam"]])
    tags_all: Tags = Field(default=(), description="With all of these tags.", examples=[["exam"]])
    tags_none: Tags = Field(
        default=(), description="With none of these tags.", examples=[["flaky"]]
    )
    actions_any: Tags = Field(
        default=(), description="With a step that did one of these.", examples=[["search"]]
    )
    actions_all: Tags = Field(
        default=(), description="With steps that did all of these.", examples=[["multiply"]]
    )
    actions_none: Tags = Field(
        default=(), description="With no step that did one of these.", examples=[["guess"]]
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        for name in _NUMBERS:
            low, high = ("from", "to") if name == "occurred" else ("min", "max")
            least, most = getattr(self, f"{name}_{low}"), getattr(self, f"{name}_{high}")
            if least is None or most is None:
                continue
            if least > most or (name == "occurred" and least == most):
                raise fault("request", f"{name}_{high}: must not be below {name}_{low}")
        return self


class _Question(Request):
    filters: EpisodeFiltersRequest = Field(
        default_factory=EpisodeFiltersRequest,
        description="Which episodes are meant.",
        examples=[{"correct": False, "domain": "algebra"}],
    )
    similar_to: Text | None = Field(
        default=None,
        description="A text: episodes whose problems are nearest to it in meaning.",
        examples=["two trains meet"],
    )
    min_similarity: Annotated[float, Field(strict=True, ge=-1, le=1)] | None = Field(
        default=None,
        description="Least cosine to the text; unset: any where the nearest come first, else a setting "
        "(0.55).",
        examples=[0.4],
    )
    order: EpisodeOrder | None = Field(
        default=None,
        description="Of episodes; unset: the nearest first with a text, else the newest. What is "
        "unknown comes last.",
        examples=["slowest"],
    )
    limit: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = Field(
        default=None,
        description="Episodes (unset: 20) or groups (unset: a setting, 200) at most; a setting (200) "
        "is the most.",
        examples=[5],
    )
    measure: EpisodeMeasure | None = Field(
        default=None,
        description="Numbers instead of episodes; groups come in its order, the highest first.",
        examples=["success_rate"],
    )
    by: EpisodeGrouping | None = Field(
        default=None, description="Numbers of each group.", examples=["model"]
    )
    divergence: Flag = Field(
        default=False,
        description="Where right and wrong attempts at the same or like problems part, instead of episodes.",
        examples=[True],
    )
    own: Flag = Field(
        default=False,
        description="In the caller's own scope alone: the agent's, else the user's or channel's.",
        examples=[True],
    )
    time_zone: TimeZone = "UTC"


class EpisodeQueryRequest(Identity, _Question):
    """A question about episodes."""

    domain: Name | None = Field(
        default=None,
        description="Of this domain; `filters.domain` says the same, and this one wins.",
        examples=["algebra"],
    )
    cursor: Annotated[str, Field(min_length=1, max_length=1024)] | None = Field(
        default=None,
        description="The `next_cursor` of the page before; not with `similar_to` or `measure`.",
        examples=["WzE3NjM…"],
    )


class EpisodeAskRequest(Identity):
    """A question about episodes, in words."""

    question: Text = Field(
        description="In words; docs/reasoning.md says which are understood.",
        examples=["failed attempts on algebra problems from last week"],
    )
    domain: Name | None = Field(
        default=None,
        description="Of this domain; one that the question names too is told in `unread`.",
        examples=["algebra"],
    )
    time_zone: TimeZone = "UTC"
    use_model: Flag = Field(
        default=True,
        description="Let the language model read it, where one is configured; false: the grammar alone.",
        examples=[False],
    )
    cursor: Annotated[str, Field(min_length=1, max_length=1024)] | None = Field(
        default=None, description="The `next_cursor` of the page before.", examples=["WzE3NjM…"]
    )


class FoundEpisodeView(Answer):
    """A found episode; unreported numbers are null."""

    uid: str = Field(description="Its name.", examples=[UID_EXAMPLE])
    episode_id: str | None = Field(default=None, description="Your id of it.", examples=["ep-17"])
    scope: str = Field(description="Whose it is.", examples=["agent/planner"])
    state: State = Field(
        description="`archived`: a concept covers it; it was made all the same.",
        examples=["active"],
    )
    problem: str = Field(description="The problem's text.", examples=["Two trains meet …"])
    problem_id: str | None = Field(default=None, description="Its id.", examples=["gsm-17"])
    domain: str | None = Field(default=None, description="Its domain.", examples=["algebra"])
    model: str | None = Field(default=None, description="By which model.", examples=["small-1"])
    agent_id: str | None = Field(default=None, description="By whom.", examples=["planner"])
    session_id: str | None = Field(default=None, description="Its session.", examples=["run"])
    correct: bool | None = Field(
        default=None, description="Right or wrong; null: nobody judged.", examples=[False]
    )
    answer: str | None = Field(default=None, description="The answer.", examples=["42"])
    occurred_at: datetime = Field(description="When it was made.", examples=[NOW])
    tokens_used: int | None = Field(default=None, description="Tokens.", examples=[420])
    latency_ms: float | None = Field(default=None, description="Milliseconds.", examples=[1200])
    confidence: float | None = Field(default=None, description="0 to 1.", examples=[0.8])
    temperature: float | None = Field(default=None, description="Of the model.", examples=[0.7])
    step_count: int | None = Field(default=None, description="Steps.", examples=[3])
    actions: tuple[str, ...] = Field(
        default=(), description="What its steps did.", examples=[["multiply", "add"]]
    )
    tags: tuple[str, ...] = Field(default=(), description="Its labels.", examples=[["exam"]])
    episode: dict[str, Any] | None = Field(
        default=None, description="The whole episode, as it was given.", examples=[{"trace": []}]
    )
    similarity: float | None = Field(
        default=None, description="Cosine to the text, -1 to 1.", examples=[0.61]
    )


class EpisodeGroupView(Answer):
    """Statistics of attempts; null without reports."""

    name: str = Field(description="What they have in common; empty: nothing.", examples=["algebra"])
    attempts: int = Field(description="Attempts of the group.", examples=[40])
    judged: int = Field(description="Attempts known to be right or wrong.", examples=[38])
    successes: int = Field(description="Attempts that were right.", examples=[29])
    success_rate: float | None = Field(description="Successes of judged.", examples=[0.763])
    total_tokens: int | None = Field(description="Tokens of all.", examples=[16_000])
    mean_tokens: float | None = Field(description="Tokens of one.", examples=[400])
    mean_latency: float | None = Field(description="Milliseconds of one.", examples=[1200])
    mean_confidence: float | None = Field(description="0 to 1.", examples=[0.8])
    mean_steps: float | None = Field(description="Steps of one.", examples=[3.2])


class TrialStepView(Answer):
    """A step as reported."""

    thought: str = Field(description="What it thought.", examples=["The join multiplies rows."])
    action: str = Field(description="What it did.", examples=["edit(query.sql)"])
    observation: str = Field(description="What came of it.", examples=["The sums stay wrong."])


class BranchView(Answer):
    """Attempts with the same next step; at most five of each list, the most frequent first."""

    step: str | None = Field(
        description="What they did next; null: they ended.", examples=["create_index"]
    )
    attempts: int = Field(description="Attempts that went on so.", examples=[3])
    uids: tuple[str, ...] = Field(description="Some of them.", examples=[[UID_EXAMPLE]])
    said: TrialStepView | None = Field(
        default=None, description="The step as the first of them took it.", examples=[None]
    )
    insights: tuple[str, ...] = Field(
        description="What their agents learned.", examples=[["Aggregate before the join."]]
    )
    observations: tuple[str, ...] = Field(
        description="What came of the step, such as an error.", examples=[["Totals doubled."]]
    )
    answers: tuple[str, ...] = Field(
        description="Answers that they ended with.", examples=[["DISTINCT"]]
    )


class DivergencePointView(Answer):
    """A step at which wrong attempts leave all correct ones."""

    problems: tuple[str, ...] = Field(
        description="Some of the problems.", examples=[["The join doubles the totals."]]
    )
    shared: tuple[str, ...] = Field(description="The steps before it.", examples=[["explain"]])
    place: int = Field(description="Its number, from 1.", examples=[2])
    wrong: tuple[BranchView, ...] = Field(description="What wrong ones did.", examples=[[]])
    right: tuple[BranchView, ...] = Field(description="What right ones did.", examples=[[]])


class DivergenceView(Answer):
    """Steps at which correct and wrong attempts diverge."""

    right: int = Field(description="Right attempts that were looked at.", examples=[9])
    wrong: int = Field(description="Wrong attempts that were looked at.", examples=[4])
    unmatched: int = Field(
        description="Wrong ones without a right one at the same or a like problem.", examples=[1]
    )
    points: tuple[DivergencePointView, ...] = Field(
        description="Those with the most wrong attempts first.", examples=[[]]
    )


class StatementView(Answer):
    """The executed statement: a file of the service, without unused parts."""

    name: str = Field(description="The file.", examples=["episodes.find_episodes.all"])
    text: str = Field(description="Its text.", examples=["MATCH (m:Episode) …"])
    parameters: dict[str, Any] = Field(
        description="What it was given; a vector is shown by its length, names as hashes.",
        examples=[{"scopes": ["agent/planner"], "limit": 20}],
    )


class EpisodeQueryView(Answer):
    """Answer to a question about episodes: episodes, or numbers."""

    object: dict[str, Any] = Field(
        description="The question as it was run, with what was left open; it can be sent again.",
        examples=[{"filters": {"correct": [False]}, "order": "newest", "limit": 20}],
    )
    statement: StatementView = Field(
        description="Statement that was run for it.",
        examples=[{"name": "episodes.find_episodes.all"}],
    )
    episodes: tuple[FoundEpisodeView, ...] | None = Field(
        default=None, description="In the order asked for.", examples=[[]]
    )
    next_cursor: str | None = Field(
        default=None, description="Opens the next page; null at the end.", examples=["WzE3NjM…"]
    )
    total: EpisodeGroupView | None = Field(
        default=None, description="Numbers of all of them.", examples=[{"attempts": 40}]
    )
    groups: tuple[EpisodeGroupView, ...] | None = Field(
        default=None, description="With `by`: of each group.", examples=[[]]
    )
    divergence: DivergenceView | None = Field(
        default=None,
        description="With `divergence`: where right and wrong attempts part; the statement is that of the wrong "
        "ones.",
        examples=[None],
    )


class EpisodeAskView(EpisodeQueryView):
    """Answer to a question in words, and its interpretation."""

    question: str = Field(description="The question.", examples=["my success rate by model"])
    source: Literal["grammar", "model"] = Field(
        description="Who read it: the grammar, or the language model.", examples=["grammar"]
    )
    unread: tuple[str, ...] = Field(
        description="What was not understood, and does not filter.", examples=[["except geometry"]]
    )
    now: datetime = Field(
        description="The present that times count from, in the time zone asked for.", examples=[NOW]
    )
    model: str | None = Field(
        default=None, description="The language model that was asked.", examples=["small-1"]
    )
    fallback: str | None = Field(
        default=None,
        description="Why the grammar read what the model was asked to.",
        examples=["the language model gave no usable answer"],
    )
