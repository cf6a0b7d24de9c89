"""What the compose file and the Dockerfile promise, read without an engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from graph.server.lock import server_version
from tests.conftest import NEO4J_IMAGE

ROOT = Path(__file__).parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "docker" / "Dockerfile").read_text()
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
STARTS: dict[str, dict[str, Any]] = {name: SERVICES[name] for name in ("neo4j", "stratagraph")}


@pytest.mark.parametrize("name", SERVICES)
def test_every_image_is_pinned(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9/]+:\d+\.\d+\.\d+(-[a-z]+)?", SERVICES[name]["image"])


def test_neo4j_is_the_one_that_the_managed_server_is() -> None:
    assert SERVICES["neo4j"]["image"] == NEO4J_IMAGE
    assert f"neo4j:{server_version()}-community" == NEO4J_IMAGE


def test_the_image_has_the_version_of_the_package() -> None:
    [version] = re.findall(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
    assert SERVICES["stratagraph"]["image"] == f"stratagraph:{version}"


@pytest.mark.parametrize("name", STARTS)
def test_every_service_is_watched_and_started_again(name: str) -> None:
    checked = "healthcheck" in STARTS[name] or "HEALTHCHECK" in DOCKERFILE
    assert checked
    assert STARTS[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", STARTS)
def test_every_port_is_bound_to_loopback(name: str) -> None:
    assert STARTS[name]["ports"]
    assert all(port.startswith("127.0.0.1:") for port in STARTS[name]["ports"])


def test_secrets_are_asked_for_and_never_written_down() -> None:
    environment = {**SERVICES["neo4j"]["environment"], **SERVICES["stratagraph"]["environment"]}
    for name in ("NEO4J_AUTH", "NEO4J_PASSWORD", "STRATAGRAPH_API_KEYS"):
        assert re.fullmatch(r"(neo4j/)?\$\{[A-Z0-9_]+:\?.+\}", environment[name])


def test_what_neo4j_keeps_lies_in_volumes() -> None:
    mounted = dict(volume.split(":") for volume in SERVICES["neo4j"]["volumes"])
    assert set(mounted.values()) == {"/data", "/logs"}
    assert set(mounted) == set(COMPOSE["volumes"])


def test_the_service_waits_for_neo4j_and_may_do_little() -> None:
    service = SERVICES["stratagraph"]
    assert service["depends_on"]["neo4j"]["condition"] == "service_healthy"
    assert "platform" not in service
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    _, _, last_stage = DOCKERFILE.rpartition("\nFROM ")
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", last_stage, re.M)
    assert "pip install" not in last_stage


def test_the_build_uses_the_locked_uv_and_the_locked_packages() -> None:
    [uv] = re.findall(r"^UV_VERSION := (.+)$", (ROOT / "Makefile").read_text(), re.M)
    assert f"uv=={uv}" in DOCKERFILE
    assert DOCKERFILE.count("requirements.lock") >= 3
