"""k-anonymity by a regression tree whose groups are generalised."""

from __future__ import annotations

from pathlib import Path

import discreet
from discreet.contracts import Context
from discreet.methods.perturbative.regression_k_anonymity import RegressionKAnonymity
from tests.methods.perturbative.pay import table


def test_regression_k_anonymity_generalises_by_hierarchy(tmp_path: Path) -> None:
    file = tmp_path / "town.csv"
    file.write_text("a;coast\nb;coast\nc;hills\nd;hills\n", encoding="utf-8")
    method = RegressionKAnonymity(k=20, hierarchies=(f"town={file}",))
    masked = method.protect(table(), Context())
    assert set(masked.data.schema["town"].categories) <= {"a", "b", "c", "d", "coast", "hills", "*"}
    assert masked.data.schema["age"].continuous
    assert (discreet.protect(table(), method, seed=1).claims[0].measured or 0) >= 20
    text = RegressionKAnonymity(k=20, continuous="range").protect(table(), Context())
    assert "–" in text.data.schema["age"].categories[0]


def test_a_release_is_written(tmp_path: Path) -> None:
    data = discreet.read(
        {"age": [20 + i % 9 for i in range(30)], "pay": [float(i % 7) for i in range(30)]},
        roles={"age": "quasi-identifier", "pay": "confidential"},
    )
    release = discreet.protect(data, {"regression-k-anonymity": {"k": 2}})
    assert (release.write(tmp_path / "out") / "record.json").exists()
