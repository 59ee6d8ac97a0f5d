"""Plan files: every key, and every mistake on its own line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Plan, UsageError
from discreet.contracts.registry import build
from discreet.errors import DataError, DiscreetError
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid
from discreet.release.plan_file import parse_plan_text, read_plan_text

FULL = """\
version: 1
data:
  file: people.csv
  delimiter: ";"
columns:
  name: {role: identifier}
  age: {role: quasi-identifier, kind: continuous}
  2018: other
  answer:
    role: confidential
    categories: [no, yes, maybe]
steps:
  - microaggregation:
      partition: {mdav: {k: 3}}
      replacement: {centroid: {continuous: median}}
      columns: [age]
  - additive-noise:
      alpha: 0.2
claims:
  k-anonymity: 3
measures:
  - k-anonymity
  - sse-sst: {}
release:
  shuffle: false
  format: parquet
"""


def test_every_key_arrives() -> None:
    plan = Plan.parse(FULL)
    assert plan.file == "people.csv"
    assert plan.options == {"delimiter": ";"}
    assert plan.roles == {
        "name": "identifier",
        "age": "quasi-identifier",
        "2018": "other",
        "answer": "confidential",
    }
    assert plan.kinds == {"age": "continuous", "answer": ["no", "yes", "maybe"]}
    assert plan.steps == (
        discreet.Microaggregation(MDAV(k=3), Centroid("median"), columns=["age"]),
        discreet.AdditiveNoise(alpha=0.2),
    )
    assert plan.claims == {"k-anonymity": 3.0}
    assert plan.measures == (build("measure", "k-anonymity"), build("measure", "sse-sst"))
    assert plan.shuffle is False
    assert plan.format == "parquet"


def test_what_is_left_out_has_its_default() -> None:
    plan = Plan.parse("steps: [microaggregation]")
    assert plan == Plan(steps=(discreet.Microaggregation(),))
    assert plan.shuffle is True
    assert plan.measures is None
    assert plan.claims == {}


def test_empty_sections_are_as_if_left_out() -> None:
    text = "data:\ncolumns:\nclaims:\nmeasures:\nrelease:\nsteps: [additive-noise]"
    assert Plan.parse(text) == Plan(steps=(discreet.AdditiveNoise(),))


def test_a_file_can_be_named_at_once() -> None:
    assert Plan.parse("data: a.csv\nsteps: [additive-noise]").file == "a.csv"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("No", "No"),
        ("yes", "yes"),
        ("on", "on"),
        ("OFF", "OFF"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("012", "012"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30:00", "12:30:00"),
        ("2020-01-01", "2020-01-01"),
        ("=", "="),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("1.5E-3", 0.0015),
        (".", "."),
        ("-", None),
        ('"12"', "12"),
        ("'true'", "true"),
    ],
)
def test_scalars_are_read_as_yaml_1_2(text: str, value: Any) -> None:
    if text == "-":
        assert parse_plan_text("a:\n -").content == {"a": [None]}
        return
    found = parse_plan_text(f"a: {text}").content["a"]
    assert found == value
    assert type(found) is type(value)


def test_keys_are_names_whatever_they_look_like() -> None:
    content = parse_plan_text("null: 1\ntrue: 2\n12: 3\n1.0: 4\nno: 5\n'': 6").content
    assert content == {"null": 1, "true": 2, "12": 3, "1.0": 4, "no": 5, "": 6}


# Each case: the text, the line of its mistake, the key, and a part of the message.
MISTAKES: list[tuple[str, int, str, str]] = [
    ("stepz:\n  - additive-noise", 1, "stepz", "no such key; did you mean 'steps'?"),
    ("steps: [additive-noise]\n\nclaim: 1", 3, "claim", "did you mean 'claims'?"),
    ("version: 2\nsteps: [additive-noise]", 1, "version", "reads plans of version 1"),
    ("version: '1'\nsteps: [additive-noise]", 1, "version", "reads plans of version 1"),
    ("version: true\nsteps: [additive-noise]", 1, "version", "reads plans of version 1"),
    ("columns:\n  age: {}", 1, "", "a plan needs 'steps:'"),
    ("version: 1\nsteps:", 1, "", "a plan needs 'steps:'"),
    ("version: 1\nsteps: []", 2, "steps", "a plan needs 'steps:'"),
    ("version: 1\nsteps: additive-noise", 2, "steps", "a plan needs 'steps:'"),
    ("steps:\n  - additive-noise\n  - additive-nose", 3, "steps[2].additive-nose", "did you mean"),
    ("steps:\n  -\n    additive-noise:\n      alpha: -1", 4,
     "steps[1].additive-noise.alpha", "a number, above 0, but -1 was given"),
    ("steps:\n  - additive-noise:\n      alfa: 1", 3,
     "steps[1].additive-noise.alfa", "no parameter 'alfa'; did you mean 'alpha'?"),
    ("steps:\n  - additive-noise: {}\n    microaggregation: {}", 2, "steps[1]", "one method"),
    ("steps:\n  - 5", 2, "steps[1]", "this must be 'name: value' pairs, but '5' was given"),
    ("steps:\n  - additive-noise: 5", 2, "steps[1].additive-noise", "but '5' was given"),
    ("steps:\n  - microaggregation:\n      partition:\n        mdav:\n          k: 1", 5,
     "steps[1].microaggregation.partition.mdav.k", "at least 2, but 1 was given"),
    ("steps:\n  - microaggregation:\n      partition:\n        mdva:", 4,
     "steps[1].microaggregation.partition.mdva", "no partition 'mdva'; did you mean 'mdav'?"),
    ("steps:\n  - microaggregation:\n      partition: {mdav: {k: 2},\n        mst: {}}", 3,
     "steps[1].microaggregation.partition", "one partition with its parameters"),
    ("steps:\n  - microaggregation:\n      columns: age", 3,
     "steps[1].microaggregation.columns", "a list of column names, but 'age'"),
    ("steps:\n  - microaggregation:\n      partition: null", 3,
     "steps[1].microaggregation.partition", "must be a partition"),
    ("columns:\n  - age\nsteps: [additive-noise]", 1, "columns", "but a list was given"),
    ("columns:\n  age: 5\nsteps: [additive-noise]", 2, "columns.age", "but '5' was given"),
    ("columns:\n  age:\nsteps: [additive-noise]", 2, "columns.age", "but nothing was given"),
    ("columns:\n  age:\n    kind: continuous\n    role: quasy\nsteps: [additive-noise]", 4,
     "columns.age.role", "the role of column 'age' must be one of"),
    ("columns:\n  age:\n    role: other\n    kind: number\nsteps: [additive-noise]", 4,
     "columns.age.kind", "the kind of column 'age' must be one of"),
    ("columns:\n  age:\n\n    kind: number\nsteps: [additive-noise]", 4,
     "columns.age.kind", "the kind of column 'age' must be one of"),
    ("columns:\n  age:\n    rol: other\nsteps: [additive-noise]", 3,
     "columns.age.rol", "did you mean 'role'?"),
    ("columns:\n  age:\n    categories: low\nsteps: [additive-noise]", 3,
     "columns.age.categories", "this must be a list of categories"),
    ("columns:\n  age:\n    kind: continuous\n    categories: [a]\nsteps: [additive-noise]", 4,
     "columns.age.categories", "only ordinal and nominal columns have categories"),
    ("data:\n  file: 5\nsteps: [additive-noise]", 2, "data.file", "the name of a file"),
    ("data: [a.csv]\nsteps: [additive-noise]", 1, "data", "but a list was given"),
    ("steps: [additive-noise]\nclaims:\n  k-anonimity: 5", 3, "claims.k-anonimity", "did you mean"),
    ("steps: [additive-noise]\nclaims:\n  k-anonymity: five", 3, "claims.k-anonymity", "a number"),
    ("steps: [additive-noise]\nclaims:\n  k-anonymity: true", 3, "claims.k-anonymity", "a number"),
    ("steps: [additive-noise]\nclaims: 5", 2, "claims", "but '5' was given"),
    ("steps: [additive-noise]\nmeasures: k-anonymity", 2, "measures", "a list of measures"),
    ("steps: [additive-noise]\nmeasures:\n - abim\n - abix", 4, "measures[2].abix", "did you mean"),
    ("steps: [additive-noise]\nrelease:\n  shuffle: no", 3, "release.shuffle", "true or false"),
    ("steps: [additive-noise]\nrelease:\n  format: 5", 3, "release.format", "format"),
    ("steps: [additive-noise]\nrelease:\n  shuffel: true", 3, "release.shuffel", "did you mean"),
    ("a: 1\nb: 2\na: 3", 3, "a", "given twice"),
    ("columns:\n  age: other\n  sex: other\n  'age': other", 4, "columns.age", "given twice"),
    ("steps:\n  - additive-noise: {alpha: 1,\n      alpha: 2}", 3,
     "steps[1].additive-noise.alpha", "given twice"),
    ("? [a, b]\n: 1", 1, "", "a key must be a plain name"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "key", "message"), MISTAKES)
def test_a_mistake_is_reported_with_its_line_and_key(
    text: str, line: int, key: str, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        Plan.parse(text)
    where = f"plan, line {line}" + (f", key '{key}'" if key else "")
    assert str(error.value).startswith(f"{where}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("columns:\n\tage: other", 2, "tabs are not allowed here; indent with spaces"),
        ("columns:\n  age:\n  \trole: other", 3, "tabs are not allowed here; indent with spaces"),
        ("a: b: c", 1, "not valid YAML"),
        ("a: 1\n b: 2", 2, "not valid YAML"),
        ("a: 1\nb: *nothing", 2, "not valid YAML"),
        ("a: 1\n---\nb: 2", 2, "not valid YAML"),
        ("a: 1\nb: {c: ${D}}", 2, "with quotation marks"),
        ("a: 'never closed", 1, "not valid YAML"),
    ],
)
def test_broken_yaml_is_reported_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(UsageError, match=f"plan, line {line}: .*{message}"):
        Plan.parse(text)


@pytest.mark.parametrize("text", ["a: [1\n", "a: {b: 1\n\n", "a: 'x\n", "steps:\n  - [\n"])
def test_yaml_that_breaks_at_its_end_is_reported(text: str) -> None:
    with pytest.raises(UsageError, match=r"plan, line \d+: .*not valid YAML"):
        Plan.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "steps: [!foo bar]",
        "columns: {a: !!int x}",
        "steps: [!!python/object:os.system x]",
        "version: !!binary '*'",
        f"version: {'9' * 5000}",
    ],
)
def test_tags_and_numbers_that_cannot_be_made_are_reported(text: str) -> None:
    with pytest.raises(UsageError, match="plan, line 1"):
        Plan.parse(text)


def test_an_alias_of_itself_is_reported() -> None:
    with pytest.raises(UsageError, match="plan"):
        Plan.parse("steps: &x [*x]")


def test_a_claim_beyond_floats_is_reported() -> None:
    with pytest.raises(UsageError, match="plan, line 1"):
        Plan.parse(f"claims: {{k-anonymity: {'9' * 400}}}\nsteps: [additive-noise]")


def test_control_characters_are_reported() -> None:
    with pytest.raises(UsageError, match=r"plan, line 1: .* there is a control character here"):
        Plan.parse("a: \x00")


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n"])
def test_an_empty_plan_says_how_to_make_one(text: str) -> None:
    with pytest.raises(UsageError, match="plan is empty; 'discreet describe"):
        Plan.parse(text)


def test_an_unhashable_category_is_refused_in_a_sentence() -> None:
    plan = Plan.parse("columns: {a: {categories: [[x], y]}}\nsteps: [additive-noise]")
    with pytest.raises(DiscreetError, match="column 'a'"):
        discreet.read({"a": ["x", "y"]}, plan.roles, plan.kinds)


def test_a_plan_file_is_read_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age;town\n31;A\n47;B\n33;A\n45;B\n")
    file = tmp_path / "plan.yaml"
    file.write_text(
        "\ufeffdata: {file: people.csv, delimiter: ';'}\n"
        "columns: {age: quasi-identifier, town: other}\n"
        "steps: [{microaggregation: {partition: {mdav: {k: 2}}}}]\n"
        "release: {shuffle: false}\n",
        encoding="utf-8",
    )
    release = Plan.load(file).run(seed=1)
    assert release.data["age"].tolist() == [32.0, 46.0, 32.0, 46.0]
    assert [claim.measured for claim in release.claims] == [2.0]


def test_a_plan_runs_on_other_data_too() -> None:
    plan = Plan.parse("steps: [{microaggregation: {partition: {mdav: {k: 2}}}}]")
    data = discreet.read({"age": [1, 3]}, roles={"age": "quasi-identifier"})
    assert plan.run(data).data["age"].tolist() == [2.0, 2.0]
    with pytest.raises(UsageError, match="the plan names no data file"):
        plan.run()


def test_a_plan_that_is_not_there_hints_at_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text("steps: []")
    with pytest.raises(DataError, match=r"does not exist; did you mean 'plan.yaml'\?"):
        read_plan_text(tmp_path / "plam.yaml")
    with pytest.raises(DataError, match="check the path"):
        read_plan_text(tmp_path / "nowhere" / "plan.yaml")
    with pytest.raises(DataError, match="cannot be read"):
        read_plan_text(tmp_path)


def test_a_plan_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_bytes("steps: [größe]".encode("latin-1"))
    with pytest.raises(DataError, match="not UTF-8"):
        Plan.load(file)


def test_mistakes_in_a_file_are_reported_under_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("# comment\n\nstepz: []\n")
    with pytest.raises(UsageError, match=r"^mine\.yaml, line 3, key 'stepz': "):
        Plan.load(file)


@pytest.mark.parametrize(
    "named", ["../town.csv", "{above}/town.csv", "link.csv", "sub/../../town.csv"]
)
def test_side_files_stay_in_the_folder_of_the_plan(named: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (tmp_path / "town.csv").write_text(",A\nA,1\n")
    (home / "link.csv").symlink_to(tmp_path / "town.csv")
    named = named.format(above=tmp_path)
    (home / "plan.yaml").write_text(f"steps: [{{pram: {{matrix_files: ['town={named}']}}}}]")
    with pytest.raises(UsageError, match=r"must be in the plan's folder, but .* --allow-outside"):
        Plan.load(home / "plan.yaml")
    assert Plan.load(home / "plan.yaml", allow_outside=True).steps
    (home / "plan.yaml").write_text("steps: [{pram: {matrix_files: ['town=sub/town.csv']}}]")
    assert Plan.load(home / "plan.yaml").steps


def test_devices_are_no_side_files(tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text("steps: [{pram: {matrix_files: ['town=/dev/zero']}}]")
    for allowed in (False, True):
        with pytest.raises(UsageError, match="'/dev/zero' is a device or a pipe"):
            Plan.load(tmp_path / "plan.yaml", allow_outside=allowed)
    (tmp_path / "plan.yaml").write_text("data: /dev/zero\nsteps: [additive-noise]")
    with pytest.raises(UsageError, match="is a device or a pipe"):
        Plan.load(tmp_path / "plan.yaml").read()


def test_labels_of_a_release_are_read_as_its_plan_means_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    towns = ["Ayle", "Bron", "Cull", "Dorn"]
    rows = zip(rng.choice(towns, 200), rng.choice(list("uvwxyz"), 200), strict=True)
    lines = ["town,job", *(f"{town},{job}" for town, job in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    (tmp_path / "towns.csv").write_text("Ayle;coast\nBron;coast\nCull;hills\nDorn;hills\n")
    (tmp_path / "plan.yaml").write_text(
        "data: {file: people.csv}\n"
        "columns: {town: quasi-identifier, job: quasi-identifier}\n"
        "steps:\n"
        "- global-recoding: {k: null, columns: [town], hierarchies: [town=towns.csv]}\n"
        "- global-recoding: {k: null, columns: [job], mappings: {job: {other: [u, v]}}}\n"
    )
    plan = Plan.load(tmp_path / "plan.yaml")
    original = plan.read()
    release = plan.run(original, seed=1)
    release.write(tmp_path / "out")
    read = plan.read_release(tmp_path / "out/release.csv", original)
    for name in ("town", "job"):
        told, known = (table.schema[name] for table in (release.data, read))
        assert told.decoding is not None
        assert known.decoding is not None
        for label, place in ((c, told.categories.index(c)) for c in told.categories):
            here, there = (
                decoding.take(np.array([at])).low.tolist()
                for decoding, at in (
                    (told.decoding, place),
                    (known.decoding, known.categories.index(label)),
                )
            )
            assert sorted(here) == sorted(there)
    linkage = [
        discreet.assess(original, table, ["distance-linkage"], pairing=release.pairing)
        .risk["distance-linkage"]
        .value
        for table in (release.data, read)
    ]
    assert linkage[0] == linkage[1] > 0.02


def test_a_plan_asks_for_a_file_that_is_safe_in_spreadsheets(tmp_path: Path) -> None:
    text = "steps: [rounding]\ncsv: {spreadsheet_safe: yes}"
    plan = Plan.parse(text)
    assert plan.spreadsheet_safe
    assert Plan.parse(plan.dump()) == plan
    data = discreet.read({"age": [1, 2], "town": ["=1", "'=1"]}, roles={"age": "quasi-identifier"})
    assert plan.file_format(data).details.spreadsheet_safe
    (tmp_path / "r.csv").write_text("age,town\n1,'=1\n2,''=1\n")
    released = plan.read_release(tmp_path / "r.csv", data)
    assert released.column("town").attribute.categories == ("'=1", "=1")
    with pytest.raises(
        UsageError, match=r"key .csv\.spreadsheet_safe.: spreadsheet_safe is yes or no"
    ):
        Plan.parse("steps: [rounding]\ncsv: {spreadsheet_safe: 2}")


def test_the_bound_of_a_method_may_be_a_whole_number() -> None:
    plan = Plan(steps=Plan.parse("steps: [rounding]").steps, claims={"k-anonymity": 2})
    assert plan.content()["claims"] == {"k-anonymity": 2}
