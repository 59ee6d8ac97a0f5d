"""A table of a PostgreSQL server that is larger than memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from discreet.errors import DataError, UsageError
from discreet.io.database import read_database
from discreet.io.frames import to_table
from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.scaling.deciding import disk_at_most, estimate, size_of
from discreet.scaling.protecting import protect_large
from discreet.scaling.source import large_file
from tests.command_line import Discreet
from tests.scaling.people import LITTLE, ROWS, people, released, written

STEPS = """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
  - microaggregation: {partition: {mdav: {k: 5, blocks: 4000}}}
  - additive-noise: {columns: [hours]}
"""


@pytest.fixture(scope="module")
def people_table(postgres: str) -> str:
    """Return the address of a database with the invented file as a table, income as numeric."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("people", people(), mode="create")
        cursor.execute("alter table people alter income type numeric(12, 2)")
        cursor.execute("alter table people add serial numeric")
        cursor.execute("update people set serial = 12345678901234567890 + id where id % 9 = 0")
    return postgres


def _plan(folder: Path, address: str, data: str, steps: str = STEPS, more: str = "") -> Path:
    plan = written(folder, steps, more, rows=10)
    text = plan.read_text().replace("{file: people.parquet}", f'{{file: "{address}", {data}}}')
    plan.write_text(text.replace("steps:", "  serial: {role: identifier}\nsteps:"))
    return plan


IN_ORDER = 'query: "select * from people order by id"'


def test_the_release_is_the_one_made_in_memory(people_table: str, tmp_path: Path) -> None:
    plan = Plan.load(_plan(tmp_path, people_table, IN_ORDER, more="claims: {k-anonymity: 5}"))
    release = plan.run(seed=7)
    protected = protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE)
    expected, found = to_table(release.data), released(tmp_path / "out")
    assert found.num_rows == ROWS
    assert found.equals(expected)
    assert protected.release.claims == release.claims
    assert protected.release.notes == release.notes
    sources = protected.release.original.source, release.original.source
    assert sources[0] is not None
    assert sources[1] is not None
    assert sources[0].notes == sources[1].notes
    assert verify(tmp_path / "out").holds
    record = (tmp_path / "out" / "record.json").read_text()
    assert json.loads(record)["input"] is None
    assert "user=tests" not in record
    assert not list(tmp_path.glob(".out*"))


def test_types_are_those_of_reading_in_memory(people_table: str, tmp_path: Path) -> None:
    options = {"query": "select * from people order by id"}
    file = large_file(people_table, options, tmp_path)
    read = read_database(people_table, options=options)
    assert file.path is None
    assert file.notes == read.notes
    assert file.schema.types == read.table.schema.types
    [(_, first)] = file.tables(first=5, last=500)
    assert first.to_pydict() == read.table.slice(5, 495).to_pydict()
    with pytest.raises(DataError, match=r"a table of a database .* needs a working folder"):
        large_file(people_table, options)


def test_codes_for_missing_values(people_table: str, tmp_path: Path) -> None:
    options = {"query": "select sex, income, age from people order by id limit 50"}
    first = read_database(people_table, options=options).table["income"][0].as_py()
    file = large_file(people_table, options, tmp_path, {"income": [first], "sex": ["f"]})
    [(_, table)] = file.tables()
    assert table["income"][0].as_py() is None
    assert set(table["sex"].to_pylist()) == {None, "m"}
    assert "missing in: sex, income" in file.notes[-1]


def test_the_server_counts_before_anything_is_read(people_table: str) -> None:
    size = size_of(people_table, {"table": "people"})
    assert size is not None
    assert (size.rows, size.columns, size.folder) == (ROWS, 9, False)
    assert size.widths["income"] == 8
    assert size.words(10**9) == "70,000 records of 9 columns: working in memory"
    assert size.words(10**6) == (
        "70,000 records of 9 columns would need about 66 MB in memory, and 1 MB may be used: "
        "working on the disk"
    )
    some = size_of(people_table, {"query": "select age from people where id < 10;"})
    assert some is not None
    assert (some.rows, some.columns) == (10, 1)
    none = size_of(people_table, {"query": "select age from people where id < 0"})
    assert none is not None
    assert none.words(10**9) == "0 records of 1 columns: working in memory"


def test_the_copy_is_part_of_the_disk_that_is_estimated(people_table: str) -> None:
    size = size_of(people_table, {"table": "people"})
    assert size is not None
    assert size.copied == size.rows * sum(size.widths.values())
    steps = Plan.parse(f"data: people.parquet\nsteps:{STEPS}").steps
    without = Plan.parse("data: people.parquet\nsteps: [rounding]").steps
    assert disk_at_most(estimate(size, steps, LITTLE)) > size.copied
    assert estimate(size, without, LITTLE)[0].disk > size.copied


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"table": "nobody"}, "there is no such table"),
        ({"query": "select 'secret'::integer as x"}, "SQLSTATE 22P02"),
    ],
)
def test_what_cannot_be_counted(people_table: str, options: dict[str, str], words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        size_of(people_table, options)
    assert "secret" not in str(caught.value)


def test_a_password_is_refused_before_the_server_is_asked() -> None:
    with pytest.raises(UsageError, match="PGPASSWORD") as caught:
        size_of("postgresql://me:secret@localhost/study", {"table": "people"})
    assert "secret" not in str(caught.value)


def test_by_command(
    people_table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    discreet_command: Discreet,
) -> None:
    monkeypatch.chdir(tmp_path)
    _plan(tmp_path, people_table, "table: people", "  - rounding: {base: 5, columns: [hours]}")
    estimated = discreet_command("protect", "plan.yaml", "--estimate", "--memory", "1GB")
    assert estimated.code == 0
    assert "70,000 records:" in estimated.out
    assert not Path("release").exists()
    small = discreet_command("protect", "plan.yaml", "--memory", "1GB", "--dry-run")
    assert "70,000 records of 9 columns: working in memory" in small.err
    monkeypatch.setattr("discreet.scaling.deciding.PER_CELL", 10_000)
    done = discreet_command("protect", "plan.yaml", "--memory", "1GB")
    assert done.code == 0
    assert "would need about 6.3 GB in memory, and 1.0 GB may be used: working" in done.err
    assert "PostgreSQL, postgres, table 'people'" in done.out
    assert "kept as text, in: serial" in done.out
    assert discreet_command("verify", "release").code == 0
