"""`stratagraph surprises`: predictions, events, and their surprise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stratagraph.cli.asking import Told, asking, read

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(no_args_is_help=True, help="Report what happens, and see what surprised.")

Context = Annotated[str, typer.Option(help="In which kind of situation.")]


@app.command("predict")
@asking
def predict(
    expected: Annotated[str, typer.Argument(help="What is expected: JSON, or a text.")],
    context: Context = "default",
    name: Annotated[str | None, typer.Option(help="Its name, to answer it by.")] = None,
    confidence: Annotated[float, typer.Option(help="How sure it is, 0 to 1.")] = 0.5,
    *,
    client: Client,
) -> Told:
    """Say what is expected, ahead of what happens."""
    made = client.predict(
        _value(expected), context=context, prediction_id=name, confidence=confidence
    )
    yield made
    print(f"{made.prediction_id}  waits until {made.expires_at:%Y-%m-%d %H:%M}")


@app.command("report")
@asking
def report(
    actual: Annotated[str, typer.Argument(help="What happened: JSON, or a text; - reads it.")],
    expected: Annotated[
        str | None, typer.Option(help="What was expected: JSON, or a text.")
    ] = None,
    context: Context = "default",
    prediction: Annotated[str | None, typer.Option(help="The prediction it answers.")] = None,
    text: Annotated[str | None, typer.Option(help="What is remembered if it surprises.")] = None,
    event: Annotated[str | None, typer.Option(help="Its name: twice counts once.")] = None,
    *,
    client: Client,
) -> Told:
    """Say what happened, and hear how surprising it is."""
    found = client.report_surprise(
        _value(read(actual)),
        expected=None if expected is None else _value(expected),
        context=context,
        prediction_id=prediction,
        text=text,
        event_id=event,
    )
    yield found
    print(_line(found))
    for part in found.contributions:
        print(
            f"  {part.share:4.0%}  {part.path or 'as a whole'}  ({part.kind}, {part.distance:.2f} apart)"
        )
    print(f"measured by the {found.form} form, {found.observations} outcomes known before")
    if found.memory_uid is not None:
        print(f"remembered as {found.memory_uid}")


@app.command("list")
@asking
def list_surprises(
    type: Annotated[list[str] | None, typer.Option(help="Only of this type; repeatable.")] = None,
    context: Annotated[
        list[str] | None, typer.Option(help="Only of this context; repeatable.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also what was below its threshold.")
    ] = False,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 20,
    *,
    client: Client,
) -> Told:
    """List what surprised, the newest first."""
    answer = client.surprises(
        type=type or (),  # pyright: ignore[reportArgumentType] -- the service checks
        context=context or (),
        surprising=not every,
        limit=limit,
    )
    yield answer
    for each in answer.items:
        print(f"{each.at:%Y-%m-%d %H:%M}  {_line(each)}")


def _line(found: wire.SurpriseView) -> str:
    over = "above" if found.surprising else "not above"
    kind = found.type or "no surprise"
    return f"{found.score:.2f}, {over} {found.threshold:g}  {kind}  {found.context}  {found.uid}"


def _value(said: str) -> Any:
    """Parse JSON; other values are text."""
    try:
        return json.loads(said)
    except json.JSONDecodeError:
        return said
