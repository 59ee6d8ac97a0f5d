"""MART and Regression Mondrian as methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.mart import MART
from discreet.methods.perturbative.regression_k_anonymity import RegressionKAnonymity


def table(n: int = 120) -> discreet.Microdata:
    rng = np.random.default_rng(11)
    age = rng.integers(20, 60, n)
    columns: dict[str, list[Any]] = {
        "age": age.tolist(),
        "town": ["abcd"[i] for i in rng.integers(0, 4, n)],
        "shoe": rng.normal(42, 2, n).round(1).tolist(),
        "pay": (age**2 / 10 + rng.normal(0, 20, n)).tolist(),
    }
    roles = dict.fromkeys(["age", "town", "shoe"], "quasi-identifier") | {"pay": "confidential"}
    return discreet.read(columns, roles=roles)


def test_leaves_share_their_values_and_confidential_ones_stay() -> None:
    data = table()
    masked = MART(k=6).protect(data, Context())
    assert masked.groups is not None
    for name in data.quasi_identifiers:
        pairs = np.unique(np.column_stack([masked.groups.labels, masked.data[name]]), axis=0)
        assert len(pairs) == masked.groups.count
    assert np.array_equal(masked.data["pay"], data["pay"])
    assert [claim.measure for claim in masked.claims] == ["k-anonymity"]


@pytest.mark.parametrize("continuous", ["mean", "median", "range"])
def test_what_stands_for_numbers(continuous: str) -> None:
    data = table()
    masked = MART(k=6, alpha=0, continuous=continuous).protect(data, Context())
    assert masked.groups is not None
    first = data["age"][masked.groups.labels == 0]
    if continuous == "range":
        text = masked.data.schema["age"].categories[
            masked.data["age"][masked.groups.labels == 0][0]
        ]
        assert text == f"[{first.min():g}–{first.max():g}]"
    else:
        value = masked.data["age"][masked.groups.labels == 0][0]
        assert value == pytest.approx(getattr(np, continuous)(first))


def test_stricter_masking_of_what_the_tree_does_not_use() -> None:
    data = table()
    plain = MART(k=30, alpha=0).protect(data, Context())
    strict = MART(k=30, alpha=0, unused="file").protect(data, Context())
    assert plain.groups is not None
    unused = plain.groups.detail["columns not cut"]
    assert "shoe" in unused
    assert len(np.unique(plain.data["shoe"])) > 1
    assert strict.data["shoe"] == pytest.approx(np.full(len(data), data["shoe"].mean()))
    assert np.array_equal(strict.data["age"], plain.data["age"])
    assert "shoe" in strict.notes[-1]


def test_alpha_and_digression_change_the_groups() -> None:
    data = table(400)
    counts = [
        MART(k=5, alpha=alpha).protect(data, Context()).groups.count  # type: ignore[union-attr]
        for alpha in (0, 1e-6, 0.5)
    ]
    assert counts[0] > counts[1] >= counts[2]
    both = MART(k=5, alpha=0, digression=True).protect(data, Context())
    assert both.groups is not None
    assert both.groups.sizes.min() >= 5


def test_a_categorical_confidential_column_is_served_too() -> None:
    data = table()
    ill = ["y" if pay > 150 else "n" for pay in data["pay"]]
    data = discreet.read(
        {"age": data["age"].tolist(), "ill": ill},
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    grown = MART(k=6, alpha=0).protect(data, Context())
    pruned = MART(k=6, alpha=0.05).protect(data, Context())
    assert grown.groups is not None
    assert pruned.groups is not None
    assert grown.groups.count > pruned.groups.count


def test_dependent_responses_are_named_in_the_notes() -> None:
    data = table()
    more = discreet.read(
        {"age": data["age"].tolist(), "pay": data["pay"].tolist(),
         "tax": (data["pay"] / 4).tolist()},
        roles={"age": "quasi-identifier", "pay": "confidential", "tax": "confidential"},
    )  # fmt: skip
    notes = MART(k=6).protect(more, Context()).notes
    assert notes == ("left out of the digression as constant or dependent: tax",)


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


@pytest.mark.parametrize("method", [MART(k=5), RegressionKAnonymity(k=5)])
def test_refusals(method: MART) -> None:
    data = table()
    with pytest.raises(UsageError, match="needs a confidential column for the tree to predict"):
        method.protect(data.drop(["pay"]), Context())
    with pytest.raises(DataError, match="needs at least 5 records"):
        method.protect(data.take(np.arange(4)), Context())


def test_alcohol(reference_data: Path) -> None:
    data = discreet.read(reference_data / "alcohol_kenkel_terza.csv")
    names = [name for name in data.schema.names if name not in ("income", "drinks")]
    roles = dict.fromkeys(names, "quasi-identifier") | dict.fromkeys(["income", "drinks"],
                                                                     "confidential")  # fmt: skip
    data = discreet.read(reference_data / "alcohol_kenkel_terza.csv", roles=roles)
    release = discreet.protect(data, MART(k=10, alpha=1e-60), seed=1)
    assert (release.claims[0].measured or 0) >= 10
