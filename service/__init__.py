"""The service: settings, use cases, wiring, and the doors."""

import os

# The arrays of one request are small. Threads of the linear algebra do nothing for them, spin for some
# milliseconds after each product, and take the second core from Neo4j; numpy reads this at its import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
