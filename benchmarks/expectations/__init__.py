"""Outcomes in words beside expectations in words."""
