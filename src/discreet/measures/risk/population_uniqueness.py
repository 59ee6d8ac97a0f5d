"""Population uniqueness: released records that are alone in the whole population."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.measures.uniqueness import ESTIMATORS, cells, population_unique
from discreet.microdata import Microdata


class PopulationUniqueness(Measure):
    """The estimated share of released records that are alone in the population with their values.

    Only a sample unique can be a population unique. The share of sample uniques is counted; the
    chance ζ that one of them is also alone among the N persons of the population is estimated, and
    the product is the value. N is the sum of the sampling weights, or the number of records over
    `fraction`. The formulas of the estimators are in `discreet.measures.uniqueness`:

    - `pitman`: Pitman's sampling formula, fitted by maximum likelihood;
    - `ewens`: the same with α = 0, one parameter less;
    - `poisson-gamma`: sizes of cells are negative binomial, those without a record unseen;
    - `zayatz`: population cells are of the sizes that the sample's cells have; far too high for
    small samples, where most cells occur only once. The interval shows how far the estimators
    disagree: from the lowest to the highest.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 52]}, roles={"age": "quasi-identifier"})
    >>> PopulationUniqueness(fraction=1.0).score(data, data, Context()).value
    0.5
    >>> score = PopulationUniqueness(fraction=0.1).score(data, data, Context())
    >>> round(score.value, 2), [round(bound, 2) for bound in score.interval]
    (0.08, [0.0, 0.26])
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="population-uniqueness",
        title="Population uniques, estimated",
        citation="Bethlehem, Keller & Pannekoek (1990); Zayatz (1991); Hoshino & Takemura (1998); "
        "Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk "
        "assessment",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        of_release=True,
        rests_on="an estimate of the population from the released classes and sampling weights, "
        "which counting them again does not prove",
        percent=True,
        formula="ζ · #{i : fᵢ = 1} / n",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    estimator: str = param(
        default="pitman",
        help="how the chance that a sample unique is a population unique is estimated",
        choices=tuple(ESTIMATORS),
    )
    fraction: float | None = param(
        default=None,
        help="share of the population that is in the file; taken from the sampling weights if not "
        "given",
        above=0,
        at_most=1,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the estimated share; per record the chance; detail has every estimator."""
        released_cells = cells(released, context)
        if self.fraction is not None:
            fraction = self.fraction
        elif released_cells.weights is not None:
            fraction = min(1.0, len(released) / float(released_cells.weights.sum()))
        else:
            raise NotApplicable(
                "it needs to know how large the population is: give a column the role 'weight', "
                "or the parameter 'fraction'"
            )
        alone = released_cells.sizes == 1
        share = float(alone.mean())
        chances = {
            name: float(population_unique(released_cells.counts, fraction, name))
            for name in ESTIMATORS
        }
        estimates = {name: share * chance for name, chance in chances.items()}
        return Score(
            estimates[self.estimator],
            interval=(min(estimates.values()), max(estimates.values())),
            per_record=np.where(alone, chances[self.estimator], 0.0),
            detail={
                "estimates": estimates,
                "sample uniques": share,
                "sampling fraction": fraction,
                "population": len(released) / fraction,
            },
            note=f"by {self.estimator}; the interval spans the {len(ESTIMATORS)} estimators",
        )
