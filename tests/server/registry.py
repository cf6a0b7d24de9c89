"""A Maven repository on a local port."""

from __future__ import annotations

import gc
import threading
import warnings
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Registry:
    """A Maven repository on a local port that records requests."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked: list[str] = []
        asked = self.asked

        class Handler(SimpleHTTPRequestHandler):
            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                asked.append(f"{self.path} {code} {size}".split()[0])

            def log_message(self, format: str, *args: object) -> None:
                del format, args

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root)))

    @property
    def repos(self) -> dict[str, str]:
        return {"local": f"http://127.0.0.1:{self.server.server_address[1]}"}

    def file(self, name: str) -> Path:
        """Return the path of the jar `name` of org.example, version 1.0."""
        return self.root / "org" / "example" / name / "1.0" / f"{name}-1.0.jar"

    def jars_asked(self) -> list[str]:
        return [path.rsplit("/", 1)[1] for path in self.asked if path.endswith(".jar")]


@contextmanager
def serving(root: Path, content: Mapping[str, bytes]) -> Generator[Registry]:
    """Serve jars of org.example by name."""
    registry = Registry(root)
    for name, data in content.items():
        registry.file(name).parent.mkdir(parents=True)
        registry.file(name).write_bytes(data)
    thread = threading.Thread(target=registry.server.serve_forever, daemon=True)
    thread.start()
    yield registry
    registry.server.shutdown()
    registry.server.server_close()
    thread.join()
    with warnings.catch_warnings():  # jgo only closes the answer of a jar that it read to the end
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
