from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.measures.attack.regression_attack import RegressionAttack
from discreet.microdata.intervals import round_edges
from discreet.models.moments import correlations
from discreet.release.assessment import Assessment
from discreet.report import collect
from discreet.report.binning import shares, spread
from discreet.report.content import Column, ComparedBars, ComparedHistogram, Content, Released
from discreet.report.plain import as_json, from_json
from discreet.report.public_form import Bars

from .conftest import content_of, microaggregated, release_of


def by_name(content: Content, name: str) -> Column:
    return next(column for column in content.columns if column.name == name)


def released(content: Content, name: str) -> Released:
    found = by_name(content, name).released
    assert found is not None
    return found


def test_json_gives_the_same_content(content: Content) -> None:
    written = json.loads(json.dumps(as_json(content), allow_nan=False))
    assert from_json(Content, written) == content


@pytest.mark.parametrize("wrong", [None, "many", [1.0]])
def test_a_figure_that_is_none_is_not_read(content: Content, wrong: object) -> None:
    written = as_json(content)
    shown = [column["released"] for column in written["columns"] if column["released"]]
    drawn = next(one["distribution"] for one in shown if "labels" in one["distribution"])
    drawn["released"][0] = wrong
    with pytest.raises(TypeError):
        from_json(Content, written)


def test_tells_what_was_done(content: Content, patients: discreet.Release) -> None:
    assert content.file.name == "patients.csv"
    assert content.dropped == ("patient_id", "name", "insurance_no", "email")
    assert content.steps[0].parameters == patients.steps[0].recipe()["microaggregation"]
    assert [part.name for part in content.steps[0].parts] == ["mdav", "centroid"]
    assert content.claims[0].holds is True
    assert content.shuffled is True


def test_scores_are_those_of_the_assessment(content: Content, assessment: Assessment) -> None:
    found = {score.name: score for score in content.scores}
    assert found["k-anonymity"].after == assessment.risk["k-anonymity"].value
    assert (found["abim"].detail or {})["bias"].keys() == {"age", "height_cm", "weight_kg"}
    assert found["distance-linkage"].meaning.startswith("The share of released records")


def test_the_seed_is_nowhere() -> None:
    data = discreet.read({"a": np.arange(30.0) % 7}, roles={"a": "quasi-identifier"})
    content = content_of(microaggregated(data, seed=918273645))
    assert "918273645" not in json.dumps(as_json(content))


def test_columns_before_and_after() -> None:
    data = discreet.read(
        {"age": [20.0, 22, 40, 42, None], "city": ["a", "a", "b", "b", None], "id": [*"vwxyz"]},
        roles={"age": "quasi-identifier", "id": "identifier", "city": "other"},
    )
    content = content_of(discreet.protect(data, {"additive-noise": {"alpha": 0.5}}))
    assert by_name(content, "id").released is None
    assert by_name(content, "age").missing == pytest.approx(0.2)
    assert by_name(content, "age").distinct == 4
    assert released(content, "age").changed == pytest.approx(0.8)
    assert released(content, "city").changed == 0
    assert by_name(content, "city").distinct == 2


def test_histograms_share_their_bins_and_add_up(content: Content) -> None:
    for column in content.columns:
        picture = column.released.distribution if column.released else None
        if isinstance(picture, ComparedHistogram):
            assert np.all(np.diff(picture.edges) > 0)
            for part in (picture.original, picture.released):
                assert sum(part.shares) + part.beyond == pytest.approx(1, abs=1e-6)
                assert len(part.shares) == len(picture.edges) - 1
        if isinstance(picture, ComparedBars):
            old, new = picture.rest.original, picture.rest.released
            assert sum(picture.original) + old == pytest.approx(1, abs=1e-6)
            assert sum(picture.released) + new == pytest.approx(1, abs=1e-6)


def test_one_outlier_does_not_squash_the_picture() -> None:
    values = np.append(np.linspace(0, 100, 500), 1e9)
    data = discreet.read({"x": values}, roles={"x": "quasi-identifier"})
    content = content_of(microaggregated(data), ["k-anonymity"])
    picture = released(content, "x").distribution
    assert isinstance(picture, ComparedHistogram)
    assert picture.original.above == pytest.approx(1 / 501, abs=1e-6)
    assert picture.edges[-1] < 500


def test_bins_are_round_and_cover_the_values() -> None:
    random = np.random.default_rng(3)
    for scale in (1e-9, 0.03, 1.0, 77.0, 1e12):
        values = np.sort(random.normal(5 * scale, scale, 400))
        area = spread(values)
        assert area is not None
        edges = round_edges(*area)
        assert edges is not None
        assert 4 <= len(edges) <= 60
        assert shares(values, edges).below < 0.02


def test_rest_is_lumped() -> None:
    values = ["often"] * 50 + [f"c{i:02}" for i in range(30)]
    data = discreet.read({"x": values, "q": np.arange(80.0)}, roles={"q": "quasi-identifier"})
    content = content_of(microaggregated(data), ["k-anonymity"])
    picture = released(content, "x").distribution
    assert isinstance(picture, ComparedBars)
    assert picture.labels[0] == "often"
    assert len(picture.labels) == 12
    assert picture.rest.categories == 31 - 12


