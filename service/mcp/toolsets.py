"""Names of the toolsets; apart from the tools, so that the command line can name them at once."""

from __future__ import annotations

from typing import Literal, get_args

Toolset = Literal[
    "core", "episodes", "strata", "engines", "cycles", "knowledge", "sharing", "admin"
]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)
