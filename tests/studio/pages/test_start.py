from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

from discreet.studio.places import PLAN
from tests.studio.client import SMALL, Client, opened, people


def test_the_demo_is_put_into_the_folder_and_opened(tmp_path: Path) -> None:
    client = Client(tmp_path)
    answer = client.post("/demo")
    assert answer.headers["location"] == "/w/patients.csv.studio/plan.yaml/columns"
    assert (tmp_path / "patients.csv").is_file()
    (tmp_path / "patients.csv").write_text("mine\n1\n")
    again = client.post("/demo")
    assert "patients-2.csv" in again.headers["location"]
    assert (tmp_path / "patients.csv").read_text() == "mine\n1\n"


def test_work_that_was_begun_is_listed(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    page = client.get("/").text
    assert f'href="{work}/columns"' in page
    assert SMALL in page


def test_opening_a_file_again_goes_on_with_its_work(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    client.post(f"{work}/columns/set", {"column": "age", "key": "role", "value": "other"})
    again = Client(tmp_path)
    assert again.post("/open", {"place": SMALL}).status == 303
    assert "age: {role: other" in again.get(f"{work}/plan").text.replace("\n    role", " {role")


def test_a_plan_is_opened_as_it_is(tmp_path: Path) -> None:
    people(tmp_path)
    (tmp_path / "mine.yaml").write_text(
        "data: people.csv\ncolumns: {age: key}\nsteps: [rounding]\n"
    )
    client = Client(tmp_path)
    answer = client.post("/open", {"place": "mine.yaml"})
    assert answer.headers["location"] == "/w/mine.yaml/columns"
    (tmp_path / "bad.yaml").write_text("columns: {age: nonsense}\n")
    assert "line 1" in client.post("/open", {"place": "bad.yaml"}).text


def test_bad_files_are_explained(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "wrong.parquet").write_text("not parquet")
    (tmp_path / "text.xlsx").write_bytes(b"a,b\n1,2\n")
    client = Client(tmp_path)
    for name in ("empty.csv", "wrong.parquet", "text.xlsx", "gone.csv"):
        answer = client.post("/open", {"place": name})
        assert answer.status == 422, name
        assert "Traceback" not in answer.text
    assert not list(tmp_path.glob("*.studio"))


def test_a_dropped_file_is_private_and_replaces_nothing(tmp_path: Path) -> None:
    people(tmp_path)
    client = Client(tmp_path)
    answer = client.ask("PUT", "/upload?name=..%2F..%2Fpeople.csv", b"age\n31\n47\n")
    assert answer.text == '{"place":"people-2.csv"}'
    file = tmp_path / "people-2.csv"
    assert file.read_bytes() == b"age\n31\n47\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert client.ask("PUT", "/upload?name=virus.exe", b"MZ").status == 422
    assert not list(tmp_path.glob("*exe"))


def test_databases_need_an_address(tmp_path: Path) -> None:
    answer = Client(tmp_path).post("/database", {"address": "not an address"})
    assert (answer.status, "postgresql://" in answer.text) == (422, True)


def test_a_table_of_a_database_is_opened_and_released(tmp_path: Path, postgres: str) -> None:
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(postgres, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute(
            "create table cases as select i as number, 20 + i % 40 as age, 'town ' || i % 3 as "
            "place, 1000.5 + i * 37 % 101 as cost, date '2020-01-01' + i * 53 % 199 as seen "
            "from generate_series(1, 200) as i"
        )
    client = Client(tmp_path)
    missing = client.post("/database", {"address": postgres, "table": "no_such"})
    assert (missing.status, "there is no such table" in missing.text) == (422, True)
    assert not list(tmp_path.iterdir())
    answer = client.post("/database", {"address": postgres, "table": "cases"})
    assert answer.headers["location"] == f"/w/database-1.studio/{PLAN}/columns", answer.text
    work = answer.headers["location"].removesuffix("/columns")
    client.studio.work(work.removeprefix("/w/")).table(60)
    page = client.get(f"{work}/columns").text
    assert all(name in page for name in ("number", "age", "place", "cost", "seen"))
    for column, role in (("number", "identifier"), ("place", "quasi-identifier")):
        change = {"column": column, "key": "role", "value": role}
        assert client.post(f"{work}/columns/set", change).status == 200
    for address in ("protect/run", "release/write"):
        assert client.post(f"{work}/{address}").status == 200
        job = client.finish()
        assert job.state == "done", job.error
    assert list(tmp_path.glob("database-1.studio/releases/*/*.parquet"))
    start = client.get("/").text
    assert ("<bdi>postgres, cases</bdi>" in start, "host=" in start) == (True, False)
    assert "cannot be read" not in start  # the folders of work are no other files
    query = client.post("/database", {"address": postgres, "query": "select age from cases"})
    assert "/database-2.studio/" in query.headers["location"]
    client.studio.close()


def test_a_table_of_an_sqlite_file_is_chosen(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "study.db")) as database, database:
        database.execute("create table persons (age integer, town text)")
        database.executemany("insert into persons values (?, ?)", [(31, "Ayle"), (47, "Bron")])
    client = Client(tmp_path)
    assert "study.db.studio/" in client.post("/open", {"place": "study.db"}).headers["location"]
    with closing(sqlite3.connect(tmp_path / "two.db")) as database, database:
        database.execute("create table 'a/b' (age integer)")
        database.execute("insert into 'a/b' values (31)")
        database.execute("create table visits (day text)")
        database.execute("insert into visits values ('2020-01-02')")
    asked = client.post("/open", {"place": "two.db"})
    assert (asked.status, 'value="a/b"' in asked.text, "visits" in asked.text) == (200, True, True)
    for table, column in (("a/b", "age"), ("visits", "day")):
        answer = client.post("/open", {"place": "two.db", "table": table})
        place = unquote(answer.headers["location"])[3:].removesuffix("/columns")
        work = client.studio.work(place)
        assert work.table(60).data.schema.names == (column,)
    assert len(list(tmp_path.glob("two.db.*.studio"))) == 2
    assert "<bdi>two.db, visits</bdi>" in client.get("/").text


def test_quitting_ends_the_studio(tmp_path: Path) -> None:
    client = Client(tmp_path)
    assert client.post("/quit").status == 200
    assert client.studio.stopping


def test_assets_are_ours_only(tmp_path: Path) -> None:
    client = Client(tmp_path)
    for name in ("style.css", "studio.css", "studio.js", "htmx.min.js", "icon.svg"):
        assert client.get(f"/static/{name}").status == 200
    for name in ("..%2Fguard.py", "vendored.json", "none.css", "__init__.py"):
        assert client.get(f"/static/{name}").status in (404, 422)


def test_a_name_that_the_system_refuses_is_told(tmp_path: Path) -> None:
    client = Client(tmp_path)
    answer = client.ask("PUT", f"/upload?name={'a' * 400}.csv", b"a\n1\n")
    assert (answer.status, "File name too long" in answer.text) == (422, True)
    name = f"{'a' * 248}.csv"  # the folder of its work would have a longer one
    (tmp_path / name).write_text("age\n31\n47\n")
    answer = client.post("/open", {"place": name})
    assert (answer.status, "File name too long" in answer.text) == (422, True)
