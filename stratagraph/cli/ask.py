"""`stratagraph ask`: queries over episodes, on a running service."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stratagraph.cli.asking import Told, asking
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import Client, wire

_TEXT = 70
_BAR = 20


@asking
def ask(
    question: Annotated[str, typer.Argument(help="In words; with --object a JSON object.")],
    *,
    client: Client,
    is_object: Annotated[
        bool, typer.Option("--object", help="The question is an object, as an answer shows it.")
    ] = False,
    domain: Annotated[str | None, typer.Option(help="Of this domain alone.")] = None,
    time_zone: Annotated[str, typer.Option(help="Where days begin.")] = "UTC",
    use_model: Annotated[
        bool,
        typer.Option("--model/--no-model", help="Let a language model read it, if there is one."),
    ] = True,
    statement: Annotated[bool, typer.Option(help="Show the statement that was run.")] = False,
    cursor: Annotated[str | None, typer.Option(help="Go on behind a page.")] = None,
) -> Told:
    """Ask about past attempts: which failed, how often one is right, what was slow."""
    said: dict[str, Any] = _object(question) if is_object else {}
    if is_object:
        view = _queried(client, {"domain": domain, **said, "cursor": cursor})
    else:
        view = client.ask_episodes(
            question, domain=domain, time_zone=time_zone, use_model=use_model, cursor=cursor
        )
    yield view
    print(show(view, statement=statement))


def _queried(client: Client, said: dict[str, Any]) -> wire.EpisodeQueryView:
    try:
        return client.query_episodes(**said)
    except TypeError as error:
        raise UsageError(f"--object: {error}") from error


def _object(text: str) -> dict[str, Any]:
    try:
        said: object = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--object: this is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise UsageError('--object: must be an object such as {"filters": {}}')
    return cast("dict[str, Any]", said)


def show(view: wire.EpisodeQueryView, *, statement: bool = False) -> str:
    """Print the answer for a terminal."""
    lines = [f"Understood as {json.dumps(view.object, ensure_ascii=False)}"]
    if unread := getattr(view, "unread", ()):
        lines.append("Not understood: " + ", ".join(f"`{part}`" for part in unread))
    if fallback := getattr(view, "fallback", None):
        lines.append(f"Read by the grammar: {fallback}")
    if view.divergence is not None:
        lines += _divergence(view.divergence)
    elif view.total is not None:
        lines += _numbers(view.total, view.groups)
    else:
        lines += _episodes(view.episodes or ())
    if view.next_cursor:
        lines.append(f"More: --cursor {view.next_cursor}")
    if statement:
        parameters = json.dumps(view.statement.parameters, ensure_ascii=False, indent=2)
        lines += ["", f"// {view.statement.name}", view.statement.text, parameters]
    return "\n".join(lines)


def _episodes(episodes: Sequence[wire.FoundEpisodeView]) -> list[str]:
    if not episodes:
        return ["", "No such attempts."]
    lines = [""]
    for found in episodes:
        verdict = {True: "right", False: "wrong", None: "?"}[found.correct]
        lines.append(
            f"{found.occurred_at:%Y-%m-%d %H:%M}  {verdict:<5}  "
            f"{' '.join(found.problem.split())[:_TEXT]}"
        )
        known = [
            found.domain,
            found.model,
            found.tokens_used is not None and f"{found.tokens_used} tokens",
            found.latency_ms is not None and f"{found.latency_ms:.0f} ms",
            found.similarity is not None and f"similarity {found.similarity:.2f}",
        ]
        lines.append("    " + "  ".join(str(one) for one in (found.uid, *known) if one))
    return lines


def _divergence(found: wire.DivergenceView) -> list[str]:
    lines = ["", f"{found.wrong} wrong and {found.right} right attempts"]
    if found.unmatched:
        lines[-1] += f"; {found.unmatched} wrong ones at problems like nobody solved any"
    for point in found.points:
        shared = ", ".join(point.shared) or "the beginning"
        lines += ["", f"At step {point.place}, after {shared}:"]
        for verdict, side in (("wrong", point.wrong), ("right", point.right)):
            lines += [
                f"  {verdict}  {branch.attempts:>4} × {branch.step or '(ended)'}" for branch in side
            ]
            said = {
                text: None for branch in side for text in (*branch.insights, *branch.observations)
            }
            lines += [f"            {text}" for text in said]
        lines += [f"    {' '.join(text.split())[:_TEXT]}" for text in point.problems]
    return lines


def _numbers(
    total: wire.EpisodeGroupView, groups: Sequence[wire.EpisodeGroupView] | None
) -> list[str]:
    lines = ["", line("all", total)]
    lines += [line(group.name or "(none)", group) for group in groups or ()]
    return lines


def line(name: str, group: wire.EpisodeGroupView) -> str:
    """Return the numbers of some attempts as a line."""
    rate = group.success_rate
    bar = "" if rate is None else "█" * round(_BAR * rate)
    shown = "   ?  " if rate is None else f"{100 * rate:5.1f}%"
    parts = [f"{shown} of {group.judged}", f"{group.attempts} attempts"]
    if group.mean_tokens is not None:
        parts.append(f"{group.mean_tokens:.0f} tokens")
    if group.mean_latency is not None:
        parts.append(f"{group.mean_latency:.0f} ms")
    return f"  {' '.join(name.split())[:30]:<30} {bar:<{_BAR}} " + "  ".join(parts)
