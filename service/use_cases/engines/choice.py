"""Choice of the ranking engine of a recall: of the request, else the agent's type, else the tenant."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model.engines.config import AgentEngine, Engine, TenantEngines
from graph.model.utility.config import UtilityConfig
from service.use_cases.recall.request import RecallRequest


@dataclass(frozen=True, slots=True)
class ChosenEngine:
    """The ranking engine of one recall, with its settings."""

    name: Engine
    settings: AgentEngine

    @property
    def is_default(self) -> bool:
        """True for the default engine: relevance and learned utility."""
        return self.name == "utility"

    def results(self, usual: int) -> int:
        """Return the number of results of a request without one."""
        config = self.settings.config
        return config.recent + config.important or usual if self.name == "basic" else usual

    def min_relevance(self, request: RecallRequest, config: UtilityConfig) -> float:
        """Return the least relevance of a result: the setting only applies to engines that use relevance."""
        if request.min_relevance is not None:
            return request.min_relevance
        return config.min_relevance if self.settings.config.asks_relevance(self.name) else 0.0

    def utility_weight(self, request: RecallRequest, config: UtilityConfig) -> float:
        """Return λ, the weight of learned utility: 0 for other engines."""
        if not self.is_default:
            return 0.0
        given = request.utility_weight
        return config.utility_weight(request.phase) if given is None else given


def choose_engine(request: RecallRequest, engines: TenantEngines) -> ChosenEngine:
    """Return the engine of a request."""
    settings = engines.of(request.caller.agent_id)
    return ChosenEngine(request.engine or settings.config.engine, settings)
