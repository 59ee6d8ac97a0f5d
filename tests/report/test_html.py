from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.release.assessment import Assessment
from discreet.report import collect, public, render
from discreet.report.content import ComparedBars, Content
from discreet.report.html import WARNING, losses_of
from discreet.report.plain import as_json, from_json

from .conftest import content_of, microaggregated, release_of
from .page import check

QI = "quasi-identifier"
HOSTILE = "<script>alert('x')</script>\"&\u202eevil\x00 ]]> -->"


def both(content: Content) -> tuple[str, str]:
    json.dumps(as_json(content), allow_nan=False)
    internal, published = render(content), render(public(content))
    check(internal)
    check(published)
    return internal, published


def test_patients(content: Content) -> None:
    internal, published = both(content)
    assert WARNING in internal
    assert WARNING not in published
    for heading in ("Records most at risk", "Correlations", "Group sizes"):
        assert heading in internal
        assert heading not in published
    said = "5 households"
    assert f"The claim of k-anonymity at least 5 holds: measured {said}." in internal
    assert f">{said}<" in published
    assert "The claim holds" in published


def test_the_questions_come_in_their_order(content: Content) -> None:
    internal, published = both(content)
    questions = [
        "What was done", "Can somebody be found?",
        "Can something be learned about them without finding them?",
        "Is the file still fit for its purpose?", "What should a reviewer look at?",
    ]  # fmt: skip
    for page, asked in ((internal, questions), (published, questions[:-1])):
        places = [page.index(f"{question}</h2>") for question in asked]
        assert places == sorted(places)
    assert "What should a reviewer" not in published


def test_the_verdict_is_for_the_owner(content: Content) -> None:
    internal, published = both(content)
    assert content.verdict is not None
    assert 'class="verdict amber"' in internal
    for reason in content.verdict.reasons:
        words = reason.words.replace("'", "&#39;")
        assert words[1:] in internal
        assert words[1:] not in published


def test_what_gives_people_away_is_drawn_for_the_owner(content: Content) -> None:
    internal, public = both(content)
    assert content.revealing is not None
    assert "What identifies people" in internal
    assert internal.count("Records linked by one more column") == 1
    for record in content.revealing.rows:
        assert f"{record.row:,}" in internal
    assert "What identifies people" not in public


def test_figures_of_unlike_scale_share_no_axis(content: Content) -> None:
    """A prediction error of 731 % stands in a table, and flattens nothing beside it."""
    scores = [replace(s, after=7.3125) if s.name == "mape" else s for s in content.scores]
    internal, _ = both(replace(content, scores=tuple(scores)))
    assert "731.25" in internal
    assert "e+0" not in internal
    for picture in re.findall(r"<svg.*?</svg>", internal, re.DOTALL):
        if "Each measure before and after" in picture:
            assert "MAPE" not in picture
            ticks = [float(t) for t in re.findall(r">([\d.]+)\u202f%</text>", picture)]
            assert max(ticks) <= 100


def test_losses_of_columns_and_pairs_are_drawn_and_listed(content: Content) -> None:
    internal, published = both(content)
    assert "What was lost in columns and pairs" in internal
    assert "What was lost in columns and pairs" not in published
    assert content.pair_losses is not None
    assert " × ".join(content.pair_losses.worst[0].names) in internal
    names, matrix = losses_of(content)
    assert len(names) == 13
    for i, row in enumerate(matrix):
        assert row == [matrix[j][i] for j in range(len(names))]


def test_declared_analyses_come_first_of_what_the_file_is_for(patients: discreet.Release) -> None:
    analyses = [{"mean": {"of": ["income"], "by": ["region"]}}]
    shown = ["analyses", "marginals", "pairs"]
    found = discreet.assess(patients.original, patients, shown, analyses=analyses)
    content = collect(patients, found)
    assert len(content.analyses) == 5
    internal, published = both(content)
    assert internal.index("Declared analyses") < internal.index("What was lost")
    assert "mean of income (region = Quelva)" in internal
    assert "mean of income" not in published


def test_same_content_same_bytes(content: Content) -> None:
    again = from_json(Content, json.loads(json.dumps(as_json(content))))
    assert render(content) == render(again)
    assert render(public(content)) == render(public(again))


def test_same_release_same_content(
    patients: discreet.Release, assessment: Assessment, content: Content
) -> None:
    assert collect(patients, assessment) == content


