"""Categorical columns drawn from a latent class regression, given continuous synthetic values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.errors import UsageError
from discreet.microdata import Column, Microdata, Numbers, unknown_column
from discreet.models.latent_class.choice import choose, numbers_of_classes
from discreet.models.latent_class.fitting import with_floor
from discreet.models.latent_class.model import LatentClassModel, Responses, conditional
from discreet.models.latent_class.prior import Regressors

MOST_FITTED = 20_000
"""Records that the classes are fitted on; the probabilities of categories are taken from all."""


@dataclass(frozen=True, eq=False)
class Manifest:
    """An attribute of the model: one column, or several taken together as one.

    `combinations` has a row per category that occurs: the codes of the columns, −1 for missing.

    >>> Manifest(("sex", "title"), np.array([[0, 1], [-1, 0]])).names
    ('sex', 'title')
    """

    names: tuple[str, ...]
    combinations: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LatentClasses:
    """A latent class regression of categorical columns, from which columns are drawn.

    `least_size` is the sum of the records' shares in the smallest class: at least k.
    """

    model: LatentClassModel
    regressors: Regressors
    attributes: tuple[Manifest, ...]
    columns: tuple[Column, ...]
    least_size: float

    def draw(self, points: Numbers, generator: np.random.Generator) -> list[Column]:
        """Return synthetic columns, a value per point.

        The class of each record is drawn from its priors given its continuous values; then each
        attribute is drawn from the probabilities of its categories in that class.
        """
        codes = self.model.draw(self.regressors.matrix(points), generator)
        values: dict[str, NDArray[np.int64]] = {}
        for j, attribute in enumerate(self.attributes):
            drawn = attribute.combinations[codes[:, j]]
            values.update(zip(attribute.names, drawn.T, strict=True))
        return [column.with_values(values[column.name]) for column in self.columns]


def synthesise(
    data: Microdata,
    categorical_columns: Sequence[str],
    original_points: Numbers,
    synthetic_points: Numbers,
    k: int,
    classes: int | None,
    context: Context,
    together: Sequence[Sequence[str]] = (),
) -> list[Column]:
    """Return synthetic values of nominal and ordinal columns, one per synthetic point.

    `original_points` are the continuous attributes of the records of `data`, `synthetic_points`
    those of the records that are made; NaN is missing. With `classes` None the number of classes
    is the one with the largest BIC. A missing category is a category of its own.

    >>> import discreet
    >>> generator = np.random.default_rng(1)
    >>> income = np.concatenate([generator.normal(1, 0.2, 100), generator.normal(5, 0.2, 100)])
    >>> home = ["rented"] * 100 + ["owned"] * 100
    >>> data = discreet.read({"home": home, "income": income})
    >>> made = np.array([[1.0], [1.1], [5.0], [4.9]])
    >>> [column] = synthesise(data, ["home"], income[:, None], made, 5, 2, Context())
    >>> [column.attribute.categories[code] for code in column.values]
    ['rented', 'rented', 'owned', 'owned']
    """
    if not categorical_columns:
        return []
    fitted = latent_classes(
        data, categorical_columns, original_points, k, classes, context, together
    )
    return fitted.draw(synthetic_points, context.generator("categories"))


def latent_classes(
    data: Microdata,
    columns: Sequence[str],
    points: Numbers,
    k: int,
    classes: int | None,
    context: Context,
    together: Sequence[Sequence[str]] = (),
) -> LatentClasses:
    """Fit a latent class regression of these columns on the points, classes of at least k records.

    Columns named in one entry of `together` are taken as one attribute whose categories are the
    combinations that occur: their dependence is then kept within classes too, where the others
    are independent given the class.

    >>> import discreet
    >>> sex, title = ["f", "m", "f", None] * 5, ["Ms", "Mr", "Dr", "Dr"] * 5
    >>> data = discreet.read({"sex": sex, "title": title})
    >>> fitted = latent_classes(data, ["sex", "title"], np.empty((20, 0)), 3, 1, Context(),
    ...                        together=[("sex", "title")])
    >>> fitted.attributes[0].combinations.tolist()
    [[-1, 0], [0, 0], [0, 2], [1, 1]]
    """
    points = np.asarray(points, dtype=np.float64).reshape(len(data), -1)
    attributes, responses = _manifests(data, columns, together)
    numbers = numbers_of_classes(classes, k, len(data))
    regressors = Regressors.fit(points)
    x = regressors.matrix(points)
    floor = k / len(data) if len(data) else 0.0
    fitted = np.arange(len(data))
    if len(data) > MOST_FITTED:
        generator = context.generator("records for latent classes")
        fitted = np.sort(generator.choice(len(data), MOST_FITTED, replace=False))
    model = choose(x[fitted], responses.take(fitted), numbers, floor, context)
    shares, _ = with_floor(model.posteriors(x, responses), floor)
    if len(fitted) < len(data):
        # A category that was not among the records fitted on occurs here.
        model = replace(
            model, probabilities=conditional(responses, shares), prevalence=shares.mean(axis=0)
        )
    least = float(shares.sum(axis=0).min())
    return LatentClasses(
        model, regressors, attributes, tuple(data.column(name) for name in columns), least
    )


def _manifests(
    data: Microdata, columns: Sequence[str], together: Sequence[Sequence[str]]
) -> tuple[tuple[Manifest, ...], Responses]:
    joined: dict[str, tuple[str, ...]] = {name: (name,) for name in columns}
    for group in together:
        for name in group:
            if name not in joined:
                raise UsageError(unknown_column(name, columns, asked_by="together"))
            if len(joined[name]) > 1:
                raise UsageError(
                    f"a column can be drawn together with others only once, but '{name}' is named "
                    "twice; put all of its partners in one entry"
                )
        for name in group:
            joined[name] = tuple(group)
    manifests, codes = [], []
    for names in dict.fromkeys(joined.values()):
        values = np.column_stack([data[name].astype(np.int64) for name in names])
        combinations, combination_codes = np.unique(values, axis=0, return_inverse=True)
        manifests.append(Manifest(names, combinations))
        codes.append(combination_codes.reshape(-1))
    sizes = tuple(len(m.combinations) for m in manifests)
    stacked = np.column_stack(codes) if codes else np.empty((len(data), 0), dtype=np.int64)
    return tuple(manifests), Responses(stacked, sizes)
