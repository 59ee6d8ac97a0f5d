from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import DataError, UsageError
from discreet.release.plan import Plan
from discreet.studio import work as module
from discreet.studio.state import Studio
from discreet.studio.work import StillReading, Work
from tests.studio.client import Client, opened, people


@pytest.fixture
def work(tmp_path: Path) -> Work:
    return Work.begin(people(tmp_path), tmp_path / "people.csv.studio" / "plan.yaml")


def test_work_begins_with_a_plan_that_the_command_line_runs(work: Work) -> None:
    plan = Plan.load(work.path)
    assert plan.file == "../people.csv"
    assert plan.roles["name"] == "identifier"
    assert work.history.current.change == "opened people.csv"
    assert work.name == "people.csv"


def test_a_change_that_cannot_be_read_is_not_kept(work: Work) -> None:
    before = work.text
    with pytest.raises(UsageError):
        work.change(lambda draft: draft.add("nonsense"))
    with pytest.raises(UsageError):
        work.replace_text("columns: [")
    assert work.text == before
    assert len(work.history.entries) == 1


def test_roles_do_not_read_the_file_again(work: Work) -> None:
    table = work.table(60)
    work.change(lambda draft: draft.set_column("age", "role", "other"))
    assert work.table(60) is table
    work.change(lambda draft: draft.set_column("age", "kind", "nominal"))
    assert work.table(60) is not table


def test_a_file_that_changed_is_read_again(work: Work) -> None:
    table = work.table(60)
    file = work.folder.parent / "people.csv"
    file.write_text(file.read_text() + "one more,50,f,west,2000,flu\n")
    assert len(work.table(60).data) == len(table.data) + 1


def test_a_page_does_not_wait_for_a_large_file(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    go = threading.Event()
    usual = module._read_and_look
    monkeypatch.setattr(module, "_read_and_look", lambda plan: (go.wait(60), usual(plan))[1])
    with pytest.raises(StillReading):
        work.table(0.01)
    go.set()
    assert len(work.table(60).data) == 60


def test_reading_is_told_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client, place = opened(tmp_path)

    def slow(self: Work, patience: float = 1.0) -> None:
        raise StillReading

    monkeypatch.setattr(Work, "table", slow)
    assert "being read" in client.get(f"{place}/columns").text
    change = {"column": "age", "key": "role", "value": "other"}
    assert client.post(f"{place}/columns/set", change).status == 503


def test_a_sample_has_the_roles_of_the_plan(work: Work) -> None:
    sample = work.table(60).sample(work.plan)
    assert sample.quasi_identifiers == work.plan.read().quasi_identifiers


def test_work_that_is_gone_is_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="any more"):
        Studio(tmp_path).work("none/plan.yaml")
    with pytest.raises(DataError, match="no file"):
        Studio(tmp_path).open("none.csv")
    assert Client(tmp_path).get("/w/none/columns").status == 422


def test_the_cells_of_the_file_are_let_go(tmp_path: Path) -> None:
    import gc

    import pyarrow as pa

    rows = "".join(f"town {i % 7},{i}\n" for i in range(20_000))
    (tmp_path / "towns.csv").write_text(f"town,number\n{rows}")
    gc.collect()
    before = pa.total_allocated_bytes()
    work = Work.begin(tmp_path / "towns.csv", tmp_path / "towns.csv.studio" / "plan.yaml")
    table = work.table(60)
    gc.collect()
    # The sample for previews is kept: a tenth of the records.
    assert pa.total_allocated_bytes() - before < len(rows) / 2
    assert table.exposures.by(["town"]).least == 20_000 // 7


def test_a_plan_that_names_some_columns_shows_them_all_and_releases_those(tmp_path: Path) -> None:
    people(tmp_path)
    text = (
        "data: people.csv\ncolumns: {age: quasi-identifier, sex: quasi-identifier}\nsteps: [pram]\n"
    )
    (tmp_path / "some.yaml").write_text(text)
    client = Client(tmp_path)
    address = client.post("/open", {"place": "some.yaml"}).headers["location"]
    work = client.studio.work("some.yaml")
    table = work.table(60)
    assert len(table.data.schema) == 6
    assert table.sample(work.plan).schema.names == ("age", "sex")
    assert client.get(address).text.count("left out</option>") == 4
