"""MASSC: micro agglomeration, substitution, subsampling, calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Columns, Context, Grain, Masked, Method, Spec, param
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.massc.design import (
    RiskStrata,
    donors,
    risk_bound,
    risk_strata,
    sampling_rates,
    substitution_rates,
)
from discreet.microdata import Kind, Microdata, Numbers, Role, unknown_column
from discreet.microdata.clusters import split_clusters
from discreet.models.calibration import calibrated, controls

LEAST_DOMAIN = 30
"""A total over fewer records is not held to the bound on bias: a few records would decide it."""


@dataclass(frozen=True, eq=False)
class Design:
    """The rates of each stratum, and the largest bias and standard error that they bring."""

    strata: RiskStrata
    psi: Numbers
    drawn: NDArray[np.int64]
    bias: float
    error: float

    @property
    def phi(self) -> Numbers:
        """The share of each stratum that is released."""
        return self.drawn / np.maximum(self.strata.records, 1)


class MASSC(Method):
    """Treats records at random, the rare ones most, at the rates that cost the analyst least.

    Micro agglomeration puts the records into risk strata by how many share their key values.
    Substitution gives records the keys of a donor that differs from them in as few keys as
    possible. Subsampling leaves records out. The rates of both are the best for the strata: the
    lowest disclosure cost, while bias and variance of the totals of the outcomes stay within
    bounds. Calibration then corrects the weights until the totals of the outcomes are exactly those
    of the original. Nobody can see which records were treated.

    The notes give the rates, the disclosure cost before and after, the bias and standard error that
    the rates bring, and the bound on the risk that a record is identified by its keys. That bound
    is about the treated keys alone: continuous columns that an intruder knows are not in it, and
    MASSC is not the method for files that have them.

    The released file has fewer records, and needs its weight column to be used.

    >>> import discreet
    >>> data = discreet.read({"town": list("aaabbbcccd") * 4, "sick": list("yn") * 20,
    ...                       "w": [2.0] * 40},
    ...                      roles={"town": "quasi-identifier", "sick": "confidential",
    ...                             "w": "weight"})
    >>> masked = MASSC(standard_error=0.1).protect(data, Context())
    >>> len(masked.data) < 40, round(float(masked.data["w"].sum()), 6)
    (True, 80.0)
    """

    spec: ClassVar[Spec] = Spec(
        name="massc",
        title="MASSC: micro agglomeration, substitution, subsampling, calibration",
        citation="Singh, Yu & Dunteman (2003); Singh, US patent 7,058,638 (2006); Domingo-Ferrer, "
        "A survey of inference control methods, §2",
        missing="a missing key is a category of its own; totals are taken over present values; a "
        "missing weight is refused",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        random=True,
        treats=(Role.QUASI_IDENTIFIER, Role.WEIGHT),
        formula="ψ: least Σ_h c_h(1 − ψ_h) with |Σ_h b_hj ψ_h| ≤ bias·T_j for all totals j\n"
        "φ: least Σ_h c_h(1 − ψ_h)φ_h with Σ_h n_h s²_hj (1/φ_h − 1) ≤ (standard error·T_j)²\n"
        "w′: Σ w′ᵢyᵢⱼ over the release = Σ wᵢyᵢⱼ over the original\n"
        "c_h the combinations of keys in stratum h, b_hj what substituting all of h adds to total "
        "j",
        cost="n·log n time for each column and each pair of columns; memory n for each total that "
        "is kept",
        anew="strata of risk, who is substituted and sampled, and weights",
        nearest="sampling",
    )

    outcomes: Columns = param(
        default=None,
        help="columns whose totals (of ordinal and nominal ones: counts per category) the weights "
        "keep exactly and the bounds are about; all confidential columns if not given",
    )
    strata: int = param(
        default=4,
        help="number of risk strata, by how many records share all keys: 1, 2, 3–4, and so on, "
        "the last open",
        at_least=1,
        at_most=30,
    )
    bias: float = param(
        default=0.05,
        help="largest expected change that substitution may bring to the total of an outcome "
        "within a category of a key, as a share of that total (of absolute values): 0.05 is 5 "
        "percent; totals that fewer than 30 records add up to are left out",
        above=0,
        at_most=1,
    )
    standard_error: float = param(
        default=0.05,
        help="largest standard error (not variance) that subsampling may bring to the total of an "
        "outcome before calibration, as a share of that total (of absolute values): 0.05 is 5 "
        "percent",
        above=0,
        at_most=1,
    )
    most_substituted: float = param(
        default=0.2,
        help="largest share of a stratum, from 0 to 1, whose keys are substituted",
        at_least=0,
        at_most=1,
    )
    least_released: float = param(
        default=0.5,
        help="smallest share of a stratum, from 0 to 1, that is released",
        above=0,
        at_most=1,
    )
    calibration: str = param(
        default="raking",
        help="raking keeps weights positive, linear may not, but reaches totals that raking cannot",
        choices=("raking", "linear"),
    )
    columns: Columns = param(
        default=None, help="the keys to treat; all quasi-identifiers if not given"
    )

    @property
    def grain(self) -> Grain:
        """Some records are left out."""
        return Grain.FILE

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the treated sample with its calibrated weights."""
        keys = self.treated(data, self.columns)
        weight = _weight_column(data)
        outcomes = self._outcomes(data, keys)
        weights = data[weight]
        terms, names = controls(data, outcomes)
        donor = donors(data, keys)
        with context.task("MASSC", 3) as advance:
            design = self._design(data, keys, weights, terms, donor)
            advance(1)
            substituted = np.flatnonzero(
                context.generator("substitution").random(len(data))
                < design.psi[design.strata.labels]
            )
            now = np.arange(len(data))
            now[substituted] = donor[substituted]
            sample = _subsample(design, context.generator("subsampling"))
            advance(1)
            started = weights[sample] / design.phi[design.strata.labels[sample]]
            final = calibrated(started, terms[sample], terms.T @ weights, self.calibration)
            advance(1)
        table = data.take(sample)
        columns = [table.column(key).with_values(data[key][now[sample]]) for key in keys]
        columns.append(table.column(weight).with_values(final))
        return Masked(
            table.replace(columns),
            notes=(
                *self._notes(data, keys, design, names, final / started),
                *split_clusters(data, sample),
            ),
            origin=sample,
        )

    def _outcomes(self, data: Microdata, keys: tuple[str, ...]) -> list[str]:
        wanted = data.having(Role.CONFIDENTIAL) if self.outcomes is None else self.outcomes
        for name in wanted:
            if name not in data.schema:
                raise UsageError(unknown_column(name, data.schema.names, asked_by="MASSC"))
            if self.outcomes is not None and name in keys:
                raise UsageError(
                    f"the outcomes of MASSC must not be keys, whose values are substituted, but "
                    f"'{name}' is one; leave it out of outcomes, or name the keys with columns=[…]"
                )
        return [name for name in wanted if name not in keys]

    def _design(
        self,
        data: Microdata,
        keys: tuple[str, ...],
        weights: Numbers,
        terms: Numbers,
        donor: NDArray[np.int64],
    ) -> Design:
        """Find the best rates within the bounds."""
        strata = risk_strata(data, keys, self.strata)
        parts = weights[:, None] * terms
        shifts, totals = _shifts(data, keys, strata, parts, donor)
        # Where all keys are equal there are no others to substitute.
        most = self.most_substituted if strata.sizes.min() < len(data) else 0.0
        psi = substitution_rates(strata, shifts, self.bias * totals, most)
        biases = np.abs(shifts @ psi) / np.where(totals > 0, totals, 1.0)
        spread = np.column_stack(
            [
                count * parts[strata.labels == h].var(axis=0, ddof=1)
                if count > 1
                else np.zeros(terms.shape[1])
                for h, count in enumerate(strata.records.tolist())
            ]
        )
        sums = np.abs(parts).sum(axis=0)
        bounds = (self.standard_error * sums) ** 2
        phi = sampling_rates(strata.cells * (1 - psi), spread, bounds, self.least_released)
        # Rounded up, so that the variance stays within its bounds; a stratum of which nobody is
        # released has nobody to stand for it.
        drawn = np.ceil(phi * strata.records - 1e-6).astype(np.int64)
        drawn = np.maximum(drawn, np.minimum(strata.records, 1))
        rates = np.where(strata.records > 0, drawn / np.maximum(strata.records, 1), 1.0)
        errors = np.sqrt(spread @ (1 / rates - 1)) / np.where(sums > 0, sums, 1.0)
        return Design(
            strata, psi, drawn, float(biases.max(initial=0.0)), float(errors.max(initial=0.0))
        )

    def _notes(
        self,
        data: Microdata,
        keys: tuple[str, ...],
        design: Design,
        totals: list[str],
        adjustment: Numbers,
    ) -> tuple[str, ...]:
        strata = design.strata
        average, most = risk_bound(strata, design.psi, design.drawn)
        cells = strata.cells
        rates = "; ".join(
            f"{name}: {int(n)} records, {psi:.1%} substituted, {phi:.1%} released"
            for name, n, psi, phi in zip(
                strata.names, strata.records, design.psi, design.phi, strict=True
            )
            if n
        )
        left = float((cells * (1 - design.psi) * design.phi).sum())
        before = cells.sum() / len(data)
        notes = [
            f"risk strata by the number of records that share all keys: {rates}",
            f"disclosure cost {left:.1f} after treatment, {cells.sum():.1f} before",
            f"largest bias by substitution: {design.bias:.2%} of a total (bound {self.bias:.2%})",
            (
                f"largest standard error by subsampling, before calibration: {design.error:.2%} of "
                f"a total (bound {self.standard_error:.2%})"
            ),
            (
                f"risk bound: a record is identified by its keys with chance {average:.4f} at most "
                f"on average, {most:.4f} in the worst case; {before:.4f} on average before it"
            ),
            (
                f"{len(totals)} totals held by calibration; weights were multiplied by "
                f"{adjustment.min():.3f} to {adjustment.max():.3f}"
            ),
        ]
        outside = [name for name in data.quasi_identifiers if name not in keys]
        if outside:
            notes.append(
                "the risk bound is about the keys alone and not about the quasi-identifiers "
                f"{', '.join(outside)}; give them to another method"
            )
        return tuple(notes)


