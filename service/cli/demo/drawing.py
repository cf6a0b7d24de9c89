"""The demo's output, for a terminal of eighty columns; plain text without a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from service.cli.demo.household import MEMORIES

if TYPE_CHECKING:
    from rich.console import RenderableType

    from service.cli.demo.household import Trace
    from service.cli.demo.shop import Attempt
    from service.cli.demo.story import Story
    from stratagraph import wire

BAR = 12
NEUTRAL = 0.5
# Parts of relevance, each with its own pattern and colour.
PARTS = {
    "own": ("█", "cyan"),
    "neighbours": ("▓", "green"),
    "session": ("▒", "yellow"),
    "speaker": ("░", "magenta"),
    "date": ("·", "blue"),
}
LINKS = {
    ("REQUIRES", "to"): "needs",
    ("SOLVED", "from"): "was solved by",
    ("ATTEMPTED", "from"): "was tried in vain by",
    ("SOLVED", "to"): "solved",
    ("ATTEMPTED", "to"): "did not solve",
    ("USED", "to"): "used",
    ("USED", "from"): "was used by",
    ("DERIVED_FROM", "to"): "comes from",
    ("DERIVED_FROM", "from"): "led to",
    ("MENTIONS", "to"): "mentions",
    ("MENTIONS", "from"): "is mentioned by",
}


def ranking(answer: wire.RecallAnswerView) -> RenderableType:
    """Draw results with a bar of the parts of their relevance."""
    table = _table("", "memory", "relevance", "Q", "score")
    for rank, result in enumerate(answer.results, 1):
        parts = result.explanation.components if result.explanation else {}
        table.add_row(
            str(rank), result.text, bar(parts), f"{result.q_value:.2f}", f"{result.score:+.2f}"
        )
    return table


def household(trace: Trace) -> RenderableType:
    """Draw the two memories of the household under both engines."""
    table = _table("memory", "saliency", "R", "I", "C", "weighted")
    for i, memory in enumerate(MEMORIES):
        parts = (trace.recency, trace.importance, trace.context)
        table.add_row(
            memory.text,
            f"{trace.saliency[i]:.3f}",
            *(f"{part[i]:.3f}" for part in parts),
            f"{trace.score[i]:.3f}",
        )
    return table


def bar(parts: Mapping[str, float]) -> Text:
    """Draw a bar by the shares of relevance; rounding errors are carried, so the length is exact.

    Penalties are subtracted from the first parts.
    """
    drawn, done, total = Text(), 0, parts.get("asking", 0.0)
    for name, (filling, colour) in PARTS.items():
        total += parts.get(name, 0.0)
        cells = max(round(total * BAR) - done, 0)
        drawn.append(filling * cells, style=colour)
        done += cells
    return drawn


def legend() -> Text:
    line = Text("  ")
    for name, (filling, colour) in PARTS.items():
        line.append(f"{filling} ", style=colour).append(f"{name}  ")
    return line


def movement(
    before: wire.RecallAnswerView,
    after: wire.RecallAnswerView,
    attempts: Sequence[Attempt],
) -> RenderableType:
    """Draw a ranking beside the previous one, and the history of each Q."""
    places = {result.external_id: rank for rank, result in enumerate(before.results, 1)}
    table = _table("now", "was", "", "way of acting", "Q")
    for rank, result in enumerate(after.results, 1):
        name = result.external_id or ""
        was = places.get(name)
        table.add_row(
            str(rank), str(was or "-"), arrow(was, rank), result.text, history(name, attempts)
        )
    return table


def arrow(was: int | None, rank: int) -> Text:
    if was is None or was == rank:
        return Text("=" if was else "new", style="dim")
    return Text(f"▲{was - rank}", "green") if was > rank else Text(f"▼{rank - was}", "red")


def history(name: str, attempts: Sequence[Attempt]) -> str:
    own = [attempt for attempt in attempts if attempt.name == name]
    if not own:
        return "0.50"
    return " ".join(f"{q:.2f}" for q in (own[0].q_before, *(attempt.q_after for attempt in own)))


def attempt_line(day: int, attempt: Attempt, story: Story) -> Text:
    mark, colour = ("success", "green") if attempt.succeeded else ("failure", "red")
    _, _, way = story.text(attempt.name).partition(": ")
    line = Text(f"  day {day}  ", overflow="ellipsis", no_wrap=True)
    line.append(f"{mark}", style=colour)
    line.append(f"  Q {attempt.q_before:.2f} → {attempt.q_after:.2f}  ")
    return line.append(way, style="dim")


def neighbourhood(view: wire.NeighbourhoodView) -> RenderableType:
    """Draw the neighbourhood of a memory, each node below the one that led to it."""
    nodes = {node.id: node for node in view.nodes}
    centre = view.nodes[0].id
    tree = Tree(_leaf(nodes[centre]))
    branches = {centre: tree}
    # nearer nodes first: branches are attached to existing ones
    for node in sorted(view.nodes[1:], key=lambda node: (node.hop, node.text)):
        for edge in view.edges:
            way, near = ("from", edge.end) if edge.start == node.id else ("to", edge.start)
            met = node.id in (edge.start, edge.end) and near in branches
            # only edges to nearer nodes: others would draw a node twice
            if met and nodes[near].hop == node.hop - 1:
                relation = LINKS.get((edge.type, way), edge.type)
                branches[node.id] = branches[near].add(_leaf(node, relation))
                break
    return tree


def session(story: Story, name: str) -> RenderableType:
    tree = Tree(Text(f"session {name}", style="bold"))
    for row in story.session(name):
        tree.add(Text(f"{row['speaker']}: ", style="cyan").append(row["text"], style="none"))
    return tree


def _leaf(node: wire.NodeView, relation: str = "") -> Text:
    leaf = Text(f"{relation}: " if relation else "", style="cyan")
    leaf.append(node.text, style="none")
    moved = node.q_value is not None and round(node.q_value, 2) != NEUTRAL
    return leaf.append(f"  Q {node.q_value:.2f}", style="bold") if moved else leaf


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in columns:
        wide = name in ("memory", "way of acting")
        numeric = name in ("", "now", "was", "score")
        table.add_column(
            name,
            overflow="fold" if wide else "ellipsis",
            ratio=1 if wide else None,
            no_wrap=not wide,
            justify="right" if numeric else "left",
        )
    return table