def test_hostile_names_are_only_text() -> None:
    rows = 40
    data = discreet.read(
        {
            HOSTILE: np.arange(rows) % 4 + 0.5,
            "Größe 身長 🙂": np.arange(rows) * 1.5,
            "<b>city</b>": [HOSTILE, "<img src=x onerror=1>"] * (rows // 2),
        },
        roles={HOSTILE: QI, "Größe 身長 🙂": QI, "<b>city</b>": QI},
    )
    internal, published = both(content_of(microaggregated(data)))
    for page in (internal, published):
        assert "<script" not in page
        assert "<img" not in page
        assert "Größe 身長 🙂" in page


def test_lone_surrogates_can_be_written(content: Content) -> None:
    broken = replace(content, notes=("half a pair: \ud800",))
    render(broken).encode("utf-8")


EDGES: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "one row": ({"a": [3.0], "b": ["x"]}, {"a": QI, "b": "other"}),
    "empty": ({"a": np.zeros(0)}, {"a": QI}),
    "constant": ({"a": [7.0] * 30, "b": ["x"] * 30}, {"a": QI, "b": "other"}),
    "all missing": (
        {"a": [float("nan")] * 30, "c": np.arange(30.0)},
        {"a": "other", "c": QI},
    ),
    "missing values": (
        {"a": [1.0, float("nan"), 3.0] * 10, "b": ["x", None, "y", "x", "y"] * 6},
        {"a": QI, "b": "other"},
    ),
    "constant beside others": (
        {"a": [7.0] * 30, "b": np.arange(30.0), "c": np.arange(30.0) ** 2},
        {"a": QI, "b": QI, "c": QI},
    ),
    "huge quasi-identifiers": (
        {"a": [1e100, -1e100, 5.0] * 10, "b": np.arange(30.0)},
        {"a": QI, "b": QI},
    ),
    "huge": ({"a": [1e300, -1e300, 5.0] * 10, "b": np.arange(30.0)}, {"a": "other", "b": QI}),
    "widest": ({"a": [1.7e308, -1.7e308] * 15, "b": np.arange(30.0)}, {"a": "other", "b": QI}),
    "infinite": ({"a": [np.inf, 1.0, 2.0] * 10, "b": np.arange(30.0)}, {"a": "other", "b": QI}),
    "tiny": ({"a": np.arange(30) * 1e-300, "b": np.arange(30.0)}, {"a": "other", "b": QI}),
}


@pytest.mark.parametrize("case", EDGES)
def test_edge_tables(case: str) -> None:
    table, roles = EDGES[case]
    data = discreet.read(table, roles=roles)
    release = discreet.protect(data, "additive-noise") if len(data) > 1 else release_of(data, data)
    both(content_of(release))


def test_no_quasi_identifier_and_no_groups() -> None:
    data = discreet.read({"a": np.arange(30.0)}, roles={"a": "confidential"})
    release = discreet.protect(data, {"additive-noise": {"columns": ["a"]}}, shuffle=False)
    content = content_of(release)
    assert content.groups is None
    assert content.correlations is None
    internal, _ = both(content)
    assert "makes no claim" in internal
    assert "order of the original" in internal
    assert "What was left out, and why" in internal


def test_one_quasi_identifier_has_no_correlations() -> None:
    data = discreet.read({"a": np.arange(30.0)}, roles={"a": QI})
    assert content_of(microaggregated(data)).correlations is None


def test_groups_of_different_sizes_are_drawn() -> None:
    data = discreet.read({"a": np.arange(23.0) ** 2}, roles={"a": QI})
    content = content_of(microaggregated(data, k=3))
    assert content.groups is not None
    assert sum(content.groups.counts) + content.groups.beyond == 7
    internal, _ = both(content)
    assert "Records in a group" in internal


def test_a_recoded_column() -> None:
    data = discreet.read({"a": np.arange(40.0), "b": np.arange(40.0)}, roles={"a": QI, "b": QI})
    column = data.column("a")
    ranges = (column.values >= 20).astype(np.int32)
    recoded = column.recoded(ranges, discreet.Kind.NOMINAL, ["0-19", "20-39"])
    internal, published = both(content_of(release_of(data, data.replace([recoded]))))
    assert "it was continuous and was released as nominal" in internal
    assert "20-39" in published


def test_generalised_categories_stand_beside_the_old() -> None:
    data = discreet.read(
        {"city": ["Ayle", "Bron"] * 20, "b": np.arange(40.0)}, roles={"city": QI, "b": QI}
    )
    column = data.column("city")
    coarse = column.recoded(np.zeros(40, dtype=np.int32), discreet.Kind.NOMINAL, ["North"])
    content = content_of(release_of(data, data.replace([coarse])))
    assert content.columns[0].released is not None
    picture = content.columns[0].released.distribution
    assert isinstance(picture, ComparedBars)
    assert picture.labels == ("North", "Ayle", "Bron")
    assert picture.original == (0, 0.5, 0.5)
    assert picture.released == (1, 0, 0)
    internal, published = both(content)
    assert "a note" in internal
    assert "Bron" not in published


def test_a_false_claim_is_said_so(content: Content) -> None:
    broken = replace(content, claims=(replace(content.claims[0], holds=False),), verdict=None)
    assert "must not be released" in render(broken)
    assert "must not be released" in render(public(broken))


def test_infinite_scores_are_shown(content: Content) -> None:
    first, second, *others = content.scores
    first, second = replace(first, after=np.inf), replace(second, interval=(1.0, np.inf))
    internal, _ = both(replace(content, scores=(first, second, *others)))
    assert "∞" in internal


def test_the_plan_in_the_report_can_be_run(content: Content) -> None:
    import html

    match = re.search(r"<pre>(.*?)</pre>", render(content), re.DOTALL)
    assert match
    plan = discreet.Plan.parse(html.unescape(match[1]))
    assert plan.file == "patients.csv"
    assert plan.claims == {"k-anonymity": 5.0}
    assert plan.roles["age"] == QI


def test_the_public_plan_holds_released_columns_only(content: Content) -> None:
    page = render(public(content))
    assert "insurance_no" not in page
    assert "insurance_no" not in json.dumps(as_json(public(content)))


def test_importing_the_report_is_cheap() -> None:
    import subprocess
    import sys

    code = (
        "import sys, discreet.report; "
        "print([m for m in ('scipy', 'pandas', 'jinja2') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
