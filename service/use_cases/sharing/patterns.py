"""Sharing of patterns held by enough members of a channel, and their withdrawal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.kernel.errors import ConflictError
from graph.kernel.scope import Caller, tenant_of
from graph.model.memories.links import Lease
from graph.model.sharing.channels import PatternsShared, PatternTerms
from graph.model.strata.config import StrataConfig
from graph.ports.embedding import EmbeddersInUse
from graph.ports.utility import StrataConfigs
from graph.store.sharing.patterns import PatternSharingStore
from service.use_cases.kernel.embedding import with_embedder_in_use
from service.use_cases.kernel.watched import RecordingUseCase, watched


@dataclass(frozen=True, slots=True)
class SharePatterns(RecordingUseCase):
    """Share the patterns that enough members of a channel hold.

    Raises
    ------
    InvalidInputError
        If not exactly one channel is named.
    ConflictError
        If sharing of patterns, or strata, are switched off for the tenant.
    """

    store: PatternSharingStore
    embedders: EmbeddersInUse
    configs: StrataConfigs

    @watched("share_patterns")
    async def __call__(self, caller: Caller) -> PatternsShared:
        """Return what that did."""
        channel = caller.writable("channel")
        if terms_of(self.configs.strata_of(caller.tenant)) is None:
            raise ConflictError(
                "patterns are not shared: set `strata` and `pattern_sharing` to true first"
            )
        return await self.look(channel, self.clock.now())

    async def look(self, channel: str, now: datetime, lease: Lease | None = None) -> PatternsShared:
        """Update the shared patterns of a channel; if sharing is off, remove them."""
        terms = terms_of(self.configs.strata_of(tenant_of(channel)))
        done, after = PatternsShared(), ""
        while after is not None:
            page, after = await self._page(channel, terms, after, now, lease)
            done += page
        for status in ("created", "updated", "withdrawn"):
            if number := getattr(done, status):
                self.telemetry.count("patterns_shared", number, status=status)
        return done

    async def _page(
        self,
        channel: str,
        terms: PatternTerms | None,
        after: str,
        now: datetime,
        lease: Lease | None,
    ) -> tuple[PatternsShared, str | None]:
        def new_uid() -> str:
            return self.identifiers.new_uid(now)

        async def work() -> tuple[PatternsShared, str | None]:
            slot = self.embedders.reading.slot
            return await self.store.share_page(channel, terms, after, now, slot, lease, new_uid)

        return await with_embedder_in_use(self.embedders, work)


@dataclass(frozen=True, slots=True)
class SharePatternsRegularly:
    """Update each channel with members regularly."""

    name = "share_patterns"
    pause = timedelta(seconds=30)

    share: SharePatterns

    async def step(self, now: datetime, lease: Lease) -> int:
        """See ``Job.step``."""
        store, configs = self.share.store, self.share.configs
        own = {
            tenant: config.retention_check_seconds
            for tenant, config in configs.strata_by_tenant.items()
        }
        usual = configs.strata_of("").retention_check_seconds
        channel = await store.due(now, usual, own)
        if channel is None:
            return 0
        # first: a channel that fails keeps no other waiting
        await store.note_looked(channel, now, lease)
        await self.share.look(channel, now, lease)
        return 1


def terms_of(config: StrataConfig) -> PatternTerms | None:
    """Return the conditions of sharing; None if it is off."""
    if not (config.strata and config.pattern_sharing):
        return None
    # switched on by strata too: without them no pattern is made
    return PatternTerms(config.pattern_agents, config.pattern_confidence)
