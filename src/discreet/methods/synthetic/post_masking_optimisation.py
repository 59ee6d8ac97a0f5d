"""Post-masking optimisation: the moments of masked data are restored while no risk rises."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Claim,
    Columns,
    Context,
    Masked,
    Measure,
    MeasureSpec,
    Method,
    Pairing,
    Side,
    Spec,
    paired,
    param,
)
from discreet.contracts.registry import build, find
from discreet.contracts.threads import one_thread
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.methods.synthetic.moment_target import MomentTarget, Movable
from discreet.microdata import Kind, Microdata, Numbers

REACHED = 1e-11
"""Moments that are off by less, in standard deviations, are as exact as rounding allows."""
LENGTHS = tuple(2.0**-i for i in range(8))
SPREADS = (0.3, 0.1, 0.03)
"""Sizes of random moves, in standard deviations."""
QUICK = 10
"""The steps of a short climb."""


class PostMaskingOptimisation(Method):
    """Hill climbing on masked data that restores moments while no risk measure rises.

    A method of choice masks the data, or the start is a random file; then some records at a time
    are moved, by just enough to bring the means and covariances (with `order` higher moments
    too) nearer to the original's. A move is kept only if it improves the objective and none
    of the `risks` is higher than it was in the masked data; otherwise fewer records are tried. With
    the trade-off score as objective, random moves are tried as well, and kept if the score falls.
    Records that the masking made equal move together and stay equal, so k-anonymity stays.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 200)
    >>> roles = {"age": "quasi-identifier", "pay": "quasi-identifier"}
    >>> data = discreet.read({"age": age, "pay": age + rng.normal(0, 9, 200)}, roles=roles)
    >>> masked = PostMaskingOptimisation().protect(data, Context())
    >>> bool(np.allclose(np.cov(masked.data.matrix(list(roles)).T),
    ...                  np.cov(data.matrix(list(roles)).T), rtol=1e-9))
    True
    >>> masked.claims
    (Claim(k-anonymity: 5 claimed),)
    """

    spec: ClassVar[Spec] = Spec(
        name="post-masking-optimisation",
        title="Post-masking optimisation",
        citation="Sebé, Domingo-Ferrer, Mateo-Sanz & Torra, Post-masking optimization of the "
        "tradeoff between information loss and disclosure risk (2002); Domingo-Ferrer, A survey of "
        "inference control methods, §4",
        missing="as the masking method leaves it; records with a missing value in a treated column "
        "are not moved, and moments are those of the other records",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="least Σ_m (m(x′) − m(x))² over the moments m of up to the given order, of "
        "standardised values\n"
        "  with risk(x′) ≤ risk(masked) for each of the risks",
        cost="that of the method, and for each step n·c³ time for moments of order 2, c² times "
        "as much for each further order, and a look at the measures of risk; the more columns, the "
        "more of the steps are needed",
        anew="what the search finds best for its records",
        nearest="moment-preserving-noise",
    )

    method: Method = param(
        default="microaggregation",
        help="the method that masks the data; not used by a random start",
    )
    start: str = param(
        default="masked",
        help="masked starts from what the method made, random from independent normal values with "
        "the means and standard deviations of the columns, for purely synthetic values",
        choices=("masked", "random"),
    )
    objective: str = param(
        default="moments",
        help="what is improved: the distance of the moments, or the trade-off score of loss and "
        "risk, which takes much longer per step",
        choices=("moments", "score"),
    )
    order: int = param(
        default=2,
        help="the highest order of the moments: 2 for means and covariances; 3 or 4 take longer "
        "the more columns there are",
        at_least=1,
        at_most=4,
    )
    risks: tuple[str, ...] = param(
        default=("distance-linkage",), help="the names of the risk measures that must not rise"
    )
    share: float = param(
        default=0.5, help="the share of the records that one step may move", above=0, at_most=1
    )
    steps: int = param(default=100, help="the largest number of steps to try", at_least=0)
    seconds: float | None = param(
        default=None,
        help="stop after this many seconds; the outcome then depends on the speed of the machine "
        "and cannot be reproduced from its seed",
        above=0,
    )
    columns: Columns = param(
        default=None,
        help="the columns whose moments are restored; all quasi-identifiers if not given",
    )

    @property
    def quicker(self) -> Mapping[str, object]:
        """Fewer steps: each moves records, and computes the measures of risk."""
        return {"steps": QUICK} if self.steps > 2 * QUICK else {}

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the masked table after optimisation."""
        names = list(self.treated(data, self.columns))
        measures = [_risk(name) for name in self.risks]
        values = data.matrix(names)
        known = values[~np.isnan(values).any(axis=1)]
        if len(known) < 2:
            raise DataError(
                f"{type(self).__name__} needs at least 2 records without missing values in the "
                f"treated columns, but the data have {len(known)}"
            )
        target = MomentTarget.of(known, self.order)
        masked = self._started(data, names, known, context)
        movable = Movable.of(masked.data, names, target)
        if not len(movable.start):
            raise DataError(
                f"{type(self).__name__} moves records without missing values in the treated "
                f"columns, but {self.method.spec.name} leaves none; use another method"
            )
        origin = np.arange(len(data)) if masked.origin is None else masked.origin
        pairing = paired(origin, masked.groups)

        def measured(measure: Measure, table: Microdata) -> float:
            return _worse_is_higher(measure, data, table, pairing, context)

        limits = [measured(measure, masked.data) for measure in measures]

        def allowed(points: Numbers) -> bool:
            table = movable.table(points)
            return all(
                measured(m, table) <= limit for m, limit in zip(measures, limits, strict=True)
            )

        worth = movable.distance
        if self.objective == "score":
            score: Any = find("measure", "trade-off-score")()

            def worth(points: Numbers) -> float:
                return measured(score, movable.table(points))

        points, kept = self._climbed(movable, worth, allowed, context)
        claims = _measurable(masked.claims)
        notes = [f"before the optimisation: {note_on_masking}" for note_on_masking in masked.notes]
        if claims and not set(names) <= set(data.quasi_identifiers):
            # Records that differ in a further column move apart, and so do their quasi-identifiers.
            notes.append(
                f"{claims[0].measure} of the masked data is not claimed: columns that are not "
                "quasi-identifiers are moved too"
            )
            claims = ()
        note = (
            f"{kept} moves were kept that raised no measure of risk; moments are off by up to "
            f"{movable.largest(points):.2g} standard deviations instead of "
            f"{movable.largest(movable.start):.2g}"
        )
        groups = masked.groups
        if groups is not None:
            # Values drawn within groups have since been moved with regard to single records.
            groups = replace(groups, drawn_columns=groups.drawn_columns - set(names))
        return Masked(
            movable.table(points),
            groups,
            claims,
            (*notes, note),
            masked.origin,
        )

    def _started(
        self, data: Microdata, names: Sequence[str], known: Numbers, context: Context
    ) -> Masked:
        """Return the file that the climb starts from."""
        if self.start == "random":
            draws = context.generator("start").standard_normal((len(data), len(names)))
            values = known.mean(axis=0) + known.std(axis=0) * draws
            values[np.isnan(data.matrix(names))] = np.nan
            return Masked(
                data.replace(
                    data.column(name).with_values(values[:, j]) for j, name in enumerate(names)
                )
            )
        masked = self.method.protect(data, context.within("method"))
        for name in names:
            if not masked.data.schema[name].continuous:
                raise DataError(
                    f"{type(self).__name__} moves numbers, but {self.method.spec.name} releases "
                    f"column '{name}' as {masked.data.schema[name].kind}; name other columns with "
                    "columns=[…], or use another method"
                )
        return masked

    def _climbed(
        self,
        movable: Movable,
        worth: Callable[[Numbers], float],
        allowed: Callable[[Numbers], bool],
        context: Context,
    ) -> tuple[Numbers, int]:
        """Return the points at the end of the climb, and the number of moves that were kept."""
        rng = context.generator("moves")
        ends = None if self.seconds is None else time.monotonic() + self.seconds
        points, kept, reach = movable.start, 0, self.share
        value = worth(points)
        with one_thread(), context.task("optimising", self.steps) as advance:
            for _ in range(self.steps):
                if ends is not None and time.monotonic() > ends:
                    break
                if self.objective == "moments" and movable.largest(points) < REACHED:
                    break
                count = max(1, round(reach * len(points)))
                moved = np.sort(rng.permutation(len(points))[:count])
                change = self._move(movable, points, moved, reach / self.share, rng)
                # The objective is evaluated first: it costs less than measures of risk.
                for length in self._lengths:
                    candidate = points + length * change
                    new_value = worth(candidate) if np.isfinite(candidate).all() else np.inf
                    if new_value < value:
                        break
                if new_value < value and allowed(candidate):
                    points, value, kept, reach = (
                        candidate,
                        new_value,
                        kept + 1,
                        min(2 * reach, self.share),
                    )
                else:
                    reach = max(reach / 2, 1 / len(points))
                advance(1)
        return points, kept

    def _move(
        self,
        movable: Movable,
        points: Numbers,
        moved: NDArray[np.int64],
        share: float,
        rng: np.random.Generator,
    ) -> Numbers:
        """Return a change of some points, towards the moments or at random."""
        if self.objective == "moments" or rng.random() < 0.5:
            return movable.target.step(points, movable.weights, moved, share)
        change = np.zeros_like(points)
        size = (len(moved), points.shape[1])
        change[moved] = rng.choice(SPREADS) * rng.standard_normal(size)
        return change

    @property
    def _lengths(self) -> tuple[float, ...]:
        # Newton's steps can go too far; computing the score costs too much to try several.
        return LENGTHS if self.objective == "moments" else (1.0,)


def _risk(name: str) -> Measure:
    measure = build("measure", name)
    if not isinstance(measure, Measure) or measure.spec.side is not Side.RISK:
        raise UsageError(
            f"the risks of PostMaskingOptimisation are measures of risk, but '{name}' is not; name "
            "one such as distance-linkage or interval-disclosure"
        )
    return measure


def _worse_is_higher(
    measure: Measure,
    original: Microdata,
    table: Microdata,
    pairing: Pairing | None,
    context: Context,
) -> float:
    # The same draws every time: a difference is one of the tables.
    inner = Context(context.randomness, path=(*context.path, "measure", measure.spec.name))
    try:
        value = measure.score(original, table, inner, pairing).value
    except NotApplicable as reason:
        raise UsageError(
            f"the measure {measure.spec.name} cannot be computed for the masked data: {reason}; "
            "name others with risks=[…]"
        ) from None
    return value if measure.spec.better is Better.LOWER else -value


def _measurable(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims that are measured on the release alone, and so hold for the result here."""
    kept = []
    for claim in claims:
        spec = find("measure", claim.measure).spec
        if isinstance(spec, MeasureSpec) and spec.of_release:
            kept.append(claim)
    return tuple(kept)
