"""What measures declare of their blind spots, and what the page says of them, is what they do."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from docs.blindness import FIGURES, blindness, measured, utility_measures

import discreet
from discreet.contracts import Measure, Ruin
from discreet.contracts.registry import build
from discreet.testing.ruins import BLIND, SEEN, shares_seen

PAGE = json.loads(FIGURES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("measure", utility_measures(), ids=lambda measure: measure.spec.name)
def test_a_measure_sees_what_it_declares_and_nothing_else(measure: type[Measure]) -> None:
    found = measured(measure)
    by_ruin = {
        ruin: [shares[ruin.name] for shares in found.values() if ruin.name in shares]
        for ruin in Ruin
    }
    assert set(measure.spec.sees or ()) == {r for r, s in by_ruin.items() if s and min(s) >= SEEN}
    assert set(measure.spec.blind_to or ()) == {
        ruin for ruin, shares in by_ruin.items() if shares and min(shares) < BLIND
    }
    page = PAGE[measure.spec.name]
    assert found.keys() == page.keys()
    for survey, shares in found.items():
        assert shares == pytest.approx(page[survey], abs=0.02)


def test_the_page_has_a_row_for_each_measure_and_no_other() -> None:
    assert PAGE.keys() == {measure.spec.name for measure in utility_measures()}
    assert all(f"(measure/{name}.md)" in blindness() for name in PAGE)


@pytest.mark.parametrize("survey", ["mixed", "binary", "households", "uneven"])
@pytest.mark.parametrize("ruin", Ruin, ids=lambda ruin: ruin.name)
def test_the_usual_measures_together_have_no_blind_spot(survey: str, ruin: Ruin) -> None:
    usual = [measure.spec.name for measure in utility_measures() if measure.spec.default]
    seen = [PAGE[name].get(survey, {}).get(ruin.name) for name in usual]
    known = [share for share in seen if share is not None]
    assert not known if (survey, ruin) == ("binary", Ruin.NUMBER_DROPPED) else max(known) >= SEEN


def search_goals() -> list[str]:
    return list(inspect.signature(discreet.explore).parameters["utility"].default)


def test_the_goal_of_the_search_has_no_blind_spot() -> None:
    specs = {measure.spec.name: measure.spec for measure in utility_measures()}
    assert specs[search_goals()[0]].blind_to == ()


def test_nor_on_a_real_survey(data_files: Path) -> None:
    roles = dict.fromkeys(("urbrur", "roof", "walls", "water", "electcon"), "quasi-identifier")
    roles |= dict.fromkeys(("relat", "sex", "age", "hhcivil"), "quasi-identifier")
    roles |= dict.fromkeys(("expend", "income", "savings"), "confidential")
    roles |= {"ori_hid": "household", "sampling_weight": "weight", "household_weights": "weight"}
    data = discreet.read(data_files / "sdcmicro_testdata.csv", roles=roles)
    goal = build("measure", search_goals()[0])
    assert isinstance(goal, Measure)
    assert min(shares_seen(goal, data).values()) >= BLIND
