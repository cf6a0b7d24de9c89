"""`stratagraph arousal`: surprise plugins of agents, and their cognitive systems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from stratagraph.cli.asking import Told, asking, read
from stratagraph.errors import UsageError

if TYPE_CHECKING:
    from stratagraph import Client, wire

app = typer.Typer(
    no_args_is_help=True, help="Let agents observe, and see what surprises and wakes them."
)

Numbers = Annotated[
    list[str] | None, typer.Option(help="NAME=NUMBER of one stimulus; may be repeated.")
]


@app.command("attach")
@asking
def attach(
    kind: Annotated[str, typer.Argument(help="ema, symbolic, decision or multidimensional.")],
    step: Annotated[float, typer.Option(help="Weight of an observation in a moving mean.")] = 0.3,
    scale: Annotated[float, typer.Option(help="Difference that surprises by 1.")] = 1.0,
    scales: Numbers = None,
    weights: Numbers = None,
    mode: Annotated[str, typer.Option(help="Of decision: unigram or bigram.")] = "unigram",
    actions: Annotated[int, typer.Option(help="Possible actions; 0: those seen, and one.")] = 0,
    *,
    client: Client,
) -> Told:
    """Attach a surprise plugin to the agent; with other settings than before it begins anew."""
    view = client.attach_surprise(
        cast("wire.PluginKind", kind),
        step=step,
        scale=scale,
        scales=_by_name(scales),
        weights=_by_name(weights),
        mode=cast("wire.DecisionMode", mode),
        actions=actions,
    )
    yield view
    how = "begins" if view.begun else f"goes on after {view.observations} observations"
    print(f"{view.agent_id}: {view.kind} {how}")


@app.command("detach")
@asking
def detach(*, client: Client) -> None:
    """Remove the agent's plugin with what it has learned."""
    client.detach_surprise()


@app.command("observe")
@asking
def observe(
    observation: Annotated[
        str, typer.Argument(help='JSON, such as {"FLOOD": "HIGH"}; - reads it.')
    ],
    *,
    client: Client,
) -> Told:
    """Say what the agent observes, and hear how surprising it is."""
    view = client.observe(_object(read(observation)))
    yield view
    print(f"{view.surprise:.2f}  {view.system}  {view.memory_count} memories")


@app.command("show")
@asking
def show(
    arousal: Annotated[
        float | None, typer.Option(help="0 to 1; unset: the latest surprise.")
    ] = None,
    profile: Annotated[
        str | None, typer.Option(help="Such as MILLER_STANDARD; unset: as set.")
    ] = None,
    *,
    client: Client,
) -> Told:
    """Show in which system the agent thinks, and how many memories that asks for."""
    given = {"arousal": arousal, "profile": profile}
    view = client.get_cognitive_system(
        **cast("Any", {name: value for name, value in given.items() if value is not None})
    )
    yield view
    print(f"{view.system}  arousal {view.arousal:.2f} of {view.threshold:g}  {view.profile}")
    print(f"{view.memory_count} memories and {view.important} important ones")


@app.command("reset")
@asking
def reset(*, client: Client) -> None:
    """Let the agent's plugin forget what it has learned; it stays attached."""
    client.reset_surprise()


@app.command("trace")
@asking
def trace(*, client: Client) -> Told:
    """Show what the agent's plugin has learned, and what it observed last."""
    answer = client.get_surprise_trace()
    yield answer
    found = answer.trace
    if found is None:
        print("No plugin is attached.")
        return
    print(f"{found.kind}  {found.observations} observations  {found.known} known")
    for name, mean in found.means.items():
        print(f"  {name} expected {mean:g}")
    for name, count in found.actions.items():
        print(f"  {name} chosen {count}")
    for each in found.latest:
        print(f"  {each.surprise:.2f}  {each.seen}")


def _by_name(given: list[str] | None) -> dict[str, float]:
    try:
        pairs = (pair.rpartition("=") for pair in given or ())
        return {name: float(number) for name, _, number in pairs}
    except ValueError as error:
        raise UsageError("give each as NAME=NUMBER, such as flood_depth=2") from error


def _object(said: str) -> dict[str, Any]:
    try:
        value = json.loads(said)
    except json.JSONDecodeError as error:
        raise UsageError(f"the observation is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("the observation is no object of names and values")
    return cast("dict[str, Any]", value)
