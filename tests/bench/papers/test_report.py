"""The page of the papers: what is computed stands there as it is, and nothing gets lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bench.papers import running
from bench.papers.__main__ import command
from bench.papers.ama_example import example as ama_example
from bench.papers.camp_crest import example as camp_crest_example
from bench.papers.camp_crest import sections as camp_crest_sections
from bench.papers.camp_crest_remarks import deviations
from bench.papers.camp_crest_runs import Run, Study
from bench.papers.difference import counted, difference, is_near
from bench.papers.li_sarkar import BENCHMARK, FULL, PARTIAL, diabetes
from bench.papers.local_synthesis_figures import Outcome, coefficients, margins, moments
from bench.papers.local_synthesis_remarks import compared, orders
from bench.papers.mart_example import example as mart_example
from bench.papers.page import missing_files, render
from bench.papers.plain import in_text
from bench.papers.running import NAMES, Step, carry_out, redo
from bench.papers.section import (
    Chapter,
    Chart,
    Curve,
    Finding,
    Pair,
    Paper,
    Quantity,
    Row,
    Section,
    Table,
    Verdict,
    decided,
    share,
    verdict_of,
)
from bench.papers.sources import SOURCES
from bench.papers.thyroid import (
    HYBRID,
    HYBRID_MICRO,
    MICRO,
    MICRO_60,
    NOISE,
    SYNTHETIC,
)
from discreet.cli.main import run_command
from discreet.contracts import Context
from tests.report.page import check

PAPER = Paper("made", "Made & Up 1999", "Made & Up: <On> nothing. 1999.", ("A file <lost>.",))
TABLE = Table(
    "Risk & loss",
    "method",
    (share("linkage"), Quantity("X²"), Quantity("time", "s", compared=False), Quantity("own")),
    (
        Row("one <b>", (Pair(5.0, 4.2), Pair(2.0, 3.0), Pair(1.3, 0.1), Pair(None, 7.0)), "k = 3"),
        Row("two", (Pair(4.0, 4.0), Pair(0.0, 0.5), Pair(None, 0.2), Pair(None, 8.0))),
    ),
)


def papers(*arguments: str) -> int:
    return run_command(command, "bench.papers", arguments)


def drawn(*sections: Section) -> str:
    text = render([Chapter(PAPER, sections, 60.0)], "0.1")
    check(text)
    return text


def cells(text: str, label: str) -> list[str]:
    """The cells of the row that starts with a label, without markup."""
    row = next(r for r in re.findall(r"<tr>.*?</tr>", text, re.S) if f">{label}</th>" in r)
    return [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td.*?</td>", row, re.S)]


def test_differences_are_ours_minus_the_papers() -> None:
    text = drawn(Section("Table 1", tables=(TABLE,)))
    # Percentages differ in points, other figures in percent of the paper's, times not at all.
    assert cells(text, "one &lt;b&gt;") == [
        "k = 3", "5", "4.20", "−0.80", "2", "3.00", "+50\u202f%", "1.3", "0.10", "7.00"
    ]  # fmt: skip
    # Nothing is relative to 0; what the paper lacks is a dash.
    assert cells(text, "two") == ["", "4", "4.00", "0", "0", "0.50", "+0.50", "–", "0.20", "8.00"]


def test_a_difference_of_more_than_a_tenth_is_marked_and_times_are_not_counted() -> None:
    assert counted(TABLE.compared) == (1, 4)
    assert is_near(Pair(100.0, 110.0))
    assert not is_near(Pair(100.0, 110.2))
    assert is_near(Pair(-1.0, -1.05))
    text = drawn(Section("Table 1", tables=(TABLE,)))
    assert text.count("num far") == 3
    assert "1 of 4" in text


@pytest.mark.parametrize(
    ("pair", "relative", "words"),
    [
        (Pair(2.0, 1.0), True, "−50\u202f%"),
        (Pair(-2.0, -1.0), True, "+50\u202f%"),
        (Pair(1.0, 1.001), True, "0\u202f%"),
        (Pair(1.0, 1.001), False, "0"),
        (Pair(1.0, 1234.5), False, "+1,233.50"),
        (Pair(1.0, None), False, "–"),
    ],
)
def test_difference(pair: Pair, relative: bool, words: str) -> None:
    assert difference(pair, Quantity("any", relative=relative)) == words


def test_everything_is_escaped() -> None:
    evil = "<script>alert('x')</script>"
    curve = Curve(evil, ((1.0, 2.0), (2.0, 3.0)))
    section = Section(
        title=evil,
        says=evil,
        findings=(Finding(evil, Verdict.FAILS, evil),),
        tables=(Table(evil, evil, (Quantity(evil, evil),), (Row(evil, (Pair(1, 1),), evil),)),),
        charts=(Chart(evil, evil, evil, (curve,)),),
        remarks=(evil,),
        failure=evil,
    )
    assert "<script" not in drawn(section)
    assert evil in in_text(section)


def test_findings_are_told_to_hold_or_not() -> None:
    held = Finding("A < B.", verdict_of(True), "1, 2")
    open_ = Finding("C < D.", decided([1.0, -1.0]), "1 of 2")
    text = drawn(
        Section("Order", findings=(held, Finding("B < C.", verdict_of(False), "2, 1"), open_))
    )
    assert '<li class="holds"><b>holds</b> A &lt; B.<small>Here: 1, 2</small>' in text
    assert '<li class="fails"><b>does not hold</b> B &lt; C.' in text
    assert '<li class="undecided"><b>undecided</b> C &lt; D.<small>Here: 1 of 2' in text
    assert cells(text, '<a href="#made-1">Order</a>')[2:5] == ["1", "1", "1"]


def test_runs_decide_when_nineteen_in_twenty_agree() -> None:
    assert decided([1.0] * 19 + [-1.0]) is Verdict.HOLDS
    assert decided([-1.0] * 19 + [1.0]) is Verdict.FAILS
    assert decided([1.0] * 18 + [-1.0] * 2) is Verdict.UNDECIDED
    assert decided([1.0] * 4 + [0.0]) is Verdict.UNDECIDED


def test_on_a_narrow_screen_every_figure_has_its_name_beside_it() -> None:
    text = drawn(Section("Table 1", tables=(TABLE,)))
    row = next(r for r in re.findall(r"<tr>.*?</tr>", text, re.S) if ">two</th>" in r)
    assert re.findall(r'data-label="([^"]*)"', row) == [
        "setting", "linkage, %: paper", "ours", "difference", "X²: paper", "ours", "difference",
        "time, s: paper", "ours", "own",
    ]  # fmt: skip


def test_missing_data_are_listed_once_with_their_origin() -> None:
    waiting = Section("Table 1", missing=("casc_census.csv",))
    text = drawn(waiting, Section("Table 2", missing=("casc_census.csv", "pima_diabetes.csv")))
    assert text.count("1,080 × 13") == 1
    assert "sdcTools/sdcMicro" in text
    assert "PimaIndiansDiabetes" in text
    assert missing_files([Chapter(PAPER, (waiting,), 0.0)]) == ["casc_census.csv"]
    assert "where to get them" not in drawn(Section("Table 1", tables=(TABLE,)))


def test_a_step_that_fails_is_kept_with_its_reason(tmp_path: Path) -> None:
    def broken() -> list[Section]:
        raise ValueError("no <such> column")

    steps = [
        Step("Table 1", (), broken),
        Step("Table 2", ("casc_census.csv",), broken),
        Step("Table 3", (), lambda: [Section("Table 3", tables=(TABLE,))]),
    ]
    sections = carry_out(steps, tmp_path, Context())
    assert [section.done for section in sections] == [False, False, True]
    assert sections[0].failure == "ValueError: no <such> column"
    assert sections[1].missing == ("casc_census.csv",)
    text = drawn(*sections)
    assert "no &lt;such&gt; column" in text
    assert ">Table 3</h3>" in text


def test_a_stop_by_the_user_is_no_failure() -> None:
    def stopped() -> list[Section]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out([Step("Table 1", (), stopped)], None, Context())


@pytest.mark.parametrize("example", [ama_example, camp_crest_example, mart_example])
def test_worked_examples_differ_only_where_the_paper_slips(example: Callable[[], Section]) -> None:
    slips = {"H(A1 | A2)", "H(A2 | A1)", "MI(A2, A5)", "weighted JSD of Figure 1", "q5"}
    (table,) = example().tables
    decimals = table.quantities[0].decimals
    for row in table.rows:
        (pair,) = row.pairs
        assert pair.ours is not None
        assert (round(pair.ours, decimals) == pair.paper) == (row.label not in slips), row.label


def test_every_paper_names_only_files_whose_origin_is_known() -> None:
    chapters = redo(NAMES, None, False, Context())
    assert [chapter.paper.name for chapter in chapters] == list(NAMES)
    assert set(missing_files(chapters)) == set(SOURCES)
    assert not any(section.failure for chapter in chapters for section in chapter.sections)


def test_the_command_without_data_lists_everything_and_leaves_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made" / "page.html"
    assert papers("--data", str(tmp_path), "--out", str(out), "--quick") == 3
    said = capsys.readouterr().out
    text = out.read_text(encoding="utf-8")
    check(text)
    for file in set(SOURCES) - {"medicare_nmes1988.csv"}:  # not needed with --quick
        assert file in text
        assert f"Missing: {file}" in said
    assert {path.suffix for path in out.parent.iterdir()} == {".html", ".csv", ".json"}


def test_the_command_refuses_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = tmp_path / "absent"
    assert papers("--data", str(absent)) == 2
    assert "which is not a folder" in capsys.readouterr().err
    monkeypatch.setenv("DISCREET_DATA", str(absent))
    assert papers() == 2
    assert capsys.readouterr().err.startswith("discreet: $DISCREET_DATA names ")
    assert papers("--only", "amma") == 2
    assert "did you mean 'ama'?" in capsys.readouterr().err


def test_a_stopped_command_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> list[Section]:
        raise KeyboardInterrupt

    out = tmp_path / "page.html"
    monkeypatch.setattr(running, "carry_out", stopped)
    monkeypatch.setattr("bench.papers.ama.carry_out", stopped)
    assert papers("--data", str(tmp_path), "--out", str(out)) == 1
    assert not out.exists()


def runs(abisd: dict[str, float]) -> dict[str, Run]:
    return {
        way: Run(0.05, way, 5, None, 30, 0.1, 2.0, np.full((5, 5), value))
        for way, value in abisd.items()
    }


def test_deviations_are_a_verdict_on_every_seed() -> None:
    abisd = {BENCHMARK: 0.4, PARTIAL: 0.01, FULL: 0.02}
    assert deviations(runs(abisd)).verdict is Verdict.HOLDS
    assert deviations(runs({**abisd, BENCHMARK: 0.05})).verdict is Verdict.FAILS
    mixed = runs(abisd)
    mixed[FULL].drawn[2, 3] = 0.2
    assert deviations(mixed).verdict is Verdict.UNDECIDED


def outcomes(**figures: list[float]) -> dict[str, Outcome]:
    names = {"hybrid": HYBRID, "hybrid_micro": HYBRID_MICRO, "noise": NOISE, "micro": MICRO,
             "synthetic": SYNTHETIC, "micro_60": MICRO_60}  # fmt: skip
    return {
        names[short]: Outcome(names[short], len(values), "", {"printed": values})
        for short, values in figures.items()
    }


def test_the_order_of_table_1_is_told_by_seeds_that_agree() -> None:
    found = outcomes(
        hybrid=[1.0, 1.1], hybrid_micro=[2.0, 2.1], noise=[3.0, 1.9], micro=[4.0],
        synthetic=[5.0, 5.0], micro_60=[0.5, 0.6],
    )  # fmt: skip
    verdicts = [finding.verdict.value for finding in orders(found, "printed")]
    assert verdicts == ["holds", "undecided", "holds", "does not hold", "holds"]
    told_once = compared("so", found, "printed", (HYBRID,), (MICRO,))
    assert told_once.here == "1.05 against 4"
    assert margins([1.0, 2.0], [4.0]) == [3.0, 2.0]


def test_moments_of_different_columns_and_coefficients_by_hand() -> None:
    x = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 1.0]])
    assert moments(x, 3, distinct=True).tolist() == [4.0]
    assert len(moments(x, 3, distinct=False)) == 10
    rng = np.random.default_rng(1)
    y = rng.normal(size=(80, 3))
    y[:, 0] = 3 + 2 * y[:, 1] + 0.1 * rng.normal(size=80)
    found, t = coefficients(y)
    assert found[:3] == pytest.approx([3, 2, 0], abs=0.1)
    assert abs(t[1]) > 50


def test_section_7_on_diabetes(reference_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The search for the least k takes seconds; k = 57 is what it finds.
    monkeypatch.setattr(Study, "least", lambda self, way, level: 57)
    study = Study("Diabetes", diabetes(reference_data))
    traditional, *_, ours = study.section_7()
    assert traditional.means[2] == pytest.approx(169 / 768)
    assert ours.means[2] == 0
    assert ours.means[1] < 0.01


def test_a_missing_file_leaves_the_worked_example(tmp_path: Path) -> None:
    first, *others = camp_crest_sections(tmp_path, True, Context())
    assert first.done
    assert all(section.missing == ("pima_diabetes.csv",) for section in others)
