"""Progress is shown to a person and to nobody else."""

from __future__ import annotations

import sys

import pytest

from discreet.contracts import progress
from discreet.contracts.progress import Bars, Progress, Words, for_command, for_terminal


@pytest.mark.parametrize(("terminal", "kinds"), [(True, (Bars, Bars)), (False, (Words, Progress))])
def test_bars_are_for_terminals(
    terminal: bool, kinds: tuple[type, type], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    assert (type(for_command()), type(for_terminal())) == kinds


@pytest.mark.parametrize(
    ("shows", "said"), [(Progress, ""), (Words, "a while\n"), (Bars, "a while\n")]
)
def test_only_silence_says_nothing(
    shows: type[Progress], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shows().say("a while")
    assert capsys.readouterr() == ("", said)


def test_short_work_draws_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with Bars().task("grouping", 10) as advance:
        advance(10)
    assert capsys.readouterr() == ("", "")


class Bar:
    def __init__(self) -> None:
        self.told: list[object] = []

    def start(self) -> None:
        self.told.append("start")

    def stop(self) -> None:
        self.told.append("stop")

    def add_task(self, label: str, total: float) -> int:
        self.told.append((label, total))
        return 7

    def update(self, task_id: int, completed: float, description: str) -> None:
        self.told.append((task_id, completed, description))


def test_long_work_draws_one_that_is_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Bar()
    monkeypatch.setattr(progress, "_rich_bar", lambda: bar)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1.0)

    def work() -> None:
        bars = Bars()
        with bars.task("grouping", 10) as advance:
            advance(4)
            bars.status("half of it")
            advance(1.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    drawn = [("grouping", 10), (7, 4.0, "grouping"), (7, 5.5, "half of it")]
    assert bar.told == ["start", *drawn, "stop"]


def test_the_real_bar_leaves_standard_output_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", -1.0)
    with Bars().task("grouping", 10) as advance:
        advance(10)
    assert capsys.readouterr().out == ""
