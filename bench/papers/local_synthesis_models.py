"""The propensity models of Table 1: which could be the paper's, and what each can give at all.

The paper names all main effects and interactions from first to third order. That leaves open
whether powers of an attribute are among them, and whether the product of two is an interaction of
first or of second order. So several models are fitted to every release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from bench.papers import thyroid as file
from bench.papers.thyroid import CONTINUOUS, MICRO, NOISE, PRINTED
from discreet.contracts import Groups, Pairing
from discreet.measures.utility.propensity import Propensity
from discreet.microdata import Microdata
from discreet.models.logistic_regression import logistic

Numbers = NDArray[np.float64]
Terms = list[tuple[int, ...]]
"""Products of attributes, each by the places of its factors."""
Figures = Mapping[str, Mapping[str, float]]

STATED = "products of 3"
"""What the paper's words say at least: main effects and products of up to three attributes."""
MEASURED = {
    STATED: Propensity(model="logistic", powers=1),
    "squares, products of 3": Propensity(model="logistic", powers=2),
    "cubes, products of 2": Propensity(model="logistic", powers=3, order=2),
}
PLACES = range(len(CONTINUOUS))
POLYNOMIALS: dict[str, Terms] = {
    "products of 4": [t for o in range(1, 5) for t in combinations(PLACES, o)],
    "powers to 3": [t for o in range(1, 4) for t in combinations_with_replacement(PLACES, o)],
    "powers to 4": [t for o in range(1, 5) for t in combinations_with_replacement(PLACES, o)],
}
MODELS = (*MEASURED, *POLYNOMIALS)


def propensity_by(before: Numbers, after: Numbers, terms: Terms) -> float:
    """Return 2N·U_p by a logistic model of these products of standardised attributes.

    >>> one = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> round(propensity_by(one, one, [(0,)]), 12)
    0.0
    """
    z = (np.vstack([before, after]) - before.mean(axis=0)) / before.std(axis=0)
    matrix = np.column_stack([np.ones(len(z)), *(z[:, t].prod(axis=1) for t in terms)])
    target = np.repeat([0.0, 1.0], [len(before), len(after)])
    found = logistic(target, lambda rows: matrix[rows], 2_048).probabilities
    return 2 * float(((found - 0.5) ** 2).sum())


def propensities(data: Microdata, made: Microdata, pairing: Pairing | None) -> dict[str, float]:
    """Return 2N·U_p of a release by every model."""
    found = {
        model: float(measure.score(data, made, file.seeded(0), pairing).detail["2N·U_p"])
        for model, measure in MEASURED.items()
    }
    before, after = data.matrix(CONTINUOUS), made.matrix(CONTINUOUS)
    return found | {m: propensity_by(before, after, terms) for m, terms in POLYNOMIALS.items()}


LEAST, MOST = "Hybrid of clusters that are exactly normal", "one normal cluster"


def limits(data: Microdata, groups: Groups, seeds: int) -> dict[str, dict[str, float]]:
    """Return what Hybrid cannot fall below, and what Noise comes to as c grows.

    Data whose clusters are exactly normal are what Hybrid is made for: what it gives for them is
    chance. And the more noise eq. 10 adds, the nearer it comes to a normal distribution with the
    file's mean and covariance matrix.
    """
    whole = Groups(np.zeros(len(data), dtype=np.int64))
    drawn: dict[str, list[dict[str, float]]] = {LEAST: [], MOST: []}
    for seed in range(seeds):
        normal, _ = file.within(data, groups)(2 * seed)
        made, pairing = file.within(normal, groups)(2 * seed + 1)
        drawn[LEAST].append(propensities(normal, made, pairing))
        drawn[MOST].append(propensities(data, *file.within(data, whole)(seed)))
    return {
        what: {model: float(np.mean([one[model] for one in found])) for model in MODELS}
        for what, found in drawn.items()
    }


def able(most: Mapping[str, float]) -> list[str]:
    """Return the models that can give as much as the paper has for Noise and Micro.

    >>> able({"blunt": 50.0, "sharp": 900.0})
    ['sharp']
    """
    printed = max(PRINTED[name][0] or 0.0 for name in (NOISE, MICRO))
    return [model for model, value in most.items() if value >= printed]


def spread(found: Figures, model: str) -> float:
    """Return by which factor figures of a model typically differ from a multiple of the paper's.

    A common factor does not count, since it is not sure what the paper's N in 2N·U_p is: all
    records of both files, as in its eq. 11, or those of one.

    >>> from bench.papers.thyroid import PRINTED
    >>> spread({name: {"half": paper[0] / 2} for name, paper in PRINTED.items()}, "half")
    1.0
    """
    ratios = [np.log(found[name][model] / (paper[0] or 1.0)) for name, paper in PRINTED.items()]
    return float(np.exp(np.std(ratios)))


def nearest(found: Figures, models: Sequence[str]) -> str:
    """Return the model whose figures are nearest to a multiple of the paper's."""
    return min(models, key=lambda model: spread(found, model))
