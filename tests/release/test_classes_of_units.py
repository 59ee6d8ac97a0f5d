"""Where a person has several records, claims count persons."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Method
from discreet.errors import UsageError
from discreet.measures.risk.k_anonymity import KAnonymity
from discreet.measures.risk.sample_uniqueness import SampleUniqueness
from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import clusters_of, counted_once
from discreet.microdata.equivalence import classes
from discreet.microdata.levels import of_household
from discreet.publishing.verifying import Verification, verify

K = 3


def visits(persons: int = 60, unit: str | None = None) -> Microdata:
    """Patients with one to five visits: sex and town are theirs, ward and month the visit's."""
    rng = np.random.default_rng(5)
    who = rng.permutation(np.repeat(np.arange(persons), rng.integers(1, 6, persons)))
    columns = {
        "patient_id": who + 7000,
        "sex": rng.choice(["f", "m"], persons)[who],
        "town": rng.choice(["Ayle", "Bron", "Cull"], persons)[who],
        "ward": rng.choice(["a", "b"], len(who)),
        "age": rng.integers(20, 80, persons)[who] + rng.integers(0, 3, len(who)),
        "diagnosis": rng.choice(["x", "y", "z"], len(who)),
    }
    roles = {
        "person": ["patient_id"],
        "quasi-identifier": ["sex", "town", "ward", "age"],
        "confidential": ["diagnosis"],
    }
    return discreet.read(columns, roles=roles, unit=unit)


def fewest_persons(data: Microdata, who: np.ndarray) -> int:
    """The obvious way: the different persons of every class, counted one by one."""
    found: dict[int, set[int]] = {}
    for label, person in zip(classes(data, data.quasi_identifiers), who, strict=True):
        found.setdefault(int(label), set()).add(int(person))
    return min(map(len, found.values()))


METHODS: list[Method] = [
    discreet.Microaggregation(discreet.partition.MDAV(k=K)),
    discreet.Microaggregation(discreet.partition.Mondrian(k=K), discreet.replacement.Range()),
    discreet.GlobalRecoding(k=K, suppression=0.1),
    discreet.LocalRecoding(k=K),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.spec.name)
def test_every_class_has_k_persons_and_no_person_two_values(method: Method) -> None:
    data = visits()
    release = discreet.protect(data, method, seed=1, allow=None)
    assert fewest_persons(release.data, data["patient_id"][release.origin]) >= K
    persons = clusters_of(release.data)
    assert persons is not None
    assert set(of_household(data)) >= {"sex", "town"}
    for name in of_household(data):
        assert persons.agreeing(release.data.column(name)).all()
    claim = next(claim for claim in release.claims if claim.measure == "k-anonymity")
    assert claim.measured == fewest_persons(release.data, release.data["patient_id"])


def test_the_number_of_a_person_is_a_new_one_and_his_records_stay_together() -> None:
    data = visits()
    release = discreet.protect(data, METHODS[0], seed=1)
    new = np.array(release.data.schema["patient_id"].categories)[release.data["patient_id"]]
    assert new.min() == 1
    assert new.max() == 60
    old = data["patient_id"][release.origin]
    assert len(set(zip(old.tolist(), new.tolist(), strict=True))) == 60


def test_five_visits_of_one_patient_are_one() -> None:
    five = {"who": [1] * 5 + [2, 3], "town": ["Ayle"] * 5 + ["Bron"] * 2}
    by_record = discreet.read(five, roles={"town": "quasi-identifier"})
    by_person = discreet.read(five, roles={"town": "quasi-identifier", "who": "person"})
    k = KAnonymity()
    assert k.score(by_record, by_record, Context()).value == 2
    score = k.score(by_person, by_person, Context())
    assert score.value == 1
    assert score.note == "counts different persons, not records"
    uniqueness = SampleUniqueness().score(by_person, by_person, Context())
    assert uniqueness.value == 5 / 7


def test_a_household_counts_as_one_where_it_is_the_unit_and_is_told_where_it_is_not() -> None:
    columns = {"home": [1, 1, 1, 2, 3, 4], "town": list("aaabbb")}
    roles = {"home": "household", "town": "quasi-identifier"}
    data = discreet.read(columns, roles=roles, unit="record")
    told = KAnonymity().score(data, data, Context())
    assert (told.value, told.counts, told.households) == (3, "records", 1)
    assert told.note == "a class consists of 1 household only"
    for unit in (None, "different-households", "household"):
        whole = discreet.read(columns, roles=roles, unit=unit)
        counted = KAnonymity().score(whole, whole, Context())
        assert (counted.value, counted.counts, counted.households) == (1, "households", None)


