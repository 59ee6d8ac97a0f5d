"""Every random method runs its linear algebra on one thread, so its bytes depend on no machine.

`python -m bench same_bytes` compares the bytes of all of them on 20,000 and 100,000 records.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from discreet.contracts import Context, Masked, Randomness
from discreet.contracts.registry import entries
from discreet.microdata import Microdata
from discreet.release.course import run_steps
from discreet.testing.tables import wide

RANDOM = [e for e in entries("method") if e.spec.random and not e.spec.unseeded]


def blas_threads() -> set[int]:
    return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}


class Watching(Context):
    """Notes how many threads linear algebra may use whenever random numbers are asked for."""

    def generator(self, use: str) -> np.random.Generator:
        assert blas_threads() == {1}, f"{use} is drawn while linear algebra may use more threads"
        seen.add(use)
        return super().generator(use)


seen: set[str] = set()


@pytest.mark.parametrize("entry", RANDOM, ids=lambda entry: entry.spec.name)
def test_random_numbers_are_drawn_on_one_thread(entry: Any) -> None:
    seen.clear()
    with threadpool_limits(2):
        run_steps(wide(entry.spec.kinds, rows=40), [entry.example()], Watching(Randomness(1)))
        assert blas_threads() == {2}, "the threads were not given back"
    assert seen, "the method draws no random numbers"


def test_the_bytes_are_the_same_at_a_size_where_libraries_use_threads() -> None:
    # One that differs without the limit, and is quick.
    [entry] = [entry for entry in RANDOM if entry.spec.name == "partially-synthetic"]
    data = wide(entry.spec.kinds, rows=20_000)
    first, second = (_drawn(data, entry.example(), threads) for threads in (1, 2))
    for column in first.data:
        assert column.same_as(second.data.column(column.name)), column.name


def _drawn(data: Microdata, step: Any, threads: int) -> Masked:
    with threadpool_limits(threads):
        return run_steps(data, [step], Context(Randomness(1)))
