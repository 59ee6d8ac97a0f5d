"""Valid inputs of every kind that discreet reads, to be mutated: data files, plans, side files."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

TOWNS = ("Quellbrunn", "Ziegelau", "Wolkenstein")
"""Values of records that no message may quote."""
ROWS = 12
PLAN = """\
version: 1
data: {file: data.csv}
columns:
  age: {role: quasi-identifier}
  town: {role: quasi-identifier}
  pay: confidential
  grade: {role: other, kind: ordinal, categories: [low, mid, high]}
steps:
- STEP
claims: {k-anonymity: 1}
measures: [k-anonymity]
release: {shuffle: true, format: csv}
"""
STEPS = {
    "plan": "microaggregation: {partition: {mdav: {k: 3, scaling: range}}, columns: [age, town]}",
    "plan with mappings": "global-recoding: {k: 2, mappings: {town: {other: [Ziegelau]}}, "
    "intervals: {age: [30, 40]}}",
    "plan with rules": "partially-synthetic: {rules: [always age >= 20], cells: age > 19}",
    "hierarchy": "global-recoding: {k: 2, hierarchies: [town=side.csv]}",
    "hierarchy of ages": "local-recoding: {k: 2, hierarchies: [age=side.csv]}",
    "register": "fully-synthetic: {register: [population=side.csv]}",
    "matrix": "pram: {matrix_files: [town=side.csv], columns: [town]}",
    "weights": "matrix-masking: {records: [A=side.csv], columns: [age]}",
}
SIDES = {
    "hierarchy": "Quellbrunn;river;*\nZiegelau;river;*\nWolkenstein;hill;*\n",
    "hierarchy of ages": "".join(f"{age},{age // 10}0s,*\n" for age in range(20, 33)),
    "register": "age,town\n" + "".join(f"{20 + n % 13},{TOWNS[n % 3]}\n" for n in range(20)),
    "matrix": ",Quellbrunn,Ziegelau,Wolkenstein\nQuellbrunn,0.8,0.1,0.1\nZiegelau,0,1,0\n"
    "Wolkenstein,0.5,0,0.5\n",
    "weights": "".join(f"{n + 1},{(n + k) % ROWS + 1},0.5\n" for n in range(ROWS) for k in (0, 1)),
}
YAML_WORDS = tuple(
    b"!!timestamp 2020-01-01|!!bool x|!!python/object:os.system {}|!!binary aGk=|&a [*a]|*a|<<: |"
    b"? [a]|- |{|}|[|]|:|: |null|~|.inf|.nan|-.inf|1e999|0x10|0o7|1_000|true|no|2020-01-01|'|\"|"
    b"|2|> x|# |%YAML 1.1|---|...|\t|@x|`x|k: -1|steps: |/dev/zero|../../etc/passwd|\xc3\xa9|"
    b"columns: {}|claims: {k-anonymity: 99999999999999999999}|!!set {a}|!!omap [a: 1]|!!int x"
    b"".split(b"|")
)
CSV_WORDS = tuple(
    b"NA|NaN|inf|-0|1e999|1e-999|9007199254740993|99999999999999999999999|2020-02-30|2020-01-01|,|;"
    b'|"|""|\r\n|\r|\n|\t|=1+1|@|\xe9|\xc3|\xc3\xa9|\xf0\x9f\x99\x82|*|level1|[20, 30)|1,5|'
    b"Ziegelau".split(b"|")
)
JSON_WORDS = tuple(
    b'null|true|-1|1e999|NaN|Infinity|""|[]|{}|"x"|99999999999999999999|0.5|,|:|[|]|{|}|\\u0000|"'
    b"".split(b"|")
)


@dataclass(frozen=True)
class Input:
    """A file to be mutated, the files beside it, and the command that reads it."""

    kind: str
    name: str
    content: bytes
    beside: tuple[tuple[str, bytes], ...]
    command: tuple[str, ...]
    words: tuple[bytes, ...] = ()


def data_csv() -> bytes:
    """Return a small file of persons."""
    lines = [
        f"{20 + n % 13},{TOWNS[n % 3]},{73456.125 + 1000 * n},{('low', 'mid', 'high')[n % 3]}"
        for n in range(ROWS)
    ]
    return ("age,town,pay,grade\n" + "\n".join(lines) + "\n").encode()


def _plan(step: str) -> bytes:
    return PLAN.replace("STEP", step).encode()


def text_inputs() -> list[Input]:
    """Return plans and the files that they name."""
    inputs = []
    for kind, step in STEPS.items():
        beside = [("data.csv", data_csv())]
        command = ("protect", "plan.yaml", "--dry-run")
        if kind in SIDES:
            beside.append(("plan.yaml", _plan(step)))
            content, name, words = SIDES[kind].encode(), "side.csv", CSV_WORDS
        else:
            content, name, words = _plan(step), "plan.yaml", YAML_WORDS
        inputs.append(Input(kind, name, content, tuple(beside), command, words))
    plan = _plan(STEPS["plan"])
    csv = data_csv()
    for name, content in (
        ("data.csv", csv),
        ("data.tsv", csv.replace(b",", b"\t")),
        ("data.csv.gz", gzip.compress(csv, mtime=0)),
    ):
        kind = name.removeprefix("data.")
        protect = ("protect", "plan.yaml", "--data", name, "--dry-run")
        beside = [("plan.yaml", plan)]
        inputs.append(Input(f"{kind} described", name, content, (), ("describe", name), CSV_WORDS))
        inputs.append(Input(f"{kind} protected", name, content, tuple(beside), protect, CSV_WORDS))
    seed = ("protect", "plan.yaml", "--dry-run", "--seed-file", "seed")
    inputs.append(
        Input(
            "seed file",
            "seed",
            b"12345",
            (("data.csv", csv), ("plan.yaml", plan)),
            seed,
            JSON_WORDS,
        )
    )
    return inputs


def binary_inputs(folder: Path) -> list[Input]:
    """Return files of every binary format, written with the libraries of these formats."""
    import pandas as pd
    import pyarrow as pa
    import pyreadstat
    from pyarrow import parquet

    from bench.campaign.sas7bdat import sas7bdat

    frame = pd.DataFrame(
        {
            "age": [20.0 + n % 13 for n in range(ROWS)],
            "town": [TOWNS[n % 3] for n in range(ROWS)],
            "pay": [73456.125 + 1000 * n for n in range(ROWS)],
        }
    )
    labels = {"age": {20.0: "twenty", 21.0: "more"}}
    paths = {kind: str(folder / f"data.{kind}") for kind in ("sav", "zsav", "dta", "xpt", "por")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pyreadstat.write_sav(frame, paths["sav"], variable_value_labels=labels)
        pyreadstat.write_sav(frame, paths["zsav"], compress=True)
        pyreadstat.write_dta(frame, paths["dta"], variable_value_labels={"age": {20: "twenty"}})
        pyreadstat.write_xport(frame, paths["xpt"])
        pyreadstat.write_por(frame, paths["por"])
    contents = {kind: Path(path).read_bytes() for kind, path in paths.items()}
    table = pa.table(frame.assign(day=pd.Timestamp("2020-01-01"), code=frame["town"]))
    table = table.set_column(4, "code", table.column("code").dictionary_encode())
    parquet.write_table(table, folder / "data.parquet", row_group_size=5)
    contents["parquet"] = (folder / "data.parquet").read_bytes()
    contents["sas7bdat"] = sas7bdat(
        {"age": frame["age"].tolist(), "town": frame["town"].tolist(), "pay": frame["pay"].tolist()}
    )
    return [
        Input(kind, f"data.{kind}", content, (), ("describe", f"data.{kind}"))
        for kind, content in contents.items()
    ]


def release_inputs(folder: Path) -> list[Input]:
    """Return the files of a release that are read back: record and manifest."""
    from bench.campaign.command import run

    (folder / "data.csv").write_bytes(data_csv())
    (folder / "plan.yaml").write_bytes(_plan(STEPS["plan"]))
    made = run(["protect", str(folder / "plan.yaml"), "--out", str(folder / "release")])
    assert made.code == 0, made.err
    files = {path.name: path.read_bytes() for path in (folder / "release").iterdir()}
    return [
        _of_release(files, "record.json", ("report", "release"), JSON_WORDS),
        _of_release(files, "manifest.json", ("report", "release"), JSON_WORDS),
        *_verified(files),
        *_assessed(files),
    ]


def _of_release(
    files: dict[str, bytes], name: str, command: Sequence[str], words: tuple[bytes, ...]
) -> Input:
    beside = tuple(
        (f"release/{other}", content) for other, content in files.items() if other != name
    )
    return Input(
        f"{name} by {command[0]}", f"release/{name}", files[name], beside, tuple(command), words
    )


def _verified(files: dict[str, bytes]) -> list[Input]:
    from discreet.cli.main import Commands

    if "verify" not in Commands._modules():
        return []
    return [
        _of_release(files, name, ("verify", "release"), words)
        for name, words in (("manifest.json", JSON_WORDS), ("release.csv", CSV_WORDS))
    ]


def _assessed(files: dict[str, bytes]) -> list[Input]:
    command = (
        *("assess", "--plan", "plan.yaml", "--original", "data.csv"),
        *("--released", "release/release.csv", "--measure", "k-anonymity"),
    )
    inputs = []
    for name, words in (("release.csv", CSV_WORDS), ("record.json", JSON_WORDS)):
        made = _of_release(files, name, command, words)
        beside = (*made.beside, ("data.csv", data_csv()), ("plan.yaml", _plan(STEPS["plan"])))
        inputs.append(Input(made.kind, made.name, made.content, beside, command, words))
    return inputs


SEARCH = (
    *("explore", "plan.yaml", "--risk", "k-anonymity", "--limit", "2", "--utility", "sse-sst"),
    *("--repeats", "1", "--cores", "1", "--out", "search"),
)
CANDIDATES = """\
- microaggregation: {partition: {mdav: {k: {try: [2, 3, 4]}}}}
- - rank-swapping: {p: {from: 5, to: 20, step: 5}, columns: [age]}
  - pram: {matrix_files: [town=side.csv], columns: [town]}
