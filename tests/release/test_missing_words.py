"""Signs and words that stand for missing values are proposed, and what is left is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet.cli.main import run
from discreet.release.missing_words import missing_words, words_of_columns

NUMBERS = [str(1000 + 7 * i) for i in range(40)]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["cook", "nurse", "?"], ["?"]),
        (["cook", "nurse", "n/a", "-"], ["-", "n/a"]),
        (["cook", "none", "unknown"], []),
        (["DE", "FR", "NA"], []),
        (["yes", "no", "NA"], ["NA"]),
        ([*NUMBERS, "refused", "does not know"], ["does not know", "refused"]),
        ([*NUMBERS, "a", "b", "c", "d"], []),
        ([*[f"{i:05}" for i in range(40)], "abroad"], []),
        (["1", "2", "3", "more"], []),
        (["-", "-"], []),
        ([1, 2, 3], []),
    ],
)
def test_words(values: list[object], words: list[str]) -> None:
    data = discreet.read({"x": values})
    assert missing_words(data.column("x")) == words
    assert words_of_columns(data) == ({"x": words} if words else {})


def test_they_are_proposed_and_the_rest_is_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{n},{'?' if i % 5 == 0 else ('cook', 'nurse')[i % 2]},{20 + i % 4}"
        for i, n in enumerate([*NUMBERS, *["refused"] * 5])
    ]
    file, plan = tmp_path / "people.csv", tmp_path / "plan.yaml"
    file.write_text("\n".join(["income,job,age", *rows]) + "\n")
    found = {column.name: column for column in discreet.describe(file).columns}
    assert (found["income"].kind.value, found["income"].missing_codes) == (
        "continuous",
        ("refused",),
    )
    assert (found["job"].kind.value, found["job"].missing_codes) == ("nominal", ("?",))
    assert found["job"].missing == pytest.approx(9 / 45)
    assert run(["describe", str(file), "--out", str(plan)]) == 0
    assert "Codes for missing values? income (refused), job (?)" in capsys.readouterr().out
    assert run(["protect", str(plan), "--out", str(tmp_path / "out"), "--dry-run"]) in (0, 1)
    told = capsys.readouterr()
    assert "missing in: income, job" in told.out + told.err
