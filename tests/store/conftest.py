"""Clock of the tests of stores, to be moved by a test."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.standing_clock import At


@pytest.fixture
def clock() -> At:
    return At(datetime.now(UTC))
