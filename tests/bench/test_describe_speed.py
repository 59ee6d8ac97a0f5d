"""Both sides run in processes of their own, and the ratios are those of their times."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import describe_speed


def test_both_sides_read_a_file(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,job\n31,cook\n47,nurse\n")
    for side in describe_speed.SIDES:
        cpu, wall = describe_speed.timed(side, file, file)
        assert 0 <= cpu < 60
        assert 0 < wall < 60


def test_ratios_are_those_of_the_medians_and_of_the_least_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = {
        "describe": iter([[0.6, 0.3], [0.8, 0.5], [0.9, 0.9]]),
        "pyarrow": iter([[0.2, 0.1], [0.4, 0.2], [0.3, 0.3]]),
    }
    monkeypatch.setattr(describe_speed, "timed", lambda side, small, file: next(seconds[side]))
    describe_speed.compared(tmp_path, tmp_path, rounds=3)
    lines = capsys.readouterr().out.splitlines()
    ratios = [line.split("takes ")[1] for line in lines if "takes" in line]
    assert ratios == [
        "2.7 × the CPU time and 2.5 × the time",
        "3.0 × the CPU time and 3.0 × the time",
    ]
