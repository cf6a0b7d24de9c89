"""Checkers of single steps: each says that a step holds, that it does not, or that it cannot tell."""
