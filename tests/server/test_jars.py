from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from graph.artifacts.lock import Jar, JarLock
from graph.kernel.errors import DownloadError, HomeNotWritableError
from graph.server.lock import (
    browser_version,
    install_jars,
    installed_jars,
    server_lock,
    server_version,
)
from tests.server.conftest import quiet
from tests.server.registry import Registry, serving

CONTENT = {"alpha": b"first jar " * 500, "beta": b"second jar " * 500, "gamma": b"third jar " * 500}


@pytest.fixture
def lock() -> JarLock:
    return JarLock(
        tuple(
            Jar(hashlib.sha256(content).hexdigest(), "org.example", name, "jar", "", "1.0")
            for name, content in CONTENT.items()
        )
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in CONTENT.items():
        file = tmp_path / "jars" / name / f"{name}-1.0.jar"
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    return tmp_path / "jars"


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    with serving(tmp_path / "registry", CONTENT) as registry:
        yield registry


def test_the_committed_lock_is_sorted_unique_and_names_both_products() -> None:
    lock = server_lock()
    coordinates = [jar.coordinate for jar in lock.jars]
    assert coordinates == sorted(coordinates)
    assert len({jar.file_name for jar in lock.jars}) == len(coordinates)
    assert JarLock.parse(lock.text) == lock
    assert server_version(lock)
    assert browser_version(lock)
    assert all(len(jar.sha256) == 64 for jar in lock.jars)


def test_the_real_jars_install_from_a_folder(cache: Path, tmp_path: Path) -> None:
    source = installed_jars(cache)
    assert source is not None
    seen: list[int] = []
    target = install_jars(
        tmp_path, progress=lambda done, _total, _name: seen.append(done), from_folder=source
    )
    assert installed_jars(tmp_path) == target
    assert seen == list(range(1, len(server_lock().jars) + 1))
    assert not list(target.parent.glob("*.staging"))


def test_jars_come_from_the_registry_and_are_moved_as_a_whole(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    target = install_jars(
        tmp_path / "cache", progress=quiet, remote_repos=registry.repos, lock=lock
    )
    assert {file.name: file.read_bytes() for file in target.iterdir()} == {
        f"{name}-1.0.jar": content for name, content in CONTENT.items()
    }
    assert sorted(registry.jars_asked()) == sorted(jar.file_name for jar in lock.jars)


def test_a_second_install_asks_for_nothing(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    for _ in range(2):
        install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert len(registry.jars_asked()) == len(lock.jars)


def test_two_installs_at_once_fetch_once(tmp_path: Path, lock: JarLock, registry: Registry) -> None:
    install = partial(
        install_jars, tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock
    )
    threads = [threading.Thread(target=install) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert installed_jars(tmp_path, lock)
    assert len(registry.jars_asked()) == len(lock.jars)


def test_verified_jars_of_a_broken_install_are_kept(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    registry.file("gamma").unlink()
    with pytest.raises(DownloadError, match=r"org\.example:gamma:jar"):
        install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert installed_jars(tmp_path, lock) is None
    registry.file("gamma").write_bytes(CONTENT["gamma"])
    registry.asked.clear()
    install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert registry.jars_asked() == ["gamma-1.0.jar"]


def test_a_jar_cut_off_earlier_is_fetched_again(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    cut = (
        tmp_path
        / "jars"
        / f"{lock.digest}.staging"
        / "maven"
        / registry.file("alpha").relative_to(registry.root)
    )
    cut.parent.mkdir(parents=True)
    cut.write_bytes(CONTENT["alpha"][:100])
    assert install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)


def test_a_jar_removed_later_is_fetched_alone(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    target = install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    (target / "beta-1.0.jar").unlink()
    registry.asked.clear()
    install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert registry.jars_asked() == ["beta-1.0.jar"]


def test_an_altered_jar_is_refused_with_both_hashes(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    altered = b"something else"
    registry.file("beta").write_bytes(altered)
    with pytest.raises(DownloadError) as caught:
        install_jars(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert "org.example:beta:jar::1.0" in caught.value.message
    assert hashlib.sha256(altered).hexdigest() in caught.value.message
    assert hashlib.sha256(CONTENT["beta"]).hexdigest() in caught.value.message
    assert registry.jars_asked().count("beta-1.0.jar") == 2


def test_an_unreachable_registry_is_named_with_the_way_out(tmp_path: Path, lock: JarLock) -> None:
    with pytest.raises(DownloadError, match="cannot be reached") as caught:
        install_jars(
            tmp_path, progress=quiet, remote_repos={"gone": "http://127.0.0.1:9"}, lock=lock
        )
    assert "stratagraph neo4j install --from-folder" in caught.value.message


def test_a_truncated_jar_in_the_folder_is_refused(
    tmp_path: Path, lock: JarLock, folder: Path
) -> None:
    (folder / "alpha" / "alpha-1.0.jar").write_bytes(CONTENT["alpha"][:-1])
    with pytest.raises(DownloadError, match="is not the locked jar"):
        install_jars(tmp_path / "cache", progress=quiet, from_folder=folder, lock=lock)
    assert (folder / "alpha" / "alpha-1.0.jar").exists()


def test_jars_missing_in_the_folder_are_named(tmp_path: Path, lock: JarLock, folder: Path) -> None:
    (folder / "gamma" / "gamma-1.0.jar").unlink()
    with pytest.raises(DownloadError, match=r"1 of 3 jars are not in .*gamma-1\.0\.jar"):
        install_jars(tmp_path / "cache", progress=quiet, from_folder=folder, lock=lock)


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, lock: JarLock, folder: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeNotWritableError, match=str(tmp_path / "file")) as caught:
        install_jars(tmp_path / "file" / "cache", progress=quiet, from_folder=folder, lock=lock)
    assert "STRATAGRAPH_CACHE" in caught.value.message


def test_a_full_disk_is_named(tmp_path: Path, cache: Path) -> None:
    script = """
import sys
from pathlib import Path
from graph.kernel.errors import DownloadError
from graph.server.lock import install_jars
try:
    install_jars(Path(sys.argv[1]), progress=lambda *_: None, from_folder=Path(sys.argv[2]))
except DownloadError as error:
    print(error)
"""
    small = 1_000_000
    said = subprocess.run(
        [sys.executable, "-c", script, tmp_path, installed_jars(cache) or ""],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (small, small)),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"No space left in {tmp_path}" in said
    assert "STRATAGRAPH_CACHE" in said
