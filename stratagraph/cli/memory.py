"""`stratagraph remember`, `recall`, `outcome`: basic calls of a running service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stratagraph.cli.asking import Told, asking, read

if TYPE_CHECKING:
    from stratagraph import Client, wire

WIDTH = 100

Tags = Annotated[list[str] | None, typer.Option("--tag", help="Tag; may be repeated.")]


@asking
def remember(
    text: Annotated[str, typer.Argument(help="What to remember; - reads standard input.")],
    *,
    client: Client,
    kind: Annotated[str | None, typer.Option(help="Such as observation, preference.")] = None,
    tag: Tags = None,
    importance: Annotated[int | None, typer.Option(help="1 to 5.")] = None,
    session: Annotated[str | None, typer.Option(help="Conversation it belongs to.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    external_id: Annotated[str | None, typer.Option(help="Your own id of it.")] = None,
    supersedes: Annotated[
        list[str] | None, typer.Option(help="Memory that it replaces; may be repeated.")
    ] = None,
    occurred_at: Annotated[
        str | None, typer.Option(help="When it happened: a zoned time; unset: now.")
    ] = None,
) -> Told:
    """Remember one text."""
    fields = _given(
        kind=kind,
        tags=tag,
        importance=importance,
        session_id=session,
        speaker=speaker,
        external_id=external_id,
        supersedes=supersedes,
        occurred_at=occurred_at,
    )
    saved = client.remember(read(text), **fields)
    yield saved
    print(f"{saved.status}  {saved.uid}")


@asking
def recall(
    text: Annotated[str, typer.Argument(help="What is sought; - reads standard input.")],
    *,
    client: Client,
    k: Annotated[int | None, typer.Option("--k", "-k", help="Results at most.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Of this kind; repeatable.")] = None,
    tag: Tags = None,
    phase: Annotated[str | None, typer.Option(help="observe, reason, plan, act, reflect.")] = None,
    task: Annotated[str | None, typer.Option(help="Task this serves.")] = None,
    domain: Annotated[str | None, typer.Option(help="Domain that the question is about.")] = None,
    about: Annotated[
        list[str] | None, typer.Option(help="What else it is about; repeatable.")
    ] = None,
    explore: Annotated[
        bool | None,
        typer.Option("--explore/--no-explore", help="Give what is little known a chance."),
    ] = None,
    include_superseded: Annotated[
        bool, typer.Option("--include-superseded", help="Also what another memory has replaced.")
    ] = False,
    as_of: Annotated[
        str | None, typer.Option(help="What held then: a zoned time; unset: now.")
    ] = None,
    min_relevance: Annotated[
        float | None, typer.Option(help="Least relevance, 0 to 1; unset: 0.5.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(help="utility, weighted, saliency, basic, actr or generative; unset: as set."),
    ] = None,
    arousal: Annotated[
        float | None, typer.Option(help="As many results as it asks for, 0 to 1; not with -k.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Such as MILLER_STANDARD: how many; not with -k.")
    ] = None,
    explain: Annotated[bool, typer.Option(help="Say why.")] = False,
) -> Told:
    """Recall what helps."""
    question = _given(
        k=k,
        phase=phase,
        task_id=task,
        explain=explain or None,
        filters=_given(kinds=kind, tags_any=tag) or None,
        context=_given(domain=domain, tags=about) or None,
        explore=explore,
        include_superseded=include_superseded or None,
        as_of=as_of,
        min_relevance=min_relevance,
        engine=engine,
        arousal=arousal,
        profile=profile,
    )
    answer = client.recall(read(text), **question)
    yield answer
    print(_show(answer))


@asking
def profile(
    subject: Annotated[str, typer.Argument(help="A person, a project or a tool.")],
    *,
    client: Client,
    as_of: Annotated[
        str | None, typer.Option(help="What held then: a zoned time; unset: now.")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens at most.")] = None,
) -> Told:
    """Show what is known about a person, a project or a tool."""
    found = client.profile(subject, **_given(as_of=as_of, max_tokens=max_tokens))
    yield found
    print(found.text or f"Nothing is known about {found.subject}.")
    if found.left_out:
        print(f"{found.left_out} more statements: --max-tokens")


@asking
def outcome(
    task: Annotated[str, typer.Argument(help="The task that recalls were made with.")],
    status: Annotated[str, typer.Argument(help="success, failure, partial or timeout.")],
    *,
    client: Client,
    quality: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    used: Annotated[
        list[str] | None, typer.Option(help="Name of what was of use; repeatable.")
    ] = None,
) -> Told:
    """Report how a task ended."""
    view = client.report_outcome(task, cast("wire.Status", status), quality, used or None)
    yield view
    print(f"reward {view.reward:+.2f}" + ("" if view.applied else " (was reported before)"))
    for moved in view.rewarded:
        print(f"  {moved.uid}  Q {moved.q_before:.3f} -> {moved.q_after:.3f}")


def _given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None and value != []}


def _show(answer: wire.RecallAnswerView) -> str:
    if not answer.results:
        return "Nothing is remembered about that."
    lines: list[str] = []
    for rank, result in enumerate(answer.results, 1):
        lines.append(
            f"{rank:3d}. {_one_line(_spoken(result))}\n"
            f"     {result.uid}  {result.kind}  {result.occurred_at:%Y-%m-%d}  "
            f"relevance {result.relevance:.2f}  Q {result.q_value:.2f}"
        )
        if result.attempt:
            lines.append(f"     {_outcome(result.attempt)}")
        if result.superseded_by:
            lines.append(f"     replaced by {result.superseded_by}")
        if result.may_be_superseded_by:
            lines.append(f"     may be replaced by {result.may_be_superseded_by}")
        lines += [f"     replaced: {_one_line(each.text)}  {each.uid}" for each in result.replaced]
        if result.explanation:
            parts = result.explanation.components.items()
            lines.append("     " + "  ".join(f"{name} {value:+.2f}" for name, value in parts))
            lines.append("     reached by " + " -> ".join(result.explanation.path))
    if answer.explanation:
        lines.extend(
            f"  -  {_one_line(miss.text)}\n     {miss.uid}  {miss.reason}"
            for miss in answer.explanation.near_misses
        )
    return "\n".join(lines)


def _spoken(result: wire.RecalledView) -> str:
    return f"{result.speaker}: {result.text}" if result.speaker else result.text


def _outcome(attempt: wire.AttemptOutcomeView) -> str:
    """Render the outcome of an attempt: `wrong: 7. Count again`."""
    verdict = {True: "right", False: "wrong", None: "not judged"}[attempt.correct]
    said = ". ".join(filter(None, (attempt.answer, attempt.insight)))
    return _one_line(f"{verdict}: {said}" if said else verdict)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
