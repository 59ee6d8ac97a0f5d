"""Risk suppression: the keys of records whose individual risk is above a threshold are removed."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import DataError, NotApplicable
from discreet.measures.uniqueness import Cells, cells, individual_risks
from discreet.microdata import Kind, Microdata
from discreet.microdata.equivalence import distinguishing_columns
from discreet.microdata.table import MISSING_CODE

Mask = NDArray[np.bool_]


class RiskSuppression(Method):
    """Makes the quasi-identifiers missing in records whose individual risk is above a threshold.

    The individual risk is the chance that a link to a record is right, by the sampling weights of
    all records that share its values; without weights it is one over their number. All records of a
    class have the same risk and are suppressed together. Where all quasi-identifiers are
    suppressed, classes of the highest risk are added until the suppressed records themselves are
    below the threshold. With `columns`, only these are suppressed, and the records may still be
    above it; the note says what the highest risk is. If k records per class are all that is wanted,
    local suppression loses far less. Numbers that differ in nearly every record should be recoded
    first.

    >>> import discreet
    >>> data = discreet.read({"town": ["a", "a", "b", "c", "c", "d"], "w": [90, 80, 3, 70, 60, 2]},
    ...                      roles={"town": "quasi-identifier", "w": "weight"},
    ...                      kinds={"w": "continuous"})
    >>> masked = RiskSuppression(threshold=0.4).protect(data, Context())
    >>> masked.data["town"]
    array([ 0,  0, -1,  2,  2, -1], dtype=int32)
    """

    spec: ClassVar[Spec] = Spec(
        name="risk-suppression",
        title="Suppression of records above a risk threshold",
        citation="Franconi & Polettini (2004), Individual risk estimation in μ-Argus: a review; "
        "sdcMicro's localSupp",
        missing="a category of its own, the same as a suppressed value",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        formula="x′ᵢ missing where E(1/Fᵢ | fᵢ) > threshold, otherwise x′ᵢ = xᵢ",
        cost="n·c time, n·log n more where the combinations of values are many; with columns, once "
        "more for each round; memory n",
        whole_because="since the risk of a record rests on the weights of all that share its "
        "values",
        nearest="local-suppression",
        anew="which records are above the threshold",
    )

    threshold: float = param(
        default=0.1,
        help="largest individual risk of a record that keeps its values, as a fraction: 0.1 is a "
        "link that is right one time in ten",
        above=0,
        at_most=1,
        trials=(0.5, 0.34, 0.2, 0.1, 0.05, 0.02),
        monotone=True,
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    @property
    def grain(self) -> Grain:
        """Values stay, unless a record is suppressed."""
        return Grain.SUPPRESSION

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of risky records missing."""
        names = self.treated(data, self.columns)
        if not len(data):
            return Masked(data)
        gone = np.zeros(len(data), dtype=bool)
        table, cells = data, self._cells(data, context)
        while (above := (cells.risks > self.threshold) & ~gone).any():
            gone |= above
            table = _without(data, names, gone)
            cells = self._cells(table, context)
        if gone.any() and set(distinguishing_columns(data)) <= set(names):
            gone = self._enough(cells, gone)
            table = _without(data, names, gone)
            cells = self._cells(table, context)
        note = (
            f"{int(gone.sum()):,} of {len(data):,} records were suppressed for an individual risk "
            f"above {self.threshold:g}; the highest remaining risk is {cells.risks.max():.3g}"
        )
        return Masked(table, notes=(note,))

    def _cells(self, data: Microdata, context: Context) -> Cells:
        try:
            return cells(data, context)
        except NotApplicable as reason:
            raise DataError(
                f"{type(self).__name__} needs the individual risk, but {reason}; correct the "
                "weights, or give the column another role"
            ) from None

    def _enough(self, cells: Cells, gone: Mask) -> Mask:
        """Return the records to suppress so that they are at no higher risk than the others.

        Suppressed records look alike, and few of them would be a class of their own.
        """
        suppressed = cells.labels[int(np.argmax(gone))]
        population = None if cells.weights is None else cells.population_of_cells
        risks = individual_risks(cells.size_of_cell, population)
        risks[suppressed] = np.inf
        order = np.argsort(-risks, kind="stable")
        together = individual_risks(
            np.cumsum(cells.size_of_cell[order]),
            None if population is None else np.cumsum(population[order]),
        )
        enough = np.flatnonzero(together <= self.threshold)
        taken = order[: (int(enough[0]) if len(enough) else len(order) - 1) + 1]
        return np.asarray(gone | np.isin(cells.labels, taken))


def _without(data: Microdata, names: tuple[str, ...], gone: Mask) -> Microdata:
    """Return the table with the values of these records missing."""
    return data.replace(
        data.column(name).with_values(np.where(gone, MISSING_CODE, data[name])) for name in names
    )
