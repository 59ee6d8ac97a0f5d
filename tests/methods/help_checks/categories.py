"""PRAM and MASSC: chances and bounds are those that the help names."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import (
    MASSC,
    PRAM,
    DataError,
    IterativeProportionalFitting,
    Microdata,
    UsageError,
)
from discreet.methods.perturbative.massc.design import RiskStrata, risk_strata
from discreet.models.calibration import calibrated
from tests.methods.help_checks import holds, masked, quasi, released, words_of

KEYS = ("town", "work")


def skewed(rows: int = 200_000) -> Microdata:
    """Four categories in two areas, each with its own rarest: d in one, c in the other."""
    rng = np.random.default_rng(2)
    area = rng.integers(0, 2, rows)
    shares = np.array([[0.6, 0.3, 0.07, 0.03], [0.5, 0.1, 0.05, 0.35]])
    drawn = (rng.random(rows)[:, None] > shares.cumsum(axis=1)[area]).sum(axis=1)
    return quasi(
        {"job": np.array(["a", "b", "c", "d"])[np.minimum(drawn, 3)], "area": area.astype(str)},
        roles={"area": "other"},
    )


def staying(data: Microdata, now: Microdata, rows: np.ndarray) -> np.ndarray:
    """Return the share of each category's records that kept it."""
    before, after = data["job"][rows], now["job"][rows]
    return np.array([(after[before == c] == c).mean() for c in range(4)])


@holds("pram.stay", "the smallest diagonal entry of the invariant matrix")
def _() -> None:
    data = skewed()
    everyone = np.arange(len(data))
    rarest = np.bincount(data["job"]).argmin()
    for stay in (0.8, 0.3):
        kept = staying(data, released(data, PRAM(stay=stay)), everyone)
        assert kept.argmin() == rarest
        assert kept.min() == pytest.approx(stay, abs=0.01), "really the minimum"
        assert np.delete(kept, rarest).min() > stay
    never = {c: {c: 0.0, "a" if c != "a" else "b": 1.0} for c in "abcd"}
    now = released(data, PRAM(stay=0.99, matrices={"job": never}))
    assert staying(data, now, everyone).max() == 0, "no effect on matrices that are given"


TURNS: dict[str, dict[str, float]] = {
    "a": {"a": 0.9, "b": 0.1},
    "b": {"a": 0.25, "c": 0.75},
    "c": {"c": 1},
    "d": {"d": 1},
}


def turned(data: Microdata, method: PRAM) -> None:
    now = released(data, method)["job"]
    for old, row in TURNS.items():
        after = now[data["job"] == "abcd".index(old)]
        for new in "abcd":
            share = (after == "abcd".index(new)).mean()
            assert share == pytest.approx(row.get(new, 0.0), abs=0.01), (old, new)


@holds("pram.matrices", "with their probabilities, which add up to 1")
def _() -> None:
    turned(skewed(), PRAM(matrices={"job": TURNS}))
    with pytest.raises(UsageError, match=r"add up to 1"):
        released(skewed(100), PRAM(matrices={"job": {**TURNS, "c": {"c": 0.9}}}))


@holds("pram.matrix_files", "released categories in the first row, then a row per category")
def _() -> None:
    lines = ["job,a,b,c,d"]
    lines += [
        ",".join([old, *(str(row.get(new, 0)) for new in "abcd")]) for old, row in TURNS.items()
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "job.csv")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        turned(skewed(), PRAM(matrix_files=[f"job={path}"]))


