"""`stratagraph concepts …`: extract concepts, archive covered attempts, and restore them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stratagraph.cli.asking import Told, asking

if TYPE_CHECKING:
    from stratagraph import Client

app = typer.Typer(no_args_is_help=True, help="Concepts: extract them, archive what they cover.")

Concept = Annotated[str | None, typer.Option(help="One concept, by uid or external:<id>.")]


@app.command()
@asking
def extract(
    *,
    client: Client,
) -> Told:
    """Extract the concepts of a scope now, however many episodes wait."""
    view = client.extract_concepts()
    yield view
    made = [client.get(uid) for uid in view.created]
    print(
        f"{len(view.created)} made, {len(view.merged)} found again, {view.joined} problems joined"
    )
    for concept in made:
        print(f"  {concept.uid}  {concept.text}")


@app.command()
@asking
def archive(
    concept: Concept = None,
    apply: Annotated[bool, typer.Option("--apply", help="Archive; without, only look.")] = False,
    *,
    client: Client,
) -> Told:
    """Archive the attempts that concepts cover, but for exemplars."""
    view = client.archive_covered(concept=concept, dry_run=not apply)
    yield view
    verb = "would be archived" if view.dry_run else "archived"
    print(f"{len(view.archived)} {verb}, {view.kept} stay beside {view.concepts} concepts")
    if view.dry_run and view.archived:
        print("Do it: stratagraph concepts archive --apply")


@app.command()
@asking
def restore(
    concept: Concept = None,
    *,
    client: Client,
) -> Told:
    """Bring back what concepts have archived."""
    view = client.restore_covered(concept=concept)
    yield view
    print(f"{view.restored} active again, {len(view.kept)} were changed since and stay as they are")
