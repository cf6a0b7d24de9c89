"""The rivals' bench as it is used here: scripts, Python environments, and time limits.

It is a folder of scripts outside of this repository; nothing of it is imported.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.runner import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

OURS = "stratagraph"
PEERS = (OURS, "floor", "nam", "graphiti")
VARIANTS = (f"{OURS}:plain", f"{OURS}:unlinked")
PACKAGES = {
    OURS: "stratagraph",
    "floor": "neo4j",
    "nam": "neo4j-agent-memory",
    "graphiti": "graphiti-core",
}
# with the maximum seconds of one run
SCRIPTS = {"bench": 3600.0, "ten_only": 900.0, "big": 1200.0, "poison": 300.0, "dead": 480.0}
SIZES = (2760, 20_000, 100_000)

# Undeclared dependencies of a rival.
_UNDECLARED = {"graphiti": ("httpx",)}
_ADAPTER = Path(__file__).parent / "adapter"
_VERSION = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
# If all conversations are ingested first, the bench divides by a time of zero.
_ONE_TURN = '{"session_1": [{"dia_id": "D1:1", "speaker": "Ann", "text": "Hello."}], "qa": []}'
_FIRST_CONVERSATIONS = 5


@dataclass(frozen=True, slots=True)
class Bench:
    """The folder of scripts, the conversations, and the rivals' environments."""

    folder: Path
    data: Path
    venvs: Path

    def check(self) -> None:
        """Refuse a folder that is not such a bench, and one without conversations.

        Raises
        ------
        SystemExit
            With what is missing, and what the folder should be.
        """
        missing = [
            name
            for name in ("common.py", "install.sh", *(f"{script}.py" for script in SCRIPTS))
            if not (self.folder / name).is_file()
        ]
        if missing:
            raise SystemExit(
                f"--peers: {self.folder} has no {', '.join(missing)}. It must be the folder of the "
                "bench of memory services (bench.py, big.py, …, install.sh and a peer_*.py for each "
                "rival), which is not part of this repository."
            )
        if not sorted(self.data.glob("*.json")):
            raise SystemExit(f"--data: no LoCoMo conversation (*.json) in {self.data}")

    def install(self, peers: Sequence[str]) -> None:
        """Create missing environments of the requested rivals.

        Raises
        ------
        SystemExit
            If `uv` is not to be found or the installation fails.
        """
        if all(self.python(peer).exists() for peer in peers):
            return
        beside = Path(sys.executable).with_name("uv")
        uv = str(beside) if beside.exists() else shutil.which("uv")
        if uv is None:
            raise SystemExit("install.sh needs `uv`: pip install uv")
        say(f"installing the rivals into {self.venvs}")
        self.venvs.mkdir(parents=True, exist_ok=True)
        variables = {**os.environ, "UV": uv, "PEERS_VENVS": str(self.venvs)}
        done = subprocess.run(["bash", str(self.folder / "install.sh")], env=variables, check=False)
        if done.returncode:
            raise SystemExit(f"the rivals' install.sh ended with {done.returncode}")
        for peer in set(peers) & set(_UNDECLARED):
            into = ["--python", str(self.python(peer)), *_UNDECLARED[peer]]
            subprocess.run([uv, "pip", "install", "-q", *into], check=True)

    def python(self, peer: str) -> Path:
        """Return the interpreter of a candidate: its own environment, or this one for ours."""
        name = peer.partition(":")[0]
        return Path(sys.executable) if name == OURS else self.venvs / name / "bin" / "python"

    def version(self, peer: str) -> str:
        """Return the installed release of a candidate."""
        package = PACKAGES[peer.partition(":")[0]]
        asked = [str(self.python(peer)), "-c", _VERSION, package]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        return f"{package} {done.stdout.strip() or 'of unknown version'}"

    def command(self, peer: str, script: str, most: int) -> list[str]:
        """Return the command of one run."""
        size = [str(most)] if script == "bench" else []
        return [str(self.python(peer)), str(self.folder / f"{script}.py"), peer, *size]

    def environment(self, uri: str, data: Path) -> dict[str, str]:
        """Return the environment of a run: database and conversations, nothing of the user's."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("NEO4J_", "STRATAGRAPH_"))}
        cache = {k: v for k, v in os.environ.items() if k == "STRATAGRAPH_CACHE"}
        given: Mapping[str, str] = {
            "PEERS_NEO4J_URI": uri,
            "LOCOMO_DIR": str(data),
            "PYTHONPATH": str(_ADAPTER),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return {**kept, **cache, **given}

    def lay_out(self, folder: Path) -> Path:
        """Link the conversations into a folder in the layout of the bench."""
        files = sorted(self.data.glob("*.json"))
        for file in files:
            (folder / file.name).symlink_to(file.resolve())
        if len(files) <= _FIRST_CONVERSATIONS:
            (folder / "zz-one-turn.json").write_text(_ONE_TURN, encoding="utf-8")
        return folder
