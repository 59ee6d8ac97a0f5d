"""Matrix masking: Z = AXB + C with matrices that the user gives.

A transforms records, B transforms attributes, C displaces (survey §2; Duncan & Pearson 1991). Most
perturbative methods are special cases.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    Grain,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.errors import DataError, UsageError, nearest
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.dates import day_of


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
        # Column by column: a matrix product may round differently if there are fewer rows.
        result = np.column_stack(
            [_weighted(result, weights) for weights in np.transpose(attributes)]
        )
        missing = np.asarray(missing @ (attributes != 0).astype(np.float64))
    result = np.where(missing > 0, np.nan, result)
    return result if displacement is None else np.asarray(result + displacement)


def _weighted(values: Numbers, weights: Any) -> Numbers:
    """Return the sum of the columns with these weights, in their order."""
    dense = np.asarray(weights.todense() if hasattr(weights, "todense") else weights).ravel()
    total = np.zeros(len(values))
    for column, weight in zip(values.T, dense.tolist(), strict=True):
        if weight:
            total += weight * column
    return total


class MatrixMasking(Method):
    """Releases A·X·B + C for the treated columns X.

    B makes each released column a sum of original ones, C shifts it, A makes each released record
    a weighted sum of records. What is not given changes nothing, and at least one must be given.
    Every linear method (noise, microaggregation, swapping, sampling) has this form; it serves for
    those that discreet does not name.

    A transformation that is known can be undone. The public record states B and C only if `reveal`
    is set, and A never.

    >>> import discreet
    >>> data = discreet.read({"x": [1.0, 2.0], "y": [10.0, 20.0]},
    ...                      roles={"x": "quasi-identifier", "y": "quasi-identifier"})
    >>> method = MatrixMasking(attributes={"x": {"x": 0.5, "y": 0.1}}, displacement={"y": 3})
    >>> masked = method.protect(data, Context()).data
    >>> masked["x"], masked["y"]
    (array([1.5, 3. ]), array([13., 23.]))
    """

    spec: ClassVar[Spec] = Spec(
        name="matrix-masking",
        title="Matrix masking",
        citation="Duncan & Pearson (1991); Domingo-Ferrer, A survey of inference control methods, "
        "§2",
        missing="a released value is missing if a missing one enters it with a weight other than "
        "zero",
        kinds=(Kind.CONTINUOUS,),
        formula="Z = AXB + C",
        cost="n·c² time for B, and one step for each entry of A and column",
        needs=Needs.ROWS,
        nearest="additive-noise",
        anew="",
    )

    attributes: Entries = param(
        default=None,
        public="reveal",
        help="the matrix B: for each released column the original columns that it is made of, with "
        "their factors; a column that is not named stays",
    )
    displacement: Entries = param(
        default=None,
        public="reveal",
        help="the matrix C: what is added to each released column, in its own unit (days in a "
        "column of dates)",
    )
    records: Columns = param(
        default=None,
        path=True,
        help="the matrix A, as one entry A=path: a CSV file with a line per weight that is not "
        "zero, released row, original row and weight, rows counted from 1",
    )
    reveal: bool = param(
        default=False, help="publish B and C, with which users of the data can undo the masking"
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    @classmethod
    def example(cls) -> Self:
        """Return a mask of the columns that the contract's tables have."""
        return cls(displacement={"height": 1.0, "income": -2.0})

    @property
    def grain(self) -> Grain:
        """A displacement moves equal values equally; matrices are made for these very records."""
        return Grain.FILE if self.attributes or self.records else Grain.VALUE

    @property
    def needs(self) -> Needs:
        """Rows, unless a matrix makes records of other records."""
        return Needs.FILE if self.records else Needs.ROWS

    @property
    def whole_because(self) -> str:
        """Records are made of others."""
        return "since the matrix A can make each record from any others"

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the treated columns masked."""
        records = self._records(len(data)) if self.records else None
        return Masked(data.replace(self._masked(data, records)))

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Nothing is learned from the file: rows are transformed one by one."""
        names = self.treated(file.head, self.columns)
        return Fitted(names, self._rows)

    def _rows(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        self.refuse_infinite(
            rows, self.treated(rows.take(np.zeros(0, np.int64)), self.columns), first
        )
        return self._masked(rows, None)

    def _masked(self, data: Microdata, records: Any) -> list[Column]:
        names = self.treated(data, self.columns)
        if not (self.attributes or self.displacement or self.records):
            raise UsageError(
                "MatrixMasking needs at least one of attributes, displacement and records, but "
                "none was given, and the data would be released as they are"
            )
        attributes, displacement = self._attributes(names), self._displacement(data, names)
        with np.errstate(over="ignore", invalid="ignore"):
            released = matrix_mask(data.matrix(names), records, attributes, displacement)
        if np.isinf(released).any():
            raise DataError(
                "MatrixMasking turns values of these data into infinite ones; choose smaller "
                "factors"
            )
        return [data.column(name).with_values(released[:, j]) for j, name in enumerate(names)]

    def _attributes(self, names: tuple[str, ...]) -> Numbers:
        matrix = np.eye(len(names))
        for released, factors in (self.attributes or {}).items():
            j = _place(released, names)
            if not isinstance(factors, Mapping):
                raise UsageError(
                    f"the attributes of MatrixMasking must give column '{released}' the columns "
                    f"that it is made of, with their factors, but {factors!r} was given"
                )
            matrix[:, j] = 0.0
            for original, factor in factors.items():
                matrix[_place(original, names), j] = _finite(factor, str(released))
        return matrix

    def _displacement(self, data: Microdata, names: tuple[str, ...]) -> Numbers:
        shift = np.zeros(len(names))
        for name, value in (self.displacement or {}).items():
            at = _place(name, names)
            shift[at] = _finite(value, str(name)) * (day_of(data, name) or 1.0)
        return shift

    def _records(self, rows: int) -> Any:
        from scipy.sparse import csr_array

        entries = self.records or ()
        path = entries[0].partition("=")[2].strip() if len(entries) == 1 else ""
        if not path:
            raise UsageError(
                "the records of MatrixMasking must be one entry A=path, such as A=mask.csv, but "
                f"{', '.join(entries)} was given"
            )
        try:
            with Path(path).open(encoding="utf-8-sig", newline="") as file:
                lines = [[float(cell) for cell in line] for line in csv.reader(file) if line]
        except OSError:
            raise UsageError(f"there is no readable file {path} for the matrix A") from None
        except ValueError:
            lines = []
        if not lines or any(len(line) != 3 or not all(map(math.isfinite, line)) for line in lines):
            raise DataError(
                f"the file {path} for the matrix A must have three numbers a line: released row, "
                "original row, weight"
            )
        table = np.array(lines)
        places = table[:, :2]
        if (places != np.rint(places)).any() or places.min() < 1 or places.max() > rows:
            raise DataError(
                f"the file {path} for the matrix A must name rows from 1 to {rows}, the number of "
                "records, but names others"
            )
        at = places.astype(np.int64) - 1
        return csr_array((table[:, 2], (at[:, 0], at[:, 1])), shape=(rows, rows))


def _place(name: Any, names: tuple[str, ...]) -> int:
    if name not in names:
        raise UsageError(
            f"MatrixMasking names column '{name}', which it does not treat"
            f"{nearest(str(name), names)} (treated: {', '.join(names)})"
        )
    return names.index(name)


def _finite(value: Any, name: str) -> float:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    if not real or not math.isfinite(value):
        raise UsageError(
            f"the factors and shifts of MatrixMasking must be numbers, but {value!r} was given for "
            f"column '{name}'"
        )
    return float(value)
