"""MART and Regression Mondrian as methods."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.mart import MART
from discreet.methods.perturbative.regression_k_anonymity import RegressionKAnonymity
from tests.methods.perturbative.pay import table


def alcohol(folder: Path) -> discreet.Microdata:
    path = folder / "alcohol_kenkel_terza.csv"
    confidential = ("income", "drinks")
    roles = {
        name: "confidential" if name in confidential else "quasi-identifier"
        for name in discreet.read(path).schema.names
    }
    return discreet.read(path, roles=roles)


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


@pytest.mark.parametrize("method", [MART(k=5), RegressionKAnonymity(k=5)])
def test_refusals(method: MART) -> None:
    data = table()
    with pytest.raises(UsageError, match="needs a confidential column for the tree to predict"):
        method.protect(data.drop(["pay"]), Context())
    with pytest.raises(DataError, match="needs at least 5 records"):
        method.protect(data.take(np.arange(4)), Context())


def test_alcohol(data_files: Path) -> None:
    data = alcohol(data_files)
    release = discreet.protect(data, MART(k=10, alpha=1e-60), seed=1)
    assert (release.claims[0].measured or 0) >= 10


def test_heavy_tails_collapse_the_tree_which_is_said_and_permutation_does_not(
    reference_data: Path,
) -> None:
    data = alcohol(reference_data)
    usual = MART(k=15, alpha=0.05).protect(data, Context())
    assert usual.groups is not None
    assert usual.groups.count < 5
    [note] = usual.notes
    assert note.startswith(f"pruning left {usual.groups.count} of ")
    assert "income" in note
    assert "drinks" in note
    permuted = MART(k=15, test="permutation").protect(data, Context(Randomness(3)))
    assert permuted.groups is not None
    assert 30 < permuted.groups.count < permuted.groups.detail["leaves grown"]
    assert permuted.notes == ()
