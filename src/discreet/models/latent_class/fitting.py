"""Fitting a latent class regression by EM, with a floor on the size of every class (eq. 12–15)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from discreet.microdata import Numbers
from discreet.models.latent_class.model import LatentClassModel, Responses, conditional, log_sum
from discreet.models.latent_class.prior import Design, column_mean, fit_priors, priors_at
from discreet.models.weight_floor import weight_floor

STARTS = 12
SHORT = 12
"""Steps of EM from each start; the best few go on for longer, and the best of these to the end."""
FINALISTS = 4
LONG = 100
TRIED = 5_000
"""Records on which starts are tried."""
LONGEST = 500
SETTLED = 1e-7
"""A gain below this share of the log-likelihood ends the fit."""
RAKINGS = 10


def fit(
    regressors: Numbers,
    responses: Responses,
    classes: int,
    generator: np.random.Generator,
    floor: float = 0.0,
    starts: int = STARTS,
    advance: Callable[[float], None] | None = None,
) -> LatentClassModel:
    """Return the model with this number of classes, each at least a share `floor` = k/n.

    EM finds only the nearest maximum of the likelihood, so it is started from several places.

    >>> generator = np.random.default_rng(1)
    >>> latent = generator.integers(0, 2, 400)
    >>> codes = (generator.random((400, 6)) < np.where(latent, 0.9, 0.1)[:, None]).astype(int)
    >>> model = fit(np.ones((400, 1)), Responses(codes, (2,) * 6), 2, generator)
    >>> sorted(model.table(0)[1].round(1).tolist())
    [0.1, 0.9]
    """
    if classes == 1:
        return _expectation_maximisation(
            Design(regressors), responses, np.ones((len(responses), 1)), floor, 1
        )
    tried = np.arange(len(responses))
    if len(tried) > TRIED:
        tried = np.sort(generator.choice(len(responses), TRIED, replace=False))
    few, some = Design(regressors[tried]), responses.take(tried)
    report = advance or (lambda part: None)
    models = []
    for _ in range(starts):
        shares = _start(few.regressors, some, classes, generator)
        models.append(_expectation_maximisation(few, some, shares, floor, SHORT))
        report(0.3 / starts)
    models = sorted(models, key=lambda model: -model.log_likelihood)[:FINALISTS]
    finalists = []
    for model in models:
        finalists.append(_continued(model, few, some, floor, LONG))
        report(0.4 / len(models))
    best = max(finalists, key=lambda model: model.log_likelihood)
    fitted = _continued(best, Design(regressors), responses, floor, LONGEST)
    report(0.3)
    return fitted


def _continued(
    model: LatentClassModel, design: Design, responses: Responses, floor: float, longest: int
) -> LatentClassModel:
    shares = model.posteriors(design.regressors, responses)
    fitted = _expectation_maximisation(
        design, responses, shares, floor, longest, model.coefficients
    )
    same = model.records == fitted.records
    return replace(fitted, path=(*model.path, *fitted.path)) if same else fitted


def _expectation_maximisation(
    design: Design,
    responses: Responses,
    shares: Numbers,
    floor: float,
    longest: int,
    coefficients: Numbers | None = None,
) -> LatentClassModel:
    classes = shares.shape[1]
    if coefficients is None:
        coefficients = np.zeros((design.regressors.shape[1], classes - 1))
    priors = priors_at(design.regressors, coefficients)
    model = LatentClassModel(
        coefficients, np.empty((0, classes)), responses.sizes, records=len(responses)
    )
    path: list[float] = []
    settled = False
    for step in range(longest):
        shares, floored = with_floor(shares, floor)
        last = settled or step == longest - 1
        # Before that one Newton step is enough for the likelihood to rise; at the end the priors
        # are fitted in full, so that their means are those of the shares.
        priors = fit_priors(design, shares, priors, 25 if last else 1)
        model = replace(
            model,
            coefficients=priors.coefficients,
            probabilities=conditional(responses, shares),
            floored=floored,
            prevalence=column_mean(shares),
        )
        joint = model.log_joint(design.regressors, responses, priors.logs)
        total = log_sum(joint)
        path.append(float(total.sum()))
        shares = np.exp(joint - total[:, None])
        if last:
            break
        settled = step > 0 and abs(path[-1] - path[-2]) <= SETTLED * max(1.0, abs(path[-1]))
    return replace(model, log_likelihood=path[-1], path=tuple(path), settled=settled)


def with_floor(shares: Numbers, floor: float) -> tuple[Numbers, bool]:
    """Return shares z whose mean in every class is at least the floor, and whether it acted.

    The means p* (eq. 14) are raised by eq. 3 and 4, and z is brought to the new means by the
    factor p_new/p_old, each record's shares then adding up to 1 again. Eq. 15 as printed moves the
    means by only 1/n of the way. One round does not quite reach the new means, so it is repeated
    until it does.

    >>> z = np.array([[0.9, 0.1], [0.8, 0.2], [0.9, 0.1], [1.0, 0.0]])
    >>> raised, acted = with_floor(z, 0.25)
    >>> raised.mean(axis=0).round(6), acted
    (array([0.75, 0.25]), True)
    """
    means = column_mean(shares)  # eq. 14
    if floor <= 0 or means.min() >= floor:
        return shares, False
    wanted = weight_floor(means, floor)
    raised = shares
    for _ in range(RAKINGS):
        raised = raised * (wanted / np.maximum(means, 1e-300))
        raised /= np.maximum(raised.sum(axis=1, keepdims=True), 1e-300)
        means = column_mean(raised)
        if np.abs(means - wanted).max() <= 1e-9 * floor:
            break
    least = float(means.min())
    if least < floor:
        # Classes that hardly any record shares are raised by factors slowly or not at all. Eq. 3
        # is the same as mixing with equal weights, which can be done record by record.
        mixed = (floor - least) / (1 / len(means) - least)
        raised = (1 - mixed) * raised + mixed / len(means)
    return raised, True


def _start(
    regressors: Numbers, responses: Responses, classes: int, generator: np.random.Generator
) -> Numbers:
    """Return shares that lean towards the nearest of some records taken at random.

    Near is by both kinds of attributes: the share of unequal categories plus the mean squared
    difference of the regressors.
    """
    rows = len(responses)
    seeds = generator.choice(rows, classes, replace=rows < classes)
    apart = np.empty((rows, classes))
    for g, seed in enumerate(seeds):
        unequal = (responses.codes != responses.codes[seed]).mean(axis=1)
        away = ((regressors - regressors[seed]) ** 2).mean(axis=1)
        apart[:, g] = unequal + away / 2
    nearest = apart.argmin(axis=1)
    shares = np.full((rows, classes), 0.3 / classes)
    shares[np.arange(rows), nearest] += 0.7
    return shares
