"""The shop's agent: what it says to the service, over HTTP as any agent would."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from ulid import ULID

from graph.errors import StratagraphError
from service.cli.demo.story import Chapter, Story, Trial
from stratagraph import wire

AGENT = "demo-shop"
PHASE = "planning"
TIMEOUT_SECONDS = 30.0
PATIENCE_SECONDS = 30.0
RETRY_SECONDS = 0.05
NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class Attempt:
    """One time that the agent acted on a memory, and what became of its utility."""

    name: str
    succeeded: bool
    q_before: float
    q_after: float


class Shop:
    """An agent without a model: it takes the best-ranked way of acting, and reports."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._run = str(ULID())[-6:]

    def remember(self, chapter: Chapter) -> int:
        """Store a chapter; return how many memories are new."""
        body = {"agent_id": AGENT, "memories": list(chapter.rows)}
        saved = wire.BatchAnswer.model_validate(self._send("POST", "/v1/memories", json=body))
        if saved.counts.rejected:
            raise StratagraphError(f"{saved.counts.rejected} memories of the story were refused.")
        return saved.counts.created

    def wait_until_found(self, story: Story) -> None:
        """Return once the indexes show every memory; they lag a moment behind the writes."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self.ask(story.question, k=len(story.rows)).results) < len(story.rows):
            if time.monotonic() > deadline:
                raise StratagraphError("The memories were stored but are not found. Try again.")
            time.sleep(RETRY_SECONDS)

    def ask(self, question: str, **more: object) -> wire.RecallAnswerView:
        body = {"agent_id": AGENT, "text": question, "explain": True, **more}
        return wire.RecallAnswerView.model_validate(self._send("POST", "/v1/recall", json=body))

    def ways(self, trial: Trial) -> wire.RecallAnswerView:
        """Rank the ways of acting that fit a question."""
        return self.ask(trial.question, k=4, phase=PHASE, filters={"kinds": ["strategy"]})

    def act(self, trial: Trial, day: int) -> Attempt:
        """Take the best way for this day's task, see how it ends, and report that."""
        task = f"{trial.name}-{day}-{self._run}"
        [taken] = self.ask(
            trial.question, k=1, phase=PHASE, filters={"kinds": ["strategy"]}, task_id=task
        ).results
        succeeded = taken.external_id == trial.works
        body = {"agent_id": AGENT, "status": "success" if succeeded else "failure"}
        ended = self._send("POST", f"/v1/tasks/{task}/outcome", json=body)
        [moved] = wire.OutcomeView.model_validate(ended).rewarded
        return Attempt(taken.external_id or "", succeeded, moved.q_before, moved.q_after)

    def clear(self, story: Story) -> int:
        """Remove the story's memories; return how many there were."""
        return sum(self._remove(row["external_id"]) for row in story.rows)

    def _remove(self, name: str) -> bool:
        path = f"/v1/memories/external:{name}"
        answer = self._request("DELETE", path, params={"agent_id": AGENT})
        if answer.status_code == NOT_FOUND:
            return False
        _check(answer)
        return True

    def _send(self, method: str, path: str, **more: Any) -> object:
        answer = self._request(method, path, **more)
        _check(answer)
        return answer.json()

    def _request(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            return self._client.request(method, path, **more)
        except httpx.HTTPError as error:
            raise StratagraphError(
                f"No service answers at {self._client.base_url} ({type(error).__name__})."
            ) from error


@contextmanager
def open_shop(url: str, key: str | None) -> Generator[Shop]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT_SECONDS) as client:
        yield Shop(client)


def _check(answer: httpx.Response) -> None:
    if not answer.is_error:
        return
    try:
        told = wire.Problem.model_validate_json(answer.content).detail
    except ValueError:
        told = "is this a Stratagraph service?"
    raise StratagraphError(f"{answer.url.path} answered {answer.status_code}: {told}")
