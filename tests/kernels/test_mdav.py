"""MDAV: the fast kernel against an obvious twin, the yardstick of the bench, and the literature."""

import csv
import importlib.util
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from discreet.kernels import mdav, mdav_by_tree
from discreet.kernels.mdav import mdav_labels, none_scanned
from discreet.kernels.mdav_by_scan import labels_by_scan
from discreet.kernels.mdav_by_tree import labels_by_tree
from tests.kernels.points import (
    MAKERS,
    Table,
    squared_distances,
)


class RunningAverage:
    """Average of the records left: sums that carry their rounding errors (Neumaier)."""

    def __init__(self, points: Table) -> None:
        self.sums = [0.0] * points.shape[1]
        self.slips = [0.0] * points.shape[1]
        for record in points:
            self.add(record)

    def add(self, record: Table) -> None:
        for j, value in enumerate(record.tolist()):
            before = self.sums[j]
            total = before + value
            if abs(before) >= abs(value):
                self.slips[j] += (before - total) + value
            else:
                self.slips[j] += (value - total) + before
            self.sums[j] = total

    def over(self, left: int) -> Table:
        return np.array([(s + e) / left for s, e in zip(self.sums, self.slips, strict=True)])


def slow_mdav(points: Table, k: int) -> Table:
    """Algorithm 1.1, word for word."""
    labels = np.full(len(points), -1)
    average = RunningAverage(points)
    groups = 0

    def remaining() -> Table:
        return np.flatnonzero(labels < 0)

    def farthest_from(centre: Table) -> int:
        left = remaining()
        return int(left[np.argmax(squared_distances(points[left], centre))])

    def group_around(seed: int) -> None:
        nonlocal groups
        others = remaining()
        others = others[others != seed]
        order = np.argsort(squared_distances(points[others], points[seed]), kind="stable")
        members = np.sort([seed, *others[order[: k - 1]]])
        labels[members] = groups
        groups += 1
        for record in members:
            average.add(-points[record])

    while len(remaining()) >= 3 * k:
        seed = farthest_from(average.over(len(remaining())))
        group_around(seed)
        group_around(farthest_from(points[seed]))
    if len(remaining()) >= 2 * k:
        group_around(farthest_from(average.over(len(remaining()))))
    labels[remaining()] = groups
    return labels


@pytest.fixture(scope="module")
def yardstick() -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / "microaggregation" / "yardstick.py"
    if not path.exists():
        pytest.skip("bench/ is not part of this copy")
    spec = importlib.util.spec_from_file_location("mdav_yardstick", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("seed", range(40))
def test_labels_are_those_of_the_twin_and_the_yardstick(
    maker: str, seed: int, yardstick: ModuleType
) -> None:
    rng = np.random.default_rng([seed, len(maker)])
    n, d, k = int(rng.integers(0, 320)), int(rng.integers(1, 16)), int(rng.integers(2, 11))
    points = MAKERS[maker](rng, n, d)
    expected = slow_mdav(points, k)
    np.testing.assert_array_equal(labels_by_tree(points, k), expected)
    np.testing.assert_array_equal(labels_by_scan(points, k), expected)
    np.testing.assert_array_equal(yardstick.mdav_labels(points, k), expected)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("d", "k"), [(1, 4), (3, 3), (9, 5)])
def test_large_tables_agree_with_the_yardstick(
    maker: str, d: int, k: int, yardstick: ModuleType
) -> None:
    points = MAKERS[maker](np.random.default_rng(d), 8_000, d)
    np.testing.assert_array_equal(labels_by_tree(points, k), yardstick.mdav_labels(points, k))


