"""`stratagraph episodes retrieve`: past attempts that help with a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from stratagraph.cli.asking import Told, asking, read

if TYPE_CHECKING:
    from stratagraph import Client, wire


@asking
def retrieve(
    query: Annotated[str, typer.Argument(help="The problem; - reads standard input.")],
    *,
    client: Client,
    k: Annotated[int, typer.Option("--k", "-k", help="Episodes at most.")] = 5,
    domain: Annotated[str | None, typer.Option(help="Of this domain.")] = None,
    mode: Annotated[str, typer.Option(help="all, episodic, dual, structured or graph.")] = "all",
    failures: Annotated[
        int | None, typer.Option(help="Places for wrong attempts that teach.")
    ] = None,
    prompt: Annotated[
        int | None, typer.Option("--prompt", help="Print a prompt of so many tokens at most.")
    ] = None,
    task: Annotated[str | None, typer.Option(help="Task this serves.")] = None,
) -> Told:
    """Find past attempts that help with a problem."""
    answer = client.retrieve(
        read(query),
        k,
        domain,
        mode=cast("wire.RetrievalMode", mode),
        failures=failures,
        max_tokens=prompt,
        task_id=task,
    )
    yield answer
    print(answer.prompt if prompt else "\n".join(_lines(answer)) or "nothing was tried yet")


def _lines(answer: wire.RetrievalAnswerView) -> list[str]:
    lines: list[str] = []
    for result in answer.results:
        lines.append(f"{result.score:5.2f}  {result.role:9} {result.problem[:80]}")
        if result.strategy:
            lines.append(f"       {result.strategy}")
        told = result.insight or result.lesson
        if told:
            lines.append(f"       {told[:100]}")
    for known in (*answer.strategies, *answer.concepts):
        rate = "" if known.success_rate is None else f" (right in {known.success_rate:.0%})"
        lines.append(f"  {known.support:.2f}  {known.text[:80]}{rate}")
    return lines
