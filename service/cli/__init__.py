"""The command `stratagraph`."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version

import typer

from graph.errors import StratagraphError
from service.cli import (
    analytics,
    ask,
    browser,
    channels,
    collect,
    concepts,
    config,
    consolidate,
    data,
    demo,
    doctor,
    dump,
    episodes,
    erase,
    events,
    fsck,
    gates,
    mcp,
    memory,
    neo4j,
    reasoning,
    reembed,
    retrieval,
    rewards,
    serve,
    strata,
    surprises,
    transfer,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A memory for agents that learns from outcomes which memories help.",
)
app.command("serve")(serve.serve)
app.command("stop")(serve.stop)
app.command("remember")(memory.remember)
app.command("recall")(memory.recall)
app.command("outcome")(memory.outcome)
app.command("ask")(ask.ask)
app.command("config")(config.config)
app.command("analytics")(analytics.analytics)
app.command("reasoning")(reasoning.reasoning)
app.command("events")(events.events)
app.command("mcp")(mcp.mcp)
app.command("reward", context_settings=rewards.SIGNED)(rewards.reward)
app.command("revert")(rewards.revert)
app.command("utility")(rewards.utility)
app.command("export")(transfer.export)
app.command("import")(transfer.import_)
app.command("browser")(browser.browser)
app.command("demo")(demo.demo)
app.command("migrate")(data.migrate)
app.command("reembed")(reembed.reembed)
app.command("doctor")(doctor.doctor)
app.command("fsck")(fsck.fsck)
app.command("reset")(data.reset)
neo4j.app.command("dump")(dump.dump)
neo4j.app.command("load")(dump.load)
app.add_typer(concepts.app, name="concepts")
app.add_typer(neo4j.app, name="neo4j")
episodes.app.command("retrieve")(retrieval.retrieve)
app.add_typer(episodes.app, name="episodes")
app.add_typer(channels.app, name="channels")
app.add_typer(collect.app, name="gc")
app.add_typer(erase.app, name="erase")
app.add_typer(gates.app, name="gates")
app.add_typer(strata.app, name="strata")
app.add_typer(surprises.app, name="surprises")
app.command("consolidate")(consolidate.consolidate)
app.add_typer(consolidate.app, name="consolidations")


@app.command()
def version() -> None:
    """Print the version."""
    print(installed_version("stratagraph"))


def main() -> None:
    """Run a command; what goes wrong on purpose is one clear message and an exit code of 1."""
    try:
        app()
    except StratagraphError as error:
        typer.echo(error.message, err=True)
        sys.exit(1)
