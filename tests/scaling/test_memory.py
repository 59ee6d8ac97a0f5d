"""Limits of memory as people write them."""

from __future__ import annotations

import pytest

from discreet.errors import UsageError
from discreet.scaling.memory import LEAST, for_records, memory_limit


def test_a_limit_has_a_unit_and_a_least() -> None:
    assert memory_limit("2gb") == 2_000_000_000
    assert memory_limit("3000 MB") == 3_000_000_000
    assert memory_limit(None) >= LEAST
    assert 0 < for_records(LEAST) < LEAST
    for wrong in ("2", "GB", "-1GB", "1 parsec"):
        with pytest.raises(UsageError, match="a number with a unit"):
            memory_limit(wrong)
    with pytest.raises(UsageError, match="at least 1GB"):
        memory_limit("10MB")
