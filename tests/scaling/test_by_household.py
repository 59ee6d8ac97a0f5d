"""A large file of households is protected as it is in memory, or refused with a way out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from discreet.errors import ClaimError, DataError, UsageError
from discreet.io.frames import to_table
from discreet.measures.risk.individual_risk import IndividualRisk
from discreet.publishing.verifying import verify
from discreet.release.assessing import assess
from discreet.release.plan import Plan
from discreet.scaling import keys, protecting
from discreet.scaling.protecting import protect_large
from tests.scaling.homes import homes, plan_of_homes
from tests.scaling.people import LITTLE, released

RECODED = """
  - global-recoding: {levels: {age: 3}, widths: {age: 5}, columns: [age]}
"""
CASES = {
    "values": f"{RECODED}  - rounding: {{base: 100, columns: [pay]}}",
    "what follows from a recoded column": """
  - global-recoding: {levels: {pay: 4}, widths: {pay: 500}, columns: [pay]}
""",
    "records suppressed with their households": """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
""",
    "numbers suppressed with the size": """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region, size]}
""",
    "columns of persons": """
  - microaggregation: {columns: [age], partition: {mdav: {k: 5, blocks: 1000}}}
  - pram: {stay: 0.8, columns: [sex]}
  - rank-swapping: {columns: [pay]}
""",
}


def _same(tmp_path: Path, plan: Plan) -> None:
    """Protect in memory and on the disk; values, types, claims, verdict and counts are the same.

    What got worse is not told of a large file: its original is not measured.
    """
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    expected, found = to_table(release.data), released(tmp_path / "out")
    assert found.schema == expected.schema
    for name in expected.column_names:
        assert found.column(name).to_pylist() == expected.column(name).to_pylist(), name
    assert protected.release.claims == release.claims
    assessed = assess(release.original, release, plan.measures, thresholds=plan.thresholds)
    reasons, theirs = (
        {reason.words for reason in a.verdict.reasons if "got worse" not in reason.words}
        for a in (protected.assessment, assessed)
    )
    assert reasons == theirs
    ours = {row.spec.name: row.after and row.after.value for row in protected.assessment.rows}
    counted = {row.spec.name: row.after and row.after.value for row in assessed.rows}
    del counted["household-risk"]
    assert ours.pop("household-risk") is None
    assert ours == pytest.approx(counted)
    second = {f.measure: f.counted for f in verify(tmp_path / "out").figures}
    assert all(value is not None for value in second.values()), second
    drawn = any(step.is_random for step in plan.steps)
    if not drawn:
        assert protected.release.notes == release.notes


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("texts", [False, True])
def test_households_are_those_in_memory(tmp_path: Path, case: str, texts: bool) -> None:
    table = homes(texts=texts, scattered=not texts)
    # Groups of k households are formed in memory only.
    more = "unit: record" if case == "columns of persons" else ""
    _same(tmp_path, Plan.load(plan_of_homes(tmp_path, CASES[case], more, table)))


def test_persons_with_several_records_count_once(tmp_path: Path) -> None:
    steps = "  - global-recoding: {k: 5, suppression: 0.01, columns: [age, sex]}"
    claims = "claims: {trajectory-k-anonymity: 1, prosecutor-risk: 1}"
    # Visits of one person share the region, which nobody treats.
    plan = plan_of_homes(tmp_path, steps, claims, homes(2000), role="person")
    _same(tmp_path, Plan.load(plan))


def test_classes_of_too_few_persons_are_suppressed(tmp_path: Path) -> None:
    steps = (
        "  - global-recoding: {k: 2, levels: {age: 4}, widths: {age: 5}, columns: [age, region]}"
    )
    plan = plan_of_homes(tmp_path, steps, "", homes(1500), role="person")
    _same(tmp_path, Plan.load(plan))


def test_claims_about_households_are_counted_on_all(tmp_path: Path) -> None:
    steps = """
  - global-recoding: {levels: {age: 5, sex: 1}, widths: {age: 5}, columns: [age, sex]}
  - global-recoding: {levels: {region: 1}, columns: [region]}
