"""`stratagraph demo`: a small shop's agent learns which of its memories help."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from service.bootstrap.managed import build_server, read_service
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from service.cli.demo.shop import Attempt, Shop
    from service.cli.demo.story import Story, Trial
    from stratagraph import wire

POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the demo runs; ``home`` is the folder of its Neo4j, if it is on this machine."""

    url: str
    home: Path | None
    temporary: bool


def demo(
    url: Annotated[
        str | None,
        typer.Option(help="Play on this service; unset: the one on this home, or a temporary one."),
    ] = None,
    key: Annotated[str | None, typer.Option(help="API key; unset: STRATAGRAPH_API_KEY.")] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Leave the memories; a temporary service stays until Ctrl-C."),
    ] = False,
) -> None:
    """Watch an agent remember, ask, fail, succeed, and rank better for it."""
    from service.cli.demo.shop import open_shop
    from service.cli.demo.story import load_story

    settings, console, story = load_settings(), Console(highlight=False), load_story()
    key = key or (settings.api_key.get_secret_value() if settings.api_key else None)
    with _stage(settings, url, console) as stage, open_shop(stage.url, key) as shop:
        # an interrupted demo may have left its memories
        shop.clear(story)
        try:
            Play(console, shop, story).run()
            _what_next(console, stage, keep)
        finally:
            if not keep and not stage.temporary:
                print(f"Removed the {shop.clear(story)} memories of the demo.")
        # within the stage, whose service ends with it
        if keep and stage.temporary:
            _wait_for_interrupt()


@dataclass(frozen=True, slots=True)
class Play:
    """The acts, in order."""

    console: Console
    shop: Shop
    story: Story

    def run(self) -> None:
        self.remember()
        self.ask()
        before = {trial.name: self.shop.ways(trial) for trial in self.story.trials}
        attempts = [attempt for trial in self.story.trials for attempt in self.act(trial)]
        self.ask_again(before, attempts)
        self.look()
        self.weigh()

    def remember(self) -> None:
        self._title("1  Remember", self.story.shop)
        for chapter in self.story.chapters:
            self.shop.remember(chapter)
            self.console.print(f"  {len(chapter.rows):2d}  {chapter.title}")
        self.shop.wait_until_found(self.story)
        self.console.print(f"  {len(self.story.rows)} memories are stored and found.")

    def ask(self) -> None:
        from service.cli.demo import drawing

        self._title("2  Ask", self.story.question)
        self.console.print(drawing.ranking(self.shop.ask(self.story.question, 5)))
        self.console.print(drawing.legend())
        self.console.print(
            "  Relevance: its own words and meaning, and what it gains by its links and its\n"
            "  session. Q is what outcomes taught so far: nothing yet, so all stand at 0.50."
        )

    def act(self, trial: Trial) -> list[Attempt]:
        from service.cli.demo import drawing

        self._title("3  Act and report", trial.question)
        attempts: list[Attempt] = []
        for day in range(1, trial.rounds + 1):
            attempts.append(self.shop.act(trial, day))
            line = drawing.attempt_line(day, attempts[-1], self.story)
            self.console.print(line, no_wrap=True, overflow="ellipsis")
        self.console.print(f"  {trial.why}")
        return attempts

    def ask_again(self, before: dict[str, wire.RecallAnswerView], attempts: list[Attempt]) -> None:
        from service.cli.demo import drawing

        for trial in self.story.trials:
            self._title("4  Ask again", trial.question)
            after = self.shop.ways(trial)
            self.console.print(drawing.movement(before[trial.name], after, attempts))
        self.console.print(
            "  No text was changed and no model was asked: only the outcomes moved Q, and Q\n"
            "  moved the ranking."
        )

    def look(self) -> None:
        from service.cli.demo import drawing

        self._title("5  Look around", "what the graph holds about late parcels")
        self.console.print(drawing.neighbourhood(self.shop.around("p-late")))
        self.console.print(drawing.session(self.story, "order-1043"))

    def weigh(self) -> None:
        from service.cli.demo import drawing, household

        self._title("6  Other laws of memory", household.FORECAST)
        self.console.print(drawing.household(household.trace()))
        self.console.print(
            "  I·exp(−0.1·age) alone leaves the flood of ten years ago at 0.368 of its 1.\n"
            "  With 0.3·R + 0.5·I + 0.2·C the forecast's word brings it to 0.384, above the\n"
            "  garden.\n"
            "  Recall by either: --engine saliency, --engine weighted."
        )

    def _title(self, act: str, about: str) -> None:
        self.console.print(f"\n[bold]{act}[/bold]  {about}")


@contextmanager
def _stage(settings: Settings, url: str | None, console: Console) -> Generator[Stage]:
    from service.cli.demo.temporary import temporary_service

    home = settings.home.expanduser().absolute()
    record = read_service(home)
    url = url or settings.url
    if url is not None:
        yield Stage(url.rstrip("/"), None, temporary=False)
    elif record is not None:
        yield Stage(record.api_url, home, temporary=False)
    else:
        from service.cli.serve import terminated_like_interrupted

        console.print(
            "No service runs on this home. Starting one for the demo, in a temporary folder."
        )
        with terminated_like_interrupted(), temporary_service() as (address, folder):
            yield Stage(address, folder, temporary=True)


def _what_next(console: Console, stage: Stage, keep: bool) -> None:
    console.print("\n[bold]7  What next[/bold]")
    if stage.temporary and not keep:
        console.print(
            "  stratagraph demo --keep   the same, and the graph stays open to look at\n"
            "  stratagraph serve         a service of your own"
        )
        return
    if stage.home is not None:
        _tell_browser(console, stage.home)
    console.print(
        f"  curl -s {stage.url}/v1/recall -H 'Content-Type: application/json' \\\n"
        '    -d \'{"agent_id": "demo-shop", "text": "A cup is broken", "explain": true}\'',
        soft_wrap=True,
    )


def _tell_browser(console: Console, home: Path) -> None:
    server = build_server(Settings(home=home)).status()
    if server.pid is not None:
        console.print(f"  Neo4j Browser  {server.browser_url}", soft_wrap=True)
        console.print(
            f"  Log in with    user neo4j, password in {server.password_file}", soft_wrap=True
        )
        console.print("  stratagraph browser   writes the colours and the queries to drag into it")


def _wait_for_interrupt() -> None:
    # The message is inside: a Ctrl-C while it is printed is handled too. A timed sleep, as a
    # signal just before an unlimited wait would not wake it.
    try:
        print(
            "The demo's service stays until Ctrl-C; then it is removed with all it holds.",
            flush=True,
        )
        while True:
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        print("Removing it.")
