"""Analyses that break a promise, each filed under the check that has to catch it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from discreet.contracts import Analysis, Figures, Spec
from discreet.errors import UsageError
from discreet.microdata import Microdata
from discreet.testing import analyses
from tests.contract.witness import breaks, spec_of, write_into


class HonestAnalysis(Analysis):
    """>>> pass"""

    spec: ClassVar[Spec] = spec_of()
    labels: ClassVar[tuple[str, ...]] = ("mean",)
    error: ClassVar[float] = 1.0

    @classmethod
    def example(cls) -> Self:
        return cls()

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        if "pay" not in data.schema:
            raise UsageError("an analysis names column 'pay', which is not in the data")
        mean = float(np.nansum(data["pay"])) / max(1, len(data))
        count = len(self.labels)
        return Figures(self.labels, np.full(count, mean), np.full(count, self.error))


@breaks(analyses.check_input_is_untouched, "was changed")
class WritesIntoTheTable(HonestAnalysis):
    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        write_into(data)
        return super().figures(data, like)


@breaks(analyses.check_figures_fit_together, "a label occurs twice")
class OneLabelTwice(HonestAnalysis):
    labels: ClassVar[tuple[str, ...]] = ("mean", "mean")


@breaks(analyses.check_figures_fit_together, "an error is negative")
class NegativeError(HonestAnalysis):
    error: ClassVar[float] = -1.0


@breaks(analyses.check_figures_fit_together, "not one estimate for each label")
class EstimatesTooMany(HonestAnalysis):
    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        return Figures(("mean",), np.zeros(2), np.zeros(1))


@breaks(analyses.check_repeatable, "the estimates differ")
class OtherFiguresForTheRelease(HonestAnalysis):
    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        honest = super().figures(data, like)
        return (
            honest if like is None else Figures(honest.labels, honest.estimates + 1, honest.errors)
        )


@breaks(analyses.check_edge_tables, "not one error for each label")
class NoErrorsForAnEmptyTable(HonestAnalysis):
    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        honest = super().figures(data, like)
        return honest if len(data) else Figures(honest.labels, honest.estimates, np.zeros(0))


@breaks(analyses.check_unknown_columns_are_explained, "nothing was refused")
class InventsFigures(HonestAnalysis):
    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        return Figures(("mean",), np.zeros(1), np.zeros(1))


HONEST: tuple[Any, ...] = (HonestAnalysis,)
