"""Population uniqueness: released records that are alone in the whole population."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.measures.unique_curve import half_width, own_error
from discreet.measures.uniqueness import ESTIMATORS, cells, population_unique
from discreet.microdata import Microdata

CHOSEN_FROM = ("curve", "ewens")
OFF = float(np.log(2.0))
"""An estimator that is further off on the file's own subsamples does not fit."""


class PopulationUniqueness(Measure):
    """The estimated share of released records that are alone in the population with their values.

    Only a sample unique can be a population unique. The share of sample uniques is counted; the
    chance ζ that one of them is also alone among the N persons of the population is estimated, and
    the product is the value. N is the sum of the sampling weights, or the number of records over
    `fraction`. The formulas of the estimators are in `discreet.measures.uniqueness`:

    - `curve`: the share of uniques at smaller sizes, which the file shows, continued to N;
    - `pitman`: Pitman's sampling formula, fitted by maximum likelihood;
    - `ewens`: the same with α = 0, one parameter less;
    - `poisson-gamma`: sizes of cells are negative binomial, those without a record unseen;
    - `zayatz`: population cells are of the sizes that the sample's cells have; far too high for
      small samples, where most cells occur only once.

    By default the one of `curve` and `ewens` is taken that errs least when the file itself is
    thinned as the population was. The interval has a coverage of about 95 % by simulation: it holds
    the truth in 58 of 60 samples of the American Community Survey and 58 of 60 of EU-SILC (the
    spread of the parametric estimators in 48 and 24). Where even the better one is off by a factor
    of two on the file's own subsamples, a note says that none fits.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 52]}, roles={"age": "quasi-identifier"})
    >>> PopulationUniqueness(fraction=1.0).score(data, data, Context()).value
    0.5
    >>> score = PopulationUniqueness(fraction=0.1).score(data, data, Context())
    >>> score.interval[0] < score.value < score.interval[1]
    True
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
        default="chosen",
        help="how the chance that a sample unique is a population unique is estimated; chosen by "
        "the file's own subsamples if not given",
        choices=("chosen", *ESTIMATORS),
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
        fraction = released_cells.sampling_fraction(self.fraction)
        alone = released_cells.sizes == 1
        share = float(alone.mean())
        counts = released_cells.counts
        chances = {name: population_unique(counts, fraction, name) for name in ESTIMATORS}
        chosen, error = self._chosen(counts, fraction)
        chance = chances[chosen]
        # Nothing is estimated where all people are in the file, or nobody is alone in it.
        certain = fraction >= 1 or 1 not in counts
        wide = 0.0 if certain else half_width(counts, fraction, chance, error)
        notes = [f"by {chosen}, with a 95 % interval"]
        if abs(error) > OFF:
            notes.append(
                "no estimator fits this file: on its own subsamples the best is off by a factor "
                f"of {np.exp(abs(error)):.1f}, so do not base a claim on it"
            )
        low, high = (chance * float(np.exp(side * wide)) for side in (-1, 1))
        if not certain and counts[1] * low < 1:
            low = 0.0  # less than one record: there may be none
        return Score(
            share * chance,
            interval=(share * low, share * min(1.0, high)),
            per_record=np.where(alone, chance, 0.0),
            detail={
                "estimates": {name: share * chances[name] for name in ESTIMATORS},
                "estimator": chosen,
                "off on own subsamples by a factor of": float(np.exp(abs(error))),
                "sample uniques": share,
                "sampling fraction": fraction,
                "population": len(released) / fraction,
            },
            note="; ".join(notes),
        )

    def _chosen(self, counts: Mapping[int, int], fraction: float) -> tuple[str, float]:
        """Return the estimator, and the logarithm by which it is off on the file's subsamples."""
        names = CHOSEN_FROM if self.estimator == "chosen" else (self.estimator,)
        if fraction >= 1 or len(counts) < 2 or 1 not in counts:
            return names[0], 0.0
        errors = {
            name: own_error(counts, fraction, partial(population_unique, estimator=name))
            for name in names
        }
        best = min(errors, key=lambda name: abs(errors[name]))
        return best, errors[best]
