from __future__ import annotations

import asyncio
import logging
import socket
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner, Result

from graph.database.driver import Connection
from graph.kernel.errors import (
    ConfigurationError,
    PortTakenError,
    StratagraphError,
)
from service.bootstrap import Service
from service.bootstrap.embedders import DEFAULT
from service.bootstrap.managed import remove_service, write_service
from service.cli import app, main
from service.cli.doctor import examine
from service.cli.port import API_PORT, bind_api
from service.settings import Settings
from stratagraph import errors
from tests.conftest import Run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRATAGRAPH_HOME", str(tmp_path))
    return tmp_path


def invoke(*arguments: str, stdin: str | None = None) -> Result:
    handlers = logging.root.handlers[:]
    try:
        return CliRunner().invoke(app, arguments, input=stdin)
    finally:
        # `serve` logs to the runner's stream, which is closed by now.
        logging.root.handlers[:] = handlers


async def run(*arguments: str, stdin: str | None = None) -> str:
    result = await asyncio.to_thread(invoke, *arguments, stdin=stdin)
    if result.exception:
        raise result.exception
    return result.output


async def recalled(url: str, text: str, *options: str) -> str:
    said = ""
    for _ in range(100):
        said = await run("recall", text, "--agent", "a", "--url", url, *options)
        if "Nothing" not in said:
            return said
        await asyncio.sleep(0.05)
    raise AssertionError(said)


async def test_remember_recall_outcome(url: str) -> None:
    to = ("--agent", "a", "--url", url)
    said = await run("remember", "The build broke.", *to, "--tag", "ci", "--importance", "4")
    assert said.startswith("created  ")
    uid = said.split()[1]
    said = await recalled(url, "broken build", "--task", "t", "--explain", "-k", "3")
    assert "1. The build broke." in said
    assert uid in said
    assert "reached by" in said
    said = await run("outcome", "t", "success", *to)
    assert said.startswith("reward +1.00")
    assert uid in said
    assert "reported before" in await run("outcome", "t", "success", *to)


async def test_a_reward_by_hand_its_history_and_back(url: str) -> None:
    to = ("--agent", "a", "--url", url)
    uid = (await run("remember", "The build broke.", *to, "--external-id", "b")).split()[1]
    said = await run("reward", "external:b", "-1", "--reason", "it did not", *to)
    assert f"{uid}  Q 0.500 -> 0.450" in said
    reward = said.split()[-1]
    assert (await run("revert", reward, *to)).startswith("taken back\n")
    assert "before" in await run("revert", reward, "--reason", "again", *to)
    shown = await run("utility", uid, "--at", "2100-01-01T00:00:00Z", *to)
    assert "Q 0.500 by 0 rewards" in shown
    assert "Q was 0.500 at that time" in shown
    assert "manual" in shown
    assert shown.count(reward) == 1
    assert "taken back" in shown
    used = await run("outcome", "t", "success", "--used", uid, *to)
    assert "Q 0.500 -> 0.550" in used
    raw = (*to, "--json")
    assert '"step":' in await run("reward", uid, "0.5", "--reason", "x", *raw)
    assert '"history":' in await run("utility", uid, *raw)
    assert '"applied":false' in await run("revert", reward, *raw)


async def test_raw_answers_are_json(url: str) -> None:
    to = ("--agent", "a", "--url", url, "--json")
    assert '"status":"created"' in await run("remember", "-", *to, stdin="from standard input")
    assert '"results":' in await run("recall", "x", *to)


async def test_a_refusal_is_told_with_its_field(url: str) -> None:
    with pytest.raises(errors.StratagraphError, match=r"\(422\)\n  text: must not be empty"):
        await run("recall", " ", "--agent", "a", "--url", url)


async def test_the_service_of_this_home_is_found(url: str, home: Path) -> None:
    write_service(home, url)
    assert "Nothing is remembered" in await run("recall", "anything", "--agent", "nobody")
    remove_service(home)


