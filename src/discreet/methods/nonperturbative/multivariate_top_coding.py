"""Multivariate top coding: records far from all others are drawn in to an ellipse."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.errors import DataError
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from
from discreet.models.robust_moments import RobustMoments, deviations


class MultivariateTopCoding(Method):
    """Moves records beyond an ellipse around the centre of the file straight in to its edge.

    A record may be far from all others though none of its values is: tall and light, young and
    retired. The ellipse has the robust centre and covariances of the columns, which such records do
    not decide, and would leave a share `alpha` of normal records outside. Records inside stay as
    they are, so ordinary people are not protected by it.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> height = rng.normal(170, 9, 200)
    >>> weight = 0.9 * height - 82 + rng.normal(0, 4, 200)
    >>> height[0], weight[0] = 185, 55
    >>> data = discreet.read({"height": height, "weight": weight},
    ...                      roles={"height": "quasi-identifier", "weight": "quasi-identifier"})
    >>> made = MultivariateTopCoding(alpha=0.001).protect(data, Context()).data
    >>> [round(float(made[name][0])) for name in ("height", "weight")]
    [176, 63]
    """

    spec: ClassVar[Spec] = Spec(
        name="multivariate-top-coding",
        title="Multivariate top coding",
        citation="Templ & Meindl (2008), Robustification of microdata masking methods and the "
        "comparison with existing methods; Maronna & Zamar (2002) for centre and covariances",
        missing="a missing value stays missing; the others of its record are compared with the "
        "ellipse of their columns",
        kinds=(Kind.CONTINUOUS,),
        formula="d² = (x − m)ᵀ C⁻¹ (x − m),  x′ = m + (x − m)·√(q/d²) where d² > q, the 1 − α "
        "quantile of χ² with as many degrees of freedom as columns",
        cost="n·c² time, memory n·c",
        whole_because="since its ellipse rests on medians of all records",
        nearest="top-bottom-coding",
        anew="the centre and the ellipse",
    )

    alpha: float = param(
        default=0.05,
        help="share of records beyond the ellipse if the columns were normal: 0.05 draws in one in "
        "twenty, and more where columns have heavier tails",
        above=0,
        below=1,
        trials=(0.01, 0.05, 0.1, 0.2, 0.4, 0.7),
        monotone=True,
    )
    round: bool = param(
        default=False,
        help="round the released values of columns that hold whole numbers only, or whole days",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with far records at the edge of the ellipse."""
        names = self.treated(data, self.columns)
        values = data.matrix(names)
        varying = np.array([len(np.unique(column[~np.isnan(column)])) > 1 for column in values.T])
        released = values.copy()
        moved = 0
        if varying.any():
            released[:, varying], moved = self._drawn_in(values[:, varying])
        note = f"{moved:,} of {len(data):,} records were drawn in to the ellipse"
        changed = columns_from(data, names, released, whole=self.round)
        return Masked(data.replace(changed), notes=(note,))

    def _drawn_in(self, values: Numbers) -> tuple[Numbers, int]:
        """Return the values with far records drawn in, and how many there were."""
        from scipy.stats import chi2

        complete = ~np.isnan(values).any(axis=1)
        count = values.shape[1]
        least = 2 * count + 2
        if int(complete.sum()) < least or not (deviations(values[complete]) > 0).all():
            raise DataError(
                f"{type(self).__name__} needs at least {least} different records without missing "
                f"values for {count} columns, but the data have {int(complete.sum())}; name fewer "
                "columns with columns=[…], or use top-bottom-coding"
            )
        moments = RobustMoments.of(values[complete])
        released, moved = values.copy(), 0
        patterns, pattern = np.unique(~np.isnan(values), axis=0, return_inverse=True)
        for number, present in enumerate(patterns):
            if not present.any():
                continue
            rows = np.flatnonzero(pattern.ravel() == number)
            places = np.flatnonzero(present)
            moments_here, x = moments.of_columns(places), values[np.ix_(rows, places)]
            distances, rank = moments_here.distances(x)
            limit = np.sqrt(chi2.ppf(1 - self.alpha, max(rank, 1)))
            far = distances > limit
            factors = limit / distances[far]
            drawn = moments_here.centre + (x[far] - moments_here.centre) * factors[:, None]
            released[np.ix_(rows[far], places)] = drawn
            moved += int(far.sum())
        return released, moved
