"""A service that is not on this machine's loopback: addresses, TLS, prefixes, proxies, keys."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
import uvicorn
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.routing import Mount

from service.app import create_app
from service.bootstrap import Service
from service.cli.port import api_url
from service.cli.web import Api, answer
from stratagraph import AsyncClient, Client, ConnectionFailedError, UsageError
from stratagraph.connect import DEFAULT_URL, http_options, target_of
from tests.served import served
from tests.swapping import swapped

KEY = "a-key-of-some-length"


@pytest_asyncio.fixture(loop_scope="session")
async def guarded(service: Service) -> Service:
    keys = service.settings.model_copy(update={"api_keys": (("red", SecretStr(KEY)),)})
    return swapped(service, settings=keys)


class Papers(NamedTuple):
    """What an authority made in this test has signed."""

    authority: Path
    certificate: Path
    key: Path


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    if shutil.which("openssl") is None:
        pytest.skip("needs the command openssl to make an authority of its own")
    folder = tmp_path_factory.mktemp("papers")
    new = ("req", "-newkey", "rsa:2048", "-nodes")
    name = "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost"
    openssl(folder, *new, "-x509", "-subj", "/CN=Ours", "-keyout", "ca.key", "-out", "ca.pem")
    openssl(folder, *new, "-subj", "/CN=us", "-keyout", "own.key", "-out", "own.csr")
    (folder / "names").write_text(name)
    signed = ("x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2")
    openssl(folder, *signed, "-CAcreateserial", "-extfile", "names", "-out", "own.pem")
    return Papers(folder / "ca.pem", folder / "own.pem", folder / "own.key")


@pytest_asyncio.fixture(loop_scope="session")
async def secure_url(guarded: Service, papers: Papers) -> AsyncGenerator[str]:
    options: dict[str, Any] = {
        "ssl_certfile": str(papers.certificate),
        "ssl_keyfile": str(papers.key),
    }
    async with served(guarded, **options) as url:
        yield url.replace("http:", "https:")


async def test_an_authority_of_ones_own(secure_url: str, papers: Papers) -> None:
    async with AsyncClient(secure_url, KEY, agent_id="a", verify=papers.authority) as client:
        assert (await client.remember("Over TLS.")).status == "created"
    async with AsyncClient(secure_url, KEY, agent_id="a", verify=False) as client:
        assert (await client.remember("Over TLS.")).status == "duplicate"


async def test_an_unknown_authority_is_not_trusted(secure_url: str) -> None:
    async with AsyncClient(secure_url, KEY, agent_id="a", retries=0) as client:
        with pytest.raises(ConnectionFailedError, match=r"(?i)certificate") as told:
            await client.remember("Never sent.")
    assert not told.value.sent


async def test_the_service_may_want_a_certificate_too(guarded: Service, papers: Papers) -> None:
    options: dict[str, Any] = {
        "ssl_certfile": str(papers.certificate),
        "ssl_keyfile": str(papers.key),
        "ssl_ca_certs": str(papers.authority),
        "ssl_cert_reqs": ssl.CERT_REQUIRED,
    }
    async with served(guarded, **options) as plain:
        url, own = plain.replace("http:", "https:"), (str(papers.certificate), str(papers.key))
        trusted = papers.authority
        async with AsyncClient(url, KEY, agent_id="a", verify=trusted, cert=own) as client:
            assert (await client.remember("Both known.")).status == "created"
        async with AsyncClient(url, KEY, agent_id="a", verify=trusted, retries=0) as client:
            with pytest.raises(ConnectionFailedError):
                await client.remember("Unknown.")


def test_a_certificate_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="certificate"):
        Client("https://host", verify=tmp_path / "none.pem")
    with pytest.raises(UsageError, match="certificate"):
        Client("https://host", cert=str(tmp_path / "none.pem"))


async def test_a_path_in_front(service: Service) -> None:
    app = Starlette(routes=[Mount("/team/memory", create_app(service))])
    api = Api(uvicorn.Config(app, log_config=None, access_log=False))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        answering = asyncio.create_task(answer(api, listener))
        await api.listening.wait()
        for url in (f"{api_url(listener)}/team/memory", f"{api_url(listener)}/team/memory/"):
            async with AsyncClient(url, agent_id="a") as client:
                assert client.url.endswith("/team/memory")
                uid = (await client.remember("Behind a path.")).uid
                assert (await client.get(uid)).text == "Behind a path."
        api.should_exit = True
        await answering


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
async def test_ipv6(service: Service) -> None:
    async with served(service, "::1") as url, AsyncClient(url, agent_id="a") as client:
        assert "[::1]" in client.url
        assert (await client.remember("By six.")).status == "created"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def other_machine() -> Generator[tuple[str, str]]:
    """A network of its own with one wire to here: its name, and our address on the wire."""
    name = f"stratagraph-{os.getpid()}"
    near, far = f"sgn{os.getpid() % 10_000_000}", f"sgf{os.getpid() % 10_000_000}"
    if shutil.which("ip") is None or run("ip", "netns", "add", name).returncode:
        pytest.skip("needs the right to make network namespaces")
    try:
        for command in (
            f"link add {near} type veth peer name {far} netns {name}",
            f"addr add 198.51.100.1/30 dev {near}",
            f"link set {near} up",
            f"-n {name} addr add 198.51.100.2/30 dev {far}",
            f"-n {name} link set {far} up",
        ):
            done = run("ip", *command.split())
            assert done.returncode == 0, done.stderr
        yield name, "198.51.100.1"
    finally:
        run("ip", "netns", "del", name)


SCRIPT = """
from stratagraph import Client, UnauthorizedError
import sys
url, key = sys.argv[1:]
with Client(url, key, agent_id="far") as client:
    print(client.remember("From another machine.").status)
    print(client.ready().status)
