"""Benchmarks of the service; each module prints its figures in one last line."""

import service as service  # before numpy, which reads the number of threads
