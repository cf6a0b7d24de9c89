"""What Neo4j Browser is given: saved queries and a style, out of the store's files."""

from __future__ import annotations

from graph.store.analytics import SavedQuery, all_presets, browser_style, saved_queries

__all__ = ["SavedQuery", "all_presets", "browser_style", "saved_queries"]