def _weight_column(data: Microdata) -> str:
    weights = data.having(Role.WEIGHT)
    if len(weights) != 1:
        raise DataError(
            f"MASSC needs one column with the role weight, but the data have {len(weights)}; add a "
            "column of ones if every record stands for itself"
        )
    values = data[weights[0]]
    wrong = ~(np.isfinite(values) & (values > 0))
    if not len(data) or wrong.any():
        where = f"row {int(np.argmax(wrong)) + 1} has none" if len(data) else "there are no records"
        raise DataError(f"MASSC needs a weight above 0 in column '{weights[0]}', but {where}")
    return weights[0]


def _shifts(
    data: Microdata,
    keys: tuple[str, ...],
    strata: RiskStrata,
    parts: Numbers,
    donor: NDArray[np.int64],
) -> tuple[Numbers, Numbers]:
    """Return what full substitution of each stratum adds to each total in each category of a key.

    The second are the totals themselves, in absolute values.
    """
    count = len(strata.names)
    shifts, totals = [], []
    for key in keys:
        codes = data[key].astype(np.int64) + 1
        after = codes[donor]
        width = len(data.schema[key].categories) + 1
        for part in parts.T:
            made_of = np.bincount(codes, weights=part != 0, minlength=width)
            large = np.flatnonzero(made_of >= LEAST_DOMAIN)
            moved = np.zeros((width, count))
            np.add.at(moved, (after, strata.labels), part)
            np.subtract.at(moved, (codes, strata.labels), part)
            shifts.append(moved[large])
            totals.append(np.bincount(codes, weights=np.abs(part), minlength=width)[large])
    return np.vstack(shifts), np.concatenate(totals)


def _subsample(design: Design, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw the released records of each stratum without replacement; return them in order."""
    order = generator.permutation(len(design.strata.labels))
    labels = design.strata.labels[order]
    kept = [order[labels == h][:drawn] for h, drawn in enumerate(design.drawn.tolist())]
    return np.sort(np.concatenate(kept))
