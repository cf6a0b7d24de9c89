"""Speak to Stratagraph with nothing but Python's standard library.

    python examples/plain_http.py

Start a service first (`make serve`). STRATAGRAPH_URL names another one, STRATAGRAPH_API_KEY is its
key. The client, `from stratagraph import Client`, does the same with types and repeats.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from typing import Any

URL = os.environ.get("STRATAGRAPH_URL", "http://127.0.0.1:8400").rstrip("/")
KEY = os.environ.get("STRATAGRAPH_API_KEY")


def post(path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    if KEY:
        headers["Authorization"] = f"Bearer {KEY}"
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)  # noqa: S310 -- the user's own address
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        # Errors are JSON too: `type` is stable, `detail` and `errors` say what was wrong.
        problem = json.load(refused)
        raise SystemExit(f"{problem['title']}: {problem['detail']} {problem['errors']}") from None
    except urllib.error.URLError as error:
        raise SystemExit(f"No service answers at {URL} ({error.reason}).") from None


def main() -> None:
    # 1. Remember. The agent's own scope is the default; kinds, tags, sessions are optional.
    for text in (
        "Ada prefers answers with a worked example.",
        "Bert wants the short version first.",
        "The staging server is rebooted on Mondays.",
    ):
        saved = post("/v1/memories", {"agent_id": "helper", "kind": "preference", "text": text})
        print(f"{saved['status']:9} {saved['uid']}  {text}")

    # 2. Recall for a task. A memory is found a moment after it was stored.
    question = {"agent_id": "helper", "text": "How does Ada like her answers?", "k": 2}
    deadline = time.monotonic() + 10
    while not (results := post("/v1/recall", {**question, "task_id": "ticket-1"})["results"]):
        if time.monotonic() > deadline:
            raise SystemExit("The memories were not found within 10 s.")
        time.sleep(0.1)
    for result in results:
        print(f"score {result['score']:+.2f}  Q {result['q_value']:.2f}  {result['text']}")

    # 3. Say how the task ended: what was recalled for it gains or loses utility (Q).
    outcome = post("/v1/tasks/ticket-1/outcome", {"agent_id": "helper", "status": "success"})
    for moved in outcome["rewarded"]:
        print(f"Q {moved['q_before']:.3f} -> {moved['q_after']:.3f}  {moved['uid']}")
    if not outcome["applied"]:
        print("(This outcome was reported before: an outcome counts once.)")


if __name__ == "__main__":
    main()
