from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from graph.kernel.errors import HomeInUseError, HomeNotWritableError
from graph.server.claim import HomeClaim
from graph.server.records import (
    ServerRecord,
    creation_time,
    find_running,
    read_service,
    remove_server,
    remove_service,
    write_atomically,
    write_server,
    write_service,
)


def this_process(created: float | None = None) -> ServerRecord:
    pid = os.getpid()
    return ServerRecord(pid, created or creation_time(pid), 7687, 7474, "java", "1")


def test_a_live_server_is_found_by_its_pid_file(tmp_path: Path) -> None:
    write_server(tmp_path, this_process())
    assert find_running(tmp_path) == this_process()
    remove_server(tmp_path)
    assert find_running(tmp_path) is None


def test_a_reused_pid_is_not_taken_for_the_server(tmp_path: Path) -> None:
    write_server(tmp_path, this_process(created=creation_time(os.getpid()) - 3600))
    assert find_running(tmp_path) is None


def test_a_dead_process_that_nobody_reaped_does_not_run(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        record = ServerRecord(child.pid, creation_time(child.pid), 1, 2, "java", "1")
        write_server(tmp_path, record)
        assert find_running(tmp_path) == record
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert find_running(tmp_path) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"pid": 1, "more": 2}', "7"])
def test_a_damaged_pid_file_means_nobody_runs(tmp_path: Path, content: str) -> None:
    (tmp_path / "neo4j.pid").write_text(content)
    assert find_running(tmp_path) is None


def test_the_service_says_where_it_answers(tmp_path: Path) -> None:
    assert read_service(tmp_path) is None
    write_service(tmp_path, "http://127.0.0.1:8400")
    service = read_service(tmp_path)
    assert service is not None
    assert (service.pid, service.api_url) == (os.getpid(), "http://127.0.0.1:8400")
    remove_service(tmp_path)
    assert read_service(tmp_path) is None


def test_files_are_private_from_the_start_and_leave_nothing_beside_them(tmp_path: Path) -> None:
    write_atomically(tmp_path / "secret", "first")
    write_atomically(tmp_path / "secret", "second")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert (tmp_path / "secret").read_text() == "second"
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "secret", "first")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "secret", "\ud800")
    assert (tmp_path / "secret").read_text() == "first"
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]


def test_a_claimed_home_names_the_service_that_holds_it(tmp_path: Path) -> None:
    first, second = HomeClaim(tmp_path), HomeClaim(tmp_path)
    first.take()
    first.take()
    with pytest.raises(HomeInUseError, match="starts or stops Neo4j"):
        second.take()
    write_service(tmp_path, "http://127.0.0.1:8400")
    with pytest.raises(HomeInUseError, match=r"answers at http://127\.0\.0\.1:8400"):
        second.take()
    first.release()
    second.take()
    second.release()


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeNotWritableError, match="STRATAGRAPH_HOME"):
        HomeClaim(tmp_path / "file" / "home").take()
