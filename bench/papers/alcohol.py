"""Alcohol as Li & Sarkar used it, and the cross-validated regression of their Table 4.

MAPE (eq. 11) is by cross-validation: nine folds are anonymised, a linear regression is fitted to
them, and it predicts the tenth, which is untreated. A label counts in equal parts for the
categories that it covers (in the weighted form, by their counts), so that untouched records can be
predicted. Records with no drinks or no income have no percentage error and are left out; the mean
absolute error over the range of the response needs no such exception.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Method
from discreet.io.reading import read
from discreet.microdata import Column, Microdata
from discreet.microdata.hierarchy import Hierarchy

FILE = "alcohol_kenkel_terza.csv"
RESPONSES = ("income", "drinks")
FOLDS = 10
# The paper does not describe its hierarchies; these are the obvious ones. Columns of two values
# have only the top above them.
TREES: dict[str, dict[str, Any]] = {
    "age": {
        "up to 40": ["<=30", "<=40"],
        "41 to 60": ["<=50", "<=60"],
        "above 60": ["<=70", ">70"],
    },
    "race": {"white": ["white"], "not white": ["black", "other"]},
    "marital": {"married": ["married"], "not married": ["separated", "single", "widow"]},
    "region": {"north": ["northeast", "midwest"], "south and west": ["south", "west"]},
    "empstatus": {"employed": ["emp"], "not employed": ["unemp", "other"]},
    "limits": {"none": ["none"], "limited": ["some", "major"]},
    "public": {"no": ["none"], "yes": ["medicare", "medicaid", "champus", "several"]},
}
Numbers = NDArray[np.float64]


def alcohol(folder: Path) -> Microdata:
    """Return the file with the paper's 17 attributes: three of them numeric."""
    with (folder / FILE).open(encoding="utf-8") as file:
        records = list(csv.DictReader(file))
    public = ("medicare", "medicaid", "champus")
    columns: dict[str, list[Any]] = {
        name: [record[name] for record in records] for name in records[0] if name not in public
    }
    for name in (*RESPONSES, "educ"):
        columns[name] = [float(value) for value in columns[name]]
    held = [[name for name in public if record[name] == "1"] for record in records]
    columns["public"] = [
        "none" if not names else names[0] if len(names) == 1 else "several" for names in held
    ]
    numbers = (*RESPONSES, "educ")
    roles = {n: "confidential" if n in RESPONSES else "quasi-identifier" for n in columns}
    kinds = {n: "continuous" if n in numbers else "nominal" for n in columns}
    return read(columns, roles=roles, kinds=kinds)


