"""The command line: commands, their help, and errors in one sentence."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest

from discreet.cli.main import cli, main, run, run_command
from discreet.errors import DataError, UsageError
from tests.command_line import Discreet

README = Path(__file__).resolve().parents[2] / "README.md"
CONTEXT = click.Context(cli)
COMMANDS = cli.list_commands(CONTEXT)


def test_every_command_has_help(discreet_command: Discreet) -> None:
    overview = discreet_command("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in overview.out
        assert "Usage" in discreet_command(name, "--help").out
    assert discreet_command().code == 2
    assert "mdav" in discreet_command("methods").out


def test_the_readme_shows_every_command_with_options_that_exist() -> None:
    _, section = README.read_text(encoding="utf-8").split("## On the command line\n```\n")
    shown = [shlex.split(line, comments=True) for line in section.split("```")[0].splitlines()]
    assert sorted(words[1] for words in shown) == sorted(COMMANDS)
    for program, name, *words in shown:
        command = cli.get_command(CONTEXT, name)
        assert command is not None
        known = {option for param in command.params for option in param.opts}
        assert program == "discreet"
        assert {word for word in words if word.startswith("--")} <= known


def test_an_unforeseen_error_shows_nothing_of_the_data(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("could not convert 'Smith'")

    monkeypatch.setattr("discreet.release.assessing.assess", broken)
    outcome = discreet_command("protect", "plan.yaml", "--out", "out")
    assert outcome.code == 1
    assert "Smith" not in outcome.err
    assert "ValueError" in outcome.err


@pytest.mark.parametrize(
    "text", [b"age,sex\n1,f\n2\n", "age,sex\n1,f\n2,ß\n".encode("latin-1") + b"\x81\n"]
)
def test_messages_start_with_a_small_letter(
    folder: Path, discreet_command: Discreet, text: bytes
) -> None:
    (folder / "bad.csv").write_bytes(text)
    said = discreet_command("describe", "bad.csv", "--encoding", "utf-8")
    assert said.code == 1
    assert said.err.removeprefix("discreet: ")[0].islower()


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (UsageError("wrong word"), 2, "discreet: wrong word\n"),
        (DataError("wrong data"), 1, "discreet: wrong data\n"),
        (MemoryError(), 1, "use fewer columns or a sample"),
        (RecursionError(), 2, "nested too deeply"),
        (KeyboardInterrupt(), 1, "stopped; nothing was written"),
        (PermissionError(13, "Permission denied", "x.csv"), 1, "'x.csv': Permission denied"),
        (KeyError("secret"), 1, "this should not have happened (KeyError)"),
    ],
)
def test_every_error_is_one_sentence_and_an_exit_code(
    error: BaseException,
    code: int,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DISCREET_DEBUG", raising=False)

    @click.command()
    def fails() -> None:
        raise error

    assert run_command(fails, "discreet", []) == code
    said = capsys.readouterr().err
    assert words in said
    assert "\n" not in said.strip(), "but for the line that keeps a message apart from ^C"
    assert "secret" not in said


def test_an_unforeseen_error_is_shown_whole_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCREET_DEBUG", "1")

    @click.command()
    def fails() -> None:
        raise KeyError("where")

    with pytest.raises(KeyError, match="where"):
        run_command(fails, "discreet", [])


def test_a_misspelt_command_hints_at_the_nearest(discreet_command: Discreet) -> None:
    outcome = discreet_command("protct")
    assert outcome.code == 2
    assert "there is no command 'protct'; did you mean 'protect'? (commands: " in outcome.err


def test_the_exit_code_is_that_of_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code in ((["--version"], 0), (["protct"], 2), (["report", "nowhere"], 1)):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        assert left.value.code == code


def test_a_message_is_one_line_whatever_a_column_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data.csv").write_text('"first\nname","first\nname"\n1,2\n')
    (tmp_path / "plan.yaml").write_text(
        "data: {file: data.csv}\ncolumns: {last: quasi-identifier}\nsteps: [microaggregation]\n"
    )
    assert run(["protect", str(tmp_path / "plan.yaml"), "--out", str(tmp_path / "out")]) == 2
    message = capsys.readouterr().err
    assert "'first name', 'first name (2)'" in message
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "error",
    [
        UsageError("there is no column 'two\nlines'; did you mean\n 'two'?"),
        DataError("a\r\nb\x85c\u2028d"),
        click.UsageError("Invalid value. Choose from:\n\tcsv,\n\tparquet"),
        OSError(28, "No space left\non device", "some\nfile"),
    ],
)
def test_every_error_is_one_line(error: Exception, capfd: pytest.CaptureFixture[str]) -> None:
    @click.command()
    def broken() -> None:
        raise error

    assert run_command(broken, "discreet", []) in (1, 2)
    said = capfd.readouterr().err
    assert len(said.splitlines()) == 1
    assert said.startswith("discreet: ")


def test_messages_of_the_yaml_reader_are_one_line(folder: Path, discreet_command: Discreet) -> None:
    for text in ("a: \x00", "a: [1", "a: b: c", "columns: {'two\n\n  lines': {rol: other}}"):
        (folder / "plan.yaml").write_text(text, encoding="utf-8")
        assert discreet_command("protect", "plan.yaml").is_one_sentence()
