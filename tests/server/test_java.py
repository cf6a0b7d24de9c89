from __future__ import annotations

import logging
from pathlib import Path

import pytest

from graph.kernel.errors import JavaError
from graph.server.archive import class_archive, dump_base
from graph.server.java import Java, common_options, find_java


def fake_java(folder: Path, banner: str, status: int = 0) -> Path:
    script = folder / "java"
    script.write_text(f"#!/bin/sh\necho '{banner}' >&2\nexit {status}\n")
    script.chmod(0o755)
    return script


def test_the_packaged_java_is_new_enough() -> None:
    assert find_java().major >= 21


def test_a_chosen_java_is_used(tmp_path: Path) -> None:
    path = fake_java(tmp_path, 'openjdk version "21.0.4" 2024-07-16 LTS')
    assert find_java(path) == Java(path, "21.0.4", 21)


@pytest.mark.parametrize("version", ["17.0.9", "1.8.0_292"])
def test_an_old_java_is_refused_with_found_and_needed_version(tmp_path: Path, version: str) -> None:
    path = fake_java(tmp_path, f'openjdk version "{version}" 2023-10-17')
    with pytest.raises(JavaError) as caught:
        find_java(path)
    assert f"{path} is Java {version}" in caught.value.message
    assert "Java 21 or newer" in caught.value.message
    assert "STRATAGRAPH_JAVA" in caught.value.message


def test_something_that_is_no_java_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JavaError, match="does not say which Java it is"):
        find_java(fake_java(tmp_path, "hello"))


def test_a_missing_java_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JavaError, match="cannot be run"):
        find_java(tmp_path / "nowhere" / "java")


def test_flags_of_newer_javas_are_kept_from_older_ones(tmp_path: Path) -> None:
    flag = "--sun-misc-unsafe-memory-access=allow"
    assert flag not in common_options(Java(tmp_path, "21.0.4", 21))
    assert flag in common_options(Java(tmp_path, "25.0.2", 25))


def test_the_base_archive_is_made_outside_the_package(tmp_path: Path) -> None:
    java = find_java()
    archive = class_archive(tmp_path, java, tmp_path / "jars")
    assert archive.options() == []
    assert dump_base(archive, java)
    assert archive.base.is_relative_to(tmp_path)
    assert archive.options() == [f"-XX:SharedArchiveFile={archive.base}"]
    archive.recorded.touch()
    archive.keep_recorded()
    assert archive.options() == [f"-XX:SharedArchiveFile={archive.base}:{archive.server}"]
    assert archive.is_settled


def test_another_java_or_other_jars_have_another_archive(tmp_path: Path) -> None:
    java = Java(tmp_path / "java", "25.0.2", 25)
    archive = class_archive(tmp_path, java, tmp_path / "jars")
    assert class_archive(tmp_path, java, tmp_path / "other").server != archive.server
    assert class_archive(tmp_path, java, tmp_path / "other").base == archive.base
    newer = Java(java.path, "25.0.3", 25)
    assert class_archive(tmp_path, newer, tmp_path / "jars").base != archive.base


def test_a_java_that_cannot_dump_costs_a_warning_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    java = Java(fake_java(tmp_path, "no", status=1), "21", 21)
    archive = class_archive(tmp_path, java, tmp_path)
    with caplog.at_level(logging.WARNING):
        assert not dump_base(archive, java)
    assert "starts will be slower" in caplog.text
    assert archive.is_settled
