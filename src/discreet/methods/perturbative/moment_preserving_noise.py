"""Noise that keeps means and covariances: eq. 10 of Oganian & Domingo-Ferrer (2017)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.additive_noise import AdditiveNoise, drawn_in, factor_note
from discreet.microdata import Kind, Microdata
from discreet.microdata.numeric_coding import whole_again


class MomentPreservingNoise(Method):
    """Adds normal noise and shrinks the values, so that mean and covariance matrix are kept.

    X_m = x̄ + ((X − x̄) + E)/√(1 + c) with E ~ N(0, cΣ). They are kept on average; with `exact` the
    noise is corrected until they are kept to the last digit. It is additive noise with Kim's linear
    transformation, with the amount of noise that the literature recommends.

    >>> import discreet
    >>> data = discreet.read({"pay": [18.0, 24.0, 31.0, 40.0]}, roles={"pay": "quasi-identifier"})
    >>> masked = MomentPreservingNoise(exact=True).protect(data, Context()).data
    >>> bool(np.isclose(masked["pay"].mean(), 28.25))
    True
    >>> bool(np.isclose(masked["pay"].var(), data["pay"].var()))
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="moment-preserving-noise",
        title="Noise that keeps means and covariances",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), eq. 10",
        missing="a missing value stays missing; covariances are taken over the pairs present; "
        "with exact, missing values are refused",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="X_m = x̄ + ((X_o − x̄) + E)/√(1 + c),  E ~ N(0, cΣ)",
        cost="n·c² time, memory n·c",
        needs=Needs.ROWS,
        nearest="additive-noise",
    )

    c: float = param(
        default=0.15,
        help="variance of the noise, before values are shrunk, as a share of the column's "
        "variance: 0.15 is noise with 0.39 of the standard deviation",
        above=0,
        trials=(0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
        monotone=True,
        public="reveal",
    )
    exact: bool = param(
        default=False,
        help="keep means and covariances exactly instead of on average; needs more than twice as "
        "many records as columns, without missing values",
    )
    reveal: bool = param(
        default=False,
        help="publish c, so that users of the data can correct figures of subpopulations",
    )
    round: bool = param(
        default=False,
        help="round the released values of columns that hold whole numbers only, or whole days; "
        "moments are then exact up to rounding",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    covariances: Entries = param(
        default=None,
        kw_only=True,
        help="the covariances Σ by which noise is drawn, in place of those of the file, as a "
        "frozen plan states them: for each column its variance and the covariances with others, "
        "in the columns' units (days for dates); not with exact",
    )
    means: Entries = param(
        default=None,
        kw_only=True,
        help="the means x̄ towards which values are shrunk, in place of those of the file; "
        "needed where covariances are stated",
    )

    @property
    def anew(self) -> str:
        """Exact moments are those of a file; others can be stated."""
        if self.exact:
            return "noise that fits the moments of its records"
        return self._kim(self.columns).anew

    @property
    def needs(self) -> Needs:
        """Rows after a pass, unless moments are to be exact."""
        return Needs.FILE if self.exact else Needs.ROWS

    @property
    def whole_because(self) -> str:
        """Exact moments depend on all records."""
        return "since noise with exact moments is corrected until it fits all records together"

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Take means and covariances of the whole file; noise is then added to any rows."""
        return self._kim(self.treated(file.head, self.columns)).fit(file, context)

    def _kim(self, names: Columns) -> AdditiveNoise:
        return AdditiveNoise(
            alpha=self.c,
            variant="linear",
            reveal=self.reveal,
            round=self.round,
            columns=names,
            covariances=self.covariances,
            means=self.means,
        )

    def _settled(self, kim: Method) -> Method:
        """Return the method with the moments that were stated for additive noise."""
        stated = {name: kim.values()[name] for name in ("columns", "covariances", "means")}
        return type(self)(**{**self.values(), **stated})

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with noise in the treated columns."""
        names = self.treated(data, self.columns)
        if not self.exact:
            masked = self._kim(names).protect(data, context)
            return replace(masked, chosen=tuple(map(self._settled, masked.chosen)))
        if self.covariances is not None or self.means is not None:
            raise UsageError(
                "exact moments are those of the file, but means or covariances were stated; leave "
                "out either"
            )
        from discreet.models.exact_moments import exact_noise

        for name in names:
            if data.column(name).missing.any():
                raise DataError(
                    "exact moments need complete columns, but values are missing in column "
                    f"'{name}'; leave out exact, or fill in the values"
                )
        values = data.matrix(names)
        noise = exact_noise(values, context.generator("noise"))
        released = drawn_in(values, math.sqrt(self.c) * noise, self.c)
        columns = []
        for j, name in enumerate(names):
            column = data.column(name)
            # A constant column stays to the last bit: rounding would add digits to it.
            now = column.values if np.ptp(column.values) == 0 else released[:, j]
            columns.append(whole_again(data, name, now) if self.round else column.with_values(now))
        return Masked(data.replace(columns), notes=(factor_note(self.c, self.reveal),))
