"""A release as its owner holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet

ROLES = {"age": "quasi-identifier", "name": "identifier"}
DATA = {"age": [21, 22, 40, 41], "name": ["An", "Bo", "Cy", "Di"]}


def released(method: object = None, **options: object) -> discreet.Release:
    grouping = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    return discreet.protect(DATA, method or grouping, roles=ROLES, seed=1, **options)  # type: ignore[arg-type]


def test_it_tells_its_size_its_steps_and_what_was_measured_but_no_value() -> None:
    release = released()
    said = repr(release)
    assert said == ("Release(4 records, 1 columns; microaggregation; k-anonymity 2 (claimed: 2))")
    plain = released("additive-noise")
    assert "no claims" in repr(plain)


def test_the_pairing_leads_back_to_the_originals() -> None:
    release = released(discreet.AdditiveNoise(alpha=1e-9))
    assert release.pairing is not None
    originals = release.original["age"][release.pairing.origin]
    assert release.data["age"] == pytest.approx(originals, rel=1e-3)


def test_synthetic_records_have_no_pairing() -> None:
    data = {"age": list(range(40)), "pay": [3 * i % 17 for i in range(40)]}
    roles = dict.fromkeys(data, "quasi-identifier")
    release = discreet.protect(data, "sequential-regression", roles=roles, seed=1)
    assert release.pairing is None
    assert set(release.origin) == {-1}


def test_writing_returns_the_directory_and_takes_another_format(tmp_path: Path) -> None:
    place = released().write(tmp_path / "out", format="parquet")
    assert place == tmp_path / "out"
    assert (place / "release.parquet").is_file()
    with pytest.raises(discreet.DataError, match="out"):
        released().write(tmp_path / "out")
    with pytest.raises(discreet.UsageError, match=r"did you mean '\.parquet'"):
        released().write(tmp_path / "other", format="parkett")
    assert not (tmp_path / "other").exists()
