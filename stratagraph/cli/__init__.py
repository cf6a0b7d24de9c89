"""The command `stratagraph` of the client: commands that call a running service.

The server's command includes these, and replaces it if installed.
"""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from importlib.metadata import version as installed_version

import typer

from stratagraph.cli import (
    analytics,
    arousal,
    ask,
    channels,
    concepts,
    config,
    consolidate,
    engines,
    episodes,
    erase,
    events,
    gates,
    gc,
    knowledge,
    memory,
    reasoning,
    retrieval,
    rewards,
    strata,
    surprises,
    transfer,
)
from stratagraph.errors import StratagraphError

_SERVER = (
    "serve",
    "stop",
    "mcp",
    "migrate",
    "reembed",
    "doctor",
    "fsck",
    "reset",
    "neo4j",
    "demo",
    "browser",
)

episodes.app.command("retrieve")(retrieval.retrieve)


def commands() -> typer.Typer:
    """Return a program with the commands that ask a running service."""
    app = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="A memory for agents that learns from outcomes which memories help.",
    )
    app.command("remember")(memory.remember)
    app.command("recall")(memory.recall)
    app.command("profile")(memory.profile)
    app.command("outcome")(memory.outcome)
    app.command("ask")(ask.ask)
    app.command("config")(config.config)
    app.command("analytics")(analytics.analytics)
    app.command("reasoning")(reasoning.reasoning)
    app.command("events")(events.events)
    app.command("reward", context_settings=rewards.SIGNED)(rewards.reward)
    app.command("revert")(rewards.revert)
    app.command("utility")(rewards.utility)
    app.command("export")(transfer.export)
    app.command("import")(transfer.import_)
    app.command("consolidate")(consolidate.consolidate)
    app.command("version")(version)
    groups = {
        "arousal": arousal.app,
        "concepts": concepts.app,
        "engines": engines.app,
        "episodes": episodes.app,
        "channels": channels.app,
        "gc": gc.app,
        "erase": erase.app,
        "gates": gates.app,
        "knowledge": knowledge.app,
        "strata": strata.app,
        "surprises": surprises.app,
        "consolidations": consolidate.app,
    }
    for name, group in groups.items():
        app.add_typer(group, name=name)
    return app


def version() -> None:
    """Print the version."""
    print(installed_version("stratagraph"))


def main() -> None:
    """Run a command; expected errors are one message and an exit code of 1."""
    for server in entry_points(group="stratagraph.command"):
        server.load()()
        return
    if len(sys.argv) > 1 and sys.argv[1] in _SERVER:
        typer.echo(
            f"`stratagraph {sys.argv[1]}` needs the server: pip install 'stratagraph[server]'",
            err=True,
        )
        sys.exit(1)
    try:
        commands()()
    except StratagraphError as error:
        typer.echo(error.message, err=True)
        sys.exit(1)
