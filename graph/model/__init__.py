"""Frozen values that use cases, stores and doors exchange."""
