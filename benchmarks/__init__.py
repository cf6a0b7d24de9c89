"""Measurements of the service, each a module that ends with one line."""

import service as service  # before numpy, whose threads it sets
