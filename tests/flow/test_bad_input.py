"""Bad input: one sentence on standard error, exit code 1 or 2, no traceback, nothing lost."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command_line import PLAN, QUICK, Discreet, Outcome

DATA, USAGE = 1, 2


def _explained(outcome: Outcome, code: int, *words: str) -> None:
    assert outcome.code == code, outcome
    assert outcome.err.startswith("discreet: ")
    assert outcome.err.count("\n") == 1, outcome.err
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in outcome.err, outcome.err


def _state(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def _rewrite(change: Callable[[str], str]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        file = folder / "people.csv"
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")

    return spoil


def _replan(old: str, new: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        assert old in PLAN
        (folder / "plan.yaml").write_text(PLAN.replace(old, new), encoding="utf-8")

    return spoil


def _lines(text: str, count: int) -> str:
    return "".join(text.splitlines(keepends=True)[:count])


def _cell(row: int, column: int, value: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = [line.split(",") for line in text.splitlines()]
        lines[row][column] = value
        return "\n".join(",".join(line) for line in lines) + "\n"

    return change


def _column(column: int, value: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        lines = [line.split(",") for line in text.splitlines()]
        for line in lines[1:]:
            line[column] = value
        return "\n".join(",".join(line) for line in lines) + "\n"

    return change


def _latin(folder: Path) -> None:
    (folder / "people.csv").write_bytes(
        "name,age,height,town,income\nJosé,1,2,A,3\n".encode("cp1252")
    )
    plan = PLAN.replace("file: people.csv", "file: people.csv\n  encoding: utf-8")
    (folder / "plan.yaml").write_text(plan, encoding="utf-8")


def _truncated_parquet(folder: Path) -> None:
    file = folder / "people.parquet"
    pq.write_table(pa.table({"age": list(range(1000))}), file)
    file.write_bytes(file.read_bytes()[:700])
    (folder / "plan.yaml").write_text(PLAN.replace("people.csv", "people.parquet"))


CASES: dict[str, tuple[Callable[[Path], None], int, list[str]]] = {
    "empty file": (_rewrite(lambda text: ""), DATA, ["empty"]),
    "header only": (_rewrite(lambda text: _lines(text, 1)), DATA, ["two records"]),
    "one row": (_rewrite(lambda text: _lines(text, 2)), DATA, ["two records"]),
    "n below k": (_rewrite(lambda text: _lines(text, 3)), DATA, ["k = 3", "2"]),
    "duplicate column names": (_rewrite(lambda t: t.replace("height", "age", 1)), USAGE,
                               ["column 'height', which is not in the data", "'age', 'age (2)'"]),
    "missing column name": (_rewrite(lambda t: t.replace("height", "", 1)), USAGE,
                            ["column 'height', which is not in the data", "'age', 'column 3'"]),
    "ragged rows": (_rewrite(lambda t: t + "a,b\n"), DATA, ["line"]),
    "role for no column": (_replan("  age:", "  agee:"), USAGE, ["agee", "did you mean 'age'"]),
    "all missing": (_rewrite(_column(1, "")), DATA, ["'age'", "no values"]),
    "infinite": (_rewrite(_cell(3, 2, "inf")), DATA, ["'height'", "finite", "row 3"]),
    "mixed text and numbers": (_rewrite(_cell(4, 1, "old")), DATA, ["'age'", "row 4"]),
    "wrong encoding": (_latin, DATA, ["encoding"]),
    "truncated parquet": (_truncated_parquet, DATA, ["people.parquet"]),
    "no such data": (_replan("people.csv", "peeple.csv"), DATA, ["did you mean 'people.csv'"]),
    "unknown method": (_replan("microaggregation", "microagregation"), USAGE,
                       ["line 11", "did you mean 'microaggregation'"]),
    "unknown partition": (_replan("mdav", "mdva"), USAGE, ["line 12", "did you mean 'mdav'"]),
    "unknown parameter": (_replan("k: 3}", "kk: 3}"), USAGE, ["line 12", "did you mean 'k'"]),
    "parameter out of range": (_replan("k: 3}", "k: 1}"), USAGE, ["line 12", "at least 2"]),
    "parameter of a wrong type": (_replan("k: 3}", "k: three}"), USAGE,
                                  ["line 12", "whole number"]),
    "unknown role": (_replan("role: confidential", "role: secret"), USAGE, ["line 9", "role"]),
    "unknown kind": (_replan("kind: nominal", "kind: nominall"), USAGE,
                     ["line 8", "did you mean 'nominal'"]),
    "unknown key": (_replan("claims:", "clams:"), USAGE, ["line 14", "did you mean 'claims'"]),
    "unknown claim": (_replan("  k-anonymity", "  k-anonimity"), USAGE,
                      ["line 15", "did you mean 'k-anonymity'"]),
    "tab": (_replan("  age:", "\tage:"), USAGE, ["line 6", "tab"]),
    "duplicate key": (_replan("  height:", "  age:"), USAGE, ["line 7", "'columns.age'", "twice"]),
    "broken yaml": (_replan("{mdav:", "{mdav"), USAGE, ["line"]),
    "no steps": (_replan(PLAN[PLAN.index("steps"):PLAN.index("claims")], ""), USAGE, ["steps"]),
    "false claim": (_replan("  k-anonymity: 3", "  k-anonymity: 30"), DATA,
                    ["at least 30", "nothing was released"]),
    "constant": (_rewrite(_column(3, "A")), DATA, ["column 'town'", "the role other"]),
    "overlooked identifier": (_replan("{role: identifier}", "{kind: nominal}"), DATA, ["'name'"]),
}  # fmt: skip


@pytest.mark.parametrize("what", CASES)
def test_bad_input(what: str, folder: Path, discreet_command: Discreet) -> None:
    spoil, code, words = CASES[what]
    spoil(folder)
    before = _state(folder)
    _explained(discreet_command("protect", "plan.yaml", "--out", "out"), code, *words)
    assert _state(folder) == before
    assert not (folder / "out").exists()


def test_no_message_quotes_a_value(folder: Path, discreet_command: Discreet) -> None:
    _rewrite(_cell(4, 1, "canary-value"))(folder)
    outcome = discreet_command("protect", "plan.yaml", "--out", "out")
    assert "canary-value" not in outcome.err


def test_a_constant_column_needs_another_role(folder: Path, discreet_command: Discreet) -> None:
    _rewrite(_column(3, "A"))(folder)
    plan = (folder / "plan.yaml").read_text()
    role = next(line for line in plan.splitlines() if line.strip().startswith("town:"))
    (folder / "plan.yaml").write_text(plan.replace(role, "  town: {role: other}"))
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["protct"], ["did you mean 'protect'"]),
        (["protect"], ["PLAN"]),
        (["protect", "plan.yaml", "--ot", "x"], ["--ot"]),
        (["assess", "--plan", "plan.yaml"], ["--original"]),
        (["methods", "mdva"], ["did you mean 'mdav'"]),
        (["protect", "plan.yml"], ["does not exist"]),
        (["describe", "peeple.csv"], ["did you mean 'people.csv'"]),
        (["describe", "."], ["directory"]),
        (["report", "nowhere"], ["nowhere"]),
        (["report", "."], ["manifest.json"]),
        (["protect", "plan.yaml", "--seed-file", "plan.yaml"], ["a whole number", "record.json"]),
        (["assess", "--plan", "plan.yaml", "--original", "people.csv", "--released", "people.csv",
          "--measure", "k-anonimity"], ["did you mean 'k-anonymity'"]),
    ],
)  # fmt: skip
def test_wrong_commands(
    arguments: list[str], words: list[str], folder: Path, discreet_command: Discreet
) -> None:
    before = _state(folder)
    outcome = discreet_command(*arguments)
    _explained(outcome, outcome.code, *words)
    assert outcome.code in (DATA, USAGE)
    assert _state(folder) == before


def test_never_over_an_input_or_foreign_files(folder: Path, discreet_command: Discreet) -> None:
    before = _state(folder)
    _explained(discreet_command("protect", "plan.yaml", "--out", "."), DATA, "over its input")
    (folder / "mine").mkdir()
    (folder / "mine" / "release.docx").write_text("mine")
    before = _state(folder)
    for force in ([], ["--overwrite"]):
        outcome = discreet_command("protect", "plan.yaml", "--out", "mine", *force)
        _explained(outcome, DATA, "holds")
    _explained(discreet_command("protect", "plan.yaml", "--out", ".", "--overwrite"), DATA)
    _explained(discreet_command("protect", "plan.yaml", "--out", "people.csv"), DATA)
    _explained(discreet_command("describe", "people.csv", "--out", "plan.yaml"), DATA, "exists")
    assert _state(folder) == before


def test_no_write_permission(folder: Path, discreet_command: Discreet) -> None:
    assert discreet_command("protect", "plan.yaml", "--dry-run").code == 0  # all is loaded now
    with tempfile.TemporaryDirectory() as place:
        for name in ("plan.yaml", "people.csv"):
            shutil.copy(folder / name, place)
        before = _state(Path(place))
        Path(place).chmod(0o555)
        os.chdir(place)
        # The superuser may write anywhere, so the test steps down for a moment.
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            outcome = discreet_command("protect", "plan.yaml", "--out", "out")
        finally:
            os.seteuid(user)
            os.chdir(folder)
        _explained(outcome, DATA, "permission")
        assert _state(Path(place)) == before


@pytest.mark.parametrize(
    "where", ["discreet.publishing.written_files.write_table", "pathlib.Path.write_text"]
)
def test_full_disk(
    where: str, folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = _state(folder)
    monkeypatch.setattr(where, full)
    _explained(discreet_command("protect", "plan.yaml", "--out", "out"), DATA, "disk is full")
    assert _state(folder) == before
    assert [p.name for p in folder.iterdir() if p.name.startswith(".")] == []


def test_really_full_disk(folder: Path, discreet_command: Discreet, tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        outcome = discreet_command("protect", "plan.yaml", "--out", str(place / "out"))
        assert list(place.iterdir()) == []
    finally:
        subprocess.run(["umount", str(place)], check=True)
    _explained(outcome, DATA)


INTERRUPTED = """
import os, signal, sys
import discreet.publishing.written_files
from discreet.cli.main import main
real = discreet.publishing.written_files.write_table
def interrupted(*args, **kwargs):
    real(*args, **kwargs)
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
discreet.publishing.written_files.write_table = interrupted
# A suite that a shell runs in the background passes on that it ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
main(["protect", "plan.yaml", "--out", "out", "--overwrite"])
"""


def test_ctrl_c(folder: Path) -> None:
    (folder / "plan.yaml").write_text(QUICK, encoding="utf-8")
    before = _state(folder)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "SIGINT"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    # The line break keeps the message apart from the ^C that the terminal shows.
    message = done.stderr.removeprefix("\n")
    _explained(Outcome(done.returncode, done.stdout, message), DATA, "nothing was written")
    assert _state(folder) == before


def test_a_kill_leaves_the_old_release(folder: Path, discreet_command: Discreet) -> None:
    (folder / "plan.yaml").write_text(QUICK, encoding="utf-8")
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    before = _state(folder / "out")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "SIGKILL"], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert _state(folder / "out") == before
    outcome = discreet_command("protect", "plan.yaml", "--out", "out", "--overwrite")
    assert outcome.code == 0
    assert _state(folder / "out") != before
    assert [p.name for p in folder.iterdir() if p.name.startswith(".")] == []
