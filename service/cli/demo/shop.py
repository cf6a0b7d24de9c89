"""The shop's agent, which uses the service by the client."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from ulid import ULID

from graph.kernel.errors import StratagraphError
from service.cli.demo.story import Chapter, Story, Trial
from stratagraph import Call, Client, Retries, errors, wire

AGENT = "demo-shop"
ATTEMPTS = 3
PATIENCE_SECONDS = 30.0
LINKING_SECONDS = 5.0
RETRY_SECONDS = 0.05
LINKS = ("REQUIRES", "SOLVED", "ATTEMPTED", "USED", "DERIVED_FROM")
RELEVANT = 0.5  # or a way that helped with parcels would come first for cups
WAYS = wire.FiltersRequest(kinds=("strategy",))


@dataclass(frozen=True, slots=True)
class Attempt:
    """One use of a memory by the agent, and the change of its utility."""

    name: str
    succeeded: bool
    q_before: float
    q_after: float


class Shop:
    """An agent without a model: it acts by the best-ranked memory, and reports the outcome."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._run = str(ULID())[-6:]  # so that each demo has its own tasks

    def remember(self, chapter: Chapter) -> int:
        """Store a chapter; return how many memories are new."""
        saved = self._client.remember_all(wire.MemoryRequest(**row) for row in chapter.rows)
        if saved.counts.rejected:
            raise StratagraphError(f"{saved.counts.rejected} memories of the story were refused.")
        return saved.counts.created

    def wait_until_found(self, story: Story) -> None:
        """Wait until every memory is found and, if linking is on, linked."""
        started, size = time.monotonic(), len(story.rows)
        while True:
            # the limit is high enough to return all
            answer, waited = self.ask(story.question, size), time.monotonic() - started
            # a problem is no result beside its attempt, but it was found
            found = answer.candidates >= size
            if found and (not answer.links_pending or waited > LINKING_SECONDS):
                # linking may be disabled in another service: the wait is limited
                return
            if waited > PATIENCE_SECONDS:
                raise StratagraphError("The memories were stored but are not found. Try again.")
            time.sleep(RETRY_SECONDS)

    def ask(self, question: str, k: int) -> wire.RecallAnswerView:
        return self._client.recall(question, k=k, explain=True, min_relevance=0.0)

    def ways(self, trial: Trial) -> wire.RecallAnswerView:
        """Rank the ways of acting for a question."""
        return self._client.recall(
            trial.question, k=4, phase="planning", filters=WAYS, min_relevance=RELEVANT
        )

    def act(self, trial: Trial, day: int) -> Attempt:
        """Act by the best way for this day's task, and report the outcome."""
        task = f"{trial.name}-{day}-{self._run}"
        [taken] = self._client.recall(
            trial.question,
            k=1,
            phase="planning",
            filters=WAYS,
            task_id=task,
            min_relevance=RELEVANT,
        ).results
        succeeded = taken.external_id == trial.works
        # a single reported memory is rewarded at once: the next day ranks by it
        ended = self._client.report_outcome(task, "success" if succeeded else "failure")
        [moved] = ended.rewarded
        return Attempt(taken.external_id or "", succeeded, moved.q_before, moved.q_after)

    def around(self, name: str) -> wire.NeighbourhoodView:
        """Read the neighbourhood of a memory, along the links of the story."""
        path = f"/v1/memories/external:{name}/neighbourhood"
        query = {"agent_id": AGENT, "hops": 2, "types": LINKS}
        return self._client.send(
            Call("GET", path, wire.NeighbourhoodView.model_validate_json, query=query)
        )

    def clear(self, story: Story) -> int:
        """Remove the story's memories; return how many there were."""
        return sum(self._remove(row["external_id"]) for row in story.rows)

    def _remove(self, name: str) -> bool:
        try:
            self._client.delete(f"external:{name}")
        except errors.NotFoundError:
            return False
        return True


@contextmanager
def open_shop(url: str, key: str | None) -> Generator[Shop]:
    """Connect the agent; errors are reported as by every command."""
    try:
        with Client(url, key, agent_id=AGENT, retries=Retries(attempts=ATTEMPTS)) as client:
            yield Shop(client)
    except errors.StratagraphError as error:
        raise StratagraphError(error.message) from error
