"""The service: settings, use cases, wiring, and interfaces."""

import os

# Arrays of one request are small. Threads of linear algebra do not speed them up, spin for some
# milliseconds after each product, and take the second core from Neo4j; numpy reads this at import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