def test_ordinal_categories_keep_their_order(content: Content) -> None:
    picture = released(content, "education").distribution
    assert isinstance(picture, ComparedBars)
    order = ["none", "primary", "secondary", "vocational", "bachelor", "master"]
    assert list(picture.labels) == [category for category in order if category in picture.labels]


def test_records_most_at_risk_come_first(
    content: Content, patients: discreet.Release, assessment: Assessment
) -> None:
    measures = [measure.name for measure in content.at_risk.measures]
    records = content.at_risk.records
    assert len(records) == 20
    linked = measures.index("distance-linkage")
    score = assessment.risk["distance-linkage"]
    assert score.per_record is not None
    worst = np.sort(score.per_record)[::-1][:20]
    assert [record.figures[linked] for record in records] == pytest.approx(worst.tolist())
    by_row = dict(zip((patients.origin + 1).tolist(), score.per_record.tolist(), strict=True))
    assert all(by_row[r.row] == r.figures[linked] for r in records)
    assert all((record.group_size or 0) >= 5 for record in records)


def test_small_classes_are_worse_than_large_ones() -> None:
    data = discreet.read({"q": [1.0, 1, 1, 2, 2, 9]}, roles={"q": "quasi-identifier"})
    release = discreet.protect(data, {"additive-noise": {"alpha": 1e-30}}, shuffle=False)
    content = content_of(release, ["k-anonymity"])
    sizes = [record.figures[0] for record in content.at_risk.records]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("unit", [5e-324, 1e-200, 1e140])
def test_correlations_do_not_hang_on_units(unit: float) -> None:
    """Squares of such numbers are zero, or their sums very large."""
    ones = {"a": [0.0, 1.0] * 6, "b": [0.0, 0.0, 1.0, 1.0] * 2 + [0.0, 1.0] * 2}
    values = {"a": ones["a"], "b": [one * unit for one in ones["b"]]}
    data = discreet.read(values, roles=dict.fromkeys(ones, "quasi-identifier"))
    found = content_of(release_of(data, data), ["k-anonymity"]).correlations
    assert found is not None
    expected = np.corrcoef(ones["a"], ones["b"])
    np.testing.assert_allclose(np.array(found.before), expected)


def test_correlations_are_those_of_the_definition() -> None:
    random = np.random.default_rng(2)
    values = random.normal(size=(50, 3)) @ random.normal(size=(3, 3))
    for gaps in (0, 5):
        values[:gaps, 1] = np.nan
        table = {name: values[:, i] for i, name in enumerate("abc")}
        data = discreet.read(table, roles=dict.fromkeys("abc", "quasi-identifier"))
        found = content_of(release_of(data, data), ["k-anonymity"]).correlations
        assert found is not None
        np.testing.assert_allclose(np.array(found.before), correlations(values), atol=1e-8)
        assert found.widest == 0


def test_left_out_measures_have_their_reason() -> None:
    data = discreet.read({"q": [*"ab"] * 10}, roles={"q": "quasi-identifier"})
    release = microaggregated(data)
    content = content_of(release)
    reasons = {entry.name: entry.reason for entry in content.left_out}
    assert "continuous" in reasons["abim"]


def test_a_million_records_are_quick() -> None:
    """A million records: everything is done by arrays, so seconds and not minutes."""
    import time

    random = np.random.default_rng(1)
    rows = 1_000_000
    table = {
        "a": random.normal(size=rows),
        "b": random.integers(0, 90, rows).astype(float),
        "c": random.choice(["x", "y", "z"], rows),
    }
    data = discreet.read(table, roles={"a": "quasi-identifier", "b": "quasi-identifier"})
    release = discreet.protect(data, "additive-noise")
    assessment = discreet.assess(data, release, ["k-anonymity", "abim"])
    start = time.process_time()
    collect(release, assessment)
    assert time.process_time() - start < 20


def test_value_labels_stand_in_pictures_and_in_what_an_intruder_learns(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    rows = 40
    areas = [1.0, 2.0] * (rows // 2)
    table = pa.table({"area": areas, "ill": [0.0, 1.0, 0.0, 0.0] * (rows // 4)})
    labels = {"area": {1: "urban", 2: "rural"}, "ill": {0: "healthy", 1: "ill"}}
    pyreadstat.write_sav(table.to_pandas(), str(tmp_path / "x.sav"), variable_value_labels=labels)
    data = discreet.read(
        tmp_path / "x.sav",
        roles={"area": "quasi-identifier", "ill": "confidential"},
        kinds={"area": "nominal", "ill": "nominal"},
    )
    release = discreet.protect(data, [{"pram": {"stay": 0.9}}], seed=1)
    content = collect(release, discreet.assess(data, release))
    area = content.columns[0].released
    assert area is not None
    assert isinstance(area.distribution, ComparedBars)
    assert isinstance(area.alone, Bars)
    assert set(area.distribution.labels) == set(area.alone.labels) == {"urban", "rural"}
    place = RegressionAttack().run(data).places[0]
    assert place.rule in (("area is urban",), ("area is rural",))
    assert place.narrowed[0].guess in ("healthy", "ill")
