"""Which regression a column gets, and how it is fitted to a table and drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.microdata import Attribute, Column, Kind, Microdata, Numbers
from discreet.models.design_matrix import MOST_CATEGORIES, DesignMatrix
from discreet.models.sequential.categorical import Multinomial, Ordered
from discreet.models.sequential.count import Count
from discreet.models.sequential.linear import NormalLinear, Semicontinuous, semicontinuous
from discreet.models.sequential.scored import Scored, ScoredPredictors

MODELS = {
    "scores": (Kind.CONTINUOUS,),
    "normal": (Kind.CONTINUOUS,),
    "semicontinuous": (Kind.CONTINUOUS,),
    "count": (Kind.CONTINUOUS,),
    "logistic": (Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL),
    "multinomial": (Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL),
    "ordered": (Kind.CONTINUOUS, Kind.ORDINAL),
}
"""The regressions by name, with the kinds of column that each can be used for."""
SCORES, RAW = "scores", "raw"
"""The scales that numbers may enter regressions on: normal scores, or as they are."""
_OF_NUMBERS: dict[str, Any] = {
    "scores": Scored,
    "normal": NormalLinear,
    "semicontinuous": Semicontinuous,
    "count": Count,
}


class Drawable(Protocol):
    """A fitted model of a column, its parameters drawn."""

    def draw(
        self, table: Microdata, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[np.generic]:
        """Return a value for every row of a table of its predictors; none of them missing.

        `whole` says that the rows are a file like the one that the model was fitted to, which
        should then have its shares.
        """


class Fitter(Protocol):
    """How a column is fitted to others."""

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
    scored: ScoredPredictors | None = None

    @classmethod
    def fit(
        cls,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
        model: str | None = None,
        scale: str = SCORES,
    ) -> Regression:
        """Fit a named regression, or the one that suits the column on this scale."""
        name = model or suitable(column, scale)
        # A column of very many categories has too few records in each for a regression.
        wide = not column.attribute.continuous and len(np.unique(column.values)) > MOST_CATEGORIES
        names = [] if wide else predictors
        scored = ScoredPredictors.of(data, names) if scale == SCORES else None
        table = data if scored is None else scored.table(data)
        names = names if scored is None else table.schema.names
        design = DesignMatrix.fit(table, names, reference=True, join_rare=scale == SCORES)
        x = matrix(design, table)
        if name in _OF_NUMBERS:
            return cls(design, _OF_NUMBERS[name].drawn(x, column.values, generator), None, scored)
        levels, codes = np.unique(column.values, return_inverse=True)
        kind = Ordered if name == "ordered" else Multinomial
        return cls(design, kind.drawn(x, codes, len(levels), generator), levels, scored)

    def draw(
        self, table: Microdata, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[np.generic]:
        """Return a value for every row, whatever the others are."""
        predictors = table if self.scored is None else self.scored.table(table)
        drawn = self.model.draw(matrix(self.design, predictors), generator)
        return drawn if self.levels is None else self.levels[drawn]


def matrix(design: DesignMatrix, table: Microdata) -> Numbers:
    """Return the predictors of a table as numbers."""
    return design.matrix(table) if design.terms else np.empty((len(table), 0))


def suitable(column: Column, scale: str = SCORES) -> str:
    """Return the regression for a column whose values are all present.

    Two values are modelled by a logistic regression whatever they are; other numbers by their
    scores, or on their own scale as normal, or semicontinuous if many are zero.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47, 52], "smokes": [0, 1, 1], "town": ["a", "b", "c"]})
    >>> [suitable(column) for column in data]
    ['scores', 'logistic', 'multinomial']
    >>> suitable(data.column("age"), "raw")
    'normal'
    """
    if len(np.unique(column.values[:10_000])) <= 2 and len(np.unique(column.values)) <= 2:
        return "logistic"
    if column.attribute.continuous:
        if scale == SCORES:
            return "scores"
        return "semicontinuous" if semicontinuous(column.values) else "normal"
    return "ordered" if column.attribute.kind is Kind.ORDINAL else "multinomial"


def too_many_categories(attribute: Attribute) -> bool:
    """Whether a column has too few records in each of its categories for a regression.

    >>> towns = tuple(map(str, range(60)))
    >>> too_many_categories(Attribute("town", kind=Kind.NOMINAL, categories=towns))
    True
    """
    return attribute.kind is Kind.NOMINAL and len(attribute.categories) > MOST_CATEGORIES


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
