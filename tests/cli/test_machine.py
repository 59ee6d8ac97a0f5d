"""`--json`: every command answers with one document of the schema, also where it fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator

from discreet.cli.machine import answer_now, option, schema
from discreet.cli.main import cli, run_command
from discreet.errors import ClaimError
from tests.command_line import Discreet

Answer = Callable[..., dict[str, Any]]


@pytest.fixture
def answer(discreet_command: Discreet) -> Answer:
    """Run a command, and return its document, which was held to the schema on the way."""

    def ask(*words: str) -> dict[str, Any]:
        outcome = discreet_command(*words, "--json")
        document: dict[str, Any] = json.loads(outcome.out)
        assert document["command"] == words[0]
        if document["error"]:
            assert outcome.err.endswith(f"discreet: {document['error']['message']}\n")
        return document

    return ask


def test_the_schema_is_one_and_every_command_is_in_it() -> None:
    Draft202012Validator.check_schema(schema())
    commands = cli.list_commands(click.Context(cli))
    assert {f"result-of-{name}" for name in commands} <= set(schema()["$defs"])
    for name in commands:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert ["--json"] in [param.opts for param in command.params]


def test_a_wrong_document_is_refused() -> None:
    document = {
        "schema": 1, "discreet": "0", "command": "report", "exit_code": 0, "error": None,
        "result": {"files": ["a.html"]},
    }  # fmt: skip
    check = Draft202012Validator(schema())
    assert check.is_valid(document)
    changes: list[dict[str, Any]] = [
        {"schema": 2}, {"exit_code": 7}, {"result": {"files": "a.html"}}, {"result": {}},
        {"error": {"kind": "data", "message": "wrong"}}, {"more": 1}, {"exit_code": 2},
    ]  # fmt: skip
    for change in changes:
        assert not check.is_valid({**document, **change}), change


def test_the_whole_job_answers(folder: Path, answer: Answer) -> None:
    described = answer("describe", "people.csv", "--out", "start.yaml")["result"]
    assert described["records"] == 40
    assert described["plan"] == "start.yaml"
    assert [c["role"] for c in described["columns"] if c["name"] == "name"] == ["identifier"]

    made = answer("protect", "plan.yaml", "--out", "out", "--freeze", "frozen.yaml")["result"]
    [release] = made["releases"]
    claimed = {"measure": "k-anonymity", "bound": 3, "measured": 3}
    assert release["claims"][0] == {**claimed, "counts": None, "households": None}
    assert {f["name"]: f["private"] for f in release["files"]}["record.json"] is True
    assert made["frozen"]["found_anew"] == {"microaggregation": "groups of records"}

    found = answer(
        "assess", "--plan", "plan.yaml", "--original", "people.csv",
        "--released", "out/release.csv", "--measure", "k-anonymity", "--by", "town",
    )["result"]  # fmt: skip
    assert [row["after"] for row in found["measures"]] == [3]
    assert set(found["subdomains"]) == {"A", "B"}
    assert answer("report", "out")["result"]["files"][0].endswith("report-public.html")
    assert answer("verify", "out")["result"]["releases"][0]["holds"] is True


def test_copies_and_a_dry_run_are_releases(folder: Path, answer: Answer) -> None:
    plan = (
        (folder / "plan.yaml")
        .read_text()
        .replace("steps:\n", "steps:\n  - additive-noise: {columns: [age]}\n")
    )
    (folder / "noise.yaml").write_text(plan)
    made = answer("protect", "noise.yaml", "--copies", "2", "--out", "copies")["result"]
    assert [Path(r["directory"]).name for r in made["releases"]] == ["copy-1", "copy-2"]
    [dry] = answer("protect", "plan.yaml", "--dry-run")["result"]["releases"]
    assert dry["directory"] is None
    assert dry["files"] == []


def test_attacks_answer(folder: Path, answer: Answer) -> None:
    answer("protect", "plan.yaml", "--out", "out")
    file = answer("attack", "plan.yaml")["result"]
    assert set(file["findings"]["gains"]) == {"income"}
    people = answer(
        "attack", "plan.yaml", "--released", "out/release.csv", "--attack", "nearest-linkage"
    )["result"]
    assert 0 <= people["outcome"]["success"] <= 1
    assert people["people"] == 40


@pytest.mark.usefixtures("trials_in_process")
def test_a_search_answers_also_where_nothing_keeps_the_limits(folder: Path, answer: Answer) -> None:
    words = ("explore", "plan.yaml", "--method", "rounding", "--repeats", "1", "--risk")
    met = answer(*words, "k-anonymity", "--limit", "1", "--may-lose", "--out", "met")
    assert met["exit_code"] == 0
    assert met["result"]["recommended"]["steps"][0]["rounding"]
    assert met["result"]["recommended"]["records"] == "masked"
    assert met["result"]["alternative"] is None
    assert met["result"]["settings"][0]["keeps the limits"] is True
    unmet = answer(*words, "k-anonymity", "--limit", "40", "--out", "unmet")
    assert unmet["exit_code"] == 3
    assert unmet["result"]["recommended"] is None


def test_the_registry_a_hierarchy_and_the_demo_answer(folder: Path, answer: Answer) -> None:
    [mdav] = answer("methods", "mdav")["result"]["entries"]
    assert mdav["family"] == "partition"
    assert next(p for p in mdav["parameters"] if p["name"] == "k")["default"] == 5
    assert len(answer("methods")["result"]["entries"]) > 80
    assert answer("hierarchy", "people.csv", "town")["result"]["levels"][0] == ["A", "*"]
    assert answer("demo", "--data", "patients.csv")["result"]["data"].endswith("patients.csv")


def test_failures_answer_with_their_kind(folder: Path, answer: Answer) -> None:
    plan = (folder / "plan.yaml").read_text()
    (folder / "false.yaml").write_text(plan.replace("k-anonymity: 3", "k-anonymity: 4"))
    (folder / "typo.yaml").write_text(plan.replace("k: 3", "k: three"))
    for words, code, kind in (
        (("protect", "typo.yaml"), 2, "usage"),
        (("protect", "plan.yaml", "--no-such-option"), 2, "usage"),
        (("protect", "false.yaml", "--out", "out"), 1, "claim"),
        (("protect", "nowhere.yaml"), 1, "data"),
        (("report", "nowhere"), 1, "data"),
        (("nothing",), 2, "usage"),
    ):
        document = answer(*words)
        assert (document["exit_code"], document["error"]["kind"]) == (code, kind)
    assert not (folder / "out").exists()


def test_what_is_printed_before_a_failure_is_no_part_of_the_document(
    capsys: pytest.CaptureFixture[str],
) -> None:
    @click.command(params=[option()])
    def fails() -> None:
        click.echo("on the way")
        raise ClaimError("it does not hold")

    assert run_command(fails, "discreet", ["--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["error"] == {"kind": "claim", "message": "it does not hold"}


def test_a_command_that_goes_on_answers_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    @click.command(params=[option()])
    def serves() -> None:
        answer_now("studio")
        click.echo("a line that nobody reads")

    assert run_command(serves, "discreet", ["--json"]) == 0
    assert json.loads(capsys.readouterr().out)["command"] == "studio"
