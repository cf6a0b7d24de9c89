"""A cycle with visits, steps and a patch, created over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

from service.bootstrap import Service

WRONG = {"checker": "arithmetic", "given": {"text": "2 * 13 = 27"}}
RIGHT = {"checker": "arithmetic", "given": {"text": "2 * 13 = 26"}}


async def go_round(
    client: httpx.AsyncClient, service: Service, headers: dict[str, str] | None = None
) -> None:
    """Solve a problem, fail at it again, and generate a patch from the success."""
    for name, check in (("c-1", RIGHT), ("c-2", WRONG)):

        async def ask(path: str, **said: Any) -> dict[str, Any]:
            body = {"agent_id": "anna", **said}
            answer = await client.post(f"/v1/cycles{path}", json=body, headers=headers)
            assert answer.status_code == 200, answer.text
            return answer.json()

        await ask("", goal="What do two tickets of 13 euros cost?", cycle_id=name, domain="fares")
        await ask(f"/{name}/phases", phase="planning", key="plan")
        calls = [{"tool": "prices", "status": "success", "result": {"fare": 13, "note": None}}]
        step = {"text": "Fares are in euros.", "calls": calls, "checks": [check], "surprise": 0.5}
        await ask(f"/{name}/steps", step_id="sum", **step)
        if name == "c-1":
            await ask(f"/{name}/complete", status="success", answer="26")
        else:
            await ask(f"/{name}/patches")
    await service.accesses.flush()
