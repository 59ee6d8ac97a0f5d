"""Analysis: something that users of a release are known to compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from discreet.contracts.parameters import Component
from discreet.microdata import Microdata, Numbers


@dataclass(frozen=True, eq=False)
class Figures:
    """The figures of an analysis: what each is, its estimate and its standard error.

    A figure that the data do not determine (a coefficient of a category that nobody has) is NaN.
    """

    labels: tuple[str, ...]
    estimates: Numbers
    errors: Numbers


class Analysis(Component):
    """Computes figures with standard errors from one file, as an analyst would."""

    family: ClassVar[str] = "analysis"

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that the analysis uses, or report which of them the data lack."""
        raise TypeError(f"{type(self).__name__} does not name its columns")

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the figures of a file; `like`, if given, has the categories and domains to use.

        A release is analysed like its original, so that the figures of the two are comparable.
        """
        raise TypeError(f"{type(self).__name__} does not say how to compute its figures")
