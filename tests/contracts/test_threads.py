"""One thread for linear algebra, from its first use and only as long as asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def test_one_thread_holds_the_libraries_of_numpy_and_scipy_from_its_first_use() -> None:
    # In a process of its own: here SciPy has long been loaded.
    code = """
        from threadpoolctl import threadpool_info
        from discreet.contracts.threads import one_thread
        def threads():
            return [library["num_threads"] for library in threadpool_info()]
        with one_thread():
            import scipy.linalg
            assert threads() and set(threads()) == {1}, threads()
        assert set(threads()) == {2}, threads()
        with one_thread():
            assert set(threads()) == {1}, threads()
        print("held")
    """
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "held\n", done.stderr
