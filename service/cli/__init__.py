"""The command `stratagraph` where the server is installed: the client's commands and its own."""

from __future__ import annotations

import sys

import typer

from graph.kernel.errors import StratagraphError
from service.cli import browser, data, demo, doctor, dump, fsck, mcp, neo4j, reembed, serve
from stratagraph import errors
from stratagraph.cli import commands

app = commands()
app.command("serve")(serve.serve)
app.command("stop")(serve.stop)
app.command("mcp")(mcp.mcp)
app.command("browser")(browser.browser)
app.command("demo")(demo.demo)
app.command("migrate")(data.migrate)
app.command("reembed")(reembed.reembed)
app.command("doctor")(doctor.doctor)
app.command("fsck")(fsck.fsck)
app.command("reset")(data.reset)
neo4j.app.command("dump")(dump.dump)
neo4j.app.command("load")(dump.load)
app.add_typer(neo4j.app, name="neo4j")


def main() -> None:
    """Run a command; expected errors are one message and an exit code of 1."""
    try:
        app()
    except (StratagraphError, errors.StratagraphError) as error:
        typer.echo(error.message, err=True)
        sys.exit(1)