with Client(url, agent_id="far") as client:
    try:
        client.recall("x")
    except UnauthorizedError:
        print("refused")
"""


async def test_from_another_machine(guarded: Service, other_machine: tuple[str, str]) -> None:
    name, address = other_machine
    async with served(guarded, address) as url:
        inside = ("ip", "netns", "exec", name, sys.executable)
        done = await asyncio.to_thread(run, *inside, "-c", SCRIPT, url, KEY)
        assert done.stdout.split() == ["created", "ready", "refused"], done.stderr
        command = ("-m", "service", "remember", "By hand.", "--agent", "far")
        done = await asyncio.to_thread(run, *inside, *command, "--url", url, "--key", KEY)
        assert done.stdout.startswith("created"), done.stderr


def test_what_is_given_goes_before_the_environment() -> None:
    environ = {"STRATAGRAPH_URL": "http://there:1", "STRATAGRAPH_API_KEY": "from-environ"}
    assert target_of(None, None, {}).shown == DEFAULT_URL
    assert target_of(None, None, environ).shown == "http://there:1"
    assert target_of(None, None, environ).headers["Authorization"] == "Bearer from-environ"
    given = target_of("https://here/x/", "given", environ)
    assert (given.shown, given.key) == ("https://here/x", "given")


async def test_the_environment_names_the_service(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATAGRAPH_URL", url)
    async with AsyncClient(agent_id="a") as client:
        assert client.url == url
        assert (await client.health()).status == "ok"


def test_a_proxy_is_never_asked_for_this_machine() -> None:
    def asks(url: str) -> bool:
        return http_options(target_of(url, None, {}), True, None, None)["trust_env"]

    assert asks("https://memory.example.com")
    assert not any(asks(f"http://{host}:8400") for host in ("localhost", "127.0.0.1", "[::1]"))


async def test_a_proxy_that_is_named_is_used(url: str) -> None:
    seen: list[bytes] = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readline())
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n" + b'{"status":"ok"}')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        async with AsyncClient("http://memory.test", proxy=f"http://127.0.0.1:{port}") as client:
            assert (await client.health()).status == "ok"
    assert seen == [b"GET http://memory.test/healthz HTTP/1.1\r\n"]
