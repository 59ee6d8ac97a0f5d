from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from discreet.release.plan import Plan
from discreet.studio.same_elsewhere import commands, python
from tests.studio.client import Client, people

Work = tuple[Client, str]


def text_of(client: Client, work: str) -> str:
    return client.studio.work(work.removeprefix("/w/")).text


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ("version: 1\ncolumns:\n  age: nonsense\n", 3),
        ("version: 1\nsteps:\n  - rounding: {bass: 5}\n", 3),
        ("version: 1\n\tsteps: []\n", 2),
        ("version: 1\nclaims: {none: 2}\n", 2),
    ],
)
def test_an_error_is_shown_at_its_line(small: Work, wrong: str, line: int) -> None:
    client, work = small
    before = text_of(client, work)
    answer = client.post(f"{work}/plan/save", {"text": wrong})
    assert answer.status == 422
    assert f'<span class="wrong">{line}</span>' in answer.text
    assert text_of(client, work) == before
    assert wrong.splitlines()[0] in answer.text


def test_an_edited_text_is_kept(small: Work) -> None:
    client, work = small
    text = text_of(client, work).replace("k: 5", "k: 3").replace("k-anonymity: 5", "k-anonymity: 3")
    answer = client.post(f"{work}/plan/save", {"text": text.replace("\n", "\r\n")})
    assert answer.status == 200
    assert text_of(client, work) == text


def test_undo_and_redo(small: Work) -> None:
    client, work = small
    first = text_of(client, work)
    client.post(f"{work}/protect/toggle", {"step": 0})
    second = text_of(client, work)
    back = client.post(f"{work}/undo", {"back": f"{work}/protect"})
    assert back.headers["location"] == f"{work}/protect"
    assert text_of(client, work) == first
    client.post(f"{work}/redo")
    assert text_of(client, work) == second
    client.post(f"{work}/goto", {"number": 1})
    assert text_of(client, work) == first


def test_the_history_says_what_came_of_a_plan(done: Work) -> None:
    client, work = done
    page = client.get(f"{work}/plan").text
    assert "opened people.csv" in page
    assert "strongest-linkage" in page


def test_the_same_elsewhere(done: Work) -> None:
    client, work = done
    page = client.get(f"{work}/plan").text
    assert "discreet protect" in page
    assert "discreet.Plan.load" in page
    plan = client.studio.work(work.removeprefix("/w/")).path
    assert shlex.split(commands(Path("a b.yaml")).splitlines()[0])[2] == "a b.yaml"
    assert Plan.load(plan).run(seed=1).claims


def test_the_lines_of_python_run_from_anywhere_and_do_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people(tmp_path)
    plan = tmp_path / "some.yaml"
    plan.write_text(
        "data: people.csv\n"
        "columns: {age: quasi-identifier, sex: quasi-identifier, income: confidential}\n"
        "missing: {income: [1000]}\n"
        "steps: [{microaggregation: {partition: {mdav: {k: 3}}}}]\n"
        "claims: {k-anonymity: 3}\nrelease: {shuffle: false}\n"
    )
    lines = python(Plan.load(plan), plan).partition("# the same without the plan")[2]
    monkeypatch.chdir("/")
    found: dict[str, Any] = {}
    exec(f"import discreet\n{lines}", found)
    assert found["release"].frame().equals(Plan.load(plan).run().frame())


def test_a_plan_that_was_spoilt_elsewhere_can_be_mended_and_undone(small: Work) -> None:
    client, work = small
    plan = client.studio.work(work.removeprefix("/w/")).path
    before = plan.read_text()
    plan.write_text("version: 1\ncolumns:\n  age: nonsense\n")
    page = client.get(f"{work}/plan")
    assert '<span class="wrong">3</span>' in page.text
    columns = client.get(f"{work}/columns")
    assert (columns.status, 'id="undo"' in columns.text, f"{work}/plan" in columns.text) == (
        422, True, True,
    )  # fmt: skip
    client.post(f"{work}/undo")
    assert plan.read_text() == before
    assert client.get(f"{work}/columns").status == 200


def test_data_that_are_gone_leave_the_way_to_the_plan(small: Work) -> None:
    client, work = small
    (client.studio.places.root / "people.csv").unlink()
    page = client.get(f"{work}/columns")
    assert (page.status, f"{work}/plan" in page.text) == (422, True)
    assert client.get(f"{work}/plan").status == 200
