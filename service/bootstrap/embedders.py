"""Embedders of this process: recorded in the graph, which may switch to others at run time."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Protocol

from graph.database.driver import Database
from graph.embedding.sentence import SentenceEmbedder
from graph.embedding.static import DIMENSION, StaticEmbedder
from graph.embedding.transformer import TransformerEmbedder, model_name
from graph.kernel.embedding import EmbedderIdentity, EmbeddingState
from graph.kernel.errors import (
    DownloadError,
    EmbedderMismatchError,
    EmbedderUnavailableError,
    HomeNotWritableError,
)
from graph.ports.embedding import SlotEmbedder
from graph.ports.world import Embedder
from graph.store.operation.migrate import SchemaState, check_version, schema_state
from service.bootstrap.models import NAME, fetch_model
from service.settings import Settings

logger = logging.getLogger(__name__)

DEFAULT = NAME
STATIC = "wordllama"
_RETRY_SECONDS = 30.0
_STATIC_NAME = f"{STATIC}-{DIMENSION}"


class EmbedderSettings(Protocol):
    """Settings for loading an embedder."""

    @property
    def cache(self) -> Path: ...
    @property
    def embedder(self) -> str | None: ...
    @property
    def embedder_device(self) -> str | None: ...
    @property
    def embedder_batch_size(self) -> int: ...


class Loader:
    """Loads embedders named by settings or graph.

    Raises
    ------
    EmbedderUnavailableError
        If the model cannot be loaded on this machine.
    """

    def __init__(self, settings: EmbedderSettings | None = None) -> None:
        self._settings = settings or Settings()

    def __call__(self, source: str) -> Embedder:
        """Load the embedder of a source; a missing default model is downloaded."""
        if source == DEFAULT:
            return SentenceEmbedder(self._model_folder())
        if source in (STATIC, _STATIC_NAME):
            return StaticEmbedder()
        device, batch_size = self._settings.embedder_device, self._settings.embedder_batch_size
        return TransformerEmbedder(source, device=device, batch_size=batch_size)

    def name_of(self, source: str) -> str:
        """Return the recorded name of an embedder, without loading its model."""
        if source == DEFAULT:
            return source
        return _STATIC_NAME if source in (STATIC, _STATIC_NAME) else model_name(source)

    def _model_folder(self) -> Path:
        try:
            return fetch_model(self._settings, progress=_without_progress)
        except (DownloadError, HomeNotWritableError) as error:
            raise EmbedderUnavailableError(error.message) from error


def _without_progress(_done: int, _total: int, _what: str) -> None:
    """No progress output: the command line has downloaded the model before."""


def load_embedder(settings: EmbedderSettings | None = None) -> Embedder:
    """Load the configured embedder, or the default one."""
    settings = settings or Settings()
    return Loader(settings)(settings.embedder or DEFAULT)


def identity_of(embedder: Embedder) -> EmbedderIdentity:
    """Return the recorded identity of an embedder."""
    return EmbedderIdentity(embedder.name, embedder.dimension, embedder.source)


def check_configured(state: SchemaState, configured: str | None, loader: Loader) -> None:
    """Refuse a graph of another embedder than the configured one.

    Raises
    ------
    SchemaNewerError, EmbedderMismatchError, EmbedderUnavailableError
        As their names say.
    """
    check_version(state)
    if configured is None or state.embedder is None:
        return
    wanted = loader.name_of(configured)
    # during a re-embedding either embedder is accepted
    coming = state.other and state.other.state == "filling" and state.other.embedder.name
    if wanted not in (state.embedder, coming):
        raise EmbedderMismatchError(
            f"the graph was filled by {state.embedder}, STRATAGRAPH_EMBEDDER asks for {wanted}: "
            f"unset it to go on as before, or run `stratagraph reembed --embedder {configured}`"
        )


class GraphEmbedders:
    """The ``EmbeddersInUse`` of a service, loaded as the graph's record requires."""

    def __init__(
        self,
        database: Database,
        loader: Loader,
        configured: str | None = None,
        at_hand: Embedder | None = None,
    ) -> None:
        self._database = database
        self._loader = loader
        self._configured = configured
        self._loaded: dict[str, Embedder] = {at_hand.name: at_hand} if at_hand else {}
        self._failed: dict[str, str] = {}
        self._state: EmbeddingState | None = None
        self._reading: SlotEmbedder | None = None
        self._also: SlotEmbedder | None = None
        self._looking = asyncio.Lock()
        self._retry_at = 0.0

    @property
    def reading(self) -> SlotEmbedder:
        """See ``EmbeddersInUse.reading``."""
        if self._reading is None:
            raise EmbedderUnavailableError(self.trouble)
        return self._reading

    @property
    # while another slot is filled, every write goes to both (ADR 11)
    def also_writing(self) -> SlotEmbedder | None:
        """See ``EmbeddersInUse.also_writing``."""
        return self._also

    @property
    def trouble(self) -> str | None:
        """Why recalls cannot be answered, or None."""
        if self._reading is not None:
            return None
        name = self._state.embedder.name if self._state else "the graph's embedder"
        return self._failed.get(name, f"{name} is not loaded yet")

    async def choose(self) -> Embedder:
        """Load the embedder at the start: the graph's, or for an empty graph the configured one.

        Raises
        ------
        EmbedderMismatchError, EmbedderUnavailableError, SchemaNewerError
            As their names say.
        """
        state = await schema_state(self._database)
        # checked first: loading the wrong model would be slow
        await asyncio.to_thread(check_configured, state, self._configured, self._loader)
        if state.embedding is not None:
            return await self._load(state.embedding.embedder)
        # an embedder that is loaded already serves an empty graph
        if self._loaded:
            return next(iter(self._loaded.values()))
        embedder = await asyncio.to_thread(self._loader, self._configured or DEFAULT)
        self._loaded[embedder.name] = embedder
        return embedder

    async def refresh(self) -> bool:
        """See ``EmbeddersInUse.refresh``; a failed model is retried after some time."""
        async with self._looking:
            state = (await schema_state(self._database)).embedding
            # unchanged, and no failed model to retry
            if state is None or (state == self._state and not self._may_retry()):
                return False
            reading = await self._try(state.embedder)
            also = await self._try(other) if (other := _written_besides(state)) else None
            self._retry_at = asyncio.get_running_loop().time() + _RETRY_SECONDS
            # both set together at the end: no recall combines a slot with the other's embedder
            self._reading = SlotEmbedder(state.slot, reading) if reading else None
            self._also = SlotEmbedder(state.other_slot, also) if also else None
            self._state = state
            self._database.slot = state.slot
            # models need much memory: unused ones are released
            self._forget_but(state)
        logger.info(
            "embedder in use",
            extra={"action": "embedder", "embedder": state.embedder.name, "slot": state.slot},
        )
        return True

    def _may_retry(self) -> bool:
        wanted = self._state is not None and _written_besides(self._state) is not None
        missing = self._reading is None or (wanted and self._also is None)
        return missing and asyncio.get_running_loop().time() > self._retry_at

    async def _try(self, identity: EmbedderIdentity) -> Embedder | None:
        try:
            embedder = await self._load(identity)
        except (EmbedderUnavailableError, EmbedderMismatchError) as error:
            self._failed[identity.name] = error.message
            logger.warning(
                "embedder not loaded",
                extra={"action": "embedder", "embedder": identity.name, "why": error.message},
            )
            return None
        self._failed.pop(identity.name, None)
        return embedder

    async def _load(self, identity: EmbedderIdentity) -> Embedder:
        known = self._loaded.get(identity.name)
        embedder = known or await asyncio.to_thread(self._loader, self._source(identity))
        # a folder of the same name may contain another model by now
        if (embedder.name, embedder.dimension) != (identity.name, identity.dimension):
            raise EmbedderMismatchError(
                f"the graph needs {identity.name} ({identity.dimension} numbers per vector); what "
                f"is in {identity.source} is {embedder.name} ({embedder.dimension}). Put the model "
                "back, or go over to the new one: stratagraph reembed"
            )
        self._loaded[embedder.name] = embedder
        return embedder

    def _source(self, identity: EmbedderIdentity) -> str:
        """Prefer the configured source: a recorded folder may be elsewhere on another machine."""
        if self._configured and self._loader.name_of(self._configured) == identity.name:
            return self._configured
        return identity.source or identity.name

    def _forget_but(self, state: EmbeddingState) -> None:
        needed = {state.embedder.name}
        if state.other is not None:
            needed.add(state.other.embedder.name)
        self._loaded = {name: e for name, e in self._loaded.items() if name in needed}


def _written_besides(state: EmbeddingState) -> EmbedderIdentity | None:
    # a slot that is being removed gets no vectors
    written = state.other is not None and state.other.state != "dropping"
    return state.other.embedder if state.other and written else None
