"""`stratagraph erase`: erasure of an agent, a user, a session or a memory, with a receipt."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Key, Raw, Told, Url, asking, connected

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(
    no_args_is_help=True, help="Erase an agent, a user, a session or a memory, for good."
)

Name = Annotated[str, typer.Argument(help="Its id; of a memory its uid or external:<external_id>.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_PAUSE = 0.5  # seconds between polls of an erasure in the background


@app.command("agent")
def erase_agent(
    name: Name, yes: Yes = False, url: Url = None, key: Key = None, raw: Raw = False
) -> None:
    """Erase an agent: every memory it wrote, and all of its own."""
    _confirm(f"agent {name}", yes=yes)
    with connected(url, key, {"agent_id": name}) as client:
        _show(_finished(client, client.erase_agent(name)), raw=raw)


@app.command("user")
def erase_user(
    name: Name, yes: Yes = False, url: Url = None, key: Key = None, raw: Raw = False
) -> None:
    """Erase a user: every memory that names it as the only user, and all of its own."""
    _confirm(f"user {name}", yes=yes)
    with connected(url, key, {"user_ids": [name]}) as client:
        _show(_finished(client, client.erase_user(name)), raw=raw)


@app.command("session")
@asking
def erase_session(name: Name, yes: Yes = False, *, client: Client) -> Told:
    """Erase a session of the scope that is written to."""
    _confirm(f"session {name}", yes=yes)
    done = _finished(client, client.erase_session(name))
    yield done
    _show(done, raw=False)


@app.command("memory")
@asking
def erase_memory(name: Name, yes: Yes = False, *, client: Client) -> Told:
    """Erase one memory, and what was made of it."""
    _confirm(f"memory {name}", yes=yes)
    done = _finished(client, client.erase_memory(name))
    yield done
    _show(done, raw=False)


@app.command("show")
def show(
    erasure: Annotated[str, typer.Argument(help="The erasure of an answer.")],
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Show how far an erasure is, or its receipt."""
    with connected(url, key, {"agent_id": "stratagraph"}) as client:
        _show(client.erasure(erasure), raw=raw)


def _confirm(what: str, *, yes: bool) -> None:
    if not yes:
        typer.confirm(f"Erase {what} for good, with all that was made of it?", abort=True)


def _finished(client: Client, erasure: wire.ErasureView) -> wire.ErasureView:
    """Poll an erasure until it is finished, with progress."""
    while erasure.state == "running":
        went = erasure.counts.get("Memory", 0)
        print(f"{erasure.stage}: {went} of {erasure.hidden} memories", file=sys.stderr, flush=True)
        time.sleep(_PAUSE)
        erasure = client.erasure(erasure.erasure)
    return erasure


def _show(erasure: wire.ErasureView, *, raw: bool) -> None:
    if raw:
        print(erasure.model_dump_json(by_alias=True))
        return
    state = "erased" if erasure.state == "done" else f"being erased ({erasure.stage})"
    print(f"{erasure.kind} {state}; receipt {erasure.erasure}")
    for name, number in erasure.counts.items():
        print(f"  {number:>8}  {name}")