- additive-noise: {alpha: 0.2, columns: [age]}
"""
NO_TIME = ("--budget", "0.001s")
"""Results that a search finds in its store take no time; nothing new is tried."""


def search_inputs(folder: Path) -> list[Input]:
    """Return what a search reads: a list of candidates, and the store of an earlier search."""
    import os

    from bench.campaign.command import run

    beside = (("data.csv", data_csv()), ("plan.yaml", _plan(STEPS["plan"])))
    listed = (*SEARCH, *NO_TIME, "--candidates", "try.yaml")
    side = ("side.csv", SIDES["matrix"].encode())
    inputs = [
        Input("candidates", "try.yaml", CANDIDATES.encode(), (*beside, side), listed, YAML_WORDS)
    ]
    for name, content in beside:
        (folder / name).write_bytes(content)
    method = ("--method", "microaggregation")
    before = Path.cwd()
    os.chdir(folder)
    try:
        made = run([*SEARCH, *method], 120)
    finally:
        os.chdir(before)
    assert made.code in (0, 3), made.err
    store = (folder / "search" / "trials.sqlite").read_bytes()
    command = (*SEARCH, *method, *NO_TIME)
    inputs.append(Input("store", "search/trials.sqlite", store, beside, command))
    return inputs


def all_inputs(folder: Path) -> list[Input]:
    """Return one valid input of every kind."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        *text_inputs(),
        *binary_inputs(folder),
        *release_inputs(folder),
        *search_inputs(folder),
    ]
