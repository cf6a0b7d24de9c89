"""The Model Context Protocol: tools that language models call. Nothing is imported before use."""
