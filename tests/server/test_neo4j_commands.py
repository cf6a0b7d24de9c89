from __future__ import annotations

import logging
import re
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner, Result

from graph.embedding.sentence import install_model, installed_model
from graph.kernel.errors import ServerStartError
from graph.server.archive import class_archive
from graph.server.config import ServerConfig
from graph.server.java import find_java
from graph.server.lock import installed_jars, server_lock
from graph.server.training import archive_classes, is_archived
from service.bootstrap import managed
from service.bootstrap.managed import ServerSettings
from service.cli import neo4j
from tests.served import free_port
from tests.server.conftest import is_ready, quiet

pytestmark = pytest.mark.slow


def run(*arguments: str) -> Result:
    return CliRunner().invoke(neo4j.app, arguments)


def yes(_: ServerSettings) -> bool:
    return True


def no(_: ServerSettings) -> bool:
    return False


@pytest.fixture
def home(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("STRATAGRAPH_CACHE", str(cache))
    monkeypatch.setenv("STRATAGRAPH_NEO4J_HEAP", "512m")
    monkeypatch.setenv("STRATAGRAPH_NEO4J_BOLT_PORT", free_port())
    monkeypatch.setenv("STRATAGRAPH_NEO4J_HTTP_PORT", free_port())
    monkeypatch.setattr(managed, "_ask", is_ready)
    monkeypatch.setattr(neo4j, "has_fast_start", yes)
    return tmp_path / "home"


def test_the_server_is_started_left_running_and_stopped_by_hand(home: Path) -> None:
    started = run("start")
    assert started.exit_code == 0, started.output
    assert "Stop it with: stratagraph neo4j stop" in started.output
    found = re.search(r"process\s+(\d+)", started.output)
    assert found is not None
    pid = int(found[1])
    try:
        assert psutil.Process(pid).is_running()
        assert "runs already" in run("start").output

        status = run("status")
        assert status.exit_code == 0
        for said in (str(pid), "bolt://127.0.0.1:", "/browser/", str(home / "data"), "MB"):
            assert said in status.output
        assert "Started." in run("logs", "-n", "5").output
    finally:
        stopped = run("stop")
    assert stopped.exit_code == 0, stopped.output
    assert "its data stay" in stopped.output
    assert psutil.Process(pid).status() == psutil.STATUS_ZOMBIE  # ours, dead, not yet reaped


def test_what_does_not_run_is_said_with_its_own_exit_code(home: Path) -> None:
    status = run("status")
    assert status.exit_code == 3
    assert "stratagraph neo4j start" in status.output
    assert run("stop").exit_code == 0
    assert not home.exists()


def test_jars_and_model_are_installed_from_a_copied_cache_with_plain_progress(
    home: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_model(cache, progress=quiet)
    monkeypatch.setenv("STRATAGRAPH_CACHE", str(tmp_path / "cache"))
    prepared: list[ServerSettings] = []
    monkeypatch.setattr(neo4j, "has_fast_start", no)
    monkeypatch.setattr(neo4j, "prepare_fast_start", prepared.append)
    done = run("install", "--from-folder", str(cache))
    assert done.exit_code == 0, done.output
    assert 10 < len(re.findall(r"\d+ %", done.output)) <= 20
    assert "100 %" in done.output
    assert [settings.cache for settings in prepared] == [tmp_path / "cache"]
    assert installed_jars(tmp_path / "cache")
    assert installed_model(tmp_path / "cache")


def test_with_a_neo4j_of_ones_own_the_model_alone_is_installed(
    home: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = install_model(cache, progress=quiet)
    monkeypatch.setenv("STRATAGRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    done = run("install", "--from-folder", str(folder))
    assert done.exit_code == 0, done.output
    assert installed_model(tmp_path / "cache")
    assert not installed_jars(tmp_path / "cache")
    assert "embedder" in done.output
    assert "Neo4j is" not in done.output


def test_an_error_is_told_without_a_traceback(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRATAGRAPH_CACHE", str(tmp_path / "cache"))
    failed = run("install", "--from-folder", str(tmp_path))
    assert failed.exit_code == 1
    assert "jars are not in" in failed.output
    assert "Traceback" not in failed.output


def test_archiving_needs_the_jars(tmp_path: Path) -> None:
    config = ServerConfig(tmp_path / "home", tmp_path / "cache")
    assert not is_archived(config)
    with pytest.raises(ServerStartError, match="stratagraph neo4j install"):
        archive_classes(config, is_ready)


def test_one_boot_on_a_throw_away_home_makes_the_archives(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "jars").symlink_to(cache / "jars")
    config = ServerConfig(tmp_path / "home", tmp_path / "cache")
    archive_classes(config, is_ready)
    archive = class_archive(config.cache, find_java(), config.cache / "jars" / server_lock().digest)
    assert archive.is_complete
    assert is_archived(config)
    left = {path.suffix for path in archive.base.parent.iterdir()}
    assert left == {".jsa", ".lock"}
    assert not config.home.exists()


def test_a_boot_that_fails_costs_a_warning_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lock = server_lock()
    jars = tmp_path / "cache" / "jars" / lock.digest
    jars.mkdir(parents=True)
    for jar in lock.jars:
        (jars / jar.file_name).touch()
    config = ServerConfig(tmp_path / "home", tmp_path / "cache")
    with caplog.at_level(logging.WARNING):
        archive_classes(config, is_ready)
    assert "starts will be slower" in caplog.text
    assert not is_archived(config)
