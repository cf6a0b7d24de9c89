from collections.abc import Sequence

class PhoneRecognizer:
    def __init__(self, *, supported_regions: Sequence[str] = ...) -> None: ...
