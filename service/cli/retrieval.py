"""`stratagraph episodes retrieve`: past attempts that help with a problem, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from service.cli.memory import Agent, Channels, Key, Raw, Url, Users, connected, identity_of, read

if TYPE_CHECKING:
    from stratagraph import wire


def retrieve(
    query: Annotated[str, typer.Argument(help="The problem; - reads standard input.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
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
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Find past attempts that help with a problem."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.retrieve(
            read(query),
            k,
            domain,
            mode=cast("wire.RetrievalMode", mode),
            failures=failures,
            max_tokens=prompt,
            task_id=task,
        )
    if raw:
        print(answer.model_dump_json(by_alias=True))
    else:
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
