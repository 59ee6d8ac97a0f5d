"""Why MART's regression does not predict better than Regression Mondrian's (RM) on Alcohol.

Li & Sarkar put their lead in MAPE down to joined categories. Here one thing at a time is changed,
for both methods alike (MART without pruning), and the error looked at again: the values of the
records that are predicted, the regression, and the labels. A cause is one whose removal takes the
difference away. The error over the range leads, since MAPE hangs on a handful of men who earn next
to nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.papers.alcohol import RESPONSES, Numbers, errors, folds, matrix, write_hierarchies
from bench.papers.mart_size import tree_of
from bench.papers.section import Pair, Quantity, Row, Section, Table, share
from discreet.contracts import Context, Groups
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microaggregation.replacement.generalisation import Generalisation
from discreet.microaggregation.replacement.value_concatenation import ValueConcatenation
from discreet.microdata import Microdata
from discreet.microdata.hierarchy import Hierarchy, hierarchies_of
from discreet.models.regression_tree import Tree, grow

RM, UNPRUNED = "RM", "MART unpruned"
AS_IS = "as in Table 4"
IN_GROUPS = "predicted from the released values of its group"
OF_RM = "only the directions in which RM's release varies"
MEANS = "predicted by the mean of its group, no regression"
EXCHANGED = "labels exchanged: RM joins, MART generalises"
CUT = (0.01, 0.03, 0.1)
LOW = 0.01
DRAWS = 20
NO_DIRECTION = 1e-10


@dataclass(frozen=True)
class Both:
    """One change at one average size: MAPE and error over the range, RM and MART, by deal."""

    change: str
    size: int
    figures: Numbers  # deal, method, measure

    @property
    def gaps(self) -> Numbers:
        """MART's error over the range less RM's, for each deal."""
        return np.asarray(self.figures[:, 1, 1] - self.figures[:, 0, 1])


def without(share_of_largest: float) -> str:
    """Return the name of a regression without the directions in which released records vary least.

    >>> without(0.03)
    'directions below 3 % of the widest left out'
    """
    return f"directions below {100 * share_of_largest:g} % of the widest left out"


CHANGES = (AS_IS, IN_GROUPS, OF_RM, MEANS, *map(without, CUT), EXCHANGED)


def released(
    data: Microdata, groups: Groups, joined: bool, hierarchies: tuple[str, ...]
) -> Microdata:
    """Return the groups with joined categories, or with those of the hierarchies."""
    names = list(data.quasi_identifiers)
    if joined:
        return data.replace(ValueConcatenation().replace(data, names, groups, Context()))
    numbers = [name for name in names if data.schema[name].continuous]
    labels = [name for name in names if name not in numbers]
    columns = Generalisation(hierarchies=hierarchies).replace(data, labels, groups, Context())
    return data.replace([*columns, *Centroid().replace(data, numbers, groups, Context())])


def directions(x: Numbers) -> Numbers:
    """Return an orthonormal basis of the row space of a matrix, one column each.

    >>> directions(np.array([[3.0, 4.0], [6.0, 8.0]])).round(3).tolist() in (
    ...     [[0.6], [0.8]], [[-0.6], [-0.8]])
    True
    """
    _, values, rows = np.linalg.svd(x, full_matrices=False)
    return np.asarray(rows[values > NO_DIRECTION * values[0]].T, dtype=np.float64)


def predictions(
    training: Microdata,
    test: Microdata,
    tree: Tree,
    joined: bool,
    hierarchies: tuple[str, ...],
    basis: Numbers,
) -> dict[str, Numbers]:
    """Return the predictions of both responses under every change.

    `basis` are the directions to which one of the changes keeps the regression.
    """
    groups = Groups(tree.labels)
    y = np.column_stack([training[name] for name in RESPONSES])
    new = matrix(test)
    # All records of a group are released alike: least squares of all of them is that of one for
    # each group with the group's mean response, both times the root of the group's size.
    first, counts = np.unique(tree.labels, return_index=True, return_counts=True)[1:]
    means = np.column_stack([np.bincount(tree.labels, column) / counts for column in y.T])
    root = np.sqrt(counts)[:, None]
    x, other = (
        matrix(training, released(training, groups, alike, hierarchies))[first]
        for alike in (joined, not joined)
    )
    own = np.searchsorted(tree.leaves, tree.assign(test))

    def fit(rows: Numbers, cut: float | None = None) -> Numbers:
        return np.asarray(np.linalg.lstsq(root * rows, root * means, rcond=cut)[0])

    return {
        AS_IS: new @ fit(x),
        IN_GROUPS: x[own] @ fit(x),
        OF_RM: new @ basis @ fit(x @ basis),
        MEANS: means[own],
        **{without(cut): new @ fit(x, cut) for cut in CUT},
        EXCHANGED: new @ fit(other),
    }


def changed(data: Microdata, least: dict[int, tuple[int, int]], deals: int) -> list[Both]:
    """Return every change at every size; `least` has the k of RM and of MART for each size."""
    found = {(size, change): np.zeros((deals, 2, 2)) for size in least for change in CHANGES}
    with tempfile.TemporaryDirectory() as place:
        entries = write_hierarchies(data, Path(place))
        hierarchies = hierarchies_of(entries, data.schema, "Table 4")
        for deal in range(deals):
            parts = list(folds(data, deal))
            for training, test in parts:
                for size, (k_mondrian, k_mart) in least.items():
                    trees = (mondrian_tree(training, k_mondrian, hierarchies),
                             tree_of(training, k_mart))  # fmt: skip
                    mondrian = released(training, Groups(trees[0].labels), False, entries)
                    rows = np.unique(matrix(training, mondrian), axis=0)
                    basis = directions(rows)
                    for method, tree in enumerate(trees):
                        guesses = predictions(training, test, tree, method == 1, entries, basis)
                        for change, guess in guesses.items():
                            error = averaged(data, test, guess)
                            found[size, change][deal, method] += error / len(parts)
    return [Both(change, size, figures) for (size, change), figures in found.items()]


def squared(
    data: Microdata, least: dict[int, tuple[int, int]], deals: int
) -> dict[tuple[int, str], tuple[float, float]]:
    """Return the squared error of the group means, in training and for records not in it.

    It is a share of the variance of the file, responses scaled to [0, 1]: at 1 the groups tell no
    more than the mean of all.
    """
    spans = np.array([np.ptp(data[name]) for name in RESPONSES])
    variance = sum(float(np.var(data[name] / np.ptp(data[name]))) for name in RESPONSES)
    found = {(size, method): np.zeros(2) for size in least for method in (RM, UNPRUNED)}
    with tempfile.TemporaryDirectory() as place:
        hierarchies = hierarchies_of(write_hierarchies(data, Path(place)), data.schema, "Table 4")
        parts = [part for deal in range(deals) for part in folds(data, deal)]
        for training, test in parts:
            for size, (k_mondrian, k_mart) in least.items():
                for method, tree in ((RM, mondrian_tree(training, k_mondrian, hierarchies)),
                                     (UNPRUNED, tree_of(training, k_mart))):  # fmt: skip
                    y, new = (
                        np.column_stack([part[name] for name in RESPONSES]) / spans
                        for part in (training, test)
                    )
                    means = np.array([y[tree.records(leaf)].mean(axis=0) for leaf in tree.leaves])
                    own = np.searchsorted(tree.leaves, tree.assign(test))
                    errors_of = (y - means[tree.labels], new - means[own])
                    found[size, method] += [
                        float((one**2).sum(axis=1).mean()) / variance / len(parts)
                        for one in errors_of
                    ]
    return {key: (float(one[0]), float(one[1])) for key, one in found.items()}


def mondrian_tree(data: Microdata, k: int, hierarchies: dict[str, Hierarchy]) -> Tree:
    """Return RM's tree."""
    return grow(data, data.quasi_identifiers, RESPONSES, k, hierarchies=hierarchies, multiway=True)


