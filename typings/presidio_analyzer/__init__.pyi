from collections.abc import Sequence

from presidio_analyzer.nlp_engine import SpacyNlpEngine

class RecognizerResult:
    entity_type: str
    start: int
    end: int
    score: float

class RecognizerRegistry:
    def __init__(self) -> None: ...
    def load_predefined_recognizers(self, languages: Sequence[str] | None = ...) -> None: ...
    def add_recognizer(self, recognizer: object) -> None: ...
    def remove_recognizer(self, recognizer_name: str) -> None: ...

class AnalyzerEngine:
    def __init__(
        self,
        registry: RecognizerRegistry | None = ...,
        nlp_engine: SpacyNlpEngine | None = ...,
        supported_languages: Sequence[str] | None = ...,
    ) -> None: ...
    def analyze(
        self,
        text: str,
        language: str,
        *,
        score_threshold: float | None = ...,
        context: Sequence[str] | None = ...,
    ) -> list[RecognizerResult]: ...
