"""A language model behind the interface that OpenAI's chat completions have, wherever it runs."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import httpx
import truststore

from graph.kernel.errors import LanguageModelError
from graph.ports.telemetry import UNWATCHED, Telemetry

_HOUR = 3600.0


class TokenBudget:
    """Tokens of the last hour; a call reserves the most it could take, and settles what it took."""

    def __init__(self, tokens: int, seconds: Callable[[], float]) -> None:
        self._most = tokens
        self._seconds = seconds
        self._spent = deque[list[float]]()

    @property
    def spent(self) -> int:
        """Tokens that the last hour has taken, with those that are reserved."""
        horizon = self._seconds() - _HOUR
        while self._spent and self._spent[0][0] <= horizon:
            self._spent.popleft()
        return int(sum(tokens for _, tokens in self._spent))

    def reserve(self, tokens: int) -> Callable[[int], None]:
        """Set tokens aside; return what to call with the number that was taken.

        Raises
        ------
        LanguageModelError
            If the hour has not so many left.
        """
        if self.spent + tokens > self._most:
            raise LanguageModelError(
                f"the language model's {self._most} tokens an hour do not suffice for another call"
            )
        entry: list[float] = [self._seconds(), float(tokens)]
        self._spent.append(entry)

        def settle(taken: int) -> None:
            entry[1] = float(taken)

        return settle


logger = logging.getLogger("stratagraph.llm")

_CONNECT_SECONDS = 5.0
_MOST_BYTES = 2**20
_CHARACTERS_PER_TOKEN = 3  # of English it is four: what is reserved is rather too much
_LONGEST_PAUSE = 10.0
_REFUSED_FORMAT = (400, 422)
_PASSING = (408, 409, 425, 429)
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_SAYS_HOW = "Answer with one JSON object that fits this JSON schema, and nothing else:"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Address of a model, and the limits of a request.

    ``base_url`` is that of the interface, such as ``https://api.example.com/v1``. Each request may
    take ``timeout_seconds``, and is tried ``retries`` times more; an hour may take
    ``tokens_per_hour`` tokens.
    """

    base_url: str
    model: str
    key: str | None = None
    timeout_seconds: float = 30.0
    retries: int = 2
    tokens_per_hour: int = 200_000