def averaged(data: Microdata, test: Microdata, guess: Numbers) -> Numbers:
    """Return MAPE and the error over the range, each the mean over the responses."""
    each = [
        errors(test[name], guess[:, j], float(np.ptp(data[name])))
        for j, name in enumerate(RESPONSES)
    ]
    return np.asarray(np.mean(each, axis=0), dtype=np.float64)


def constants(data: Microdata) -> tuple[float, float]:
    """Return MAPE if every man is given the mean of the file, and if the median."""
    given = [
        [errors(data[name], np.full(len(data), value(data[name])), 1.0)[0] for name in RESPONSES]
        for value in (np.mean, np.median)
    ]
    return float(np.mean(given[0])), float(np.mean(given[1]))


def lowest_incomes(data: Microdata) -> tuple[int, float]:
    """Return how many men earn something up to `LOW`, and their share of income's MAPE.

    The share is that of predicting the mean for everyone.
    """
    income = data["income"]
    income = income[income != 0]
    parts = np.abs(income - data["income"].mean()) / np.abs(income)
    low = np.abs(income) <= LOW
    return int(low.sum()), float(parts[low].sum() / parts.sum())


def random_labels(rows: int, size: int, seed: int) -> NDArray[np.int64]:
    """Return groups of about a size that are drawn at random.

    >>> np.bincount(random_labels(10, 5, 0))
    array([5, 5])
    """
    order = np.random.default_rng(seed).permutation(rows)
    return np.asarray(order % round(rows / size), dtype=np.int64)