@pytest.mark.parametrize(
    ("unit", "keyed", "counts", "beside"),
    [
        (None, {"home": "household"}, "households", False),
        (None, {"home": "household", "who": "person"}, "households", False),
        (None, {"who": "person"}, "persons", False),
        ("record", {"home": "household"}, "records", True),
        ("record", {"home": "household", "who": "person"}, "records", True),
        ("record", {"who": "person"}, "records", False),
        ("person", {"home": "household", "who": "person"}, "persons", True),
        ("household", {"home": "household"}, "households", False),
    ],
)
def test_whatever_k_counts_is_said_with_it(
    tmp_path: Path, unit: str | None, keyed: dict[str, str], counts: str, beside: bool
) -> None:
    rng = np.random.default_rng(4)
    home = np.repeat(np.arange(30), 3)
    table = {"home": home, "age": rng.integers(20, 60, 90), "who": np.arange(90)}
    data = discreet.read(
        {name: values for name, values in table.items() if name == "age" or name in keyed},
        roles={"age": "quasi-identifier", **keyed},
        unit=unit,
    )
    release = discreet.protect(data, METHODS[0], seed=1)
    claim = next(claim for claim in release.claims if claim.measure == "k-anonymity")
    assert (claim.counts, claim.households is not None) == (counts, beside)
    said = f"{claim.measured:g} {counts}"
    if beside:
        old = home[release.origin]
        fewest = min(
            len(set(old[release.data["age"] == value])) for value in set(release.data["age"])
        )
        said += f", at least {fewest} households"
    assert f"measured {said}." in str(discreet.assess(data, release).verdict)
    assert said in repr(release)
    folder = release.write(tmp_path / "out")
    assert f"{said}<" in (folder / "report-public.html").read_text("utf-8")
    verified = verify(folder)
    assert verified.holds
    named = [figure.measure for figure in verified.figures if figure.counted is not None]
    assert ("fewest households in a class" in named) == beside


def test_a_manifest_that_says_more_households_or_another_unit_is_caught(tmp_path: Path) -> None:
    columns = {"home": [1, 1, 1, 2, 3, 4], "town": list("aaabbb")}
    roles = {"home": "household", "town": "quasi-identifier"}
    data = discreet.read(columns, roles=roles, unit="record")
    release = discreet.protect(data, {"local-suppression": {"k": 3}}, seed=1)
    manifest = release.write(tmp_path / "out") / "manifest.json"
    content = json.loads(manifest.read_text("utf-8"))
    claim = next(c for c in content["claims"] if c["measure"] == "k-anonymity")
    assert (claim["counts"], claim["households"]) == ("records", 1)
    claim.update(counts="persons", households=3)
    manifest.write_text(json.dumps(content), "utf-8")
    faults = " ".join(verify(tmp_path / "out").faults)
    assert "fewest households in a class is stated to be 3, but counted on the file it is 1" in (
        faults
    )
    assert "k-anonymity is stated to count persons, but it counts records" in faults


def test_whole_persons_where_they_are_the_unit() -> None:
    data = visits(unit="person")
    release = discreet.protect(data, METHODS[0], seed=1)
    claims = {claim.measure: claim.measured for claim in release.claims}
    assert claims["trajectory-k-anonymity"] is not None
    assert claims["trajectory-k-anonymity"] >= K
    assert fewest_persons(release.data, data["patient_id"][release.origin]) >= K


@pytest.mark.parametrize("unit", [None, "person"])
def test_what_is_counted_is_counted_again_from_the_file(tmp_path: Path, unit: str | None) -> None:
    release = discreet.protect(visits(unit=unit), METHODS[0], seed=1)
    folder = release.write(tmp_path / "out")
    verified = verify(folder)
    counted = {figure.measure for figure in verified.figures if figure.counted is not None}
    assert counted >= {"k-anonymity", "l-diversity", "t-closeness", "sample-uniqueness"}
    assert not verified.faults
    on_disk = verify(folder, memory=10_000)
    assert not on_disk.faults
    # Persons are counted there too.
    assert _counted_k(on_disk) == _counted_k(verified) != {None}


def _counted_k(verified: Verification) -> set[float | None]:
    return {figure.counted for figure in verified.figures if figure.measure == "k-anonymity"}


def test_the_unit_needs_its_number() -> None:
    with pytest.raises(UsageError, match="numbers the persons"):
        discreet.read({"age": [1, 2]}, unit="person")
    with pytest.raises(UsageError, match="one of household, person"):
        discreet.read({"age": [1, 2]}, unit="visit")


def test_counting_once_as_sets_do() -> None:
    rng = np.random.default_rng(2)
    labels, units = rng.integers(0, 9, 200), rng.integers(0, 30, 200)
    obvious = [len(set(units[labels == label].tolist())) for label in range(9)]
    assert counted_once(labels, units).tolist() == obvious


def test_describe_finds_the_number_of_a_person_with_several_records() -> None:
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(50), 3)
    table = {"patient_id": who, "sex": (who % 2).astype(str), "ward": rng.choice(["a", "b"], 150)}
    found = {column.name: column for column in discreet.describe(table).columns}
    assert found["patient_id"].role is Role.PERSON
    assert found["sex"].reason.endswith("one value in each person")


def test_an_identifier_that_repeats_is_told() -> None:
    data = {"patient_id": np.repeat(np.arange(40), 2), "age": np.arange(80) % 20}
    roles = {"patient_id": "identifier", "age": "quasi-identifier"}
    release = discreet.protect(data, METHODS[0], roles=roles)
    assert any("role person" in note for note in release.notes)
