"""Protecting by unit: classes of k households, whatever is known of all their members."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.analysis import verify
from discreet.errors import DataError, UsageError
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import classes
from discreet.microdata.signatures import signatures
from discreet.release.plan import Plan
from tests.release.test_by_level import KEYS, invented

QI = "quasi-identifier"
STEPS: list[Any] = [
    {"microaggregation": {"partition": {"mdav": {"k": 3}}}},
    {"microaggregation": {"partition": {"mdav": {"k": 3}}, "replacement": "range"}},
    {"local-suppression": {"k": 3, "steps": 0}},
]


def survey(keys: list[str], unit: str | None = "household", **kinds: str) -> discreet.Microdata:
    roles = {"hid": "household", **dict.fromkeys(keys, QI)}
    return discreet.read(invented()[[*roles]], roles=roles, kinds=kinds, unit=unit)


def protect(data: discreet.Microdata, step: Any) -> Any:
    return discreet.protect(data, step, seed=1, allow=None, shuffle=False)


@pytest.mark.parametrize("step", [STEPS[0], STEPS[2]], ids=str)
def test_every_household_has_k_that_look_like_it(step: Any) -> None:
    release = protect(survey(KEYS, **dict.fromkeys(KEYS, "nominal")), step)
    assert {c.measure: c.measured >= 3 for c in release.claims} == {
        "k-anonymity": True,
        "household-k-anonymity": True,
    }
    homes = clusters_of(release.data)
    assert homes is not None
    assert np.bincount(signatures(release.data, homes)).min() >= 3


@pytest.mark.parametrize("unit", [None, "different-households"])
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_every_class_has_members_of_k_households(step: Any, unit: str | None) -> None:
    nominal = dict.fromkeys(KEYS, "nominal")
    release = protect(survey(KEYS, unit, **nominal), step)
    assert [str(claim.counts) for claim in release.claims] == ["households"]
    homes = clusters_of(release.data)
    assert homes is not None
    labels = classes(release.data, release.data.quasi_identifiers)
    pairs = np.unique(np.column_stack((labels, homes.labels)), axis=0)
    assert np.bincount(pairs[:, 0]).min() >= 3
    # A family as a whole is not hidden by that: it is more than each of its members.
    assert np.bincount(signatures(release.data, homes)).min() < 3


@pytest.mark.parametrize("step", STEPS[:2], ids=str)
def test_numbers_of_members_are_treated_side_by_side(step: Any) -> None:
    release = protect(survey(["region", "pay"]), step)
    assert {c.measure for c in release.claims} == {"k-anonymity", "household-k-anonymity"}
    homes = clusters_of(release.data)
    assert homes is not None
    assert homes.agreeing(release.data.column("region")).all()


def test_households_of_rare_sizes_become_single_persons() -> None:
    """Two households of six cannot be a class of three, so the next rare size joins them."""
    data = survey(KEYS, **dict.fromkeys(KEYS, "nominal"))
    release = protect(data, STEPS[0])
    gone = release.data.column("hid").missing
    sizes = [data.schema["hsize"].categories[code] for code in np.unique(data["hsize"][gone])]
    assert len(sizes) == 2
    assert 6 in sizes
    assert np.array_equal(gone, release.data.column("hsize").missing)
    assert any("households of 2 rare sizes are released as single" in n for n in release.notes)
    alone = release.data.take(np.flatnonzero(gone))
    labels = classes(alone, alone.quasi_identifiers)
    homes = data["hid"][gone]
    assert min(len(set(homes[labels == c].tolist())) for c in range(labels.max() + 1)) >= 3


def test_too_few_households_are_refused() -> None:
    roles = {"hid": "household", "pay": QI}
    frame = {"hid": [1, 1, 2], "pay": [10.0, 20.0, 30.0]}
    data = discreet.read(frame, roles=roles, unit="household")
    with pytest.raises(DataError, match="needs at least 5 records"):
        protect(data, "microaggregation")


def test_a_plan_says_so_and_the_release_is_verified(tmp_path: Path) -> None:
    invented()[["hid", "region", "sex"]].to_csv(tmp_path / "survey.csv", index=False)
    (tmp_path / "plan.yaml").write_text(
        "data: survey.csv\nunit: household\n"
        "columns: {hid: household, region: quasi-identifier, sex: quasi-identifier}\n"
        "steps:\n  - local-suppression: {k: 3, steps: 0}\nallow: []\n"
    )
    plan = Plan.load(tmp_path / "plan.yaml")
    assert plan.unit == "household"
    assert "unit: household" in plan.dump()
    release = plan.run(seed=1)
    found = verify(release.write(tmp_path / "out"))
    assert found.holds
    assert "household-k-anonymity" in {f.measure for f in found.figures if f.bound is not None}
    release = replace(plan, unit="different-households").run(seed=1)
    found = verify(release.write(tmp_path / "different"))
    assert found.holds
    (claimed,) = [f for f in found.figures if f.bound is not None]
    assert claimed.measure == "k-anonymity"


def test_a_unit_must_be_one_that_is_there() -> None:
    with pytest.raises(UsageError, match="none has that role"):
        discreet.read({"pay": [1.0]}, unit="household")
    with pytest.raises(UsageError, match="'household' or 'person' or 'different-hou"):
        Plan.parse("unit: street\nsteps: [rounding]")
