"""`stratagraph remember`, `recall`, `outcome`: a running service, by hand."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from graph.errors import InvalidInputError, StratagraphError
from service.bootstrap.managed import read_service
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    from stratagraph import Client, wire

# Who waits at a terminal would rather hear soon that nobody answers.
ATTEMPTS = 3
WIDTH = 100

Url = Annotated[
    str | None,
    typer.Option(
        help="Where the service answers; unset: STRATAGRAPH_URL, or the one on this home."
    ),
]
Key = Annotated[str | None, typer.Option(help="API key; unset: STRATAGRAPH_API_KEY.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Agent that acts.")]
Channels = Annotated[
    list[str] | None, typer.Option("--channel", help="Channel to read; may be repeated.")
]
Users = Annotated[list[str] | None, typer.Option("--user", help="User to read; repeatable.")]
Raw = Annotated[bool, typer.Option("--json", help="Print the answer as it came.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Tag; may be repeated.")]


def remember(
    text: Annotated[str, typer.Argument(help="What to remember; - reads standard input.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    kind: Annotated[str | None, typer.Option(help="Such as observation, preference.")] = None,
    tag: Tags = None,
    importance: Annotated[int | None, typer.Option(help="1 to 5.")] = None,
    session: Annotated[str | None, typer.Option(help="Conversation it belongs to.")] = None,
    speaker: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    external_id: Annotated[str | None, typer.Option(help="Your own id of it.")] = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Remember one text."""
    fields = _given(
        kind=kind,
        tags=tag,
        importance=importance,
        session_id=session,
        speaker=speaker,
        external_id=external_id,
    )
    with connected(url, key, identity_of(agent, channel, user)) as client:
        saved = client.remember(read(text), **fields)
    print(_raw(saved) if raw else f"{saved.status}  {saved.uid}")


def recall(
    text: Annotated[str, typer.Argument(help="What is sought; - reads standard input.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
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
    explain: Annotated[bool, typer.Option(help="Say why.")] = False,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Recall what helps."""
    question = _given(
        k=k,
        phase=phase,
        task_id=task,
        explain=explain or None,
        filters=_given(kinds=kind, tags_any=tag) or None,
        context=_given(domain=domain, tags=about) or None,
        explore=explore,
    )
    with connected(url, key, identity_of(agent, channel, user)) as client:
        answer = client.recall(read(text), **question)
    print(_raw(answer) if raw else _show(answer))


def outcome(
    task: Annotated[str, typer.Argument(help="The task that recalls were made with.")],
    status: Annotated[str, typer.Argument(help="success, failure, partial or timeout.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    quality: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    used: Annotated[
        list[str] | None, typer.Option(help="Name of what was of use; repeatable.")
    ] = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Report how a task ended."""
    with connected(url, key, identity_of(agent, channel, user)) as client:
        view = client.report_outcome(task, cast("wire.Status", status), quality, used or None)
    if raw:
        print(_raw(view))
        return
    print(f"reward {view.reward:+.2f}" + ("" if view.applied else " (was reported before)"))
    for moved in view.rewarded:
        print(f"  {moved.uid}  Q {moved.q_before:.3f} -> {moved.q_after:.3f}")


def identity_of(
    agent: str | None, channels: list[str] | None, users: list[str] | None
) -> dict[str, Any]:
    if agent is None and not channels and not users:
        raise InvalidInputError("Say who asks: --agent NAME, --channel NAME or --user NAME.")
    return {"agent_id": agent, "channel_ids": channels or (), "user_ids": users or ()}


@contextmanager
def connected(url: str | None, key: str | None, identity: Mapping[str, Any]) -> Generator[Client]:
    from stratagraph import Client, Retries, errors

    settings = load_settings()
    key = key or (settings.api_key.get_secret_value() if settings.api_key else None)
    base = url or settings.url or _running_url(settings)
    try:
        with Client(base, key, **identity, retries=Retries(attempts=ATTEMPTS)) as client:
            yield client
    except errors.ConnectionFailedError as error:
        raise StratagraphError(f"{error.message}\nAnother service is named by --url.") from error
    except errors.StratagraphError as error:
        raise StratagraphError(error.message) from error


def _running_url(settings: Settings) -> str | None:
    record = read_service(settings.home.expanduser().absolute())
    return record.api_url if record else None


def read(text: str) -> str:
    return sys.stdin.read() if text == "-" else text


def _raw(answer: wire.Answer) -> str:
    return answer.model_dump_json(by_alias=True)


def _given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None and value != []}


def _show(answer: wire.RecallAnswerView) -> str:
    if not answer.results:
        return "Nothing is remembered about that."
    lines: list[str] = []
    for rank, result in enumerate(answer.results, 1):
        lines.append(
            f"{rank:3d}. {_one_line(result.text)}\n"
            f"     {result.uid}  {result.kind}  score {result.score:.2f}  "
            f"similarity {result.similarity:.2f}  Q {result.q_value:.2f}"
        )
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


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"
