"""Rendering of episodes as text for an agent, and of several as a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

from graph.kernel.actions import action_names
from graph.model.episodes.attempts import attempt_of
from graph.model.episodes.divergence import AttemptTrace
from graph.model.episodes.retrieval import (
    EpisodeContent,
    RetrievedEpisode,
    RetrievedKnowledge,
    ShownStep,
)

FIRST_STEPS = 3
_LONGEST_FIELD = 2_000  # characters of one field of a step, so that no episode fills a prompt alone
_BYTES_PER_TOKEN = 4


def tokens_of(text: str) -> int:
    """Estimate the tokens of a text: one for each four bytes of UTF-8, rounded up."""
    return -(-len(text.encode()) // _BYTES_PER_TOKEN)


def steps_of(content: EpisodeContent | AttemptTrace) -> tuple[ShownStep, ...]:
    """Return the valid steps of an attempt."""
    trace = (content.structured or {}).get("trace")
    if not isinstance(trace, list):
        return ()
    rows = [
        cast("Mapping[str, Any]", row)
        for row in cast("list[object]", trace)
        if isinstance(row, dict)
    ]
    return tuple(_step(place, row) for place, row in enumerate(rows, 1))


def output_of(content: EpisodeContent) -> tuple[str, float | None]:
    """Return answer and confidence of an attempt."""
    part = _part(content, "output")
    confidence = part.get("confidence")
    # `True` is an int in Python
    sure = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    return _stripped(part.get("answer")), float(cast("float", confidence)) if sure else None


def problem_of(content: EpisodeContent) -> str:
    """Return the problem's text, as the agent was given it."""
    return _stripped(_part(content, "input").get("problem")) or content.text


def strategy_of(content: EpisodeContent) -> str | None:
    """Return the actions of an attempt in order: `subtract, multiply ×2`."""
    actions = attempt_of(content.structured).actions
    named: list[list[Any]] = []
    for action in actions:
        if named and named[-1][0] == action:
            named[-1][1] += 1
        else:
            named.append([action, 1])
    parts = [name if count == 1 else f"{name} ×{count}" for name, count in named]
    return ", ".join(parts) or None


def insight_of(content: EpisodeContent, *, correct: bool) -> str | None:
    """Return the key insight of an attempt: that of its agent, else of a right one its strategy."""
    if content.insight:
        return content.insight
    strategy = strategy_of(content) if correct else None
    return f"Strategy: {strategy}." if strategy else None


def lesson_of(content: EpisodeContent, beside: EpisodeContent | None) -> str:
    """Return the lesson of a failure: where it diverged from a success, or what went wrong."""
    if beside is None:
        return "This attempt was wrong."
    own, other = _actions(content), _actions(beside)
    # steps of different problems cannot be compared one by one
    if problem_of(content) != problem_of(beside):
        steps = strategy_of(content)
        named = f" ({steps})" if steps else ""
        return f"The same steps{named} were wrong here: check that they fit."
    for place, (did, right) in enumerate(zip_longest(own, other), start=1):
        if did != right:
            if did is None:
                return f"It stopped before step {place}, where a right attempt goes on to {right}."
            if right is None:
                return f"It went on to {did} at step {place}, where a right attempt was done."
            return f"At step {place} it chose {did}; a right attempt at this problem chose {right}."
    return "The steps are those of a right attempt at this problem: the slip is in what they say."


def rendered(result: RetrievedEpisode) -> str:
    """Render one episode."""
    outcome = {"success": "correct", "failure": "wrong", "unjudged": "not judged"}[result.role]
    lines = [f"Problem: {result.problem}"]
    lines += [_step_line(step) for step in result.steps]
    if result.step_count > len(result.steps):
        lines.append(f"  … {result.step_count - len(result.steps)} more")
    answer = f"{result.answer} " if result.answer else ""
    lines.append(f"Outcome: {answer}({outcome})")
    if result.insight:
        lines.append(f"Key insight: {result.insight}")
    if result.lesson:
        lines.append(f"Lesson: {result.lesson}")
    return "\n".join(lines)


def prompt_of(
    results: Sequence[RetrievedEpisode],
    strategies: Sequence[RetrievedKnowledge],
    concepts: Sequence[RetrievedKnowledge],
    *,
    most_tokens: int,
) -> str:
    """Render results within a token budget: knowledge first, then episodes, the best first.

    Results that do not fit are left out; an episode is only shortened by its steps.
    """
    parts: list[str] = []
    knowledge = _knowledge("Known concepts:", concepts) + _knowledge(
        "Ways that worked:", strategies
    )
    if results:
        # at most a quarter, to leave room for episodes
        _add(parts, "\n".join(knowledge), most_tokens // 4)
    for number, result in enumerate(results, start=1):
        title = "A failed attempt to learn from" if result.role == "failure" else "A past attempt"
        text = f"{title} ({number}):\n{rendered(result)}"
        # without its steps it may fit
        if not _add(parts, text, most_tokens):
            _add(parts, f"{title} ({number}):\n{_short(result)}", most_tokens)
    return "\n\n".join(parts)


def _add(parts: list[str], text: str, most_tokens: int) -> bool:
    """Add a part if all parts stay within the budget."""
    if not text or tokens_of("\n\n".join([*parts, text])) > most_tokens:
        return False
    parts.append(text)
    return True


def _short(result: RetrievedEpisode) -> str:
    lines = [f"Problem: {result.problem}", f"Outcome: {result.answer}"]
    return "\n".join([*lines, f"Key insight: {result.insight}"] if result.insight else lines)


def _knowledge(title: str, found: Iterable[RetrievedKnowledge]) -> list[str]:
    lines = [
        f"- {known.text}"
        + (
            f" (right in {known.success_rate:.0%} of {known.attempts})"
            if known.attempts > 0
            else ""
        )
        for known in found
    ]
    return [title, *lines] if lines else []


def _step_line(step: ShownStep) -> str:
    parts = [step.thought, f"[{step.action}]" if step.action else "", step.observation]
    return f"  {step.step}. " + " → ".join(part for part in parts if part)


def _step(place: int, row: Mapping[str, Any]) -> ShownStep:
    number = row.get("step")
    return ShownStep(
        step=number if isinstance(number, int) and not isinstance(number, bool) else place,
        thought=_stripped(row.get("thought"))[:_LONGEST_FIELD],
        action=_stripped(row.get("action"))[:_LONGEST_FIELD],
        observation=_stripped(row.get("observation"))[:_LONGEST_FIELD],
    )


def _actions(content: EpisodeContent) -> list[str]:
    return [name for step in steps_of(content) for name in action_names(step.action)]


def _part(content: EpisodeContent, name: str) -> Mapping[str, Any]:
    part = (content.structured or {}).get(name)
    return cast("Mapping[str, Any]", part) if isinstance(part, dict) else {}


def _stripped(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
