"""The matrix mask Z = AXB + C, of which most perturbative methods are special cases.

A transforms records, B transforms attributes, C displaces (survey §2; Duncan & Pearson 1991).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def matrix_mask(
    values: Numbers, records: Any = None, attributes: Any = None, displacement: Any = None
) -> Numbers:
    """Return A·X·B + C, where a matrix that is not given changes nothing.

    A and B may be dense or sparse; C a matrix, a row for all records, or a number. A released
    value is missing if it would take a missing value with any weight but zero.

    >>> values = np.array([[1.0, 10.0], [3.0, np.nan]])
    >>> matrix_mask(values, attributes=np.diag([2.0, 1.0]), displacement=1.0)
    array([[ 3., 11.],
           [ 7., nan]])
    >>> matrix_mask(values, records=np.full((2, 2), 0.5))
    array([[ 2., nan],
           [ 2., nan]])
    """
    missing = np.isnan(values).astype(np.float64)
    result = np.where(missing > 0, 0.0, values)
    if records is not None:
        result = np.asarray(records @ result)
        missing = np.asarray((records != 0).astype(np.float64) @ missing)
    if attributes is not None:
        result = np.asarray(result @ attributes)
        missing = np.asarray(missing @ (attributes != 0).astype(np.float64))
    result = np.where(missing > 0, np.nan, result)
    return result if displacement is None else np.asarray(result + displacement)
