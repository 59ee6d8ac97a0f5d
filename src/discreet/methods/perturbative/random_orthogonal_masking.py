"""Random orthogonal matrix masking: records are rotated, and all moments of second order stay."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.contracts.threads import one_thread
from discreet.errors import DataError
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from
from discreet.models.moments import means
from discreet.models.regression import DEPENDENT


class RandomOrthogonalMasking(Method):
    """Multiplies the records by a random orthogonal matrix that keeps their mean.

    Means and covariance matrix of the treated columns stay exactly as they were, so that every
    linear regression among them gives the same result. T turns the deviations of the records by the
    same angle in random planes; `share` is the squared sine of that angle: at 1 the released values
    are uncorrelated with the original ones, below that each has the correlation √(1 − share) with
    its own. Distributions move towards normal ones, relations with other columns fade with the
    share, and values outside the range of the original may occur.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = rng.normal(40, 9, 60)
    >>> data = discreet.read({"age": age, "pay": 50 * age + rng.normal(0, 99, 60)},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> made = RandomOrthogonalMasking(share=0.36).protect(data, Context()).data
    >>> bool(np.allclose(np.cov(made["age"], made["pay"]), np.cov(data["age"], data["pay"])))
    True
    >>> round(float(np.corrcoef(made["age"], data["age"])[0, 1]), 6)
    0.8
    """

    spec: ClassVar[Spec] = Spec(
        name="random-orthogonal-masking",
        title="Random orthogonal matrix masking (ROMM)",
        citation="Ting, Fienberg & Trottini (2008), Random orthogonal matrix masking methodology "
        "for microdata release",
        missing="a missing value stays missing, and is at the mean while records are rotated; "
        "moments are then kept approximately",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="Z = TX with TᵀT = I and T1 = 1\n"
        "Z − 1x̄ᵀ = (√(1 − s)·U + √s·G) S Vᵀ, where U S Vᵀ = X − 1x̄ᵀ, GᵀG = I, Gᵀ1 = 0, GᵀU = 0",
        cost="n·c² time, memory n·c",
        whole_because="since each released record is made of all of them",
        nearest="moment-preserving-noise",
        anew="the rotation, and the moments that it keeps",
    )

    share: float = param(
        default=0.5,
        help="share of the variance of each value that does not come from its own original one: "
        "0.36 leaves a correlation of 0.8 with it, 1 none",
        above=0,
        at_most=1,
        trials=(0.05, 0.1, 0.2, 0.4, 0.7, 1.0),
        monotone=True,
    )
    round: bool = param(
        default=False,
        help="round the released values of columns that hold whole numbers only, or whole days; "
        "moments are then exact up to rounding",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with rotated records."""
        names = self.treated(data, self.columns)
        values = data.matrix(names)
        least = 2 * len(names) + 1
        if len(data) < least:
            raise DataError(
                f"{type(self).__name__} needs at least {least} records for {len(names)} columns, "
                f"but the data have {len(data)}; name fewer columns with columns=[…]"
            )
        missing = np.isnan(values)
        released = rotated(values, self.share, context.generator("rotation"))
        released[missing] = np.nan
        notes = []
        gaps = [name for name, some in zip(names, missing.T, strict=True) if some.any()]
        if gaps:
            notes.append(
                f"moments are kept approximately where values are missing: {', '.join(gaps)}"
            )
        changed = columns_from(data, names, released, whole=self.round)
        return Masked(data.replace(changed), notes=tuple(notes))


def rotated(values: Numbers, share: float, rng: np.random.Generator) -> Numbers:
    """Return the records after a random rotation that keeps their mean; NaN counts as the mean.

    >>> made = rotated(np.arange(10.0).reshape(5, 2) ** 2, 1.0, np.random.default_rng(2))
    >>> made.mean(axis=0).round(9), made.var(axis=0).round(9)
    (array([24., 33.]), array([556.8, 844.8]))
    """
    centre = np.nan_to_num(means(values))
    about = np.where(np.isnan(values), 0.0, values - centre)
    about -= about.mean(axis=0)
    # In units of their largest deviation, columns of any size have equal weight.
    unit = np.abs(about).max(axis=0)
    unit = np.where(unit > 0, unit, 1.0)
    with one_thread():
        left, sizes, right = np.linalg.svd(about / unit, full_matrices=False)
        kept = sizes > DEPENDENT * max(float(sizes.max(initial=0.0)), 1e-300)
        left, sizes, right = left[:, kept], sizes[kept], right[kept]
        other = rng.standard_normal(left.shape)
        known = np.column_stack([np.full(len(left), 1 / np.sqrt(len(left))), left])
        for _ in range(2):  # once more, to remove what rounding left
            other = other - known @ (known.T @ other)
            other = np.linalg.qr(other)[0]
        turned = (np.sqrt(1 - share) * left + np.sqrt(share) * other) * sizes
        return np.asarray(centre + (turned @ right) * unit)
