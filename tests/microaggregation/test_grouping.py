"""What all partitions of points share: blocks, refinement, and saying how long it takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Progress, Randomness
from discreet.microaggregation.grouping import expected_seconds, sse_share
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microdata.embedding import Embedding


def _data(rows: int, columns: int = 3, seed: int = 1) -> discreet.Microdata:
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    names = [f"x{j}" for j in range(columns)]
    return discreet.read(
        {name: values[:, j] for j, name in enumerate(names)},
        roles=dict.fromkeys(names, "quasi-identifier"),
    )


def _groups(partition: MDAV, data: discreet.Microdata, seed: int = 1) -> discreet.contracts.Groups:
    return partition.groups(data, data.quasi_identifiers, Context(Randomness(seed)))


def test_refinement_lowers_the_loss_and_keeps_k() -> None:
    data = _data(300)
    plain = _groups(MDAV(k=4), data)
    refined = _groups(MDAV(k=4, refine=200), data)
    assert refined.detail["SSE/SST"] < 0.97 * plain.detail["SSE/SST"]
    assert refined.detail["SSE/SST before refinement"] == plain.detail["SSE/SST"]
    assert refined.sizes.min() >= 4
    assert refined.sizes.max() <= 7


def test_refinement_by_steps_is_repeatable_and_depends_on_the_seed() -> None:
    data = _data(200)
    one = _groups(MDAV(k=3, refine=50), data, seed=5).labels
    assert np.array_equal(one, _groups(MDAV(k=3, refine=50), data, seed=5).labels)
    assert not np.array_equal(one, _groups(MDAV(k=3, refine=50), data, seed=6).labels)


def test_refinement_by_time() -> None:
    data = _data(200)
    plain = _groups(MDAV(k=3), data).detail["SSE/SST"]
    assert _groups(MDAV(k=3, refine_seconds=0.5), data).detail["SSE/SST"] < plain


@pytest.mark.parametrize("refine", [0, 20])
def test_blocks(refine: int) -> None:
    data = _data(2000)
    whole = _groups(MDAV(k=5), data)
    cut = _groups(MDAV(k=5, blocks=500, refine=refine), data)
    assert cut.detail["blocks"] == 4
    assert cut.sizes.min() >= 5
    assert "estimated rise of SSE through the cuts" in cut.detail
    assert cut.detail["SSE/SST"] < 1.3 * whole.detail["SSE/SST"]
    again = _groups(MDAV(k=5, blocks=500, refine=refine), data)
    assert np.array_equal(cut.labels, again.labels), "threads must not matter"


def test_small_files_are_not_cut() -> None:
    data = _data(100)
    assert "blocks" not in _groups(MDAV(k=5, blocks=100), data).detail


class _Listening(Progress):
    def __init__(self) -> None:
        self.said: list[str] = []

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[discreet.progress.Advance]:
        self.said.append(label)
        yield lambda amount: None

    def say(self, message: str) -> None:
        self.said.append(message)


def test_a_large_file_is_announced_before_the_work_starts() -> None:
    listening = _Listening()
    data = _data(100_000, 2)
    context = Context(Randomness(1), listening)
    MDAV(k=50).groups(data, data.quasi_identifiers, context)
    assert listening.said[0].startswith("grouping 100,000 records exactly will take about")
    assert listening.said[1] == "grouping records"


@pytest.mark.parametrize("rows", [300_000, 800_000])
@pytest.mark.parametrize("power", [1.0, 1.5, 2.0])
def test_expected_time_follows_the_growth_on_samples(
    power: float, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 0.0

    def label(part: np.ndarray) -> np.ndarray:
        nonlocal clock
        clock += 1e-6 * len(part) ** power
        return np.zeros(len(part), dtype=np.int64)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(f"discreet.contracts.timing.time.{name}", lambda: clock)
    points = np.zeros((rows, 2))
    assert expected_seconds(points, label) == pytest.approx(1e-6 * rows**power)


def test_expected_time_grows_ever_faster_if_it_does_so_on_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = 0.0

    def seconds(size: float) -> float:
        # Between 4,000 and 16,000 records with the power 1, then 1.2, 1.4, 1.6.
        steps = np.log(size / 4_000) / np.log(4)
        return float(4.0 ** (0.9 * steps + 0.1 * steps**2))

    def label(part: np.ndarray) -> np.ndarray:
        nonlocal clock
        clock += seconds(len(part))
        return np.zeros(len(part), dtype=np.int64)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(f"discreet.contracts.timing.time.{name}", lambda: clock)
    points = np.zeros((1_024_000, 1))
    assert expected_seconds(points, label) == pytest.approx(seconds(len(points)))


@pytest.mark.parametrize("rows", [200_000, 1_024_000])
def test_a_cost_that_does_not_grow_is_not_taken_for_a_power_that_rises(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 0.0

    def label(part: np.ndarray) -> np.ndarray:
        nonlocal clock
        clock += 0.1 + 2e-5 * len(part)
        return np.zeros(len(part), dtype=np.int64)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(f"discreet.contracts.timing.time.{name}", lambda: clock)
    assert expected_seconds(np.zeros((rows, 1)), label) == pytest.approx(2e-5 * rows, rel=0.35)


def test_a_clock_that_shows_no_time_gives_no_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    def label(part: np.ndarray) -> np.ndarray:
        return np.zeros(len(part), dtype=np.int64)

    for name in ("perf_counter", "process_time"):
        monkeypatch.setattr(f"discreet.contracts.timing.time.{name}", lambda: 0.0)
    assert 0 < expected_seconds(np.zeros((200_000, 1)), label) < 1


def test_share_of_the_sum_of_squares() -> None:
    points = np.array([[0.0, 1.0], [2.0, 1.0], [10.0, 1.0], [12.0, 1.0]])
    assert sse_share(points, np.array([0, 0, 1, 1])) == pytest.approx(4 / 104)
    assert sse_share(np.ones((3, 2)), np.zeros(3, dtype=np.int64)) == 0


def test_a_certificate_says_how_good_the_groups_are() -> None:
    data = _data(60, 2)
    found = _groups(MDAV(k=3, refine=200, certificate=5.0), data)
    assert "of the best possible" in found.detail["certificate"]


def _towns(rows: int, towns: int) -> discreet.Microdata:
    rng = np.random.default_rng(2)
    town = [f"t{i}" if i else None for i in rng.integers(0, towns, rows)]
    return discreet.read(
        {"age": rng.normal(size=rows), "town": town},
        roles=dict.fromkeys(["age", "town"], "quasi-identifier"),
        kinds={"town": "nominal"},
    )


@pytest.mark.parametrize("partition", [MDAV, discreet.partition.VMDAV, discreet.partition.MST])
@pytest.mark.parametrize("blocks", [None, 400])
def test_many_categories_take_no_coordinate_each(
    partition: type[MDAV], blocks: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.microdata.embedding.MAX_CELLS", 10_000)
    data = _towns(1_000, 300)
    found = _groups(partition(k=4, blocks=blocks), data)
    assert found.sizes.min() >= 4
    assert 0 < found.detail["SSE/SST"] < 0.6


def test_the_stated_loss_of_codes_is_that_of_points() -> None:
    data = _towns(300, 8)
    found = _groups(MDAV(k=3, refine=20), data)
    points = Embedding.fit(data, data.quasi_identifiers).points(data)
    assert found.detail["SSE/SST"] == pytest.approx(sse_share(points, found.labels))
    assert found.detail["SSE/SST"] < found.detail["SSE/SST before refinement"]
