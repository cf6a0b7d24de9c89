"""The picture of the simulation, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path

from examples.households.__main__ import main


def test_a_run_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "floods.png"
    main(["--offline", "--households", "60", "--years", "30", "--plot", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size < 200_000
