from collections.abc import Iterable

class ValidationError(Exception):
    json_path: str
    validator: str

def best_match(errors: Iterable[ValidationError]) -> ValidationError | None: ...
