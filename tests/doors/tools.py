"""Tool calls by the official MCP client."""

from __future__ import annotations

from typing import Any

from mcp import Client
from mcp_types import TextContent


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool successfully; the client validates the answer by the tool's schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses; return its message."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    [said] = result.content
    assert isinstance(said, TextContent)
    return said.text
