from collections.abc import Mapping, MutableMapping

from opentelemetry.context import Context

class TraceContextTextMapPropagator:
    def extract(self, carrier: Mapping[str, str]) -> Context: ...
    def inject(self, carrier: MutableMapping[str, str], context: Context) -> None: ...