"""
    claims = "claims: {household-k-anonymity: 4}"
    plan = plan_of_homes(tmp_path, steps, claims, homes(3000))
    _same(tmp_path, Plan.load(plan))
    claims = claims.replace(": 4", ": 2000")
    plan = plan_of_homes(tmp_path, steps, claims, homes(3000))
    with pytest.raises(ClaimError, match="household-k-anonymity is claimed to be at least 2000"):
        protect_large(Plan.load(plan), tmp_path / "again", seed=7, memory=LITTLE)


def test_a_unit_is_what_claims_count(tmp_path: Path) -> None:
    steps = "  - rounding: {base: 50, columns: [age]}"
    plan = plan_of_homes(tmp_path, steps, "claims: {k-anonymity: 2}\nunit: household")
    _same(tmp_path, Plan.load(plan))


def test_lots_of_any_size_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "LOT", 2048)
    plan = plan_of_homes(tmp_path, CASES["values"], "", homes(5000))
    _same(tmp_path, Plan.load(plan))


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("additive-noise: {columns: [rent]}", "treats each household once in what its members"),
        ("sampling: {fraction: 0.5}", "draws records or values of whole households"),
        ("cart-synthesis: {columns: [pay]}", "draws records or values of whole households"),
        ("mart: {k: 5}", "would separate the members of a household"),
    ],
)
def test_what_is_done_in_memory_only_is_refused(tmp_path: Path, step: str, words: str) -> None:
    plan = Plan.load(plan_of_homes(tmp_path, f"  - {step}", "unit: record", homes(2000)))
    with pytest.raises(UsageError, match=words) as refused:
        protect_large(plan, tmp_path / "out", memory=LITTLE)
    assert "role identifier" in str(refused.value) or "columns=[…]" in str(refused.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("unit", "role", "groups"),
    [
        (None, "household", "k households"),
        ("different-households", "household", "k households"),
        ("household", "household", "whole households"),
        (None, "person", "k persons"),
        ("person", "person", "whole persons"),
    ],
)
def test_groups_of_units_are_refused_before_any_work(
    tmp_path: Path, unit: str | None, role: str, groups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object) -> None:
        raise AssertionError("the file was opened")

    monkeypatch.setattr(protecting, "large_file", opened)
    more = "" if unit is None else f"unit: {unit}"
    steps = "  - microaggregation: {columns: [age]}"
    plan = Plan.load(plan_of_homes(tmp_path, steps, more, homes(300), role=role))
    with pytest.raises(UsageError, match=f"would form groups of {groups}, .*'unit: record'"):
        protect_large(plan, tmp_path / "out", memory=LITTLE)


@pytest.mark.parametrize("unit", ["different-households", "record"])
@pytest.mark.parametrize("role", ["household", "person"])
def test_what_claims_count_is_counted_on_all_records(tmp_path: Path, unit: str, role: str) -> None:
    if role == "person" and unit != "record":
        unit = ""
    steps = """
  - global-recoding: {k: 3, levels: {age: 4}, widths: {age: 5}, columns: [age, sex, region]}
"""
    more = f"claims: {{t-closeness: 1}}\n{f'unit: {unit}' if unit else ''}"
    plan = Plan.load(plan_of_homes(tmp_path, steps, more, homes(1500), role=role))
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    assert protected.release.claims == release.claims
    assert protected.release.notes == release.notes
    assert len(protected.release.claims) == 2


@pytest.mark.parametrize("unit", ["record", "different-households"])
def test_risks_are_of_persons_whatever_claims_count(tmp_path: Path, unit: str) -> None:
    steps = "  - rounding: {base: 50, columns: [age]}"
    plan = Plan.load(plan_of_homes(tmp_path, steps, f"unit: {unit}", homes(1500)))
    plan = replace(plan, measures=(IndividualRisk(),))
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    (here,), (there,) = (
        assessment.rows
        for assessment in (assess(release.original, release, plan.measures), protected.assessment)
    )
    assert here.after is not None
    assert there.after is not None
    assert there.after.value == pytest.approx(here.after.value)


def test_two_keys_and_other_types_are_refused(tmp_path: Path) -> None:
    table = homes(300)
    plan = plan_of_homes(tmp_path, RECODED, "", table)
    text = plan.read_text().replace("id: {role: identifier}", "id: {role: person}")
    plan.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="records of one person within a household"):
        protect_large(Plan.load(plan), tmp_path / "out", memory=LITTLE)
    floats = table.set_column(1, "home", table.column("home").cast("float64"))
    plan = plan_of_homes(tmp_path, RECODED, "", floats)
    with pytest.raises(DataError, match="whole numbers or texts, but 'home' is of type double"):
        protect_large(Plan.load(plan), tmp_path / "out", memory=LITTLE)
