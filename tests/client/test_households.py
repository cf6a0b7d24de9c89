"""The simulation of households on a service: it agrees with its numeric core."""

from __future__ import annotations

import asyncio
import re

import pytest

from examples.households.__main__ import main
from tests.conftest import Run


async def test_a_service_remembers_and_is_surprised_as_the_core(
    url: str, cypher: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRATAGRAPH_URL", url)
    await asyncio.to_thread(main, ["--households", "12", "--years", "24"])
    said = capsys.readouterr().out
    assert "service: 288 memories, 288 observations, 48 recalls" in said
    agreed = re.search(r"agree with the core: ([\d.]+)%", said)
    assert agreed is not None
    assert float(agreed[1]) >= 95
    assert "greatest difference of a surprise: 0.0e+00" in said
    assert cypher("MATCH (n:Memory|SurprisePlugin) RETURN count(n) AS n") == [{"n": 0}]
