"""The survey's table of synthetic methods: a file each, and what they take and change."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.cli.main import run
from discreet.contracts import ALL_KINDS, Context, Method, Randomness
from discreet.contracts.registry import entries, find
from discreet.errors import DataError
from discreet.measures.risk.nearest_record import against_holdout
from discreet.microdata import Kind
from discreet.testing.tables import ordinary

CONTINUOUS = {Kind.CONTINUOUS}
TABLE = {
    "fully-synthetic": set(ALL_KINDS),
    "partially-synthetic": set(ALL_KINDS),
    "cart-synthesis": set(ALL_KINDS),
    "bootstrap": set(ALL_KINDS),
    "latin-hypercube": CONTINUOUS,
    "ipso": CONTINUOUS,
    "regression-protection": CONTINUOUS,
    "hybrid": CONTINUOUS,
    "condensation": CONTINUOUS,
    "post-masking-optimisation": CONTINUOUS,
}


@pytest.mark.parametrize(("name", "kinds"), TABLE.items())
def test_every_row_is_a_file_and_takes_these_kinds(name: str, kinds: set[Kind]) -> None:
    method = find("method", name)
    assert method.__module__ == f"discreet.methods.synthetic.{name.replace('-', '_')}"
    assert set(method.spec.kinds) == kinds
    example = method.example()
    assert isinstance(example, Method)
    for kind in set(ALL_KINDS) - kinds:
        with pytest.raises(DataError, match=f"is {kind}; name the columns to treat"):
            example.protect(ordinary([kind]), Context())


NORMAL = {"sequential-regression": {"scale": "raw"}}
# Not those that take the values of a column from a domain declared beforehand.
SYNTHETIC = [
    e
    for e in entries("method")
    if e.__module__.startswith("discreet.methods.synthetic.") and "domains" not in e.params()
]


@pytest.mark.parametrize("entry", SYNTHETIC, ids=lambda entry: entry.spec.name)
def test_a_synthetic_method_changes_every_number_it_treats(entry: type[Method]) -> None:
    data = ordinary([Kind.CONTINUOUS], rows=120, missing=False)
    masked = entry.example().protect(data, Context(Randomness(1)))
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    if origin.min() >= 0:
        for name in data.quasi_identifiers:
            assert (masked.data[name] != data[name][origin]).mean() > 0.9


def test_assessing_synthetic_records_points_to_the_nearest_records(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The private record says that there are no originals; it was told to be given once more."""
    lines = [f"{20 + i % 50},{1000 + 13 * i % 700}" for i in range(60)]
    (tmp_path / "people.csv").write_text("\n".join(["age,pay", *lines]) + "\n", "utf-8")
    (tmp_path / "plan.yaml").write_text(
        "data: people.csv\ncolumns: {age: quasi-identifier, pay: quasi-identifier}\n"
        "steps: [sequential-regression]\n",
        "utf-8",
    )
    plan, out = str(tmp_path / "plan.yaml"), tmp_path / "out"
    assert run(["protect", plan, "--out", str(out)]) == 0
    asked = ["assess", "--plan", plan, "--original", str(tmp_path / "people.csv"), "--released"]
    capfd.readouterr()
    assert run([*asked, str(out / "release.csv"), "--measure", "distance-linkage"]) == 0
    told = capfd.readouterr().out
    assert "private record" not in told
    assert "distance-linkage: it compares each released record with its original" in told
    assert "nearest-record measures how close they come" in told
    # Without the record nobody knows whether the records have originals.
    alone = tmp_path / "alone.csv"
    alone.write_bytes((out / "release.csv").read_bytes())
    assert run([*asked, str(alone), "--measure", "distance-linkage"]) == 0
    assert "pass the release itself, its private record" in capfd.readouterr().out


def moments_and_ages(rows: int = 500) -> discreet.Microdata:
    """Return a column in microseconds, one in days, one in years, and a confidential one."""
    rng = np.random.default_rng(4)
    day = rng.integers(0, 18_000, rows)
    second = rng.integers(0, 10**7, rows)
    pay = rng.lognormal(7, 0.5, rows)
    return discreet.read(
        {
            "born": [None if i % 9 == 0 else date(1950, 1, 1) + timedelta(days=int(d))
                     for i, d in enumerate(day)],
            "seen": [None if i % 10 == 0 else datetime(2020, 1, 1) + timedelta(seconds=int(s))
                     for i, s in enumerate(second)],
            "kids": rng.poisson(2, rows),
            "pay": [None if i % 7 == 0 else float(p) for i, p in enumerate(pay)],
            "town": np.array(["a", "b"])[rng.integers(0, 2, rows)],
        },
        roles=dict.fromkeys(("seen", "born", "kids", "town"), "quasi-identifier")
        | {"pay": "confidential"},
    )  # fmt: skip


NUMBERS = ("born", "seen", "kids", "pay")


@pytest.mark.parametrize("entry", SYNTHETIC, ids=lambda entry: entry.spec.name)
def test_columns_of_very_different_size_keep_their_spread(entry: type[Method]) -> None:
    data = moments_and_ages(250)
    options = entry.example().values()
    if "columns" in options:
        options["columns"] = NUMBERS
    made = entry(**options).protect(data, Context(Randomness(1))).data
    for name in NUMBERS:
        before, after = (np.nanstd(table[name]) for table in (data, made))
        assert 0.6 < after / before < 1.4, name


