"""Pure knowledge of executions: templates, errors, sequences, conditions and lessons."""
