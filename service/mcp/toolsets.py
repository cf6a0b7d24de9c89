"""Names of the toolsets; in a module without imports, for the command line."""

from __future__ import annotations

from typing import Literal, get_args

Toolset = Literal[
    "core", "episodes", "strata", "engines", "cycles", "knowledge", "sharing", "admin"
]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)
