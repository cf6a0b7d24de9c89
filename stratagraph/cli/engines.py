"""`stratagraph engines`: the ranking laws of agents, from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Key, Raw, Told, Url, asking, connected
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(
    no_args_is_help=True, help="Set by which law agents recall, for a tenant and by their types."
)


@app.command("apply")
@asking
def apply(
    file: Annotated[Path, typer.Argument(help="YAML with memory_config and agent_types.")],
    *,
    client: Client,
) -> Told:
    """Put a file in place of the configuration before."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read as text: {error}") from error
    view = client.apply_engines(yaml=text)
    yield view
    print(_show(view))


@app.command("show")
def show(url: Url = None, key: Key = None, raw: Raw = False) -> None:
    """Show what is in force."""
    with connected(url, key, {}) as client:
        view = client.engines()
    print(view.model_dump_json(by_alias=True) if raw else _show(view))


@app.command("reset")
@asking
def reset(*, client: Client) -> Told:
    """Let every agent recall by the default again."""
    view = client.reset_engines()
    yield view
    print(_show(view))


def _show(view: wire.EnginesView) -> str:
    lines = ["all agents", *_lines(view)]
    for each in view.agent_types:
        lines += [f"{each.name}: {', '.join(each.agents)}", *_lines(each)]
    return "\n".join(lines)


def _lines(view: wire.EngineSettingsView) -> list[str]:
    told = {"engine": view.engine, **view.settings}
    width = max(map(len, told))
    lines = [f"  {name:<{width}}  {value}" for name, value in told.items()]
    for title, table in (("emotion", view.emotion_keywords), ("source", view.source_patterns)):
        lines += [f"  {title} {word}: {weight:g}" for word, weight in table.items()]
    return lines
