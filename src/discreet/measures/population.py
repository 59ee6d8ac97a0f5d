"""The population behind a release: how many people each released record could be.

`f` released records that look alike could be any of the `F` people of the population who share
their quasi-identifiers. F is counted in a register where there is one. Otherwise it is estimated
from the sampling weights, F = Σ w, or from the sampling fraction, F = f / π: given f, it is
negative binomial with p = f / F (Benedetti & Franconi 1998), which gives the mean of 1/F and an
interval for F.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Measure, Pairing, param
from discreet.errors import NotApplicable
from discreet.measures.registered import Candidates
from discreet.measures.uniqueness import cells, individual_risks
from discreet.measures.view import hierarchies_behind
from discreet.microdata import Microdata, Numbers
from discreet.models.from_population import FromPopulation

RESTS_ON = "a register of the population, or an estimate of it where there is none"
CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Population:
    """For each class of released records f of them and F people, and the class of each record.

    `least` and `most` are the ends between which F lies with a chance of 95 %, if it is estimated.
    `presence` is the largest chance of a person to be in the release, `absence` the smallest; both
    are None if nobody is known by a register. `note` says where F is from.
    """

    class_of: NDArray[np.int64]
    f: NDArray[np.int64]
    F: Numbers
    risks: Numbers
    people: float
    note: str
    least: Numbers | None = None
    most: Numbers | None = None
    presence: float | None = None
    absence: float | None = None

    @property
    def detail(self) -> dict[str, float]:
        """Its figures for a reader."""
        return {"people": self.people, "classes": len(self.f)}


class PopulationMeasure(FromPopulation, Measure):
    """A measure that compares a release with the population that its people are from."""

    register: Columns = param(
        default=None,
        path=True,
        help="a file with the quasi-identifiers of everybody in the population, under the names "
        "that they have in the data, as one entry population=path",
    )
    fraction: float | None = param(
        default=None,
        help="share of the population that is in the file, if there is no register; taken from the "
        "sampling weights if not given",
        above=0,
        at_most=1,
    )

    @classmethod
    def example(cls) -> Self:
        """Return the measure of a file that is a tenth of its population."""
        return cls(fraction=0.1)

    def population(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None,
    ) -> Population:
        """Return the population, counted or estimated; raise `NotApplicable` if nothing is known.

        Where the release stands for fewer people of the register than it has records, the register
        lacks some of them or their values were changed: F is then f, since these f exist.
        """
        if self.register is None:
            return self._estimated(released, context)
        if not len(released) or not released.quasi_identifiers:
            raise NotApplicable("no released record has a quasi-identifier")
        origin = None if pairing is None else pairing.origin
        behind = hierarchies_behind(None, original, pairing, type(self).__name__)
        candidates = Candidates.of(self.people(), original, released, origin, behind)
        f = np.bincount(candidates.class_of)
        counted = candidates.counts
        F = np.maximum(counted, f).astype(np.float64)
        present, people = candidates.summed(f / F)
        total = int(people.sum())
        note = f"by a register of {total:,} people"
        lacking = int(f[counted < f].sum())
        if lacking:
            note += (
                f"; {lacking:,} records have values that fewer people of the register have than "
                "records: it lacks people of the file, or the values were changed"
            )
        return Population(
            candidates.class_of,
            f,
            F,
            1 / F,
            total,
            note,
            presence=min(1.0, float(present.max(initial=0.0))),
            absence=min(1.0, float(present.min(initial=1.0))),
        )

    def _estimated(self, released: Microdata, context: Context) -> Population:
        from scipy.stats import nbinom

        known = cells(released, context)
        f = known.size_of_cell
        F: Numbers
        if self.fraction is not None:
            F, source = np.asarray(f / self.fraction), "the sampling fraction"
        elif known.weights is not None:
            F, source = known.population_of_cells, "the sampling weights"
        else:
            raise NotApplicable(
                "it needs to know the population: give it a register, a column with the role "
                "'weight', or the parameter 'fraction'"
            )
        F = np.maximum(F, f)
        tail = (1 - CONFIDENCE) / 2
        least, most = (f + nbinom.ppf(share, f, f / F) for share in (tail, 1 - tail))
        return Population(
            known.labels,
            f,
            F,
            individual_risks(f, F),
            float(F.sum()),
            f"estimated from {source}; the interval holds for each class with a chance of 95 %",
            least=np.minimum(least, F),
            most=np.maximum(most, F),
        )
