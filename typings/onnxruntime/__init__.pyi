from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    def add_session_config_entry(self, name: str, value: str) -> None: ...

class InferenceSession:
    def __init__(
        self, path: Path, sess_options: SessionOptions, *, providers: Sequence[str]
    ) -> None: ...
    def run(
        self, output_names: None, inputs: Mapping[str, npt.NDArray[np.int64]]
    ) -> list[npt.NDArray[np.float32]]: ...

def disable_telemetry_events() -> None: ...
def set_default_logger_severity(severity: int) -> None: ...
