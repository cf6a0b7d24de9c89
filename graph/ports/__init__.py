"""Ports of the use cases, named for the need and not for the technology."""
