"""`stratagraph reasoning`: statistics of attempts, on a running service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from stratagraph.cli.ask import line
from stratagraph.cli.asking import Told, asking

if TYPE_CHECKING:
    from stratagraph import Client, wire

_TEXT = 70


@asking
def reasoning(
    *,
    client: Client,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Group by domain, model, strategy, concept, action, …; repeatable."),
    ] = None,
    over: Annotated[str, typer.Option(help="Trend by day, week or month.")] = "month",
    domain: Annotated[str | None, typer.Option(help="Attempts of this domain.")] = None,
    model: Annotated[str | None, typer.Option(help="Attempts by this model.")] = None,
    clusters: Annotated[int, typer.Option(help="Failure clusters at most.")] = 5,
) -> Told:
    """Show how often attempts are right, by what and when, and where they fail."""
    view = client.reasoning_analytics(
        by=cast("list[wire.EpisodeGrouping] | None", by or None),
        over=cast("wire.AttemptSpan", over),
        domain=domain,
        model=model,
        clusters=clusters,
    )
    yield view
    print(show(view))


def show(view: wire.ReasoningAnalyticsView) -> str:
    """Print the answer for a terminal."""
    lines = [line("all", view.total)]
    sorts = [*view.groups.items(), ("over time", view.trend)]
    for name, groups in sorts:
        if groups:
            lines += ["", name, *(line(group.name or "(none)", group) for group in groups)]
    for cluster in view.clusters:
        actions = ", ".join(f"{name} {count}" for name, count in cluster.actions.items())
        lines += ["", f"{cluster.failures} wrong, {cluster.successes} right  {actions}"]
        lines += [
            f"  {problem.failures:3d}  {' '.join(problem.text.split())[:_TEXT]}"
            for problem in cluster.problems
        ]
    return "\n".join(lines)
