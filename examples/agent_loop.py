"""An agent without a language model that gets better because its memory learns.

    python examples/agent_loop.py [--rounds 10] [--seed 1]

Start a service first (`make serve`). The agent keeps a shop's systems running. Its memory holds notes
of colleagues, and they contradict each other: three remedies for each kind of incident, of which one
works. The agent reads a report, recalls the one note that ranks highest, does what it says, and tells
whether that helped. A twin does the same and never tells. Both see the same incidents.

Nothing is fixed in favour of the memory: which remedy works is known to the world below alone, and
neither agent chooses by anything but the rank of what was recalled.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from typing import NamedTuple

from stratagraph import Client


class Incident(NamedTuple):
    """One kind of trouble: how people report it, what colleagues advise, and what works."""

    reports: tuple[str, ...]
    symptom: str
    remedies: tuple[str, ...]
    works: int


WORLD = (
    Incident(
        (
            "Customers see a spinner at checkout and then a timeout.",
            "Checkout times out again, the page just spins.",
            "People complain that the checkout hangs until it times out.",
        ),
        "When the checkout times out",
        (
            "restart the web servers",
            "raise the payment worker's memory",
            "drain the payment queue",
        ),
        2,
    ),
    Incident(
        (
            "The product search returns nothing for words that exist.",
            "Search finds no products at all today.",
            "Searching for shoes gives zero products, though we sell them.",
        ),
        "When the product search finds nothing",
        ("clear the search cache", "rebuild the search index", "switch search to the replica"),
        1,
    ),
    Incident(
        (
            "Order emails arrive hours late.",
            "Confirmation emails are delayed since this morning.",
            "Nobody got an order email in the last hour.",
        ),
        "When order emails are late",
        ("rotate the mail provider's key", "restart the mail relay", "resend from the outbox"),
        0,
    ),
    Incident(
        (
            "Two customers bought the last lamp: the stock count is wrong.",
            "Stock shows five but the shelf is empty.",
            "The warehouse says the stock numbers are off.",
        ),
        "When the stock count is wrong",
        ("lock the stock table", "recount from the order log", "import the warehouse sheet"),
        1,
    ),
    Incident(
        (
            "Pictures of products load forever.",
            "The product pictures are broken on phones.",
            "Images of new products do not show up.",
        ),
        "When product pictures do not load",
        ("purge the image cache", "convert the pictures anew", "renew the image server's lease"),
        2,
    ),
    Incident(
        (
            "Discount codes are refused as expired.",
            "A valid discount code is not accepted.",
            "The summer discount code says expired on day one.",
        ),
        "When a discount code is refused",
        ("set the clock of the price server", "issue the codes again", "reload the campaign"),
        0,
    ),
)


@dataclass
class Agent:
    """Recalls, acts, and (unless it is the twin) tells how it went."""

    memory: Client
    reports_outcomes: bool

    def learn_notes(self, rng: random.Random) -> None:
        notes = [
            f"{incident.symptom}, {remedy}." for incident in WORLD for remedy in incident.remedies
        ]
        rng.shuffle(notes)
        rows = [{"text": note, "kind": "strategy"} for note in notes]
        self.memory.remember_all(rows)  # pyright: ignore[reportArgumentType] -- kinds are literals

    def handle(self, incident: Incident, report: str, task: str) -> bool:
        """Return whether the remedy that was recalled first was the right one."""
        answer = self.memory.recall(report, k=1, task_id=task, utility_weight=0.5)
        advice = answer.results[0].text if answer.results else ""
        solved = advice == f"{incident.symptom}, {incident.remedies[incident.works]}."
        if self.reports_outcomes:
            self.memory.report_outcome(task, "success" if solved else "failure")
        return solved


def wait_until_found(agent: Agent) -> None:
    """Memories are found a moment after they were stored."""
    deadline = time.monotonic() + 30
    for incident in WORLD:
        while len(agent.memory.recall(incident.symptom, k=3).results) < len(incident.remedies):
            if time.monotonic() > deadline:
                raise SystemExit("The notes were not found within 30 s.")
            time.sleep(0.1)


def play(
    agents: dict[str, Agent], rounds: int, rng: random.Random, run: str
) -> dict[str, list[float]]:
    shares: dict[str, list[float]] = {name: [] for name in agents}
    for number in range(rounds):
        incidents = [(incident, rng.choice(incident.reports)) for incident in WORLD]
        rng.shuffle(incidents)
        for name, agent in agents.items():
            solved = [
                agent.handle(incident, report, f"{run}-{number}-{place}")
                for place, (incident, report) in enumerate(incidents)
            ]
            shares[name].append(sum(solved) / len(solved))
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description="An agent that learns from outcomes.")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run = f"shop-{options.seed}-{time.time_ns()}"  # every run starts with agents that know nothing
    with Client() as memory:
        agents = {
            "tells": Agent(memory.as_agent(f"{run}-tells"), reports_outcomes=True),
            "never tells": Agent(memory.as_agent(f"{run}-never"), reports_outcomes=False),
        }
        for agent in agents.values():
            agent.learn_notes(random.Random(options.seed))
            wait_until_found(agent)
        shares = play(agents, options.rounds, random.Random(options.seed), run)
    print("Share of incidents solved at the first attempt, by round (a guess: 33%)")
    for name, curve in shares.items():
        print(f"  {name:12}" + " ".join(f"{share:4.0%}" for share in curve))


if __name__ == "__main__":
    main()
