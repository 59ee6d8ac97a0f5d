"""One thread for linear algebra: the same bytes on every machine, and no waiting.

A matrix product on two threads is summed in a different order than on one, and differs in its last
digits. What a method draws would then depend on the number of cores, and on what else was loaded.
So methods, the gate and measures run their linear algebra on one thread. Other threads are used
where the order of sums does not depend on them, block by block.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

OPENMP = "sklearn.utils._openmp_helpers"
"""The first module of scikit-learn that loads its library of threads."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep linear algebra on one thread.

    >>> import numpy as np
    >>> with one_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    with _libraries(False).limit(limits=1, user_api="blas"):
        yield


@contextmanager
def single_thread() -> Iterator[None]:
    """Keep all libraries that compute on threads of their own on one.

    >>> with single_thread():
    ...     2 + 3
    5
    """
    with _libraries(OPENMP in sys.modules).limit(limits=1):
        yield


@cache
def _libraries(scikit_learn: bool) -> Any:
    """Return the libraries that compute on threads: those of NumPy, SciPy and scikit-learn.

    Finding them takes longer than a quick measure, so they are looked up once, when SciPy is
    loaded, and once more when scikit-learn is.
    """
    import scipy.linalg  # noqa: F401  (brings its library with it)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
