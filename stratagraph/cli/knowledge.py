"""`stratagraph knowledge`: knowledge from executions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from stratagraph.cli.asking import Told, asking, read
from stratagraph.errors import UsageError
from stratagraph.vocabulary import InsightType, MemoryType, PatternType

if TYPE_CHECKING:
    from stratagraph import Client

app = typer.Typer(no_args_is_help=True, help="Report executions, and ask what they taught.")
_SORTS = ("tools", "contexts", "errors", "parameters", "patterns")
_MEMORY_TYPES: tuple[MemoryType, ...] = ("patterns", "tool_memory", "insights", "preferences")
_Context = Annotated[str, typer.Option(help="Kind of situation.")]


@app.command("observe")
@asking
def observe(
    executions: Annotated[str, typer.Argument(help="JSON of one report or a list; `-`: stdin.")],
    *,
    client: Client,
) -> Told:
    """Report how tasks were carried out."""
    found = _json(read(executions))
    rows = cast("list[Any]", found) if isinstance(found, list) else [found]
    view = client.observe_executions(rows)
    yield view
    for each in view.results:
        print(f"{each.task_id}  {each.status}")


@app.command("query")
@asking
def query(
    text: Annotated[str, typer.Argument(help="What to look for; `-`: stdin.")],
    context: _Context = "",
    limit: Annotated[int, typer.Option(help="The most of each sort.")] = 5,
    memory_type: Annotated[
        list[str] | None,
        typer.Option(help="Only patterns, tool_memory, insights or preferences; may be repeated."),
    ] = None,
    *,
    client: Client,
) -> Told:
    """Find patterns, tools, insights and preferences that fit."""
    types = cast("list[MemoryType]", memory_type) if memory_type else _MEMORY_TYPES
    view = client.query_memory(read(text), context=context, limit=limit, memory_types=types)
    yield view
    for pattern in view.patterns:
        rate = f"{pattern.success_metrics.success_rate:.0%}"
        print(f"pattern  {pattern.name}  {rate} of {pattern.usage_count}  {pattern.why}")
    for tool in view.tool_memory:
        print(f"tool     {tool.tool_name}  {tool.performance.success_rate:.0%}  {tool.why}")
        for advice in tool.recommendations[:3]:
            print(f"           {advice.type}: {advice.message}")
    for insight in view.insights:
        print(f"insight  {insight.confidence:.2f}  {insight.insight}")
    for each in view.preferences:
        for detail in each.details:
            print(f"prefers  {each.scope}  {detail.lesson or f'{detail.name}: {detail.value}'}")


@app.command("pattern")
@asking
def pattern(
    pattern_type: Annotated[PatternType, typer.Argument(help="Its type.")],
    name: Annotated[str, typer.Argument(help="Its name, or a query; `-`: stdin.")],
    *,
    client: Client,
) -> Told:
    """Read one pattern."""
    view = client.get_memory_pattern(pattern_type, read(name))
    yield view
    metrics = view.success_metrics
    print(
        f"{view.name}  {metrics.success_rate:.0%} of {view.usage_count}, surely {view.confidence:.0%}"
    )
    for said in (" → ".join(view.pattern.steps), *view.pattern.solutions):
        if said:
            print(f"  {said}")


@app.command("insight")
@asking
def insight(
    text: Annotated[str, typer.Argument(help="In words; `-`: stdin.")],
    insight_type: Annotated[InsightType, typer.Option(help="Of what sort.")] = "rule",
    applies_to: Annotated[
        str, typer.Option(help="JSON with `agents`, `contexts` and `conditions`.")
    ] = "{}",
    evidence: Annotated[
        list[str] | None, typer.Option(help="TASK or TASK=DESCRIPTION; may be repeated.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="How sure it is, 0 to 1.")] = 0.5,
    *,
    client: Client,
) -> Told:
    """Store an insight."""
    named = [each.partition("=") for each in evidence or ()]
    view = client.store_insight(
        read(text),
        insight_type=insight_type,
        applies_to=_json(applies_to),
        evidence=[{"task_id": task, "description": said} for task, _, said in named],
        confidence=confidence,
    )
    yield view
    print(f"{view.insight_id}  {view.confidence:.2f}  {view.scope}")


@app.command("validate")
@asking
def validate(
    insight_id: Annotated[str, typer.Argument(help="Uid of the insight.")],
    verdict: Annotated[Literal["holds", "fails"], typer.Argument(help="What is true of it.")],
    *,
    client: Client,
) -> Told:
    """Say that an insight holds, or that it does not."""
    view = client.validate_insight(insight_id, verdict == "holds")
    yield view
    print(f"{view.insight_id}  {view.confidence:.2f}")


@app.command("advise")
@asking
def advise(
    text: Annotated[str, typer.Argument(help="What is to be done; `-`: stdin.")],
    context: _Context = "",
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", "--tokens", help="Tokens at most.")
    ] = 500,
    *,
    client: Client,
) -> Told:
    """Print advice for a situation, best first."""
    view = client.advise(read(text), context=context, max_tokens=max_tokens)
    yield view
    print(view.text)


@app.command("check")
@asking
def check(
    tool: Annotated[str, typer.Argument(help="The tool.")],
    parameters: Annotated[str, typer.Argument(help="Its parameters as JSON.")] = "{}",
    context: _Context = "",
    *,
    client: Client,
) -> Told:
    """Hold an intended tool call against known errors."""
    view = client.check_tool_call(tool, parameters=_json(parameters), context=context)
    yield view
    print(f"{view.verdict}  risk {view.risk:.0%}, usually {view.usual_risk:.0%}")
    for warning in view.warnings:
        print(f"  {warning.message}")


@app.command("learn")
@asking
def learn(
    job: Annotated[
        Literal["patterns", "tools", "insights", "all"], typer.Argument(help="Which job.")
    ] = "all",
    *,
    client: Client,
) -> Told:
    """Run the jobs that learn now."""
    view = client.learn(job=job)
    yield view
    for each in view.reports:
        print(
            f"{each.job}: {each.looked} looked at, {each.added} new, {each.changed} changed, {each.removed} gone"
        )
        for note in each.notes:
            print(f"  {note}")


@app.command("export")
@asking
def export(
    file: Annotated[str, typer.Argument(help="Where to; `-`: stdout.")],
    least: Annotated[int, typer.Option(help="What fewer calls or tasks said stays here.")] = 5,
    values_of: Annotated[
        list[str] | None,
        typer.Option(help="TOOL.PARAMETER whose values are told; may be repeated."),
    ] = None,
    epsilon: Annotated[
        float | None, typer.Option(help="Privacy budget of noise on the counts; unset: none.")
    ] = None,
    *,
    client: Client,
) -> None:
    """Write what was learned into a file for others, without texts and people."""
    view = client.export_knowledge(least=least, values_of=values_of or (), epsilon=epsilon)
    text = view.model_dump_json(by_alias=True)
    if file == "-":
        print(text)
        return
    Path(file).write_text(f"{text}\n", encoding="utf-8")
    entries = sum(len(getattr(view, name)) for name in _SORTS)
    print(f"{entries} entries, each said {view.least} times or more")


@app.command("import")
@asking
def import_(
    file: Annotated[str, typer.Argument(help="A file of `export`; `-`: stdin.")],
    *,
    client: Client,
) -> Told:
    """Add what others learned; the same file again changes nothing."""
    text = read(file) if file == "-" else _text_of(Path(file))
    view = client.import_knowledge(file=_json(text))
    yield view
    print(
        f"{view.scope}: {view.added} new, {view.changed} changed, {view.unchanged} as they were, "
        f"{view.removed} taken back, {view.left_out} left out"
    )


@app.command("analytics")
@asking
def analytics(*, client: Client) -> Told:
    """Measure what was learned."""
    view = client.knowledge_analytics()
    yield view
    print(f"executions               {view.executions}")
    for name in (
        "pattern_reuse_rate",
        "tool_selection_accuracy",
        "error_reduction",
        "insight_confidence",
    ):
        print(f"{name:<24} {getattr(view, name):.2f}")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"not JSON: {error}") from error