def test_the_parts_of_hybrid_masking_treat_the_same_columns() -> None:
    data = moments_and_ages()
    made = discreet.protect(data, discreet.Hybrid(columns=["kids", "born"]), seed=1).data
    assert (made["kids"] != made["kids"].round()).any()
    own = discreet.Hybrid(columns=["kids"], synthetic={"latin-hypercube": {"columns": ["born"]}})
    with pytest.raises(DataError, match="leaves it as it is; name it in the columns"):
        own.protect(data, Context())


def test_k_anonymity_is_not_claimed_where_records_move_apart() -> None:
    data = moments_and_ages().drop(["town"])
    release = discreet.protect(
        data, discreet.PostMaskingOptimisation(columns=["kids", "born", "pay"]), seed=1
    )
    assert release.claims == ()
    assert any("k-anonymity of the masked data is not claimed" in note for note in release.notes)
    kept = discreet.protect(
        data, discreet.PostMaskingOptimisation(columns=["kids", "born"]), seed=1
    )
    assert [claim.measure for claim in kept.claims] == ["k-anonymity"]


@pytest.mark.parametrize(
    "method",
    [
        discreet.SequentialRegression(scale="raw"),
        discreet.FullySynthetic(),
        discreet.PartiallySynthetic(columns=["debt"]),
    ],
    ids=lambda method: method.spec.name,
)
def test_numbers_below_zero_are_pointed_out(method: Method) -> None:
    """A normal regression knows no bounds: a skewed column without negative values gets some."""
    rng = np.random.default_rng(2)
    data = discreet.read(
        {"age": rng.integers(18, 70, 400), "debt": rng.lognormal(5, 1.2, 400)},
        roles={"age": "quasi-identifier", "debt": "confidential"},
    )
    masked = method.protect(data, Context(Randomness(1)))
    assert (masked.data["debt"] < 0).any()
    assert any("rule such as 'always debt >= 0' prevents" in note for note in masked.notes)
    ruled = type(method)(**method.values() | {"rules": ["always debt >= 0"]})
    again = ruled.protect(data, Context(Randomness(1)))
    assert (again.data["debt"] >= 0).all()
    assert not any("below 0" in note for note in again.notes)


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (discreet.Hybrid(synthetic=NORMAL), "of the synthetic records"),
        (
            discreet.PostMaskingOptimisation(method=NORMAL, risks=()),
            "before the optimisation",
        ),
    ],
)
def test_notes_of_the_method_inside_are_told_as_such(method: Method, said: str) -> None:
    rng = np.random.default_rng(1)
    pay = rng.gamma(1.0, 5.0, 200)
    data = discreet.read(
        {"hid": np.arange(200) // 2, "pay": pay}, {"hid": "household", "pay": "quasi-identifier"}
    )
    notes = method.protect(data, Context(Randomness(1))).notes
    about = [note for note in notes if "synthetic households" in note or "below 0" in note]
    assert len(about) == 2
    assert all(note.startswith(f"{said}: ") for note in about)


@pytest.mark.parametrize("entry", SYNTHETIC, ids=lambda entry: entry.spec.name)
def test_every_synthetic_method_is_held_against_a_holdout(entry: type[Method]) -> None:
    data = ordinary([Kind.CONTINUOUS], rows=400)
    used, holdout = data.take(np.arange(0, 400, 2)), data.take(np.arange(1, 400, 2))
    made = entry.example().protect(used, Context(Randomness(1))).data
    score = against_holdout(used, made, holdout)
    assert against_holdout(used, used, holdout).value > 0.9
    assert 0.3 < score.value < 0.9
    assert score.detail["nearest 5 %: distance to originals"] >= 0
    assert score.detail["nearest 5 %: distance to the holdout"] >= 0


def test_a_holdout_on_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As docs/synthpop.md says: protect a part of the file, then measure against all of it."""
    rng = np.random.default_rng(2)
    rows = [f"{a:.1f},{a * 30 + e:.1f},{'test' if t else 'used'}" for a, e, t in zip(
        rng.normal(50, 9, 400), rng.normal(0, 99, 400), rng.random(400) < 0.5, strict=True
    )]  # fmt: skip
    head = "age,pay,part"
    (tmp_path / "all.csv").write_text("\n".join([head, *rows]), "utf-8")
    (tmp_path / "used.csv").write_text(
        "\n".join([head, *(r for r in rows if "used" in r)]), "utf-8"
    )
    recipe = (
        "columns: {age: quasi-identifier, pay: quasi-identifier}\n"
        "steps: [{cart-synthesis: {columns: [age, pay]}}]\n"
    )
    (tmp_path / "plan.yaml").write_text(recipe, "utf-8")
    measured = "measures: [{nearest-record: {holdout: part=test}}]\n"
    (tmp_path / "measure.yaml").write_text(
        recipe.replace("}\n", ", part: other}\n", 1) + measured, "utf-8"
    )
    out = str(tmp_path / "out")
    used = ["--data", str(tmp_path / "used.csv"), "--out", out]
    assert run(["protect", str(tmp_path / "plan.yaml"), *used]) == 0
    capfd.readouterr()
    both = ["--original", str(tmp_path / "all.csv"), "--released", f"{out}/release.csv"]
    assert run(["assess", "--plan", str(tmp_path / "measure.yaml"), *both]) == 0
    told = capfd.readouterr().out
    assert "nearest-record: against a holdout of" in told
    assert "standard deviations of an original, and of the holdout within" in told
