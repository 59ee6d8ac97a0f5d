"""`python -m bench`: what follows the name of a benchmark is meant for it."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from discreet.contracts import Component

PROJECT = Path(__file__).parents[2]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    if not (PROJECT / "bench").exists():
        pytest.skip("bench/ is not part of this copy")
    monkeypatch.syspath_prepend(PROJECT)
    return importlib.import_module("bench.__main__")


def test_words_after_a_benchmark_go_to_it(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = importlib.import_module("bench.costs")
    startup = importlib.import_module("bench.startup")
    measured: list[tuple[str, float]] = []
    started: list[list[str]] = []

    def line(entry: type[Component], limit: float) -> str:
        measured.append((entry.spec.name, limit))
        return ""

    monkeypatch.setattr(costs, "line", line)
    monkeypatch.setattr(startup, "main", started.append)
    bench.main(["costs", "mdav", "mape", "startup", "--quick"])
    assert sorted(measured) == [("mape", 0.2), ("mdav", 0.2)]
    assert started == [["--quick"]]
    told = capsys.readouterr().out
    assert told.index("== costs") < told.index("0 of 2 cost more") < told.index("== startup")


def test_an_option_of_one_benchmark_goes_to_it(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[list[str]] = []
    loss = importlib.import_module("bench.microaggregation.records")
    monkeypatch.setattr(loss, "main", given.append)
    bench.main(["microaggregation.records", "--seconds", "5"])
    assert given == [["--seconds", "5"]]


def test_the_help_says_what_every_benchmark_is(
    bench: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        bench.main(["--help"])
    told = capsys.readouterr().out
    for name in bench.modules():
        words = bench.about(name)
        assert words
        assert f"  {name.removeprefix('bench.')}\n      {words}\n" in told


def test_without_a_name_all_run(bench: ModuleType) -> None:
    every = bench.asked([])
    assert ("costs", []) in every
    assert len(every) == len(bench.modules())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["startupp"], "there is no benchmark startupp; known: "),
        (["costs", "mdaw"], "there is no entry mdaw; did you mean 'mdav'?"),
        (["startup", "mdav"], "unrecognized arguments: mdav"),
    ],
)
def test_words_that_nobody_knows(
    bench: ModuleType, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    with pytest.raises(SystemExit):
        bench.main(words)
    assert told in capsys.readouterr().err
