"""Recogniser of the extra `pii`: Presidio over an empty spaCy pipeline, slower but with more kinds of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph.kernel.errors import ConfigurationError
from graph.model.memories.privacy import Finding
from graph.privacy.light import REGIONS, without_overlaps

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from presidio_analyzer import AnalyzerEngine, RecognizerResult

    from graph.model.memories.privacy import PiiType

_TYPES: dict[str, PiiType] = {
    "EMAIL_ADDRESS": "EMAIL",
    "PHONE_NUMBER": "PHONE",
    "CREDIT_CARD": "CARD",
    "IBAN_CODE": "IBAN",
    "IP_ADDRESS": "IP",
    "US_PASSPORT": "PASSPORT",
    "UK_PASSPORT": "PASSPORT",
    "IN_PASSPORT": "PASSPORT",
    "IT_PASSPORT": "PASSPORT",
    "US_DRIVER_LICENSE": "DRIVING_LICENCE",
    "IT_DRIVER_LICENSE": "DRIVING_LICENCE",
    "IN_VEHICLE_REGISTRATION": "PLATE",
    "UK_VEHICLE_REGISTRATION": "PLATE",
}
# other types are national identity numbers, except these, which identify nobody
_NO_PERSON = frozenset({"URL", "DATE_TIME", "CRYPTO", "MAC_ADDRESS", "NRP", "LOCATION", "PERSON"})
_LEAST_SCORE = 0.4  # below it a pattern matches without label or check digits


class PresidioRecognizer:
    """The ``Recognizer`` of the extra `pii`."""

    def __init__(self, regions: Sequence[str] = REGIONS, least_score: float = _LEAST_SCORE) -> None:
        self._engine = _engine(regions)
        self._least_score = least_score

    def find(self, text: str, context: str = "") -> Sequence[Finding]:
        """See ``Recognizer.find``."""
        if not any(character.isdigit() or character == "@" for character in text):
            return ()
        results = self._engine.analyze(
            text=text,
            language="en",
            score_threshold=self._least_score,
            context=context.split() or None,
        )
        return without_overlaps(list(_findings(text, results)))


def _findings(text: str, results: Iterable[RecognizerResult]) -> Iterable[Finding]:
    for result in results:
        if result.entity_type not in _NO_PERSON:
            kind = _TYPES.get(result.entity_type, "NATIONAL_ID")
            written = text[result.start : result.end]
            value = "".join(character for character in written.lower() if not character.isspace())
            if kind not in {"EMAIL", "IP"}:
                value = "".join(character for character in value.upper() if character.isalnum())
            yield Finding(kind, result.start, result.end, value)


def _engine(regions: Sequence[str]) -> AnalyzerEngine:
    """Build Presidio's engine without a model and without network access.

    Raises
    ------
    ConfigurationError
        If the extra is not installed.
    """
    try:
        import spacy
        import tldextract
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
        from presidio_analyzer.predefined_recognizers import PhoneRecognizer
    except ImportError as error:
        raise ConfigurationError(
            "STRATAGRAPH_PII_RECOGNIZER=presidio needs the extra: pip install 'stratagraph-server[pii]'"
        ) from error

    # otherwise it fetches the list of top-level domains at the first address
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

    class BlankEngine(SpacyNlpEngine):
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    registry.remove_recognizer("UrlRecognizer")
    registry.remove_recognizer("PhoneRecognizer")
    registry.add_recognizer(PhoneRecognizer(supported_regions=tuple(regions)))
    return AnalyzerEngine(registry=registry, nlp_engine=BlankEngine(), supported_languages=["en"])
