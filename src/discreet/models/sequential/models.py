"""Which regression a column gets, and how it is fitted to a table and drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.microdata import Attribute, Column, Kind, Microdata, Numbers
from discreet.models.design_matrix import MOST_CATEGORIES, DesignMatrix
from discreet.models.sequential.categorical import Multinomial, Ordered
from discreet.models.sequential.count import Count
from discreet.models.sequential.linear import NormalLinear, Semicontinuous, semicontinuous

MODELS = {
    "normal": (Kind.CONTINUOUS,),
    "semicontinuous": (Kind.CONTINUOUS,),
    "count": (Kind.CONTINUOUS,),
    "logistic": (Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL),
    "multinomial": (Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL),
    "ordered": (Kind.CONTINUOUS, Kind.ORDINAL),
}
"""The regressions by name, with the kinds of column that each can be used for."""


class Drawable(Protocol):
    """A fitted model of a column, its parameters drawn."""

    def draw(self, table: Microdata, generator: np.random.Generator) -> NDArray[np.generic]:
        """Return a value for every row of a table of its predictors; none of them missing."""


class Fitter(Protocol):
    """A way of fitting a column to others."""

    def __call__(
        self,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
    ) -> Drawable:
        """Fit to records in which the column is present, and draw the parameters."""


class _OnMatrix(Protocol):
    def draw(self, x: Numbers, generator: np.random.Generator) -> NDArray[np.generic]: ...


@dataclass(frozen=True, eq=False)
class Regression:
    """A regression of one column on a table's columns, its parameters drawn.

    `levels` are the numbers behind the codes where a continuous column was treated as categories.

    >>> import discreet
    >>> data = discreet.read({"age": list(range(20)), "sex": ["f", "m"] * 10})
    >>> generator = np.random.default_rng(1)
    >>> regression = Regression.fit(data, data.column("sex"), ["age"], generator)
    >>> set(regression.draw(data, generator).tolist()) <= {0, 1}
    True
    """

    design: DesignMatrix
    model: _OnMatrix
    levels: Numbers | None = None

    @classmethod
    def fit(
        cls,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
        model: str | None = None,
    ) -> Regression:
        """Fit a named regression, or the one that suits the column."""
        name = model or suitable(column)
        # A column of very many categories has too few records in each for a regression.
        wide = not column.attribute.continuous and len(np.unique(column.values)) > MOST_CATEGORIES
        design = DesignMatrix.fit(data, [] if wide else predictors, reference=True)
        x = matrix(design, data)
        if name == "normal":
            return cls(design, NormalLinear.drawn(x, column.values, generator))
        if name == "semicontinuous":
            return cls(design, Semicontinuous.drawn(x, column.values, generator))
        if name == "count":
            return cls(design, Count.drawn(x, column.values, generator))
        levels, codes = np.unique(column.values, return_inverse=True)
        kind = Ordered if name == "ordered" else Multinomial
        return cls(design, kind.drawn(x, codes, len(levels), generator), levels)

    def draw(self, table: Microdata, generator: np.random.Generator) -> NDArray[np.generic]:
        """Return a value for every row."""
        drawn = self.model.draw(matrix(self.design, table), generator)
        return drawn if self.levels is None else self.levels[drawn]


def matrix(design: DesignMatrix, table: Microdata) -> Numbers:
    """Return the predictors of a table as numbers."""
    return design.matrix(table) if design.terms else np.empty((len(table), 0))


def suitable(column: Column) -> str:
    """Return the regression for a column whose values are all present.

    Two values are logistic whatever they are; numbers with many zeros are semicontinuous.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47, 52], "smokes": [0, 1, 1], "town": ["a", "b", "c"]})
    >>> [suitable(column) for column in data]
    ['normal', 'logistic', 'multinomial']
    """
    if len(np.unique(column.values[:10_000])) <= 2 and len(np.unique(column.values)) <= 2:
        return "logistic"
    if column.attribute.continuous:
        return "semicontinuous" if semicontinuous(column.values) else "normal"
    return "ordered" if column.attribute.kind is Kind.ORDINAL else "multinomial"


def checked_model(name: str, column: Column, owner: str) -> str:
    """Return the name of a regression; raise if it does not suit the column.

    >>> import discreet
    >>> town = discreet.read({"town": ["a"]}).column("town")
    >>> checked_model("count", town, "FullySynthetic")
    Traceback (most recent call last):
    discreet.errors.UsageError: FullySynthetic cannot use the model count for column 'town', which
    is nominal; ...
    """
    if name not in MODELS:
        raise UsageError(
            f"{owner} must be given one of the models {', '.join(MODELS)} for column "
            f"'{column.name}', but '{name}' was given"
        )
    attribute: Attribute = column.attribute
    present = column.values[~column.missing]
    why = ""
    if attribute.kind not in MODELS[name]:
        why = f"which is {attribute.kind}"
    elif name == "count" and ((present < 0).any() or (present != np.floor(present)).any()):
        why = "which has values other than whole numbers of 0 or more"
    elif name == "semicontinuous" and (present < 0).any() and (present > 0).any():
        why = "which has values of both signs"
    elif name == "logistic" and len(np.unique(present)) > 2:
        why = "which has more than two values"
    elif name in ("multinomial", "ordered") and len(np.unique(present)) > MOST_CATEGORIES:
        why = f"which has more than {MOST_CATEGORIES} values"
    if why:
        able = [m for m, kinds in MODELS.items() if attribute.kind in kinds and m != name]
        raise UsageError(
            f"{owner} cannot use the model {name} for column '{column.name}', {why}; choose one "
            f"of {', '.join(able)}"
        )
    return name
