"""Comparisons: every setting with every seed on every file, tidy, with intervals, resumable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import discreet
from discreet import Microdata, UsageError
from discreet.exploring import comparing

IN_PROCESS = pytest.mark.usefixtures("trials_in_process")
CANDIDATES: list[Any] = [
    {"additive-noise": {"alpha": {"try": [0.1, 1.0]}}},
    discreet.Rounding(base=10.0),
]


def table(seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = {"age": rng.integers(18, 90, 60), "pay": rng.normal(2000, 300, 60).round()}
    return discreet.read(frame, roles=dict.fromkeys(frame, "quasi-identifier"))


@IN_PROCESS
def test_every_setting_is_run_with_every_seed_on_every_file(tmp_path: Path) -> None:
    data = {"one": table(1), "two": table(2)}
    found = discreet.compare(
        data, CANDIDATES, ["sse-sst", "k-anonymity"], seeds=3, store=tmp_path / "kept", seed=5
    )
    rows = found.rows()
    assert len(rows) == 2 * 3 * 2
    noise = [row for row in rows if row["method"] == "additive-noise"]
    assert {(row["file"], row["additive-noise.alpha"]) for row in noise} == {
        (file, alpha) for file in data for alpha in (0.1, 1.0)
    }
    assert {row["draws"] for row in noise} == {3}
    assert {row["draws"] for row in rows if row["method"] == "rounding"} == {1}
    draws = [
        row["value"] for row in found.draws()
        if (row["file"], row["measure"], row.get("additive-noise.alpha")) == ("one", "sse-sst", 0.1)
    ]  # fmt: skip
    [row] = [r for r in noise if (r["file"], r["measure"], r["additive-noise.alpha"])
             == ("one", "sse-sst", 0.1)]  # fmt: skip
    margin = t.ppf(0.975, 2) * np.std(draws, ddof=1) / np.sqrt(3)
    assert row["mean"] == pytest.approx(np.mean(draws))
    assert (row["low"], row["high"]) == pytest.approx(
        (row["mean"] - margin, min(row["mean"] + margin, 1.0))
    )
    frame = found.to_frame()
    assert frame.num_rows == len(rows)
    assert {"additive-noise.alpha", "rounding.base"} <= set(frame.column_names)
    assert "additive-noise, alpha = 0.1" in repr(found)


@IN_PROCESS
def test_what_was_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def again() -> list[dict[str, Any]]:
        found = comparing.compare(table(1), CANDIDATES[:1], ["sse-sst"], seeds=2, store=tmp_path)
        return found.rows()

    first = again()
    monkeypatch.setattr("discreet.exploring.worker_pool.Pool.start", None)
    monkeypatch.setattr("tests.trials_in_process.InProcess.start", None)
    assert again() == first, "nothing is run a second time"


@IN_PROCESS
def test_a_setting_without_a_figure_says_why() -> None:
    found = discreet.compare(
        table(1), [{"microaggregation": {"partition": {"mdav": {"k": 100}}}}], "sse-sst"
    )
    [row] = found.rows()
    assert row["mean"] is None
    assert "100" in row["reason"]
    assert row["reason"] in repr(found)


def test_nothing_to_compare_is_told() -> None:
    with pytest.raises(UsageError, match="needs a measure"):
        discreet.compare(table(1), CANDIDATES, [])
    with pytest.raises(UsageError, match="needs a candidate"):
        discreet.compare(table(1), [], ["sse-sst"])
    assert discreet.compare is comparing.compare
