"""A server with the API of a language model and scripted answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, object] | Callable[[dict[str, Any]], tuple[int, object]]


def said(content: object, tokens: int = 40, finish: str = "stop") -> tuple[int, object]:
    """Return a chat completion with a text."""
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, {"choices": [choice], "usage": {"total_tokens": tokens}}


@dataclass(slots=True)
class Scripted:
    """Received requests, and answers: the replies in order, then the last one repeatedly."""

    replies: list[Reply]
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    retry_after: str | None = None

    def answer(self, body: dict[str, Any]) -> tuple[int, object]:
        self.asked.append(body)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(body) if callable(reply) else reply


@contextmanager
def scripted_model(*replies: Reply) -> Generator[Scripted]:
    """Serve on a free port of this machine while the context is open."""
    script = Scripted(list(replies))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            script.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path != "/v1/chat/completions":
                status, answer = 404, "no such path"
            else:
                status, answer = script.answer(json.loads(self.rfile.read(length)))
            body = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if script.retry_after is not None:
                self.send_header("Retry-After", script.retry_after)
            self.end_headers()
            with suppress(ConnectionError):  # the client may have disconnected
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = (
        False  # waits for the threads, so that no socket is left to the garbage collector
    )
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
