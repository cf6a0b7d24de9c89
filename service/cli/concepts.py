"""`stratagraph concepts …`: extract concepts, archive what they cover, and take that back."""

from __future__ import annotations

from typing import Annotated

import typer

from service.cli.memory import Agent, Channels, Key, Raw, Url, Users, connected, identity_of

app = typer.Typer(no_args_is_help=True, help="Concepts: extract them, archive what they cover.")

Concept = Annotated[str | None, typer.Option(help="One concept, by uid or external:<id>.")]


@app.command()
def extract(
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Extract the concepts of a scope now, however many episodes wait."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.extract_concepts()
        made = [] if raw else [client.get(uid) for uid in view.created]
    if raw:
        print(view.model_dump_json())
        return
    print(
        f"{len(view.created)} made, {len(view.merged)} found again, {view.joined} problems joined"
    )
    for concept in made:
        print(f"  {concept.uid}  {concept.text}")


@app.command()
def archive(
    concept: Concept = None,
    apply: Annotated[bool, typer.Option("--apply", help="Archive; without, only look.")] = False,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Archive the attempts that concepts cover, but for exemplars."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.archive_covered(concept=concept, dry_run=not apply)
    if raw:
        print(view.model_dump_json())
        return
    verb = "would be archived" if view.dry_run else "archived"
    print(f"{len(view.archived)} {verb}, {view.kept} stay beside {view.concepts} concepts")
    if view.dry_run and view.archived:
        print("Do it: stratagraph concepts archive --apply")


@app.command()
def restore(
    concept: Concept = None,
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Bring back what concepts have archived."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.restore_covered(concept=concept)
    if raw:
        print(view.model_dump_json())
        return
    print(f"{view.restored} active again, {len(view.kept)} were changed since and stay as they are")
