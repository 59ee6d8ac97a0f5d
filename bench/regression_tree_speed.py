"""Growing a multivariate regression tree against scikit-learn's multi-output regression tree.

Five numeric and five nominal predictors with up to 50 categories, two responses, at least 20
records in a leaf. scikit-learn takes the categories as integers and cuts them as numbers; ours
orders them by response in every node. Both are timed in turns, from the columns to the tree.
"""

from __future__ import annotations

import argparse

import numpy as np

from bench.side_by_side import ratio, report
from discreet.microdata import Attribute, Column, Kind, Microdata, Role
from discreet.models.regression_tree import grow

CATEGORIES = (5, 10, 20, 35, 50)
LEAF = 20


def table(n: int) -> Microdata:
    """Return records whose responses depend on numbers and categories, with noise."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(5, n))
    codes = [rng.integers(0, count, n, dtype=np.int32) for count in CATEGORIES]
    responses = (
        numbers[0] + np.sin(codes[3]) + rng.normal(size=n),
        numbers[0] * numbers[1] + np.cos(codes[4]) + rng.normal(size=n),
    )
    columns = [
        Column(Attribute(f"number {i}", Role.QUASI_IDENTIFIER), values)
        for i, values in enumerate(numbers)
    ]
    for i, (values, count) in enumerate(zip(codes, CATEGORIES, strict=True)):
        categories = tuple(f"c{c}" for c in range(count))
        attribute = Attribute(f"category {i}", Role.QUASI_IDENTIFIER, Kind.NOMINAL, categories)
        columns.append(Column(attribute, values))
    columns += [
        Column(Attribute(f"response {i}", Role.CONFIDENTIAL), y) for i, y in enumerate(responses)
    ]
    return Microdata(columns)


def main(arguments: list[str] | None = None) -> None:
    from sklearn.tree import DecisionTreeRegressor

    parser = argparse.ArgumentParser(description="growing a tree against scikit-learn")
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    n = 100_000 if parser.parse_args(arguments).quick else 1_000_000
    data = table(n)
    predictors, responses = data.quasi_identifiers, data.having(Role.CONFIDENTIAL)
    grow(data.take(np.arange(500)), predictors, responses, LEAF)  # compiles, outside of the timing
    x, y = data.matrix(predictors), data.matrix(responses)
    leaves = []
    seconds, sklearn_seconds = ratio(
        lambda: leaves.append(len(grow(data, predictors, responses, LEAF).leaves)),
        lambda: leaves.append(
            DecisionTreeRegressor(min_samples_leaf=LEAF, random_state=1).fit(x, y).get_n_leaves()
        ),
        rounds=2,
    )
    report(
        f"growing {n:,} × {len(predictors)}, two responses",
        seconds,
        sklearn_seconds,
        "scikit-learn",
    )
    print(f"leaves: {leaves[0]:,} and {leaves[1]:,}")


if __name__ == "__main__":
    main()