def causes(data: Microdata, least: dict[int, tuple[int, int]], deals: int) -> Section:
    """Return the changes, and in words which of them take the difference away."""
    found = changed(data, least, deals)
    trees = squared(data, least, deals)
    rows = []
    for one in found:
        (rm_mape, rm_error), (mape, error) = 100 * one.figures.mean(axis=0)
        figures = (rm_error, error, 100 * one.gaps.mean(), rm_mape, mape)
        pairs = tuple(Pair(None, float(figure)) for figure in figures)
        rows.append(Row(f"size {one.size}: {one.change}", pairs))
    quantities: tuple[Quantity, ...] = (
        share("error / range: RM"),
        share("MART"),
        share("MART − RM"),
        share("MAPE: RM", 0),
        share("MAPE: MART", 0),
    )
    return Section(
        title="Table 4: why MART does not predict better here",
        says="RM and MART without pruning; one thing is changed for both at a time. A record is "
        "one of the fold that nothing touched.",
        tables=(
            Table("Error of predictions", "", quantities, tuple(rows)),
            Table(
                "Squared error of the group means, of the variance of the file",
                "",
                (share("in training"), share("records not in training")),
                tuple(
                    Row(f"size {size}: {method}", (Pair(None, 100 * fit), Pair(None, 100 * new)))
                    for (size, method), (fit, new) in trees.items()
                ),
            ),
        ),
        remarks=(*remarks(data, found), said_of_trees(trees)),
    )


def remarks(data: Microdata, found: Sequence[Both]) -> tuple[str, ...]:
    """Return what the changes say."""
    mean, median = constants(data)
    men, part = lowest_incomes(data)
    at = {(one.size, one.change): 100 * float(one.gaps.mean()) for one in found}
    said = [
        (
            f"MAPE says little here: {men} men with an income of up to "
            f"{1000 * LOW:.0f} dollars a month have {100 * part:.0f} % of income's MAPE, and the "
            f"median for everyone, without any quasi-identifier, has {100 * median:.0f} % (the "
            f"mean {100 * mean:.0f} %)."
        )
    ]
    for size in sorted({one.size for one in found}):
        gap, inside = at[size, AS_IS], at[size, IN_GROUPS]
        cut = ", ".join(f"{signed(at[size, without(c)])} below {100 * c:g} %" for c in CUT)
        said.append(
            f"Size {size}, MART − RM in points of the range: {signed(gap)} as in Table 4; "
            f"{signed(inside)} where a record has the released values of its group, so that "
            "nothing is predicted beyond the groups"
            + (f" ({100 * (1 - inside / gap):.0f} % of the difference gone)" if gap > 0 else "")
            + f"; {signed(at[size, OF_RM])} where MART's regression is kept to the directions in "
            f"which RM's release varies; {signed(at[size, MEANS])} by the means of the groups, "
            "which is the trees' own difference; with the narrowest directions left out "
            f"{cut}."
        )
    return tuple(said)


def said_of_trees(trees: dict[tuple[int, str], tuple[float, float]]) -> str:
    """Return what the squared errors say of the trees."""
    sizes = sorted({size for size, _ in trees})
    closer = sum(trees[size, UNPRUNED][0] < trees[size, RM][0] for size in sizes)
    worse = sum(trees[size, UNPRUNED][1] > trees[size, RM][1] for size in sizes)
    beyond = sum(new > 1 for _, new in trees.values())
    return (
        "Cuts in two fit the training records closer than cuts by hierarchy at "
        f"{closer} of {len(sizes)} sizes, and other records worse at {worse} of {len(sizes)}. "
        f"{beyond} of {len(trees)} trees predict other records with a larger squared error than "
        "the mean of all does: there is little here that better labels could keep."
    )


def signed(points: float) -> str:
    """Return a difference with its sign.

    >>> signed(-0.126)
    '−0.13'
    """
    return f"{points:+.2f}".replace("-", "−")
