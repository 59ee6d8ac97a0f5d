"""Sensitive match: how often the mean of the group comes close to the confidential number."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    known_pairing,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.confidential import by_name, confidential_numbers, groups_of
from discreet.measures.tally import Grouped
from discreet.microdata import Microdata
from discreet.microdata.ascending import runs

SHOWN = (0.05, 0.10)


class SensitiveMatch(Measure):
    """The share of records whose confidential number an intruder puts near the truth.

    The intruder knows the group of the person and guesses the mean of the released values in it;
    near is within 5 % of the original value (`within`), and a value of 0 is matched only by 0. The
    value is that of the worst confidential column. The groups are those that the method made,
    where they are known, otherwise the records that agree in all quasi-identifiers; a record that
    is alone in its group is guessed by its own released value. A blind guess is the one number that
    is near most of the released values.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 41], "pay": [99, 101, 50, 70]},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> SensitiveMatch().score(data, data, Context(), Pairing.same_order(4)).value
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="sensitive-match",
        title="Confidential numbers guessed within a few percent",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, conclusion: sensitive-value matching",
        missing="records whose original value is missing are left out; so are missing released "
        "values from the mean of a group",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        percent=True,
        formula="(1/n) · #{i : |ȳ′_g − yᵢ| ≤ within · |yᵢ|},  g the group of i",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    within: float = param(
        default=0.05,
        help="how near a guess must be, as a share of the original value",
        above=0,
        below=1,
    )
    confidential: str | None = param(
        default=None,
        public=True,
        help="the continuous column to measure; the worst of all confidential ones if not given",
    )

    @classmethod
    def example(cls) -> Self:
        """Return the measure of a column that the tables of the checks have as a number."""
        return cls(confidential="weight")

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share of guesses that come near; per record 1 if near, 0 if not."""
        pairing = known_pairing(pairing)
        released_numbers = confidential_numbers(
            original, released, self.confidential, pairing.origin
        )
        groups = groups_of(original, released, pairing, context, self.confidential)
        shares: dict[str, dict[str, float]] = {}
        value, per_record, column = -1.0, np.zeros(len(released)), ""
        for name, values in released_numbers.items():
            truth = original[name][pairing.origin]
            known = ~np.isnan(truth)
            if not known.any():
                continue
            off = relative_error(group_means(values, groups), truth)
            blind = relative_error(np.full(len(truth), blind_guess(values, self.within)), truth)
            near = {_percent(w): float((off[known] <= w).mean()) for w in (self.within, *SHOWN)}
            near[f"{_percent(self.within)}, by one number for all"] = float(
                (blind[known] <= self.within).mean()
            )
            shares[name] = near
            share = near[_percent(self.within)]
            if share > value:
                value, per_record = share, np.where(known, off <= self.within, np.nan)
                column = name
        if not shares:
            raise NotApplicable("every confidential number is missing")
        return Score(
            value,
            per_record=per_record,
            detail={"columns": shares, "groups": groups.count},
            note=groups.words,
            parts=by_name({name: near[_percent(self.within)] for name, near in shares.items()}),
            column=column,
            blind=shares[column][f"{_percent(self.within)}, by one number for all"],
        )


def group_means(values: NDArray[np.float64], groups: Grouped) -> NDArray[np.float64]:
    """Return for each record the mean of the values present in its group; NaN if there are none."""
    present = ~np.isnan(values)
    labels = groups.labels[present]
    sizes = np.bincount(labels, minlength=groups.count)
    # Dividing first keeps sums of the largest numbers finite.
    parts = np.bincount(labels, values[present] / sizes[labels], groups.count)
    means = np.where(sizes > 0, parts, np.nan)
    return np.asarray(means[groups.labels])


def blind_guess(values: NDArray[np.float64], within: float) -> float:
    """Return the number that is near most of the values; NaN if none is present.

    Anyone who knows nothing about a person guesses this one: if most values are 0, it is 0.

    >>> blind_guess(np.array([0.0, 0.0, 0.0, 40.0]), 0.05)
    0.0
    """
    present = values[~np.isnan(values)]
    if not len(present):
        return float("nan")
    # A guess is near a value in an interval around it; the most intervals meet where one begins.
    # In order of the values, intervals are in order but for rounding, and a stable sort is fast.
    present = np.sort(present)
    reach = within * np.abs(present)
    begins, ends = (np.sort(end, kind="stable") for end in (present - reach, present + reach))
    met = runs(begins)[1] - np.searchsorted(ends, begins)
    return float(begins[np.argmax(met)])


def relative_error(guess: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return |guess − truth| / |truth|, infinite where the truth is 0 and the guess is not. Rounded
    to twelve places, so that 95 for 100 is off by exactly 5 %.
    """
    # Errors beside a tiny truth may exceed what a float holds, and so may rounding them.
    with np.errstate(all="ignore"):
        error = np.abs(guess - truth) / np.abs(truth)
        error = np.where((truth == 0) & (guess == 0), 0.0, error)
        return np.asarray(np.where(np.isnan(error), np.inf, error).round(12))


def _percent(share: float) -> str:
    return f"within {100 * share:g} %"
