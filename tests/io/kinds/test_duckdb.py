"""DuckDB files: a table is read with its types, and released as Parquet."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from discreet.errors import DataError, UsageError
from discreet.io.files import read_table
from tests.io.kinds.test_parquet import everything


def test_a_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as made:
        made.register("given", everything())
        made.execute('create table "my persons" as select * from given')
    file = read_table(path)
    assert file.table.to_pydict() == everything().to_pydict()
    assert file.format.suffix == ".parquet"
    assert read_table(path, columns=["c1"]).table.column_names == ["c1"]
    with duckdb.connect(str(path)) as made:
        made.execute("create view other as select 1 as one")
    with pytest.raises(UsageError, match="has my persons, other; name one"):
        read_table(path)
    assert read_table(path, table="other").table.to_pydict() == {"one": [1]}


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_a_broken_file_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "x.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("create table t as select * from range(10000)")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))] or b"no database at all")
    with pytest.raises(DataError, match="cannot be read as a DuckDB file"):
        read_table(path)


def test_a_view_reads_no_other_file(tmp_path: Path) -> None:
    path, other = tmp_path / "x.duckdb", tmp_path / "secret.csv"
    other.write_text("a\n1\n")
    with duckdb.connect(str(path)) as made:
        made.execute(f"create view v as select * from read_csv('{other}')")
    with pytest.raises(DataError, match="cannot be read"):
        read_table(path)
