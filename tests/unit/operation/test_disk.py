from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from graph.kernel.errors import DiskFullError, HeapTooSmallError, ServerStartError
from graph.server.config import larger_heap
from graph.server.disk import DiskReserve
from graph.server.logs import explain_failed_start
from service.cli.doctor import Finding, examine
from service.settings import Settings

PLENTY = 2**60


def test_a_write_is_refused_while_the_reserve_is_touched(tmp_path: Path) -> None:
    home = tmp_path / "not" / "yet"
    DiskReserve(home, 0).check()
    assert DiskReserve(home, 0).has_room()
    short = DiskReserve(home, PLENTY)
    assert not short.has_room()
    with pytest.raises(DiskFullError, match=r"\d+ MB left of the \d+ MB"):
        short.check()


def test_a_heap_grows_to_half_the_memory_and_not_beyond() -> None:
    more = larger_heap("1m")
    assert more is not None
    assert int(more[:-1]) * 2**20 <= psutil.virtual_memory().total / 2
    assert larger_heap("900g") is None
    assert larger_heap(f"{900 * 2**20}k") is None


def test_a_start_that_ran_out_of_heap_says_so(tmp_path: Path) -> None:
    log = "Terminating due to java.lang.OutOfMemoryError: Java heap space"
    assert isinstance(explain_failed_start(tmp_path, log), HeapTooSmallError)
    assert type(explain_failed_start(tmp_path, "Stopped.")) is ServerStartError


def findings(home: Path) -> dict[str, Finding]:
    settings = Settings(home=home, cache=home / "cache")
    return {finding.what: finding for finding in examine(settings)}


def test_doctor_looks_at_the_store(tmp_path: Path) -> None:
    assert "empty" in findings(tmp_path)["store"].found
    store = tmp_path / "data" / "databases" / "neo4j" / "neostore"
    store.parent.mkdir(parents=True)
    store.write_bytes(b"x" * 3 * 2**20)
    (tmp_path / "neo4j-version").write_text("2099.01.0\n")
    (tmp_path / "neo4j.pid").write_text("{}")
    (tmp_path / "data.before-load").mkdir()
    found = findings(tmp_path)
    assert found["store"].found.startswith("3 MB; a dump fits")
    assert found["upgrade"].remedy is not None
    assert "2099.01.0" in found["upgrade"].found
    assert "neo4j.pid" in found["records"].found
    assert found["load"].remedy is not None
    (tmp_path / "neo4j-version").write_text("2025.01.0\n")
    assert "make a dump first" in findings(tmp_path)["upgrade"].found


def test_doctor_says_that_the_reserve_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "512 MB are held" in findings(tmp_path)["disk"].found

    def almost_nothing(_: DiskReserve) -> int:
        return 2**20

    monkeypatch.setattr(DiskReserve, "free_bytes", almost_nothing)
    assert "Nothing is written" in (findings(tmp_path)["disk"].remedy or "")
