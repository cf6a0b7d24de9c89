"""Saved queries and style for Neo4j Browser, from the store's files."""

from __future__ import annotations

from graph.store.operation.browser import SavedQuery, all_presets, browser_style, saved_queries

__all__ = ["SavedQuery", "all_presets", "browser_style", "saved_queries"]
