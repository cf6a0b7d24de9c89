"""`stratagraph remember`, `recall`, `outcome`: a running service, by hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer
from pydantic import ValidationError

from graph.errors import InvalidInputError, StratagraphError
from service.bootstrap.managed import read_service
from service.settings import Settings, load_settings

if TYPE_CHECKING:
    import httpx

    from stratagraph import wire

DEFAULT_URL = "http://127.0.0.1:8400"
TIMEOUT_SECONDS = 30.0
WIDTH = 100

Url = Annotated[
    str | None, typer.Option(help="Where the service answers; unset: the one on this home.")
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
    body = _identity(agent, channel, user) | _given(
        text=sys.stdin.read() if text == "-" else text,
        kind=kind,
        tags=tag,
        importance=importance,
        session_id=session,
        speaker=speaker,
        external_id=external_id,
    )
    answer = _post("/v1/memories", body, url, key)
    if raw:
        print(answer)
        return
    from stratagraph import wire

    saved = wire.RememberAnswer.model_validate_json(answer)
    print(f"{saved.status}  {saved.uid}")


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
    explain: Annotated[bool, typer.Option(help="Say why.")] = False,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Recall what helps."""
    body = _identity(agent, channel, user) | _given(
        text=sys.stdin.read() if text == "-" else text,
        k=k,
        phase=phase,
        task_id=task,
        explain=explain or None,
        filters=_given(kinds=kind, tags_any=tag) or None,
    )
    from stratagraph import wire

    answer = _post("/v1/recall", body, url, key)
    print(answer if raw else _show(wire.RecallAnswerView.model_validate_json(answer)))


def outcome(
    task: Annotated[str, typer.Argument(help="The task that recalls were made with.")],
    status: Annotated[str, typer.Argument(help="success, failure, partial or timeout.")],
    agent: Agent = None,
    channel: Channels = None,
    user: Users = None,
    quality: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    url: Url = None,
    key: Key = None,
    raw: Raw = False,
) -> None:
    """Report how a task ended."""
    body = _identity(agent, channel, user) | _given(status=status, quality=quality)
    answer = _post(f"/v1/tasks/{quote(task, safe='')}/outcome", body, url, key)
    if raw:
        print(answer)
        return
    from stratagraph import wire

    view = wire.OutcomeView.model_validate_json(answer)
    print(f"reward {view.reward:+.2f}" + ("" if view.applied else " (was reported before)"))
    for moved in view.rewarded:
        print(f"  {moved.uid}  Q {moved.q_before:.3f} -> {moved.q_after:.3f}")


def _identity(
    agent: str | None, channels: list[str] | None, users: list[str] | None
) -> dict[str, Any]:
    if agent is None and not channels and not users:
        raise InvalidInputError("Say who asks: --agent NAME, --channel NAME or --user NAME.")
    return _given(agent_id=agent, channel_ids=channels, user_ids=users)


def _given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None and value != []}


def _post(path: str, body: dict[str, Any], url: str | None, key: str | None) -> str:
    import httpx

    settings = load_settings()
    base = url or _running_url(settings)
    key = key or (settings.api_key.get_secret_value() if settings.api_key else None)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.post(f"{base}{path}", json=body, headers=headers, timeout=TIMEOUT_SECONDS)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StratagraphError(
            f"No service answers at {base} ({type(error).__name__}). "
            "Start one with `stratagraph serve`, or name one with --url."
        ) from error
    if answer.is_error:
        raise StratagraphError(_refusal(answer))
    return answer.text


def _running_url(settings: Settings) -> str:
    record = read_service(settings.home.expanduser().absolute())
    return record.api_url if record else DEFAULT_URL


def _refusal(answer: httpx.Response) -> str:
    from stratagraph import wire

    try:
        problem = wire.Problem.model_validate_json(answer.content)
    except ValidationError:
        return f"{answer.url} answered {answer.status_code}; is this a Stratagraph service?"
    faults = "".join(f"\n  {fault.field}: {fault.message}" for fault in problem.errors)
    return f"{problem.detail} ({problem.status}){faults}"


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
