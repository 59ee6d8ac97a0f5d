"""Hybrid masking: each record is mixed with the synthetic record nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.errors import DataError, UsageError
from discreet.measures.linkage.nearest_records import nearest_among
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.embedding import Embedding
from discreet.microdata.numeric_coding import columns_from


class Hybrid(Method):
    """Releases Z = αX + (1 − α)X_s, or X^α · X_s^(1−α), of original records X and synthetic X_s.

    A synthetic method of choice makes X_s from the data, and every original record is paired with
    the synthetic record nearest to it, by standardised distance on the treated columns. Several
    originals may have the same nearest record, and synthetic records that are nearest to nobody are
    not used, so that Z has less spread than X_s. The columns that are not treated stay with their
    original record. With α = 1 nothing is protected. With α = 0 only synthetic values are released,
    but those nearest to each record: in a file of few columns about half of the records can then
    still be linked. With `pairing="own"` each record is mixed with the synthetic values made for
    it, which protects more and keeps less.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> data = discreet.read({"age": rng.uniform(20, 60, 50)}, roles={"age": "quasi-identifier"})
    >>> far = np.abs(Hybrid(alpha=0).protect(data, Context()).data["age"] - data["age"])
    >>> near = np.abs(Hybrid(alpha=0.75).protect(data, Context()).data["age"] - data["age"])
    >>> bool(np.allclose(near, 0.25 * far) or far.mean() > near.mean())
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="hybrid",
        title="Hybrid masking",
        citation="Dandekar, Domingo-Ferrer & Sebé (2002); Domingo-Ferrer, A survey of inference "
        "control methods, §4, hybrid masking",
        missing="a missing value stays missing, and one whose synthetic partner is missing "
        "becomes so, unless alpha is 1; in the pairing it is a category of its own",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="additive:        Z = αX + (1 − α)X_s\n"
        "multiplicative:  Z = X^α · X_s^(1 − α)\n"
        "X_s the synthetic record nearest to X",
        cost="that of the synthetic method, and n·log n steps in few columns, n² comparisons at "
        "worst, for the pairing",
        anew="synthetic records, and the originals that they are combined with",
        nearest="hybrid-micro",
    )

    alpha: float = param(
        default=0.5,
        help="the share of the original record, 0 (synthetic values alone) to 1 (all original)",
        at_least=0,
        at_most=1,
        trials=(0.9, 0.75, 0.5, 0.25, 0.1, 0.0),
        monotone=True,
    )
    combination: str = param(
        default="additive",
        help="additive mixes the values, multiplicative their logarithms, for columns without "
        "negative values",
        choices=("additive", "multiplicative"),
    )
    synthetic: Method = param(
        default="latin-hypercube",
        help="the method that makes the synthetic records; it treats the same columns unless it "
        "names its own",
    )
    pairing: str = param(
        default="nearest",
        help="which synthetic record an original is mixed with: the nearest one, or its own, the "
        "one in the same row, where the synthetic method keeps the rows",
        choices=("nearest", "own"),
        trials=("nearest", "own"),
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with mixed values in the treated columns."""
        names = self.treated(data, self.columns)
        source = self._source().protect(data, context.within("synthetic"))
        _require_synthetic(data, source, names, self.synthetic.spec.name)
        partner = self._partners(data, source, names, context)
        original, synthetic = data.matrix(names), source.data.matrix(names)[partner]
        if self.alpha == 1:
            mixed = original.copy()
        elif self.combination == "additive":
            mixed = self.alpha * original + (1 - self.alpha) * synthetic
        else:
            _require_no_negative(names, original, "the original values")
            _require_no_negative(names, synthetic, f"what {self.synthetic.spec.name} made")
            mixed = original**self.alpha * synthetic ** (1 - self.alpha)
        mixed[np.isnan(original)] = np.nan
        used = len(np.unique(partner))
        note = f"{used} of {len(source.data)} synthetic records are mixed into the release"
        return Masked(
            data.replace(columns_from(data, names, mixed, whole=self.round)),
            notes=(
                note,
                *(f"of the synthetic records: {note_of_source}" for note_of_source in source.notes),
            ),
        )

    def _source(self) -> Method:
        """Return the synthetic method, for the columns of this one if it names none."""
        parameters = self.synthetic.values()
        free = (
            "columns" in parameters
            and parameters["columns"] is None
            and not parameters.get("everything", False)
        )
        if self.columns is None or not free:
            return self.synthetic
        return type(self.synthetic)(**parameters | {"columns": self.columns})

    def _partners(
        self, data: Microdata, source: Masked, names: Sequence[str], context: Context
    ) -> NDArray[np.int64]:
        """Return the synthetic record that each record is mixed with."""
        if self.pairing == "nearest":
            embedding = Embedding.fit(data, names, also=source.data)
            points = embedding.points(data)
            return nearest_among(points, embedding.points(source.data), context)[0]
        if source.origin is not None:
            raise UsageError(
                "Hybrid with the pairing own needs a synthetic method that keeps the rows, but "
                f"{self.synthetic.spec.name} makes other records; use the pairing nearest"
            )
        return np.arange(len(data))


def _require_synthetic(data: Microdata, source: Masked, names: Sequence[str], method: str) -> None:
    """Refuse a source that has no synthetic values for a treated column."""
    if not len(source.data):
        raise DataError(f"Hybrid pairs records with synthetic ones, but {method} made none")
    for name in names:
        column, made = data.column(name), source.data.column(name)
        if not made.attribute.continuous:
            raise DataError(
                f"Hybrid mixes numbers, but {method} releases column '{name}' as "
                f"{made.attribute.kind}; use another synthetic method"
            )
        present = column.values[~column.missing]
        if made.same_as(column) and len(present) and np.ptp(present) > 0:
            raise DataError(
                f"Hybrid treats column '{name}', but {method} leaves it as it is; name it in the "
                "columns of the synthetic method, or leave it out of those of Hybrid"
            )


def _require_no_negative(names: Sequence[str], values: Numbers, whose: str) -> None:
    for j, name in enumerate(names):
        if (values[:, j] < 0).any():
            raise DataError(
                "the multiplicative combination needs values that are not negative, but in column "
                f"'{name}' {whose} are; use the additive combination"
            )
