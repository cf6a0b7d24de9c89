"""Foresight of scopes: models are read once for each version, and pairs of calls stand in until there is one."""

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
    """LRU cache of models by version: whoever asks knows the latest version, and reads its text once."""

    store: KnowledgeStore
    _kept: OrderedDict[str, Foresight] = field(default_factory=OrderedDict[str, Foresight])

    async def of(self, scopes: Sequence[str]) -> list[Foresight]:
        """Return the models of those scopes that have one."""
        found: list[Foresight] = []
        # the text of a model is sent only where its version is new
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
    """Return the probability of each next tool, over models weighed by what they were fitted to."""
    total = sum(model.rows for model in models if model.next_tool is not None)
    found: dict[str, float] = {}
    for model in models:
        for name, probability in model.rank(situation):
            # by how much each has seen
            found[name] = found.get(name, 0.0) + probability * model.rows / total
    return found


def from_pairs(tools: Sequence[ToolCounts], last: str) -> dict[str, float]:
    """Return the probability of each next tool from counts of pairs, drawn to how often each is called.

    >>> from graph.model.knowledge.executions import ToolCounts
    >>> tools = [ToolCounts(key="a", tool="a", uses=2, after={"b": (2, 0)}), ToolCounts(key="b", tool="b", uses=2)]
    >>> {name: round(p, 2) for name, p in from_pairs(tools, "a").items()}
    {'a': 0.17, 'b': 0.83}
    """
    counts: dict[str, float] = {}
    for tool in tools:
        # before the first call: which tools runs begin with
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
        # drawn to how often each is called: a pair seen once says little
        name: (counts.get(name, 0.0) + _SMOOTHING * uses.get(name, 0) / called)
        / (total + _SMOOTHING)
        for name in sorted({*counts, *uses})
    }
