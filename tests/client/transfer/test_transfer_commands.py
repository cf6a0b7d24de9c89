"""`stratagraph export` and `import`, against a service on a socket."""

from __future__ import annotations

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.bootstrap import Service
from stratagraph.errors import StratagraphError, UsageError
from tests.conftest import Run
from tests.doors.filled import fill
from tests.doors.moving import WIPE, everything
from tests.doors.operation.test_command_line import invoke, run


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
async def full(url: str, service: Service) -> str:
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        await fill(http, service, agents=("anna", "bert"))
    return url


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
async def test_a_file_and_back(full: str, tmp_path: Path, cypher: Run, name: str) -> None:
    file = tmp_path / name
    before = everything(cypher)
    said = await run("export", str(file), "--tenant", "--vectors", "--url", full)
    assert "14 memories" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    raw = file.read_bytes()
    text = gzip.decompress(raw) if name.endswith("gz") else raw
    assert text.startswith(b'{"type":"header"')
    cypher(WIPE)
    said = await run("import", str(file), "--dry-run", "--url", full)
    assert "0 rejected" in said
    assert not everything(cypher)
    said = await run("import", str(file), "--url", full)
    assert "created" in said
    assert everything(cypher) == before
    said = await run("import", str(file), "--url", full)
    assert "created" not in said
    assert "unchanged" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


async def test_standard_streams(full: str, cypher: Run) -> None:
    result = await asyncio.to_thread(invoke, "export", "-", "--agent", "anna", "--url", full)
    lines = result.stdout.splitlines()
    assert json.loads(lines[0])["covers"] == ["agent/anna", "shared"]
    assert json.loads(lines[-1])["counts"]["memory"] == 7
    cypher(WIPE)
    await run("import", "-", "--url", full, stdin=result.stdout)
    assert len(cypher("MATCH (m:Memory) RETURN m")) == 7


async def test_bad_lines_are_told_and_the_rest_lands(full: str, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "one"}\nsecret\n{"text": "three", "mood": 1}\n', encoding="utf-8")
    result = await asyncio.to_thread(invoke, "import", str(file), "--agent", "cleo", "--url", full)
    assert result.exit_code == 1
    assert f"{file}:2: is not usable JSON" in result.output
    assert f"{file}:3: mood: is not a field here" in result.output
    assert "1 created, 2 rejected" in result.output
    assert "secret" not in result.output


async def test_a_cut_file_is_an_error(full: str, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    await run("export", str(file), "--tenant", "--url", full)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(StratagraphError, match="cut or was changed"):
        await run("import", str(file), "--url", full)
    packed = tmp_path / "all.jsonl.gz"
    packed.write_bytes(gzip.compress(b"".join(lines))[:-20])
    with pytest.raises(StratagraphError, match="cannot be read to its end"):
        await run("import", str(packed), "--url", full)


async def test_an_interrupted_import_goes_on(
    full: str, tmp_path: Path, cypher: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "all.jsonl"
    place = tmp_path / "all.jsonl.importing"
    before = everything(cypher)
    await run("export", str(file), "--tenant", "--vectors", "--url", full)
    cypher(WIPE)
    monkeypatch.setattr("stratagraph.wire.MAX_BATCH", 10)
    noted: list[int] = []

    def interrupted(_place: Any, line: int) -> None:
        note(_place, line)
        noted.append(line)
        if line == 20:
            raise RuntimeError("the power is gone")

    from stratagraph.cli import transfer

    note = transfer.ImportPosition.note
    monkeypatch.setattr("stratagraph.cli.transfer.ImportPosition.note", interrupted)
    result = await asyncio.to_thread(invoke, "import", str(file), "--url", full)
    assert result.exit_code != 0
    await run("import", str(file), "--dry-run", "--url", full)
    assert json.loads(place.read_text())["line"] == 20
    with pytest.raises(StratagraphError, match="another file, service or options"):
        await run("import", str(file), "--resume", "--agent", "x", "--url", full)
    await run("import", str(file), "--resume", "--url", full)
    assert noted == [*range(10, noted[-1], 10), noted[-1]]
    assert everything(cypher) == before
    assert not place.exists()
    monkeypatch.setattr("stratagraph.cli.transfer.ImportPosition.note", note)
    await run("import", str(file), "--resume", "--url", full)  # nothing to go on from: all of it


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export", "x.jsonl"), "Say who asks"),
        (("export", "x.jsonl", "--tenant", "--agent", "a"), "not both"),
        (("import", "-", "--resume"), "cannot be read again"),
        (("import", "-", "--agent-map", "a"), "OLD=NEW"),
    ],
)
async def test_options_that_make_no_sense(
    url: str,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    with pytest.raises(UsageError, match=words):
        await run(*arguments, "--url", url)


async def test_files_that_are_not_there(url: str, tmp_path: Path) -> None:
    with pytest.raises(StratagraphError, match="cannot be read"):
        await run("import", str(tmp_path / "none"), "--url", url)
    with pytest.raises(StratagraphError, match="cannot be written"):
        await run("export", str(tmp_path / "no" / "file"), "--tenant", "--url", url)


async def test_a_failed_export_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(StratagraphError, match="No service answers"):
        await run("export", str(tmp_path / "x.jsonl"), "--tenant", "--url", "http://127.0.0.1:9")
    assert not list(tmp_path.iterdir())
