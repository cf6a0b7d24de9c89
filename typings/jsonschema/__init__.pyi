from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema.exceptions import ValidationError

class Draft202012Validator:
    META_SCHEMA: Mapping[str, Any]
    def __init__(self, schema: Mapping[str, Any]) -> None: ...
    def iter_errors(self, instance: object) -> Iterator[ValidationError]: ...
    def is_valid(self, instance: object) -> bool: ...
