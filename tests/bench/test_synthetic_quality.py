"""The aims of the default synthesis are held to the figures of a file."""

from __future__ import annotations

from bench.synthetic_quality import Quality, short

GOOD = {
    "mean": 1.02, "zeros": 0.004, "negative": 0.0, "spearman": 0.01, "cramer": 0.02, "auc": 0.55,
    "pmse": 1.0, "covered": 0.9, "membership": 0.02,
}  # fmt: skip


def test_a_file_within_all_aims_misses_none() -> None:
    assert short(Quality(**GOOD)) == []


def test_what_is_missed_is_named() -> None:
    missed = short(Quality(**{**GOOD, "mean": 0.85, "auc": 0.62, "negative": 0.001}))
    assert missed == ["means within 0.9 to 1.1", "signs kept", "AUC up to 0.6"]


def test_a_file_without_categories_has_no_error_of_theirs() -> None:
    assert short(Quality(**{**GOOD, "cramer": float("nan")})) == []
