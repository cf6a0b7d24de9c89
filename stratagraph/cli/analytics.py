"""`stratagraph analytics`: statistics of utility, on a running service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from stratagraph.cli.asking import Told, asking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stratagraph import Client, wire

_BAR = 40  # characters
_TEXT = 70


@asking
def analytics(
    *,
    client: Client,
    top: Annotated[int, typer.Option(help="Best and worst memories, 0 to 100.")] = 5,
    by: Annotated[
        str | None, typer.Option(help="Group by agent, channel, phase, stratum or kind.")
    ] = None,
    days: Annotated[int, typer.Option(help="How far the trend goes back.")] = 30,
) -> Told:
    """Show how utility is distributed, what stands out, and whether it comes to rest."""
    view = client.utility_analytics(
        top_n=top, by=cast("wire.UtilityGrouping | None", by), days=days
    )
    yield view
    print(show(view))


def show(view: wire.UtilityAnalyticsView) -> str:
    """Print the answer for a terminal."""
    if view.distribution.mean is None:
        return "Nothing is remembered here."
    lines = [
        *_distribution(view),
        *_ranked("Highest Q", view.top),
        *_ranked("Lowest Q", view.bottom),
    ]
    lines += _convergence(view.convergence)
    if view.groups is not None:
        lines += ["", "Mean Q by group"]
        lines += [
            f"  {group.name or '(none)':<20} {group.mean:.3f}  {group.memories} memories, "
            f"{group.learned} learned"
            for group in view.groups
        ]
    return "\n".join(lines)


def _distribution(view: wire.UtilityAnalyticsView) -> list[str]:
    found = view.distribution
    percentiles = "  ".join(f"{name} {q:.2f}" for name, q in (found.percentiles or {}).items())
    lines = [
        f"{found.memories} memories, {found.learned} learned; "
        f"mean Q {found.mean:.3f}, deviation {found.deviation:.3f}",
        percentiles,
    ]
    most = max(part.memories for part in view.histogram)
    for part in view.histogram:
        if part.memories:
            bar = "█" * max(1, round(_BAR * part.memories / most))
            lines.append(f"  {part.low:.2f}  {bar} {part.memories}")
    return lines


def _ranked(title: str, memories: Sequence[wire.RankedMemoryView]) -> list[str]:
    if not memories:
        return []
    return [
        "",
        title,
        *(
            f"  {memory.q_value:.3f} ± {memory.q_error:.3f}  {memory.q_count:3d} rewards  "
            f"{' '.join(memory.text.split())[:_TEXT]}"
            for memory in memories
        ),
    ]


def _convergence(found: wire.ConvergenceView) -> list[str]:
    lines = ["", f"{found.stable} of {found.judged} with ten rewards or more are at rest"]
    lines += [
        f"  {day.day}  {day.rewards:5d} rewards, mean {day.mean:+.2f}, "
        f"moved {day.moved / day.rewards:.3f} each"
        for day in found.trend
    ]
    return lines