@holds("pram.reveal", "publish the matrices that were given")
def _() -> None:
    rows = {"a": {"a": 0.9, "b": 0.1}, "b": {"b": 1}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.csv")
        path.write_text(",a,b\na,0.5,0.5\nb,0,1\n", encoding="utf-8")
        for reveal in (False, True):
            method = PRAM(matrices={"t": rows}, matrix_files=[f"u={path}"], reveal=reveal)
            recipe = method.recipe(public=True)["pram"]
            assert set(recipe.get("matrices", {})) == ({"t", "u"} if reveal else set())
            assert method.withheld() == ([] if reveal else ["matrices"])


@holds("pram.weighted", "keep the expected weighted counts, where a column has the role weight")
def _() -> None:
    rng = np.random.default_rng(6)
    job = rng.choice(list("abc"), 20_000, p=[0.6, 0.3, 0.1])
    heavy = np.where(job == "a", 1.0, 4.0) + rng.random(len(job))
    roles = {"job": "quasi-identifier", "w": "weight"}
    data = discreet.read({"job": job, "w": heavy}, roles=roles)
    weighted, plain = (released(data, PRAM(stay=0.3, weighted=way)) for way in (True, False))
    for now, weights in ((weighted, data["w"]), (plain, None)):
        before, after = (np.bincount(d["job"], weights) for d in (data, now))
        assert after / after.sum() == pytest.approx(before / before.sum(), abs=0.012)
        other = None if weights is not None else data["w"]
        before, after = (np.bincount(d["job"], other) for d in (data, now))
        assert np.abs(after / after.sum() - before / before.sum()).max() > 0.05


@holds("pram.strata", "matrices may be given per stratum, under its values joined by +")
def _() -> None:
    data = skewed()
    now = released(data, PRAM(stay=0.5, strata=["area"]))
    for area in (0, 1):
        rows = np.flatnonzero(data["area"] == area)
        kept = staying(data, now, rows)
        assert kept.argmin() == np.bincount(data["job"][rows]).argmin()
        assert kept.min() == pytest.approx(0.5, abs=0.04)
        before, after = (np.bincount(d["job"][rows]) / len(rows) for d in (data, now))
        assert after == pytest.approx(before, abs=0.01), "invariant in each stratum"
    still = {c: {c: 1} for c in "abcd"}
    gone = {c: {"a": 1} for c in "abcd"}
    both = PRAM(strata=["area", "area"], matrices={"job": {"0+0": still, "1+1": gone}})
    now = released(data, both)
    assert np.array_equal(now["job"][data["area"] == 0], data["job"][data["area"] == 0])
    assert (now["job"][data["area"] == 1] == 0).all()


def survey(rows: int = 3000) -> Microdata:
    rng = np.random.default_rng(4)
    town = np.minimum(rng.geometric(0.2, rows) - 1, 40)
    sick = rng.random(rows) < 0.2 + 0.3 * (town % 2)
    return quasi(
        {
            "town": [f"t{i}" for i in town],
            "work": [f"w{i}" for i in np.minimum(rng.geometric(0.3, rows) - 1, 20)],
            "sick": np.where(sick, "yes", "no"),
            "pay": rng.lognormal(0, 1, rows) + (town % 3),
            "w": rng.uniform(1, 3, rows),
        },
        roles={"sick": "confidential", "pay": "confidential", "w": "weight"},
    )


def strata_of(data: Microdata, count: int = 4) -> RiskStrata:
    return risk_strata(data, KEYS, count)


def total(data: Microdata, name: str) -> float:
    values = data[name] if name == "pay" else (np.array(words_of(data, name)) == "yes")
    return float((values * data["w"]).sum())


@holds("massc.outcomes", "the weights keep exactly")
def _() -> None:
    data = survey()
    for outcomes, kept in ((None, {"sick", "pay"}), (["pay"], {"pay"}), (["sick"], {"sick"})):
        now = released(data, MASSC(outcomes=outcomes))
        assert len(now) < len(data)
        for name in ("sick", "pay"):
            same = abs(total(now, name) / total(data, name) - 1) < 1e-9
            assert same == (name in kept), (outcomes, name)


@holds("massc.strata", "by how many records share all keys: 1, 2, 3–4, and so on, the last open")
def _() -> None:
    data = survey()
    sizes = strata_of(data).sizes
    for count, ends in ((4, [1, 2, 4, np.inf]), (2, [1, np.inf])):
        note = masked(data, MASSC(strata=count)).notes[0]
        listed = [int(n) for n in re.findall(r"(\d+) records,", note)]
        begins = [0.0, *ends[:-1]]
        expected = [
            int(((sizes > low) & (sizes <= high)).sum())
            for low, high in zip(begins, ends, strict=True)
        ]
        assert listed == expected


@holds("massc.bias", "0.05 is 5 percent; totals that fewer than 30 records add up to are left out")
def _() -> None:
    data = survey()
    runs = [
        released(data, MASSC(outcomes=["pay"], bias=0.01, least_released=1), seed)
        for seed in range(80)
    ]
    assert len(runs[0]) == len(data), "no subsampling, so nothing else moves a total"
    part = data["pay"] * data["w"]
    worst = 0.0
    for key in KEYS:
        for code in np.flatnonzero(np.bincount(data[key]) >= 30):
            before = part[data[key] == code].sum()
            after = np.array([part[run[key] == code].sum() for run in runs])
            error = after.std() / np.sqrt(len(runs)) / before
            change = abs(after.mean() / before - 1)
            assert change < 0.01 + 4 * error, (key, code)
            worst = max(worst, change - 2 * error)
    assert worst > 0.004, "the bound is reached, so it is one percent and not a hundredth of that"


def rates(data: Microdata, method: MASSC, seed: int = 1) -> np.ndarray:
    """Return the share of each stratum that is released."""
    origin = masked(data, method, seed).origin
    labels = strata_of(data).labels
    assert origin is not None
    return np.asarray(np.bincount(labels[origin], minlength=4) / np.bincount(labels, minlength=4))


@holds("massc.standard_error", "largest standard error (not variance)")
def _() -> None:
    data = survey(1500)
    labels = strata_of(data).labels
    method = MASSC(outcomes=["pay"], standard_error=0.02, most_substituted=0, least_released=0.05)
    phi = rates(data, method)
    assert phi.min() > 0.06, "held by the bound, and not by the least share"
    estimates = []
    for seed in range(60):
        origin = masked(data, method, seed).origin
        assert origin is not None
        part = (data["pay"] * data["w"])[origin] / phi[labels[origin]]
        estimates.append(part.sum() / total(data, "pay"))
    assert np.mean(estimates) == pytest.approx(1, abs=0.01)
    assert 0.015 < np.std(estimates) < 0.025


@holds("massc.most_substituted", "largest share of a stratum, from 0 to 1, whose keys are")
def _() -> None:
    data = survey()
    labels = strata_of(data).labels
    for most in (0.0, 0.3):
        method = MASSC(most_substituted=most, bias=1, least_released=1)
        runs = [released(data, method, seed) for seed in range(20)]
        changed = np.mean(
            [(run["town"] != data["town"]) | (run["work"] != data["work"]) for run in runs], axis=0
        )
        shares = [changed[labels == h].mean() for h in range(4)]
        assert shares == pytest.approx([most] * 4, abs=0.03)


@holds("massc.least_released", "smallest share of a stratum, from 0 to 1, that is released")
def _() -> None:
    for least in (0.3, 0.8):
        phi = rates(survey(), MASSC(least_released=least, standard_error=1))
        assert (phi >= least - 1e-9).all()
        assert phi == pytest.approx([least] * 4, abs=0.01)


@holds("massc.calibration", "linear may not, but reaches totals that raking cannot")
def _() -> None:
    data = survey()
    by = {how: released(data, MASSC(calibration=how)) for how in ("raking", "linear")}
    for now in by.values():
        assert total(now, "pay") == pytest.approx(total(data, "pay"))
    assert not np.allclose(by["raking"]["w"], by["linear"]["w"], rtol=1e-6)
    assert by["raking"]["w"].min() > 0
    # Only a negative weight brings the total of 1 and 2 below the number of records.
    terms, totals = np.array([[1.0, 1.0], [1.0, 2.0]]), np.array([2.0, 1.0])
    with pytest.raises(DataError):
        calibrated(np.ones(2), terms, totals, "raking")
    linear = calibrated(np.ones(2), terms, totals, "linear")
    assert terms.T @ linear == pytest.approx(totals)
    assert linear.min() < 0


@holds("iterative-proportional-fitting.margins", "with the number of people in the population")
def _() -> None:
    data = quasi(
        {"sex": ["f", "f", "m"], "w": [1.0, 3.0, 5.0]}, roles={"sex": "other", "w": "weight"}
    )
    now = released(data, IterativeProportionalFitting(margins={"sex": {"f": 40, "m": 50}}))
    assert now["w"] == pytest.approx([10, 30, 50])
