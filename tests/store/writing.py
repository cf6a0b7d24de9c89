"""One of several processes that report outcomes concurrently: ``python -m tests.store.writing <plan>``."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from graph.kernel.scope import Caller
from service.bootstrap import Connection, open_service
from service.settings import Settings

IN_FLIGHT = 8


async def main(plan: dict[str, Any]) -> None:
    """Report the plan's tasks, eight at once, and print how many were applied."""
    connection = Connection(plan["uri"], password=plan["password"])
    settings = Settings(neo4j_uri=plan["uri"], flush_seconds=3600, worker=False)
    anna, waiting = Caller("local", "anna"), list(plan["tasks"])
    applied = 0
    async with open_service(settings, connection) as service:

        async def report() -> None:
            nonlocal applied
            while waiting:
                task_id, status = waiting.pop()
                outcome = await service.report_outcome(anna, task_id, status)
                applied += outcome.applied

        await asyncio.gather(*(report() for _ in range(IN_FLIGHT)))
    sys.stdout.write(json.dumps({"applied": applied}))


if __name__ == "__main__":
    asyncio.run(main(json.load(sys.stdin)))
