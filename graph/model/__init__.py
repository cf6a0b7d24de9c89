"""The values that use cases, store and doors pass to each other. All are frozen."""
