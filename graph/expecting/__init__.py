"""Comparison of an expectation and an outcome in words."""
