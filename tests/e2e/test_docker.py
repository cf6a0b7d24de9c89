"""The image and the compose file on a real engine; skipped, with the reason, where none answers.

Where no registry answers either, set `STRATAGRAPH_TEST_BASE_IMAGE` to a local image with Python; Neo4j's
image is then made from the jars and the Java of the managed server.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from types import MappingProxyType

import httpx
import pytest

from graph.server.java import find_java
from graph.server.lock import installed_jars
from tests.conftest import NEO4J_IMAGE
from tests.served import free_port
from tests.server.conftest import shared_cache

pytestmark = pytest.mark.docker

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker" / "compose.yaml"
BASE = os.environ.get("STRATAGRAPH_TEST_BASE_IMAGE", "python:3.13-slim")
KEY = "0123456789abcdef0123"
HEADERS = {"Authorization": f"Bearer {KEY}"}
PATIENCE_SECONDS = 600
LARGEST_ADDED_BYTES = 300 * 10**6


def docker(
    *arguments: str, check: bool = True, variables: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ["docker", *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout + done.stderr
    return done


def answers(*arguments: str) -> bool:
    try:
        return docker(*arguments, check=False).returncode == 0
    except OSError:
        return False


@pytest.fixture(scope="module")
def engine() -> None:
    if not answers("version"):
        pytest.skip("no container engine answers to `docker version`")


@pytest.fixture(scope="module")
def compose() -> None:
    if not answers("compose", "version"):
        pytest.skip("the docker command has no `compose`")


@pytest.fixture(scope="module")
def image(engine: None) -> str:
    """Build the image on the base that is at hand."""
    if not answers("image", "inspect", BASE) and not answers("pull", "--quiet", BASE):
        pytest.skip(f"no registry gives {BASE}; STRATAGRAPH_TEST_BASE_IMAGE may name a local image")
    arguments = ("--network", "host", "--build-arg", f"BASE={BASE}", "--tag", "stratagraph:0.1.0")
    docker("build", *arguments, "--file", str(ROOT / "docker" / "Dockerfile"), str(ROOT))
    return "stratagraph:0.1.0"


@pytest.fixture(scope="module")
def neo4j_image(image: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Take Neo4j's image, or make one that is started like it."""
    if answers("image", "inspect", NEO4J_IMAGE) or answers("pull", "--quiet", NEO4J_IMAGE):
        return NEO4J_IMAGE
    context = tmp_path_factory.mktemp("neo4j") / "context"
    shutil.copytree(Path(__file__).parent / "neo4j_image", context)
    jars = installed_jars(shared_cache())
    assert jars is not None
    shutil.copytree(jars, context / "jars")
    shutil.copytree(find_java().path.parents[1], context / "java")
    docker("build", "--build-arg", f"BASE={BASE}", "--tag", NEO4J_IMAGE, str(context))
    return NEO4J_IMAGE


Compose = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def started(compose: None, image: str, neo4j_image: str) -> Generator[tuple[str, Compose]]:
    """The compose file as it is, up and healthy; its address, and a way to give it commands."""
    port = free_port()
    environment = {
        "NEO4J_PASSWORD": "correct-horse",
        "STRATAGRAPH_API_KEYS": f"home:{KEY}",
        "STRATAGRAPH_API_PORT": port,
        "NEO4J_BROWSER_PORT": free_port(),
        "NEO4J_BOLT_PORT": free_port(),
        "NEO4J_HEAP": "512m",
        "NEO4J_PAGECACHE": "64m",
        "COMPOSE_PROJECT_NAME": f"stratagraph-test-{uuid.uuid4().hex[:8]}",
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return docker("compose", "--file", str(COMPOSE), *arguments, variables=environment)

    try:
        run("up", "--no-build", "--pull", "never", "--detach", "--wait")
        yield f"http://127.0.0.1:{port}", run
    finally:
        run("down", "--volumes", "--timeout", "30")


def test_the_compose_file_is_valid_and_asks_for_its_secrets(compose: None) -> None:
    asked = docker("compose", "--file", str(COMPOSE), "config", check=False)
    assert asked.returncode != 0
    assert "NEO4J_PASSWORD" in asked.stderr
    given = {"NEO4J_PASSWORD": "correct-horse", "STRATAGRAPH_API_KEYS": f"home:{KEY}"}
    docker("compose", "--file", str(COMPOSE), "config", "--quiet", variables=given)


def test_the_image_is_small_and_has_no_root(image: str) -> None:
    sizes = [
        int(json.loads(docker("image", "inspect", name).stdout)[0]["Size"])
        for name in (image, BASE)
    ]
    assert sizes[0] - sizes[1] < LARGEST_ADDED_BYTES
    assert "uid=10001" in docker("run", "--rm", "--entrypoint", "id", image).stdout


def test_without_keys_the_image_does_not_serve(image: str) -> None:
    refused = docker("run", "--rm", image, check=False)
    assert refused.returncode == 1
    assert "STRATAGRAPH_API_KEYS" in refused.stderr


def test_memories_outlive_the_containers(started: tuple[str, Compose]) -> None:
    url, compose = started
    asked = {"agent_id": "a", "text": "where is the spare key?"}
    assert httpx.post(f"{url}/v1/recall", json=asked, timeout=60).status_code == 401
    note = {"agent_id": "a", "text": "the spare key hangs behind the shed"}
    saved = httpx.post(f"{url}/v1/memories", json=note, headers=HEADERS, timeout=60)
    assert saved.status_code == 201, saved.text
    compose("down", "--timeout", "60")
    compose("up", "--no-build", "--pull", "never", "--detach", "--wait")
    answer = httpx.post(f"{url}/v1/recall", json=asked, headers=HEADERS, timeout=60)
    assert [result["uid"] for result in answer.json()["results"]] == [saved.json()["uid"]]


def test_the_stores_tests_pass_on_a_container(neo4j_image: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--server=docker",
            "tests/store/memories/test_delete.py",
        ],
        cwd=ROOT,
        # Its janitor is one more image that a registry would have to give; the test ends its own.
        env={**os.environ, "TESTCONTAINERS_RYUK_DISABLED": "true"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
