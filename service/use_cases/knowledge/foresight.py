"""Cache of the predictive models of scopes, and predictions from pairs of calls without a model."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from graph.knowledge.foresight import Foresight, Situation, from_text
from graph.model.knowledge.executions import ToolCounts
from graph.store.knowledge.store import KnowledgeStore

_MOST_KEPT = 64
_SMOOTHING = 1.0


@dataclass(frozen=True, slots=True)
class Models:
    """LRU cache of models by version."""

    store: KnowledgeStore
    _kept: OrderedDict[str, Foresight] = field(default_factory=OrderedDict[str, Foresight])

    async def of(self, scopes: Sequence[str]) -> list[Foresight]:
        """Return the models of those scopes that have one."""
        found: list[Foresight] = []
        # the store only sends models of unknown versions
        for _, version, text in await self.store.models(scopes, list(self._kept)):
            if text is not None:
                self._kept[version] = from_text(text)
            if version in self._kept:
                self._kept.move_to_end(version)
                found.append(self._kept[version])
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        return found


def ranked(models: Sequence[Foresight], situation: Situation) -> dict[str, float]:
    """Return the probability of each next tool: the mean of models, weighted by their training rows."""
    total = sum(model.rows for model in models if model.next_tool is not None)
    found: dict[str, float] = {}
    for model in models:
        for name, probability in model.rank(situation):
            found[name] = found.get(name, 0.0) + probability * model.rows / total
    return found


def from_pairs(tools: Sequence[ToolCounts], last: str) -> dict[str, float]:
    """Return the probability of each next tool from counts of pairs, smoothed by the frequency of tools.

    >>> from graph.model.knowledge.executions import ToolCounts
    >>> tools = [ToolCounts(key="a", tool="a", uses=2, after={"b": (2, 0)}), ToolCounts(key="b", tool="b", uses=2)]
    >>> {name: round(p, 2) for name, p in from_pairs(tools, "a").items()}
    {'a': 0.17, 'b': 0.83}
    """
    counts: dict[str, float] = {}
    for tool in tools:
        # before the first call: counts of first tools
        if not last:
            counts[tool.tool] = counts.get(tool.tool, 0.0) + tool.starts
        elif tool.tool == last:
            for name, share in tool.after.items():
                counts[name] = counts.get(name, 0.0) + sum(share)
    uses: dict[str, int] = {}
    for tool in tools:
        uses[tool.tool] = uses.get(tool.tool, 0) + tool.uses
    total, called = sum(counts.values()), sum(uses.values())
    if not called:
        return {}
    return {
        name: (counts.get(name, 0.0) + _SMOOTHING * uses.get(name, 0) / called)
        / (total + _SMOOTHING)
        for name in sorted({*counts, *uses})
    }
