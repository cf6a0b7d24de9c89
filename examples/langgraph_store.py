"""Stratagraph as the long-term store of a LangGraph graph.

    pip install langgraph
    python examples/langgraph_store.py

Start a service first (`make serve`). LangGraph hands a graph's store to its nodes: what is `put`
under a namespace and a key is there for later runs, and `search` finds it by meaning. An item becomes a
memory whose `external_id` is its place and whose `metadata` hold its value.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator
from typing import Any

from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from stratagraph import Client, NotFoundError, wire

MOST = 200  # results of a recall


class StratagraphStore(BaseStore):
    """LangGraph's store over a client; the client says whose memories these are."""

    def __init__(self, memory: Client) -> None:
        self._memory = memory

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _do(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, PutOp):
            return self._put(op)
        if isinstance(op, SearchOp):
            return list(self._search(op))[op.offset : op.offset + op.limit]
        return self._namespaces(op)

    def _get(self, op: GetOp) -> Item | None:
        try:
            return _item(self._memory.get(_name(op.namespace, op.key)))
        except NotFoundError:
            return None

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            try:
                self._memory.delete(_name(op.namespace, op.key))
            except NotFoundError:
                return
        else:
            self._memory.remember(
                str(op.value.get("text") or json.dumps(op.value)),
                external_id=_place(op.namespace, op.key),
                tags=[_tag(op.namespace[:depth]) for depth in range(len(op.namespace) + 1)],
                metadata={"namespace": op.namespace, "key": op.key, "value": op.value},
            )

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        wanted = [_tag(op.namespace_prefix)]
        if op.query:
            found: Iterable[wire.MemoryView | wire.RecalledView] = self._memory.recall(
                op.query, k=MOST, filters={"tags_all": wanted}
            ).results
        else:
            found = self._memory.iterate(tags_all=wanted)
        for memory in found:
            item = _item(memory)
            if all(item.value.get(name) == value for name, value in (op.filter or {}).items()):
                yield item

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        items = map(_item, self._memory.iterate(tags_all=[_tag(())]))
        found = {
            item.namespace[: op.max_depth]
            for item in items
            if all(
                _fits(item.namespace, condition.match_type, condition.path)
                for condition in op.match_conditions or ()
            )
        }
        return sorted(found)[op.offset : op.offset + op.limit]


def _place(namespace: tuple[str, ...], key: str) -> str:
    return json.dumps([*namespace, key], ensure_ascii=False)


def _name(namespace: tuple[str, ...], key: str) -> str:
    return f"external:{_place(namespace, key)}"


def _tag(namespace: tuple[str, ...]) -> str:
    return "store:" + json.dumps(namespace, ensure_ascii=False)


def _item(memory: wire.MemoryView | wire.RecalledView) -> SearchItem:
    held = memory.metadata or {}
    listed = isinstance(memory, wire.MemoryView)
    when, score = (memory.recorded_at, None) if listed else (memory.occurred_at, memory.score)
    return SearchItem(tuple(held["namespace"]), held["key"], held["value"], when, when, score)


def _fits(namespace: tuple[str, ...], side: str, path: tuple[str, ...]) -> bool:
    part = namespace[: len(path)] if side == "prefix" else namespace[-len(path) :]
    same = [label in ("*", own) for label, own in zip(path, part, strict=False)]
    return len(part) == len(path) and all(same)


def greet(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
    """Answer with what the store knows about the one who asks."""
    found = store.search(("users", "ada"), query=state["messages"][-1].text, limit=1)
    return {"messages": [("ai", f"Noted: {found[0].value['text']}" if found else "Who are you?")]}


def main() -> None:
    with Client(agent_id=f"langgraph-store-{time.time_ns()}") as memory:
        store = StratagraphStore(memory)
        graph = StateGraph(MessagesState)
        graph.add_node("greet", greet)
        graph.add_edge(START, "greet")
        agent: Any = graph.compile(store=store)
        store.put(("users", "ada"), "style", {"text": "Ada likes worked examples.", "n": 1})
        store.put(("users", "ada"), "tea", {"text": "Ada drinks green tea.", "n": 2})
        store.put(("users", "bert"), "style", {"text": "Bert likes short answers.", "n": 1})
        deadline = time.monotonic() + 10  # found by meaning a moment later
        while len(store.search((), query="likes examples answers")) < 2:
            if time.monotonic() > deadline:
                raise SystemExit("The items were not found within 10 s.")
            time.sleep(0.1)
        answer = agent.invoke({"messages": [("user", "How do I like my examples?")]})
        print(answer["messages"][-1].text)
        print("read   ", store.get(("users", "ada"), "tea").value)  # pyright: ignore[reportOptionalMemberAccess] -- it is there
        print("filter ", sorted(item.key for item in store.search(("users",), filter={"n": 1})))
        print("spaces ", store.list_namespaces(prefix=("users",)))
        store.delete(("users", "ada"), "tea")
        print("gone   ", store.get(("users", "ada"), "tea"))


if __name__ == "__main__":
    main()
