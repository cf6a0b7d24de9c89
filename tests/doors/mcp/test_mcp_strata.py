"""Moving memories, predicting and reporting surprises as tools."""

from __future__ import annotations

from service.bootstrap import Service
from service.mcp.inputs import Who
from tests.doors.mcp.test_mcp import speaking
from tests.doors.tools import call, refused

GOOD, BAD = {"status": "success"}, {"status": "failed"}


async def test_a_model_moves_memories(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna")) as client:
        saved = await call(client, "memory_remember", text="Ada likes tea.", externalId="tea")
        up = await call(client, "memory_move", to="up", memories=["external:tea"])
        assert [item["uid"] for item in up["items"]] == [saved["uid"]]
        assert up["items"][0]["to_stratum"] == "semantic"
        down = await call(client, "memory_move", memories=["external:tea"], to="episodic")
        assert down["run"]["state"] == "done"
        tried = await call(client, "memory_promote_successful", minQ=0.5, minSuccesses=0)
        assert (tried["dry_run"], tried["total"]) == (True, 1)
        assert "to" in await refused(client, "memory_move", memories=["external:tea"])


async def test_a_model_predicts_reports_and_looks(service: Service) -> None:
    async with speaking(service, Who(agent_id="anna")) as client:
        made = await call(client, "memory_predict", expected=GOOD, context="deploy")
        found = await call(
            client, "memory_report_surprise", actual=BAD, context="deploy", text="It failed."
        )
        assert found["prediction_id"] == made["prediction_id"]
        assert found["memory_uid"]
        usual = await call(client, "memory_report_surprise", actual=GOOD, expected=GOOD)
        assert usual["surprising"] is False
        shown = await call(client, "memory_surprises", type=["unexpected_error"])
        assert [item["uid"] for item in shown["items"]] == [found["uid"]]
        every = await call(client, "memory_surprises", surprising=False)
        assert len(every["items"]) == 2
        assert len((await call(client, "memory_surprises"))["items"]) == 1
