"""Declared analyses: what users of the release are known to compute, and whether it survives."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Analysis,
    Better,
    Context,
    Figures,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.interval_overlap import overlaps
from discreet.microdata import Microdata, Role
from discreet.microdata.decoded import Decoded
from discreet.models.combining import combine


class Analyses(Measure):
    """The mean overlap of confidence intervals of the figures that a plan declares.

    Each analysis is run on the original and on the release as an analyst would run it: a coarse
    or suppressed value is drawn from what it stands for, several times, and the draws are combined
    by the rules of multiple imputation, so that coarse data give wide intervals. A figure that can
    no longer be computed has an overlap of 0.

    >>> import discreet
    >>> original = discreet.read({"pay": [10, 20, 30, 40]})
    >>> released = discreet.read({"pay": [15, 15, 35, 35]})
    >>> score = Analyses([{"mean": {"of": ["pay"]}}]).score(original, released, Context())
    >>> round(score.value, 3), score.detail["figures"][0]["figure"]
    (0.947, 'mean of pay')
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="analyses",
        title="Overlap of intervals in the declared analyses",
        citation="Karr, Kohnen, Oganian, Reiter & Sanil (2006), A framework for evaluating the "
        "utility of data altered to protect confidentiality, §2; Rubin (1987), Multiple Imputation "
        "for Nonresponse in Surveys, §3.1",
        missing="as each analysis says",
        side=Side.UTILITY,
        question=Question.ANALYSES,
        better=Better.HIGHER,
        low=0,
        high=1,
        at_identity=1,
        percent=True,
        formula="½ (|A ∩ B|/|A| + |A ∩ B|/|B|) for the intervals A, B of a figure in the two files",
        cost="that of the analyses, six times",
    )

    of: tuple[Analysis, ...] = param(
        default=(), help="the analyses, each by its name with its parameters"
    )
    level: float = param(
        default=0.95, help="the level of confidence of the intervals", above=0, below=1
    )

    @classmethod
    def example(cls) -> Self:
        """Return an instance for docs and checks."""
        recipes: list[dict[str, Any]] = [
            {"mean": {"of": ["income"], "by": ["town"]}},
            {"table": {"of": ["town"]}},
            {"linear": {"formula": "income ~ height + grade"}},
        ]
        return cls(recipes)  # type: ignore[arg-type]

    def _columns(self, original: Microdata) -> list[str]:
        """Return the columns of all analyses, each once."""
        named = [name for analysis in self.of for name in analysis.columns(original)]
        return list(dict.fromkeys(named))

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean overlap; detail has every figure with both intervals."""
        if not self.of:
            raise NotApplicable("no analyses are declared; name them below 'analyses:' in the plan")
        reach = NormalDist().inv_cdf((1 + self.level) / 2)
        origin = None if pairing is None else pairing.origin
        tables = _drawn(original, released, self._columns(original), origin, context)
        rows: list[dict[str, Any]] = []
        undetermined: list[str] = []
        for analysis in self.of:
            before = analysis.figures(original)
            after = _combined([analysis.figures(table, original) for table in tables])
            shared = overlaps(before.estimates, before.errors, after.estimates, after.errors, reach)
            for i, label in enumerate(before.labels):
                if np.isnan(before.estimates[i]) or np.isnan(before.errors[i]):
                    undetermined.append(label)
                    continue
                lost = np.isnan(after.estimates[i]) or np.isnan(after.errors[i])
                rows.append(
                    {
                        "figure": label,
                        "analysis": analysis.spec.name,
                        "original": float(before.estimates[i]),
                        "original error": float(before.errors[i]),
                        "released": None if lost else float(after.estimates[i]),
                        "released error": None if lost else float(after.errors[i]),
                        "overlap": 0.0 if lost else float(shared[i]),
                    }
                )
        if not rows:
            raise NotApplicable("none of the declared figures is determined by the original")
        worst = sorted(rows, key=lambda row: row["overlap"])[0]
        note = f"the worst is {worst['figure']}: {worst['overlap']:.0%} of its interval survives"
        if undetermined:
            note += f"; not determined by the original: {', '.join(undetermined[:3])}"
        return Score(
            float(np.mean([row["overlap"] for row in rows])),
            detail={"figures": rows, "not determined": undetermined, "level": self.level},
            note=note,
        )


def _drawn(
    original: Microdata,
    released: Microdata,
    names: list[str],
    origin: NDArray[np.int64] | None,
    context: Context,
) -> list[Microdata]:
    """Return what an analyst can use of the release, with its weights and strata."""
    design = [
        released.column(name)
        for name in released.having(Role.WEIGHT, Role.STRATUM, Role.HOUSEHOLD, Role.PERSON)
        if name not in names
    ]
    view = Decoded(original, released, names, origin)
    return [Microdata([*table, *design]) for table in view.draws(context.generator("draws"))]


def _combined(draws: list[Figures]) -> Figures:
    """Return the figures of several draws as one, by the rules of multiple imputation."""
    if len(draws) == 1:
        return draws[0]
    estimates = np.array([figures.estimates for figures in draws])
    variances = np.array([figures.errors for figures in draws]) ** 2
    combined = combine(estimates, variances, "missing", draws[0].labels)
    return Figures(draws[0].labels, combined.estimates, combined.errors)
