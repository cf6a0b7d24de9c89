"""Effective settings, and their changes."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from stratagraph.vocabulary import ConfigSource, Door
from stratagraph.wire.kernel.base import Answer, Request
from stratagraph.wire.kernel.values import NOW, UID_EXAMPLE, NextCursor
from stratagraph.wire.memories.browse import Cursor, PageLimit

ConfigValue = bool | int | float | str


class ConfigValueView(Answer):
    """An effective value."""

    value: ConfigValue = Field(description="What is in force.", examples=[0.5])
    source: ConfigSource = Field(
        description="`runtime`: set here; `environment`: by its variable; else the default.",
        examples=["runtime"],
    )
    variable: str = Field(
        description="The variable that sets it in the environment.",
        examples=["STRATAGRAPH_LEARNING_RATE"],
    )


class ConfigView(Answer):
    """Effective settings of a tenant."""

    version: int = Field(description="Grows with each change; 0: none yet.", examples=[3])
    changed_at: datetime | None = Field(
        default=None, description="When something was set last.", examples=[NOW]
    )
    values: dict[str, ConfigValueView] = Field(
        description="Each value by its name.",
        examples=[
            {
                "learning_rate": {
                    "value": 0.2,
                    "source": "runtime",
                    "variable": "STRATAGRAPH_LEARNING_RATE",
                }
            }
        ],
    )


class ConfigChangesRequest(Request):
    """Page of the changes."""

    limit: PageLimit = Field(default=50, description="Changes of a page.", examples=[50])
    cursor: Cursor | None = Field(
        default=None,
        description="The `next_cursor` of the page before; unset: the first page.",
        examples=["WyIyMDI2…"],
    )


class ConfigChangeView(Answer):
    """One change of a value."""

    uid: str = Field(description="The change.", examples=[UID_EXAMPLE])
    name: str = Field(description="What was set.", examples=["learning_rate"])
    old: ConfigValue = Field(description="What was in force before.", examples=[0.1])
    new: ConfigValue | None = Field(
        description="What was set; null: left to the environment again.", examples=[0.2]
    )
    actor: str = Field(description="Who set it.", examples=["agent/planner"])
    door: Door = Field(description="The way by which it was set.", examples=["http"])
    changed_at: datetime = Field(description="When it was set.", examples=[NOW])


class ConfigChangePage(Answer):
    """A page of changes, the newest first."""

    items: tuple[ConfigChangeView, ...] = Field(description="The newest first.", examples=[[]])
    next_cursor: NextCursor = None
