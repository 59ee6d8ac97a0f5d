"""Swapping, rounding, matrices: how far values go, and what stays."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import discreet
from discreet import (
    DataShuffling,
    DataSwapping,
    MatrixMasking,
    Microdata,
    RandomRounding,
    RankSwapping,
    Rounding,
    TargetedRecordSwapping,
)
from tests.methods.help_checks import CHECKS, holds, masked, quasi, released, words_of


def thousand() -> Microdata:
    """1,000 different values whose ranks are their numbers, in two towns of 300 and 700."""
    rng = np.random.default_rng(3)
    values = rng.permutation(1000).astype(float)
    town = np.where(values < 300, "Ayle", "Bron")
    return quasi({"pay": values, "town": town}, roles={"town": "other"})


@holds("rank-swapping.p", "5 is 50 ranks among 1,000")
def _() -> None:
    data = thousand()
    moved = np.abs(released(data, RankSwapping(p=5))["pay"] - data["pay"])
    assert 45 <= moved.max() <= 50, "a percentage, and as far as it says"
    assert np.mean(moved > 10) > 0.5
    moved = np.abs(released(data, RankSwapping(p=20))["pay"] - data["pay"])
    assert 180 <= moved.max() <= 200
    # Read as a fraction, 0.05 would be the same window; it is less than one rank.
    assert np.array_equal(released(data, RankSwapping(p=0.05))["pay"], data["pay"])
    in_strata = released(data, RankSwapping(p=5, strata=["town"]))["pay"]
    moved = np.abs(in_strata - data["pay"])
    assert moved[data["pay"] < 300].max() <= 15, "of the stratum"
    assert 25 <= moved[data["pay"] >= 300].max() <= 35


@holds("rank-swapping.strata", "it is exchanged only between records that agree in them")
def _() -> None:
    data = thousand()
    for strata, crossed in ((None, True), (["town"], False)):
        now = released(data, RankSwapping(p=50, strata=strata))["pay"]
        assert ((now < 300) != (data["pay"] < 300)).any() == crossed


def people(rows: int = 4000) -> Microdata:
    rng = np.random.default_rng(5)
    town = rng.integers(0, 4, rows)
    return quasi(
        {
            "town": [f"t{i}" for i in town],
            "work": [f"w{i}" for i in (town + rng.integers(0, 3, rows)) % 5],
            "sick": [f"s{i}" for i in (town + rng.integers(0, 2, rows)) % 3],
        },
        roles={"sick": "confidential"},
    )


def counts(data: Microdata, *names: str) -> list[tuple[str | None, ...]]:
    return sorted(zip(*(words_of(data, name) for name in names), strict=True), key=str)


@holds("data-swapping.margins", "if not given, each treated column with the confidential ones")
def _() -> None:
    data = people()
    pairs = [("town", "work"), ("town", "sick"), ("work", "sick")]
    for margins, kept in (
        (None, {("town", "sick"), ("work", "sick")}),
        (["town+work"], {("town", "work")}),
        (["town+work+sick"], set(pairs)),
    ):
        now = released(data, DataSwapping(margins=margins, share=1))
        for name in ("town", "work"):
            assert counts(now, name) == counts(data, name)
        for pair in pairs:
            assert (counts(now, *pair) == counts(data, *pair)) == (pair in kept), (margins, pair)


@holds("data-swapping.share", "0.5 is every other one; fewer change")
def _() -> None:
    different = quasi({"name": [f"n{i}" for i in range(6000)]}, kinds={"name": "nominal"})
    for share in (0.1, 0.5, 1.0):
        now = released(different, DataSwapping(share=share))
        assert np.mean(now["name"] != different["name"]) == pytest.approx(share, abs=0.02)
    data = people()
    now = released(data, DataSwapping(share=0.5))
    assert 0.2 < np.mean(now["town"] != data["town"]) < 0.45, "exchanged values may be equal"


@holds("data-shuffling.given", "all confidential columns if not given")
def _() -> None:
    rng = np.random.default_rng(4)
    cause, other = rng.normal(size=(2, 3000))
    pay = cause + other + 0.3 * rng.normal(size=3000)
    roles = {"cause": "confidential", "other": "other"}
    data = quasi({"pay": pay, "cause": cause, "other": other}, roles=roles)
    for given, kept in (
        (None, {"cause"}),
        (["other"], {"other"}),
        (["cause", "other"], set(roles)),
    ):
        now = released(data, DataShuffling(given=given))
        for name in roles:
            assert now.column(name).same_as(data.column(name)), "released as they are"
            related = np.corrcoef(now["pay"], data[name])[0, 1]
            assert (related > 0.5) == (name in kept), (given, name)


def homes(rows: int = 4000) -> Microdata:
    """Single persons in four towns of two regions, a few of a rare trade, one to a household."""
    rng = np.random.default_rng(6)
    town = rng.integers(0, 4, rows)
    columns: dict[str, object] = {
        "region": [f"r{t // 2}" for t in town],
        "town": [f"t{t}" for t in town],
        "street": [f"{t} {i % 9}" for i, t in enumerate(town)],
        "trade": ["smith" if i % 400 == 0 else f"w{i % 3}" for i in range(rows)],
        "rooms": [f"{i % 5}" for i in range(rows)],
    }
    return quasi(columns, roles={"street": "other", "rooms": "other"})


def moved(data: Microdata, **parameters: Any) -> NDArray[np.bool_]:
    method = TargetedRecordSwapping(**{"columns": ["region", "town"], **parameters})
    return np.asarray(released(data, method)["town"] != data["town"])


@holds("targeted-record-swapping.rate", "0.05 is one in twenty; more where more are at risk")
def _() -> None:
    data = homes()
    for rate in (0.0, 0.05, 0.5):
        assert np.mean(moved(data, rate=rate, k=1)) == pytest.approx(rate, abs=0.002)
    assert np.mean(moved(data, rate=0.0, k=10)) > 0


@holds("targeted-record-swapping.k", "fewer than this many households there have a member like")
def _() -> None:
    data = homes()
    smith = np.array(words_of(data, "trade")) == "smith"
    per_town = np.bincount(data["town"][smith])
    for k in (1, int(per_town.min()), int(per_town.max()) + 1):
        rare = smith & (per_town[data["town"]] < k)
        assert moved(data, rate=0, k=k)[rare].all()
        assert moved(data, rate=0, k=k).any() == (k > per_town.min())


@holds("targeted-record-swapping.risk", "all quasi-identifiers that are not exchanged if not given")
def _() -> None:
    data = homes()
    as_given = moved(data, rate=0, k=5, risk=["trade"])
    assert np.array_equal(moved(data, rate=0, k=5), as_given)
    assert not moved(data, rate=0, k=5, risk=["rooms"]).any(), "no number of rooms is rare"


@holds("targeted-record-swapping.similar", "the next is tried for those that found no partner")
def _() -> None:
    data = homes()
    method = TargetedRecordSwapping(columns=["region", "town"], similar=["rooms"], rate=0.5)
    now = released(data, method)
    assert counts(now, "town", "rooms") == counts(data, "town", "rooms")
    assert counts(now, "town", "trade") != counts(data, "town", "trade")
    assert not moved(data, similar=["street"]).any(), "nobody elsewhere lives in that street"
    assert moved(data, similar=["street", "size"]).any()


@holds("targeted-record-swapping.carry_along", "exchanged with the areas, such as a postcode")
def _() -> None:
    data = homes()
    parameters: dict[str, Any] = {"columns": ["region", "town"], "rate": 0.5}
    for carry_along, kept in ((None, False), (["street"], True)):
        now = released(data, TargetedRecordSwapping(carry_along=carry_along, **parameters))
        assert (counts(now, "town", "street") == counts(data, "town", "street")) == kept


def measures() -> Microdata:
    rng = np.random.default_rng(8)
    return quasi({"age": rng.uniform(0, 100, 2000), "pay": rng.uniform(0, 5000, 2000)})


@holds("rounding.base", "dates); values halfway between two multiples go up")
def _() -> None:
    data = measures()
    for base in (10.0, 0.25):
        now = released(data, Rounding(base=base))["age"]
        assert np.abs(now / base - np.rint(now / base)).max() < 1e-9
        assert 0.49 * base < np.abs(now - data["age"]).max() <= 0.5 * base + 1e-9
    halves = quasi({"age": [5.0, 15.0, 25.0, -15.0]})
    assert released(halves, Rounding(base=10))["age"].tolist() == [10.0, 20.0, 30.0, -10.0]


@holds("random-rounding.base", "less than one base away from the original")
def _() -> None:
    data = measures()
    runs = np.array([released(data, RandomRounding(base=4), seed)["age"] for seed in range(40)])
    assert (runs % 4 == 0).all()
    away = np.abs(runs - data["age"])
    assert 3.6 < away.max() < 4
    assert abs((runs - data["age"]).mean()) < 4 * runs.std() / np.sqrt(runs.size), "no bias"


for method in (Rounding, RandomRounding):

    def bases(method: type[Rounding | RandomRounding] = method) -> None:
        now = released(measures(), method(base=10, bases={"pay": 500}))
        assert (now["age"] % 10 == 0).all()
        assert (now["age"] % 50 != 0).any()
        assert (now["pay"] % 500 == 0).all()

    def points(method: type[Rounding | RandomRounding] = method) -> None:
        now = released(measures(), method(base=10, points={"pay": [0, 700, 5000]}))
        assert set(now["pay"].tolist()) == {0.0, 700.0, 5000.0}
        assert (now["age"] % 10 == 0).all()

    name = method.spec.name
    CHECKS[f"{name}.bases"] = ("bases of single columns, in place of the common one", bases)
    CHECKS[f"{name}.points"] = ("in place of multiples of a base: column and list", points)


@holds("rounding.spreads", "in place of those of the file: column and number")
def _() -> None:
    data = quasi({"age": [30.0], "pay": [1000.0]})
    points = {"age": [20, 45], "pay": [1100, 1000]}
    # The first vector is 10 years and 100 of pay away, the second 15 years.
    for pay, nearest in ((1e6, 20.0), (1e-6, 45.0)):
        step = Rounding(points=points, together=True, spreads={"age": 1.0, "pay": pay})
        assert released(data, step)["age"].tolist() == [nearest]


@holds("rounding.together", "the n-th points of all columns make one vector")
def _() -> None:
    data = measures()
    points = {"age": [20, 50, 80], "pay": [4000, 500, 2500]}
    vectors = {(20.0, 4000.0), (50.0, 500.0), (80.0, 2500.0)}
    apart, together = (
        set(map(tuple, released(data, Rounding(points=points, together=t)).matrix(["age", "pay"])))
        for t in (False, True)
    )
    assert together == vectors
    assert len(apart) == 9, "column by column every combination comes about"
    # Nearest in units of the columns' deviations, in which both have a spread of one.
    spread = data.matrix(["age", "pay"]).std(axis=0)
    now = released(data, Rounding(points=points, together=True)).matrix(["age", "pay"])
    gaps = [np.square((data.matrix(["age", "pay"]) - v) / spread).sum(axis=1) for v in vectors]
    moved = np.square((data.matrix(["age", "pay"]) - now) / spread).sum(axis=1)
    assert moved == pytest.approx(np.min(gaps, axis=0))


@holds("matrix-masking.attributes", "a column that is not named stays")
def _() -> None:
    data = measures()
    now = released(data, MatrixMasking(attributes={"age": {"age": 0.5, "pay": 0.01}}))
    assert now["age"] == pytest.approx(0.5 * data["age"] + 0.01 * data["pay"])
    assert np.array_equal(now["pay"], data["pay"])


@holds("matrix-masking.displacement", "what is added to each released column, in its own unit")
def _() -> None:
    data = measures()
    method = MatrixMasking(attributes={"age": {"age": 2}}, displacement={"age": 7, "pay": -3})
    now = released(data, method)
    assert now["age"] == pytest.approx(2 * data["age"] + 7), "after the factors"
    assert now["pay"] == pytest.approx(data["pay"] - 3)


@holds("matrix-masking.records", "released row, original row and weight, rows counted from 1")
def _() -> None:
    data = quasi({"pay": [10.0, 20.0, 40.0]})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mask.csv")
        path.write_text("1,2,1\n2,1,0.5\n2,3,0.5\n3,3,1\n", encoding="utf-8")
        now = released(data, MatrixMasking(records=[f"A={path}"]))
    assert now["pay"].tolist() == [20.0, 25.0, 40.0]


@holds("matrix-masking.reveal", "publish B and C")
def _() -> None:
    for reveal in (False, True):
        method = MatrixMasking(
            attributes={"x": {"x": 2}}, displacement={"x": 1}, records=["A=d/a.csv"], reveal=reveal
        )
        recipe = method.recipe(public=True)["matrix-masking"]
        assert ("attributes" in recipe, "displacement" in recipe) == (reveal, reveal)
        assert recipe["records"] == ["A=a.csv"], "of A the name of its file, never what is in it"


@holds("sampling.fraction", "as a fraction: 0.1 is 10 %")
def _() -> None:
    assert len(released(people(), discreet.Sampling(fraction=0.1))) == 400


@holds("sampling.size", "the number of records that is released, in place of fraction")
def _() -> None:
    assert len(released(people(), discreet.Sampling(size=123, fraction=0.9))) == 123


@holds("sampling.strata", "the columns whose values form the strata, each sampled separately")
def _() -> None:
    data = people()
    for seed in range(5):
        outcome = masked(data, discreet.Sampling(fraction=0.25, strata=["town"]), seed)
        for code in range(4):
            share = (outcome.data["town"] == code).sum() / (data["town"] == code).sum()
            assert share == pytest.approx(0.25, abs=0.001)
    simple = [released(data, discreet.Sampling(fraction=0.25), seed)["town"] for seed in range(5)]
    assert len({int((town == 0).sum()) for town in simple}) > 1, "left to chance without strata"