async def test_the_environment_names_the_service(
    url: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_service(home, "http://127.0.0.1:9")
    monkeypatch.setenv("STRATAGRAPH_URL", url)
    assert "Nothing is remembered" in await run("recall", "anything", "--agent", "nobody")
    remove_service(home)


async def test_nobody_there_is_one_clear_sentence() -> None:
    with pytest.raises(errors.StratagraphError, match="Start one with `stratagraph serve`"):
        await run("recall", "x", "--agent", "a", "--url", "http://127.0.0.1:9")


async def test_who_asks_is_needed() -> None:
    with pytest.raises(errors.UsageError, match="--agent"):
        await run("recall", "x")


async def test_a_running_service_keeps_migrate_and_reset_out(home: Path) -> None:
    write_service(home, "http://127.0.0.1:1")
    for command in (("migrate",), ("reset", "--yes"), ("serve",)):
        with pytest.raises(StratagraphError, match=r"answers at http://127.0.0.1:1\."):
            await run(*command)
    remove_service(home)


async def test_reset_removes_the_data_and_nothing_else(home: Path) -> None:
    assert "nothing to remove" in await run("reset")
    (home / "data" / "databases").mkdir(parents=True)
    (home / "neo4j-password").write_text("x")
    (home / "thesis.txt").write_text("mine")
    assert (await asyncio.to_thread(invoke, "reset", stdin="n\n")).exit_code == 1
    assert (home / "data").exists()
    assert "Removed" in await run("reset", "--yes")
    assert not (home / "data").exists()
    assert not (home / "neo4j-password").exists()
    assert (home / "thesis.txt").exists()


async def test_reset_leaves_a_folder_that_is_not_ours(home: Path) -> None:
    (home / "data").mkdir()
    assert "nothing to remove" in await run("reset", "--yes")
    assert (home / "data").exists()


async def test_reset_leaves_a_server_of_the_users_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    with pytest.raises(ConfigurationError, match="NEO4J_URI"):
        await run("reset", "--yes")


def test_stop_with_nothing_running(home: Path) -> None:
    assert invoke("stop").output == f"Nothing runs on {home}.\n"


def test_a_mistyped_variable_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRATAGRAPH_PROT", "1")
    monkeypatch.setattr(sys, "argv", ["stratagraph", "stop"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "STRATAGRAPH_PROT is not a setting; did you mean STRATAGRAPH_PORT?\n"
    )


def test_version() -> None:
    assert invoke("version").output.strip()


def test_doctor_finds_nothing_wrong_on_a_good_machine(home: Path, settings: Settings) -> None:
    with_graph = settings.model_copy(
        update={"home": home, "neo4j_password": settings.neo4j_password}
    )
    found = {finding.what: finding for finding in examine(with_graph)}
    assert found["home"].remedy is None
    assert found["Python"].remedy is None
    assert "does not run" in found["service"].found


def test_doctor_says_what_to_do(home: Path, taken: int) -> None:
    home.joinpath("file").touch()
    settings = Settings(
        home=home / "file" / "below", port=taken, java=Path("/nowhere"), cache=home / "cache"
    )
    wrong = {finding.what for finding in examine(settings) if finding.remedy}
    assert wrong == {"home", "Java", "Neo4j", "port", "model"}


def test_doctor_notes_a_database_that_is_away(home: Path) -> None:
    settings = Settings(home=home, neo4j_uri="bolt://127.0.0.1:9", neo4j_timeout_seconds=0.5)
    [finding] = [finding for finding in examine(settings) if finding.what == "graph"]
    assert "does not answer" in finding.found
    assert finding.remedy == "Check NEO4J_URI and what runs there."


def test_doctor_ends_with_1_if_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:9")
    result = invoke("doctor")
    assert result.exit_code == 1
    assert "!!  graph" in result.output


@pytest.fixture
def taken() -> Generator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(taken: int) -> None:
    with pytest.raises(PortTakenError, match="STRATAGRAPH_PORT"), bind_api(Settings(port=taken)):
        pytest.fail("it was bound")


def test_without_a_port_the_usual_or_a_free_one_is_taken() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", API_PORT))
            other.listen()
        except OSError:
            pass  # somebody listens there, which is as good
        with bind_api(Settings()) as listener:
            assert listener.getsockname()[1] != API_PORT


def test_two_that_are_still_starting_never_hold_the_same_port() -> None:
    with bind_api(Settings()) as one, bind_api(Settings()) as two:
        assert one.getsockname()[1] != two.getsockname()[1]


def test_an_address_of_another_machine_is_a_clear_error() -> None:
    settings = Settings().model_copy(update={"host": "192.0.2.1"})
    with pytest.raises(ConfigurationError, match="Cannot listen"), bind_api(settings):
        pytest.fail("it was bound")


def on_the_tests_server(monkeypatch: pytest.MonkeyPatch, connection: Connection) -> None:
    monkeypatch.setenv("NEO4J_URI", connection.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", connection.password)


@pytest.mark.parametrize("arguments", [(), ("--embedder", DEFAULT)])
def test_reembed_to_the_graphs_own_embedder_changes_nothing(
    service: Service,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    on_the_tests_server(monkeypatch, connection)
    result = invoke("reembed", *arguments)
    assert result.exit_code == 0, result.exception
    assert f"embedded by {DEFAULT}" in result.output
    assert "Embedded in this run: 0." in result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--cancel",), "no re-embedding is under way"),
        (("--embedder", "/nowhere/at/all"), "there is no folder"),
    ],
)
def test_reembed_says_what_it_lacks(
    service: Service,
    connection: Connection,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    on_the_tests_server(monkeypatch, connection)
    error = invoke("reembed", *arguments).exception
    assert isinstance(error, StratagraphError)
    assert told in error.message


def test_doctor_tells_of_a_re_embedding(
    home: Path, service: Service, connection: Connection, cypher: Run
) -> None:
    settings = Settings(
        home=home, neo4j_uri=connection.uri, neo4j_password=SecretStr(connection.password)
    )
    for state, told in (("filling", "other is to come"), ("retiring", "other is on its way out")):
        cypher(
            "MATCH (s:Schema {name: 'schema'}) SET s.other_state = $state, "
            "s.other_embedder = 'other', s.other_dimension = 3",
            state=state,
        )
        found = [finding.found for finding in examine(settings)]
        cypher("MATCH (s:Schema {name: 'schema'}) "
               "REMOVE s.other_state, s.other_embedder, s.other_dimension")  # fmt: skip
        assert any(told in line for line in found), found
