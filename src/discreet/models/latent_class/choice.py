"""How many classes: the number with the largest BIC, as far as the floor allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.contracts.threads import one_thread
from discreet.errors import DataError, UsageError
from discreet.models.latent_class.fitting import STARTS, fit
from discreet.models.latent_class.model import LatentClassModel, Responses

MOST_CLASSES = 10
"""The paper considers 2 to 10 clusters (§5); here one class is considered too."""

FALLS = 3
"""The search ends after this many numbers of classes in a row without improvement."""


def numbers_of_classes(classes: int | None, k: int, records: int) -> Sequence[int]:
    """Return the numbers of classes to consider; raise if classes of k records are impossible.

    >>> numbers_of_classes(None, 5, 17)
    range(1, 4)
    >>> numbers_of_classes(3, 5, 14)
    Traceback (most recent call last):
    discreet.errors.UsageError: 3 latent classes of at least 5 records need more than 15 ...
    """
    if records < max(k, 1):
        raise DataError(
            f"a latent class of at least {k} records needs as many records, but the data have "
            f"{records}; choose a smaller k or more records"
        )
    # Eq. 4 needs k·G < n; a single class is the whole.
    allowed = max(1, (records - 1) // max(k, 1))
    if classes is None:
        return range(1, min(MOST_CLASSES, allowed) + 1)
    if classes > allowed:
        raise UsageError(
            f"{classes} latent classes of at least {k} records need more than {classes * k} "
            f"records, but the data have {records}; ask for at most {allowed} classes or a "
            "smaller k"
        )
    return (classes,)


def choose(
    regressors: NDArray[np.float64],
    responses: Responses,
    numbers: Sequence[int],
    floor: float,
    context: Context,
    starts: int = STARTS,
) -> LatentClassModel:
    """Return the model with the largest BIC (eq. 6) among these numbers of classes.

    >>> generator = np.random.default_rng(1)
    >>> latent = generator.integers(0, 2, 500)
    >>> codes = (generator.random((500, 5)) < np.where(latent, 0.9, 0.1)[:, None]).astype(int)
    >>> responses = Responses(codes, (2,) * 5)
    >>> choose(np.ones((500, 1)), responses, range(1, 5), 0.02, Context()).classes
    2
    """
    best: LatentClassModel | None = None
    with one_thread(), context.task("latent classes", len(numbers)) as advance:
        for classes in numbers:
            generator = context.generator(f"{classes} latent classes")
            model = fit(regressors, responses, classes, generator, floor, starts, advance)
            if best is None or model.bic > best.bic:
                best = model
            elif model.classes >= best.classes + FALLS:
                break
    assert best is not None
    return best
