"""Everyday questions: the sets, and their benchmark."""
