from typing import Any

class SpacyNlpEngine:
    nlp: dict[str, Any] | None
    def __init__(self) -> None: ...
