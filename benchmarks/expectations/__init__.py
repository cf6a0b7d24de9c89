"""Surprise of outcomes in words."""
