"""A long step says beforehand how long it will take; a short one, or one unheard, says nothing."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Progress
from discreet.release import forecast
from discreet.release.forecast import growth_of


class _Told(Progress):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, message: str) -> None:
        self.said.append(message)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "LARGE", 300)
    monkeypatch.setattr(forecast, "SAMPLES", (50, 100, 200))
    monkeypatch.setattr(forecast, "WARM", 20)
    monkeypatch.setattr(forecast, "PATIENCE", 1e-9)


def _protected(told: Progress, records: int = 400, **parameters: int) -> discreet.Release:
    age = np.random.default_rng(1).normal(50, 9, records)
    noise = discreet.AdditiveNoise(**parameters)
    return discreet.protect(
        {"age": age}, noise, 1, roles={"age": "quasi-identifier"}, progress=told
    )


@pytest.mark.parametrize("power", [1.0, 1.6])
def test_the_growth_on_samples_is_carried_on(power: float) -> None:
    clock = 0.0

    def run(size: int) -> None:
        nonlocal clock
        clock += 1e-5 * size**power

    growth = growth_of(run, 10_000_000, lambda: clock)
    assert growth is not None
    assert growth(10_000_000) == pytest.approx(1e-5 * 10_000_000**power)


def test_what_is_soon_done_is_tried_on_the_smallest_sample_only() -> None:
    clock, sizes = 0.0, []

    def run(size: int) -> None:
        nonlocal clock
        clock += 1e-9 * size
        sizes.append(size)

    assert growth_of(run, 1_000_000, lambda: clock) is None
    assert sizes == [forecast.WARM, forecast.SAMPLES[0]]


def test_a_cost_that_does_not_grow_is_not_carried_on() -> None:
    clock, sizes = 0.0, []

    def run(size: int) -> None:
        nonlocal clock
        clock += 0.5 + 1e-6 * size
        sizes.append(size)

    assert growth_of(run, 1_000_000, lambda: clock) is None
    first, second, *_ = forecast.SAMPLES
    assert sizes == [forecast.WARM, first, first, second], "the first one might have been loaded"
    growth = growth_of(run, 100_000_000, lambda: clock)
    assert growth is not None
    assert growth(100_000_000) == pytest.approx(100.5)


def test_records_that_are_treated_another_way_from_some_number_on_are_tried() -> None:
    clock, sizes = 0.0, []

    def run(size: int) -> None:
        nonlocal clock
        # Pairs of records are compared up to 10,000 of them, and samples of pairs beyond.
        clock += 3e-7 * size**2 if size < 10_000 else 2e-4 * size
        sizes.append(size)

    growth = growth_of(run, 1_000_000, lambda: clock)
    assert growth is not None
    assert sizes[-1] == forecast.SAMPLES[-1]
    assert growth(1_000_000) == pytest.approx(200)


@pytest.mark.parametrize("records", [100_000, 1_000_000])
def test_another_way_that_begins_at_the_same_cost_is_not_taken_for_one_that_does_not_grow(
    records: int,
) -> None:
    clock, sizes = 0.0, []

    def run(size: int) -> None:
        nonlocal clock
        clock += 1.8e-7 * size**2 if size < 10_000 else 2e-4 * size
        sizes.append(size)

    growth = growth_of(run, records, lambda: clock)
    assert growth is not None
    assert growth(records) == pytest.approx(2e-4 * records)
    assert sizes[-1] == forecast.SAMPLES[2 if records == 100_000 else 3], "if it is worth its time"


def test_what_is_compiled_on_the_way_is_not_carried_on() -> None:
    clock, compiled = 0.0, set[str]()

    def run(size: int) -> None:
        nonlocal clock
        for what, least in (("scan", 500), ("tree", 3_000)):
            if size > least and what not in compiled:
                compiled.add(what)
                clock += 8.0
        clock += 1e-5 * size

    assert growth_of(run, 100_000, lambda: clock) is None
    assert compiled == {"scan", "tree"}


def test_what_is_loaded_on_the_way_is_not_taken_for_growth() -> None:
    clock, loaded = 0.0, False

    def run(size: int) -> None:
        nonlocal clock, loaded
        clock += 1e-5 * size + (2.0 if size == forecast.SAMPLES[-1] and not loaded else 0.0)
        loaded = loaded or size == forecast.SAMPLES[-1]

    growth = growth_of(run, 5_000_000, lambda: clock)
    assert growth is not None
    assert growth(5_000_000) == pytest.approx(50), "by the square of the records it were hours"


def test_another_way_for_many_records_is_seen_where_that_is_worth_a_sample() -> None:
    clock, sizes = 0.0, []

    def run(size: int) -> None:
        nonlocal clock
        clock += 2.5e-7 * size**2 if size < 10_000 else 1e-3 * size
        sizes.append(size)

    growth = growth_of(run, 100_000, lambda: clock)
    assert growth is not None
    assert sizes[-1] == forecast.SAMPLES[forecast.USUAL - 1]
    assert growth(100_000) == pytest.approx(100)


def test_a_search_that_ends_beyond_the_usual_samples_is_seen_on_a_large_file() -> None:
    clock = 0.0

    def run(size: int) -> None:
        nonlocal clock
        clock += 0.5 + 6e-5 * min(size, 32_000)

    growth = growth_of(run, 1_000_000, lambda: clock)
    assert growth is not None
    assert 2.42 <= growth(1_000_000) < 6, "two or three seconds, not a minute"


@pytest.mark.usefixtures("impatient")
def test_models_that_are_fitted_to_a_sample_take_no_longer_on_a_larger_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = iter(range(1_000))
    monkeypatch.setattr(forecast, "MOST_FITTED", 100)
    monkeypatch.setattr(forecast, "growth_of", lambda *_: forecast.Carried(lambda size: size))
    monkeypatch.setattr(forecast, "timed", lambda run: (run(), 2.0 * next(ticks) + 4.0)[1])
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(50, 9, 400) for name in ("age", "pay")}
    roles = dict.fromkeys(columns, "quasi-identifier")
    drawing = 1 / forecast.SAMPLES[-1]
    for step, seconds in (
        (discreet.CartSynthesis(), 4.0 * drawing),
        (discreet.CartSynthesis(everything=True), 6.0 * drawing),
        (discreet.PartiallySynthetic(), forecast.DRAWN),
        (discreet.AdditiveNoise(), 1.0),
    ):
        told = _Told()
        discreet.protect(columns, step, 1, roles=roles, progress=told)
        expected = forecast.in_words(100 + 300 * seconds)
        assert told.said[0].split(";")[0] == (
            f"{step.spec.name} will take about {expected} for 400 records"
        )


def test_a_search_that_has_an_end_is_forecast_by_three_samples_or_only_bounded() -> None:
    clock = 0.0

    def run(size: int) -> None:
        nonlocal clock
        clock += 0.1 * size**0.5

    long = growth_of(run, 1_000_000, lambda: clock)
    short = growth_of(run, 100_000, lambda: clock)
    assert long is not None
    assert short is not None
    assert long(1_000_000) == pytest.approx(100)
    assert (long.at_most, short.at_most) == (False, True)
    assert short(100_000) > 0.1 * 100_000**0.5


def test_the_largest_blocks_that_are_quick_are_advised() -> None:
    def square(size: float) -> float:
        return 1e-7 * size**2

    assert forecast._in_blocks(square, 100_000) == "in_blocks: 2000 would take about 20 s"
    assert forecast._in_blocks(lambda size: square(size) / 4, 100_000).startswith("in_blocks: 5000")
    assert forecast._in_blocks(lambda size: 1e-3 * size, 100_000) == "", "blocks are no quicker"
    assert forecast._in_blocks(lambda size: 9 * square(size), 100_000).startswith("in_blocks: 2000")


@pytest.mark.usefixtures("impatient")
def test_parameters_that_a_step_says_are_quicker_are_tried_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(50, 9, 400) for name in ("age", "pay")}
    told = _Told()
    monkeypatch.setattr(forecast, "BLOCKS", ())
    discreet.protect(
        columns,
        discreet.ForestSynthesis(trees=40),
        1,
        roles=dict.fromkeys(columns, "quasi-identifier"),
        progress=told,
    )
    assert "; trees: 5 would take about " in told.said[0]
    assert discreet.ForestSynthesis(trees=6).quicker == {}


@pytest.mark.usefixtures("impatient")
def test_a_long_step_is_announced_and_gives_the_same_release() -> None:
    told = _Told()
    loud, quiet = _protected(told), _protected(Progress())
    assert told.said[0].startswith("additive-noise will take about ")
    assert told.said[0].split(";")[0].endswith("for 400 records")
    assert loud.data["age"].tolist() == quiet.data["age"].tolist()


@pytest.mark.usefixtures("impatient")
def test_small_files_and_steps_in_blocks_need_no_word() -> None:
    told = _Told()
    _protected(told, 200)
    _protected(told, in_blocks=100)
    assert told.said == []


@pytest.mark.usefixtures("impatient")
def test_a_step_that_samples_are_too_small_for_is_run_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("too few records")

    monkeypatch.setattr(forecast, "growth_of", fail)
    told = _Told()
    assert len(_protected(told).data) == 400
    assert told.said == []


def test_time_that_others_have_the_processor_is_not_carried_on() -> None:
    wall = own = 0.0

    def run(size: int) -> None:
        nonlocal wall, own
        own += 1e-5 * size
        wall += 1e-5 * size + (30 if size == forecast.SAMPLES[-1] else 0)

    growth = growth_of(run, 10_000_000, lambda: wall, lambda: own)
    assert growth is not None
    assert growth(10_000_000) == pytest.approx(100)
