"""What replaces what: facts of which a later one ends an earlier one."""
