"""One thread for linear algebra, from its first use and only as long as asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def held(code: str) -> str:
    """Run code in a process of its own, where libraries are loaded when it says so."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", THREADS + textwrap.dedent(code)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout or done.stderr


THREADS = """
from threadpoolctl import threadpool_info
from discreet.contracts.threads import one_thread, single_thread
def threads():
    return [library["num_threads"] for library in threadpool_info()]
"""


def test_one_thread_holds_the_libraries_of_numpy_and_scipy_from_its_first_use() -> None:
    code = """
        with one_thread():
            import scipy.linalg
            assert threads() and set(threads()) == {1}, threads()
        assert set(threads()) == {2}, threads()
        with one_thread():
            assert set(threads()) == {1}, threads()
        print("held")
    """
    assert held(code) == "held\n"


def test_a_single_thread_holds_libraries_that_were_loaded_since() -> None:
    code = """
        import numpy
        with single_thread():
            assert set(threads()) == {1}, threads()
        before = len(threads())
        import sklearn.ensemble
        assert len(threads()) > before and set(threads()) == {2}, threads()
        with single_thread():
            assert set(threads()) == {1}, threads()
        assert set(threads()) == {2}, threads()
        print("held")
    """
    assert held(code) == "held\n"
