"""Facts that a later fact replaces."""
