"""Log-linear risk: correct matches of sample uniques, by a model of the keys."""

from __future__ import annotations

import math
from typing import ClassVar, Self

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.measures.log_linear import Fit, fit
from discreet.measures.uniqueness import cells
from discreet.microdata import Microdata
from discreet.microdata.equivalence import distinguishing_columns

TERMS = ("independence", "two-way")
MOST_CELLS = 2**21
FITS = 1.96
"""A bias test beyond this speaks against the model, with an error of one in twenty."""


class LogLinearRisk(Measure):
    """The expected correct matches of sample uniques, as a share of the released records.

    An intruder who matches a record that is alone in the file with one of the F people who share
    its values is right with the chance 1/F. A Poisson log-linear model says how common each
    combination is, from the values of each column (`independence`) or of each pair of columns
    (`two-way`); it borrows from other cells where counting and sampling weights see a single
    record. By default the model whose bias test is nearer to zero is taken. Where even that test is
    beyond 1.96, the note says so. Skinner and Shlomo's tests are in `discreet.measures.log_linear`.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 52]}, roles={"age": "quasi-identifier"})
    >>> found = LogLinearRisk(fraction=0.5).score(data, data, Context())
    >>> found.detail["sample uniques"], round(found.value, 4)   # ½ · (1 − e⁻¹)
    (2, 0.3161)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="log-linear-risk",
        title="Correct matches of sample uniques, by a log-linear model",
        citation="Skinner & Shlomo (2008), Assessing identification risk in survey microdata using "
        "log-linear models; Skinner & Holmes (1998)",
        missing="a category of its own",
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        claimed_as_stated=True,
        of_release=True,
        rests_on="a model of the population that is fitted to the released counts, which counting "
        "them again does not prove",
        percent=True,
        formula="τ₂/n = 1/n Σ over the sample uniques of (1 − exp(−aμ)) / (aμ), a = (1 − π)/π, π "
        "the sampling fraction, μ the expected count of the cell\n"
        "τ₁ = Σ over the sample uniques of exp(−aμ)",
        cost="n·c time, and c² passes over the table of all combinations in each of some rounds, "
        f"which may have {MOST_CELLS:,} cells; memory those cells",
    )

    terms: str = param(
        default="chosen",
        help="the terms of the model; chosen by the bias tests if not given",
        choices=("chosen", *TERMS),
    )
    fraction: float | None = param(
        default=None,
        help="share of the population that is in the file; taken from the sampling weights if not "
        "given",
        above=0,
        at_most=1,
    )

    @classmethod
    def example(cls) -> Self:
        """Return the measure of a file that is a tenth of its population."""
        return cls(fraction=0.1)

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return τ₂/n; per record the chance of a correct match, 0 for those not alone."""
        sample_cells = cells(released, context)
        fraction = sample_cells.sampling_fraction(self.fraction)
        shape, place = _table(released)
        # Several records of a unit in a cell count once, as everywhere.
        first = np.unique(sample_cells.labels, return_index=True)[1]
        counts = np.zeros(math.prod(shape), dtype=np.int64)
        counts[place[first]] = sample_cells.size_of_cell
        fits = {
            terms: fit(counts.reshape(shape), fraction, terms)
            for terms in (TERMS if self.terms == "chosen" else (self.terms,))
        }
        best = min(fits.values(), key=lambda f: f.misfit)
        chance = np.zeros(len(counts))
        chance[counts == 1] = best.match
        alone = sample_cells.sizes == 1
        per_record = np.where(alone, chance[place], 0.0)
        return Score(
            float(per_record.mean()),
            per_record=per_record,
            detail={
                "sample uniques": int((counts == 1).sum()),
                "expected population uniques among them": float(best.population_unique.sum()),
                "expected correct matches": float(best.match.sum()),
                "model": best.terms,
                "bias tests": {name: _tests(f) for name, f in fits.items()},
                "sampling fraction": fraction,
                "cells": len(counts),
            },
            note=_note(best),
        )


def _table(released: Microdata) -> tuple[tuple[int, ...], np.ndarray]:
    """Return how many values each key has, and the cell of each record."""
    shape: list[int] = []
    place = np.zeros(len(released), dtype=np.int64)
    for name in distinguishing_columns(released):
        values, codes = np.unique(released[name], return_inverse=True)
        shape.append(len(values))
        if math.prod(shape) > MOST_CELLS:
            raise NotApplicable(
                f"its table of all combinations would have more than {MOST_CELLS:,} cells: recode "
                "the quasi-identifiers into fewer categories"
            )
        place = place * len(values) + codes
    if not shape:
        raise NotApplicable("no released column is a quasi-identifier")
    return tuple(shape), place


def _tests(fitted: Fit) -> dict[str, float]:
    return dict(zip(("population uniques", "matches"), fitted.tests, strict=True))


def _note(best: Fit) -> str:
    note = (
        f"by a log-linear model ({best.terms}), bias tests {best.tests[0]:.1f}, {best.tests[1]:.1f}"
    )
    if best.misfit > FITS:
        note += (
            ": the model does not fit, and the risk is "
            + ("over" if best.tests[1] > 0 else "under")
            + "estimated"
        )
    return note
