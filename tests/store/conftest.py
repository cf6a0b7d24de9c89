"""A clock for tests of stores, set by the test."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.standing_clock import At


@pytest.fixture
def clock() -> At:
    return At(datetime.now(UTC))
