"""The simulation of households on a service: it agrees with its numeric core."""

from __future__ import annotations

import asyncio
import re
import sys

import pytest

from examples.households.__main__ import main
from tests.conftest import Run


async def test_a_service_remembers_and_is_surprised_as_the_core(
    url: str, cypher: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRATAGRAPH_URL", url)
    await asyncio.to_thread(main, ["--households", "12", "--years", "24"])
    captured = capsys.readouterr()
    said = captured.out
    for done in ("remembered", "observed", "alerted in year 24", "erased"):
        assert f"  {done}: 12 of 12\n" in captured.err
    assert "service: 288 memories, 288 observations, 48 recalls" in said
    agreed = re.search(r"agree with the core: ([\d.]+)%", said)
    assert agreed is not None
    assert float(agreed[1]) >= 95
    assert "greatest difference of a surprise: 0.0e+00" in said
    assert cypher("MATCH (n:Memory|SurprisePlugin) RETURN count(n) AS n") == [{"n": 0}]


def test_who_has_no_service_or_no_matplotlib_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STRATAGRAPH_URL", "http://127.0.0.1:9")
    with pytest.raises(SystemExit, match=r"No service answers.*--offline"):
        main(["--households", "2", "--years", "5"])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit, match="pip install matplotlib"):
        main(["--offline", "--plot", "floods.png"])