class _PassingError(Exception):
    """Another try may do better, after so many seconds if the server said so."""

    def __init__(self, why: str, pause: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.pause = pause


@asynccontextmanager
async def open_model(
    endpoint: Endpoint, telemetry: Telemetry = UNWATCHED
) -> AsyncGenerator[ChatModel]:
    """Open connections to a model's server, and close them at the end."""
    url = httpx.URL(endpoint.base_url)
    headers = {"User-Agent": "stratagraph", "Accept": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    async with httpx.AsyncClient(
        headers=headers,
        timeout=httpx.Timeout(
            endpoint.timeout_seconds, connect=min(_CONNECT_SECONDS, endpoint.timeout_seconds)
        ),
        verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        trust_env=url.host not in _HERE,
        follow_redirects=False,
    ) as client:
        yield ChatModel(endpoint, client, telemetry)


class ChatModel:
    """The ``LanguageModel`` of this project.

    Servers differ in how they can be held to JSON: the strictest way is tried first, and what a
    server refuses is not asked of it again.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        client: httpx.AsyncClient,
        telemetry: Telemetry = UNWATCHED,
        *,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._client = client
        self._telemetry = telemetry
        self._pause = pause
        self._budget = TokenBudget(endpoint.tokens_per_hour, seconds)
        self._formats = ["json_schema", "json_object", "text"]

    @property
    def name(self) -> str:
        """See ``LanguageModel.name``."""
        return self._endpoint.model

    @property
    def tokens_spent(self) -> int:
        """Tokens of the last hour."""
        return self._budget.spent

    async def fill(
        self, instructions: str, question: str, schema: Mapping[str, Any], *, most_tokens: int = 512
    ) -> Mapping[str, Any]:
        """See ``LanguageModel.fill``."""
        try:
            answer = await self._fill(instructions, question, schema, most_tokens)
        except LanguageModelError as error:
            self._telemetry.count("language_calls", outcome="error")
            logger.warning(
                "the language model was of no use", extra={"action": "llm", "why": error.message}
            )
            raise
        self._telemetry.count("language_calls", outcome="ok")
        return answer

    async def _fill(
        self, instructions: str, question: str, schema: Mapping[str, Any], most_tokens: int
    ) -> Mapping[str, Any]:
        told = f"{instructions}\n\n{_SAYS_HOW}\n{json.dumps(schema, sort_keys=True)}"
        messages = [{"role": "system", "content": told}, {"role": "user", "content": question}]
        asked = {
            "model": self._endpoint.model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": most_tokens,
        }
        most = (len(told) + len(question)) // _CHARACTERS_PER_TOKEN + most_tokens
        settle = self._budget.reserve(most)
        reply = await self._answered(asked, schema)
        tokens = _tokens(reply, most)
        settle(tokens)
        self._telemetry.count("language_tokens", tokens)
        answer = _object(_content(reply))
        if wrong := misfit(answer, schema):
            raise LanguageModelError(f"the language model's answer does not fit: {wrong}")
        return answer

    async def _answered(
        self, asked: Mapping[str, Any], schema: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        for attempt in range(self._endpoint.retries + 1):
            try:
                return await self._formatted(asked, schema)
            except _PassingError as error:
                if attempt == self._endpoint.retries:
                    tries = f"{attempt + 1} tries" if attempt else "one try"
                    raise LanguageModelError(
                        f"the language model's server {error.why}, after {tries}; "
                        "check STRATAGRAPH_LLM_BASE_URL"
                    ) from error
                wait = 0.5 * 2.0**attempt if error.pause is None else error.pause
                await self._pause(min(wait, _LONGEST_PAUSE))
        raise LanguageModelError

    async def _formatted(
        self, asked: Mapping[str, Any], schema: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        while True:
            how = self._formats[0]
            status, body, wait = await self._post({**asked, **_format(how, schema)})
            if status in _REFUSED_FORMAT and how != "text":
                self._formats = [name for name in self._formats if name != how]
                continue
            if status in _PASSING or status >= 500:
                raise _PassingError(f"answers {status}", wait)
            if status != 200:
                raise LanguageModelError(
                    f"the language model's server answers {status}; check STRATAGRAPH_LLM_BASE_URL, "
                    "STRATAGRAPH_LLM_API_KEY and STRATAGRAPH_LLM_MODEL"
                )
            return _object(body)

    async def _post(self, asked: Mapping[str, Any]) -> tuple[int, str, float | None]:
        """Send a question; return status, body, and how long to wait where the server says so."""
        url = f"{self._endpoint.base_url.rstrip('/')}/chat/completions"
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self._endpoint.timeout_seconds),
                self._client.stream("POST", url, json=asked) as response,
            ):
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES:
                        raise LanguageModelError("the language model's answer is too long")
        except TimeoutError as error:
            raise _PassingError("does not answer in time") from error
        except httpx.TransportError as error:
            raise _PassingError(f"cannot be reached ({type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise LanguageModelError(
                f"the language model's server cannot be used ({type(error).__name__})"
            ) from error
        return response.status_code, body.decode("utf-8", "replace"), _wait(response)


def _format(how: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if how == "json_schema":
        named = {"name": "answer", "schema": dict(schema)}
        return {"response_format": {"type": how, "json_schema": named}}
    return {"response_format": {"type": how}} if how == "json_object" else {}


def _wait(response: httpx.Response) -> float | None:
    said = response.headers.get("Retry-After", "")
    return float(said) if said.isdecimal() and len(said) < 6 else None


def _content(reply: Mapping[str, Any]) -> str:
    """Take the text out of an answer, without the fence that some models put around it."""
    try:
        choice = reply["choices"][0]
        text, ended = choice["message"]["content"], choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise LanguageModelError("the language model's server answers in another form") from error
    if ended == "length":
        raise LanguageModelError("the language model's answer was cut off")
    if not isinstance(text, str):
        raise LanguageModelError("the language model gave no text")
    text = text.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rpartition("```")[0]
    return text


def _object(text: str) -> dict[str, Any]:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LanguageModelError("the language model answered no JSON") from error
    if not isinstance(found, dict):
        raise LanguageModelError("the language model answered no JSON object")
    return cast("dict[str, Any]", found)


def _tokens(reply: Mapping[str, Any], most: int) -> int:
    usage = reply.get("usage")
    total = (
        cast("Mapping[str, Any]", usage).get("total_tokens") if isinstance(usage, dict) else None
    )
    return total if isinstance(total, int) and 0 <= total < 10**9 else most


def misfit(value: object, schema: Mapping[str, Any]) -> str | None:
    """Say where a value does not fit, without repeating it; None where it does."""
    # Loaded by the first answer of a model: most services have none.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(value))
    if error is None:
        return None
    return f"`{error.validator}` says no at {error.json_path}"
