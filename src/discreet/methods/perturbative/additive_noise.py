"""Additive noise: normal errors are added to continuous values."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Masked, Method
from discreet.microdata import Microdata
from discreet.moments import covariance
from discreet.parameters import Columns, param
from discreet.schema import Kind
from discreet.spec import Spec


class AdditiveNoise(Method):
    """Adds normal noise with mean zero, whose variance is a stated share of each column's own.

    Uncorrelated noise has covariance α·diag(Σ), correlated noise αΣ, with Σ the covariance matrix
    of the columns: correlated noise leaves correlations as they were in expectation, and both
    raise every variance by the factor 1 + α.

    >>> import discreet
    >>> data = discreet.read({"income": [1800.0, 2400.0, 3100.0]},
    ...                      roles={"income": "quasi-identifier"})
    >>> masked = AdditiveNoise(alpha=0.1).protect(data, Context()).data
    >>> bool((masked["income"] != data["income"]).all())
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="additive-noise",
        title="Additive noise",
        citation="Domingo-Ferrer, A survey of inference control methods, §2, additive noise",
        missing="a missing value stays missing; covariances are taken over the pairs present",
        kinds=(Kind.CONTINUOUS,),
        random=True,
    )

    alpha: float = param(
        default=0.1,
        help="variance of the noise as a share of the column's variance, in both variants: 0.1 "
        "adds a tenth of the variance, so noise with 0.32 of the standard deviation",
        above=0,
    )
    variant: str = param(
        default="correlated",
        help="correlated keeps correlations in expectation, uncorrelated weakens them",
        choices=("correlated", "uncorrelated"),
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with noise added to the treated columns."""
        names = self.treated(data, self.columns)
        values = data.matrix(names)
        noise = self._noise(values, context.generator("noise"))
        columns = []
        for j, name in enumerate(names):
            column = data.column(name)
            released = column.values + noise[:, j]
            present = column.values[~column.missing]
            if self.round and np.array_equal(present, np.floor(present)):
                released = np.rint(released)
            columns.append(column.with_values(released))
        return Masked(data.replace(columns))

    def _noise(
        self, values: NDArray[np.float64], generator: np.random.Generator
    ) -> NDArray[np.float64]:
        sigma = covariance(values)
        if self.variant == "uncorrelated":
            sigma = np.diag(np.diag(sigma))
        # Pairwise covariances of columns with gaps need not be a covariance matrix; the negative
        # part that they may have is left out.
        eigenvalues, vectors = np.linalg.eigh(self.alpha * sigma)
        root = vectors * np.sqrt(np.maximum(eigenvalues, 0))
        return np.asarray(generator.standard_normal(values.shape) @ root.T)