@pytest.fixture
def far_sighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables are grouped as large ones are."""
    monkeypatch.setattr(mdav_by_tree, "AHEAD_FROM", 0)
    monkeypatch.setattr(mdav_by_tree, "QUEUED", 8)
    monkeypatch.setattr(mdav_by_tree, "WINDOW", 2)
    monkeypatch.setattr(mdav_by_tree, "LISTED", 6)


@pytest.mark.usefixtures("far_sighted")
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("seed", range(20))
def test_any_number_of_threads_gives_the_labels_of_the_twin(maker: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(maker), 1])
    n, d, k = int(rng.integers(0, 320)), int(rng.integers(1, 12)), int(rng.integers(1, 11))
    points = MAKERS[maker](rng, n, d)
    expected = slow_mdav(points, k)
    for threads in (1, 2, 4):
        np.testing.assert_array_equal(labels_by_tree(points, k, threads=threads), expected)


@pytest.mark.usefixtures("far_sighted")
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("nominal", [0, 2])
def test_any_number_of_threads_gives_the_same_labels(maker: str, nominal: int) -> None:
    rng = np.random.default_rng(nominal)
    points = np.hstack([MAKERS[maker](rng, 3_000, 5), rng.integers(0, 4, (3_000, nominal))])
    expected = labels_by_scan(points, 5, None, nominal)
    for threads in (1, 2, 4):
        labels = labels_by_tree(points, 5, None, nominal, threads)
        np.testing.assert_array_equal(labels, expected)


@pytest.mark.usefixtures("far_sighted")
def test_an_interrupt_gets_through_to_the_threads() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    points = np.random.default_rng(5).normal(size=(3_000, 9))
    with pytest.raises(KeyboardInterrupt):
        labels_by_tree(points, 3, interrupt, threads=2)


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("n", range(16))
def test_sizes_at_the_ends(n: int, k: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 2))
    labels = mdav_labels(points, k)
    np.testing.assert_array_equal(labels, slow_mdav(points, k))
    np.testing.assert_array_equal(labels_by_tree(points, k), labels)
    sizes = np.bincount(labels, minlength=0)
    assert labels.dtype == np.int64
    if n < 2 * k:
        assert sizes.tolist() == ([n] if n else [])
    else:
        assert sizes.min() >= k
        assert (sizes[:-1] == k).all()
        assert sizes[-1] < 2 * k


def test_the_average_stays_accurate_while_huge_records_leave() -> None:
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(500, 1)), 1e12 * rng.normal(size=(500, 1))])
    average = RunningAverage(points)
    for record in points[500:]:
        average.add(-record)
    assert average.over(500)[0] == pytest.approx(math.fsum(points[:500, 0]) / 500, rel=1e-12)


@pytest.mark.parametrize("power", [-1000, -500, 500, 1000])
def test_huge_and_tiny_values_group_as_moderate_ones(power: int) -> None:
    points = np.random.default_rng(1).normal(size=(200, 3))
    scaled = np.ldexp(points, power)
    np.testing.assert_array_equal(mdav_labels(scaled, 3), mdav_labels(points, 3))


def test_layout_and_type_of_the_table_do_not_matter() -> None:
    points = np.random.default_rng(2).integers(0, 50, (300, 4))
    expected = mdav_labels(points.astype(np.float64), 3)
    np.testing.assert_array_equal(mdav_labels(np.asfortranarray(points), 3), expected)
    np.testing.assert_array_equal(mdav_labels(points.astype(np.float32), 3), expected)


def test_the_table_is_left_alone() -> None:
    points = np.random.default_rng(3).normal(size=(200, 3))
    copy = points.copy()
    points.setflags(write=False)
    mdav_labels(points, 3)
    np.testing.assert_array_equal(points, copy)


def test_no_columns_no_distances() -> None:
    np.testing.assert_array_equal(mdav_labels(np.empty((7, 0)), 2), [0, 0, 1, 1, 2, 2, 2])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        mdav_labels(np.array([[1.0], [bad], [2.0]]), 2)


def test_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="k is 0"):
        mdav_labels(np.zeros((3, 1)), 0)


@pytest.mark.parametrize("labels", [labels_by_scan, labels_by_tree])
@pytest.mark.parametrize("n", [0, 5, 7, 5_000])
def test_progress_adds_up(n: int, labels: Any) -> None:
    steps: list[int] = []
    labels(np.random.default_rng(4).normal(size=(n, 3)), 3, steps.append)
    assert sum(steps) == n
    assert all(step > 0 for step in steps)


@pytest.mark.parametrize("labels", [labels_by_scan, labels_by_tree])
def test_an_interrupt_gets_through(labels: Any) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        labels(np.random.default_rng(5).normal(size=(5_000, 9)), 3, interrupt)


def ways_taken(
    monkeypatch: pytest.MonkeyPatch,
    at_hand: bool,
    sizes: Sequence[int],
    scanned: list[float] | None = None,
) -> list[str]:
    monkeypatch.setattr(mdav, "_scanned", scanned or [0.0])
    monkeypatch.setattr(mdav, "_tree_at_hand", lambda: at_hand)
    taken: list[str] = []
    for module, name in ((mdav, "labels_by_scan"), (mdav_by_tree, "labels_by_tree")):
        monkeypatch.setattr(module, name, lambda points, *_, name=name: taken.append(name))
    for n in sizes:
        mdav_labels(np.zeros((n, 4)), 5)
    return taken


def test_a_few_small_tables_are_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = ways_taken(monkeypatch, False, (10_000, 100_000, *[10_000] * 12))
    # Many blocks of one file are worth compiling the tree for, as a large table is.
    assert taken == ["labels_by_scan", "labels_by_tree", *["labels_by_scan"] * 11, "labels_by_tree"]


def test_fewer_tables_are_scanned_where_the_tree_is_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = ways_taken(monkeypatch, True, (3_000, 3_000, 300))
    assert taken == ["labels_by_scan", "labels_by_tree", "labels_by_scan"]


def test_samples_of_a_large_table_are_labelled_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with none_scanned():
        assert ways_taken(monkeypatch, False, (3_000,), scanned=mdav._scanned) == ["labels_by_tree"]
    assert ways_taken(monkeypatch, False, (3_000,)) == ["labels_by_scan"]


EIA = ["UTILITYID", "RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE"]
EIA += ["INDSALES", "OTHREVENUE", "OTHRSALES", "TOTREVENUE", "TOTSALES"]


def test_information_loss_of_the_literature(reference_data: Path) -> None:
    """Of EIA; those of Census and Tarragona are in the tests of the partition."""
    with (reference_data / "casc_eia.csv").open(newline="") as file:
        points = np.array([[float(row[c]) for c in EIA] for row in csv.DictReader(file)])
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    for k, loss in {3: 0.4829, 5: 1.6667, 10: 3.8397}.items():
        labels = mdav_labels(points, k)
        sizes = np.bincount(labels)
        means = np.stack([np.bincount(labels, column) / sizes for column in points.T], axis=1)
        within = ((points - means[labels]) ** 2).sum()
        assert 100 * within / (points**2).sum() == pytest.approx(loss, abs=5e-5)