def write_hierarchies(data: Microdata, folder: Path) -> tuple[str, ...]:
    """Write a hierarchy file for every categorical quasi-identifier; return them as parameters."""
    entries = []
    for name in data.quasi_identifiers:
        attribute = data.schema[name]
        if attribute.continuous:
            continue
        if name in TREES:
            hierarchy = Hierarchy.from_tree(TREES[name])
        else:
            hierarchy = Hierarchy([(category,) for category in attribute.categories])
        path = folder / f"{name}.csv"
        levels = [hierarchy.level(hierarchy.categories, n) for n in range(hierarchy.height + 1)]
        lines = [";".join(str(label) for label in labels) for labels in zip(*levels, strict=True)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        entries.append(f"{name}={path}")
    return tuple(entries)


def design(column: Column, released: Column | None, weighted: bool) -> Numbers:
    """Return one column as numbers for the regression, of the original or as it was released.

    A released label is its share of each category that it covers.
    """
    if column.attribute.continuous:
        return np.asarray((column if released is None else released).values[:, None])
    indicators: Numbers = np.eye(len(column.attribute.categories))[column.values]
    if released is None:
        return indicators
    covers = np.zeros((len(released.attribute.categories), indicators.shape[1]))
    (np.add if weighted else np.maximum).at(covers, released.values, indicators)
    shares: Numbers = covers / covers.sum(axis=1, keepdims=True)
    return np.asarray(shares[released.values])


def matrix(
    original: Microdata, released: Microdata | None = None, weighted: bool = False
) -> Numbers:
    """Return all quasi-identifiers side by side after a column of ones."""
    parts = [np.ones((len(original), 1))]
    for name in original.quasi_identifiers:
        masked = None if released is None else released.column(name)
        parts.append(design(original.column(name), masked, weighted))
    return np.hstack(parts)


def cross_validated(
    data: Microdata, method_for: Callable[[Microdata], Method] | None, seed: int
) -> tuple[float, float, list[Groups | None]]:
    """Return MAPE, the error over the range, and the groups of each training part.

    The predictions are for untreated folds. `method_for` gives the method for the
    records of the other folds; without it the regression is fitted to the original records.
    """
    guesses: dict[str, list[Numbers]] = {name: [] for name in RESPONSES}
    truths: dict[str, list[Numbers]] = {name: [] for name in RESPONSES}
    parts = []
    for training, test in folds(data, seed):
        method = method_for(training) if method_for else None
        masked = method.protect(training, Context()) if method else None
        parts.append(masked.groups if masked else None)
        weighted = bool(getattr(method, "weighted", False))
        x = matrix(training, masked.data if masked else None, weighted)
        new = matrix(test)
        responses = np.column_stack([training[name] for name in RESPONSES])
        guessed = new @ np.linalg.lstsq(x, responses, rcond=None)[0]
        for j, name in enumerate(RESPONSES):
            guesses[name].append(guessed[:, j])
            truths[name].append(test[name])
    # One mean over the records of all folds, as in eq. 11, then over the responses.
    both_errors = [
        errors(
            np.concatenate(truths[name]), np.concatenate(guesses[name]), float(np.ptp(data[name]))
        )
        for name in RESPONSES
    ]
    percentage, scaled = np.mean(both_errors, axis=0).tolist()
    return percentage, scaled, parts


def cross_validated_labels(data: Microdata, released: Microdata, seed: int) -> float:
    """Return the error over the range by another reading of the experiment.

    The whole file is anonymised before the folds are dealt, each released label is a category of
    its own, and predictions are for released records.
    """
    parts = [np.ones((len(data), 1))]
    for name in data.quasi_identifiers:
        column = released.column(name)
        codes = column.values
        labels = np.eye(len(column.attribute.categories))
        parts.append(codes[:, None] if column.attribute.continuous else labels[codes])
    x = np.hstack(parts)
    responses = np.column_stack([data[name] for name in RESPONSES])
    guessed, fold = np.empty_like(responses), dealt(data, seed)
    for f in range(FOLDS):
        in_fold = fold == f
        guessed[in_fold] = (
            x[in_fold] @ np.linalg.lstsq(x[~in_fold], responses[~in_fold], rcond=None)[0]
        )
    misses = np.abs(responses - guessed).mean(axis=0)
    return float(np.mean(misses / np.ptp(responses, axis=0)))


def dealt(data: Microdata, seed: int) -> NDArray[np.int64]:
    """Return the fold of each record."""
    return np.random.default_rng(seed).permutation(len(data)) % FOLDS


def folds(data: Microdata, seed: int) -> Iterator[tuple[Microdata, Microdata]]:
    """Divide the records into folds; yield the records of the other folds and those of each."""
    fold = dealt(data, seed)
    for f in range(FOLDS):
        yield data.take(np.flatnonzero(fold != f)), data.take(np.flatnonzero(fold == f))


def errors(truth: Numbers, guess: Numbers, span: float) -> tuple[float, float]:
    """Return the mean absolute error as a share of each value that is not 0, and of the range.

    >>> errors(np.array([0.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]), 4.0)
    (0.375, 0.25)
    """
    misses = np.abs(truth - guess)
    nonzero = truth != 0
    return float((misses[nonzero] / np.abs(truth[nonzero])).mean()), float(misses.mean() / span)
