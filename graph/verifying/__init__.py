"""Checkers of single steps: a step passes, fails, or is undecided."""
