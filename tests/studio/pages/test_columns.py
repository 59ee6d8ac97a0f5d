from __future__ import annotations

import re
from pathlib import Path

import pytest

import discreet
from tests.studio.client import Client

Work = tuple[Client, str]


def figure(page: str, name: str) -> int:
    [found] = re.findall(rf'id="{name}">([\d,]+)', page)
    return int(found.replace(",", ""))


def test_each_column_has_its_reason_and_picture(small: Work) -> None:
    client, work = small
    page = client.get(f"{work}/columns").text
    assert "its name says &#39;age&#39;" in page
    assert page.count('class="spark"') >= 4
    assert 'aria-label="Role of diagnosis"' in page


def test_the_live_figures_are_those_of_the_measures(small: Work) -> None:
    client, work = small
    plan = client.studio.work(work.removeprefix("/w/")).plan
    data = plan.read()
    page = client.get(f"{work}/columns").text
    risk = discreet.assess(data, data, ["sample-uniqueness", "k-anonymity"]).risk
    assert figure(page, "uniques") == round(risk["sample-uniqueness"].value * len(data))
    assert figure(page, "least") == risk["k-anonymity"].value


def test_a_change_of_role_moves_the_figures_and_the_plan(small: Work) -> None:
    client, work = small
    before = figure(client.get(f"{work}/columns").text, "uniques")
    change = {"column": "age", "key": "role", "value": "confidential"}
    after = client.post(f"{work}/columns/set", change).text
    assert figure(after, "uniques") < before
    assert "role of age: quasi-identifier → confidential" in client.get(f"{work}/plan").text


def test_a_change_of_kind_reads_the_file_anew(small: Work) -> None:
    client, work = small
    client.post(f"{work}/columns/set", {"column": "age", "key": "kind", "value": "nominal"})
    client.studio.work(work.removeprefix("/w/")).table(60)
    page = client.get(f"{work}/columns").text
    row = page[page.index("Kind of age") :]
    assert row.index('value="nominal" selected') < row.index("</select>")


def test_many_columns_at_once(small: Work) -> None:
    client, work = small
    chosen = {"chosen": ["age", "sex"], "role": "other"}
    assert client.post(f"{work}/columns/many", chosen).status == 200
    plan = client.studio.work(work.removeprefix("/w/")).plan
    assert (plan.roles["age"], plan.roles["sex"]) == ("other", "other")
    assert client.post(f"{work}/columns/many", {"role": "other"}).status == 422


def test_missing_codes_and_units(small: Work) -> None:
    client, work = small
    client.post(f"{work}/columns/missing", {"column": "age", "codes": "33, -9"})
    client.post(f"{work}/columns/unit", {"unit": "household"})
    plan = client.studio.work(work.removeprefix("/w/")).plan
    assert (plan.missing, plan.unit) == ({"age": [33, -9]}, "household")


@pytest.mark.parametrize("unit", ["", "household", "record"])
def test_what_k_counts_is_chosen_where_there_are_households(small: Work, unit: str) -> None:
    client, work = small
    assert 'name="unit"' not in client.get(f"{work}/columns").text
    client.post(f"{work}/columns/many", {"chosen": ["sex"], "role": "household"})
    page = client.post(f"{work}/columns/unit", {"unit": unit}).text
    assert f'<option value="{unit}" selected>' in page
    assert client.studio.work(work.removeprefix("/w/")).plan.unit == (unit or None)
    assert client.post(f"{work}/columns/unit", {"unit": "street"}).status == 422


def test_the_live_figures_count_households_unless_the_plan_counts_records(small: Work) -> None:
    client, work = small
    client.post(f"{work}/columns/many", {"chosen": ["sex"], "role": "household"})
    found = []
    for unit in ("", "record"):
        page = client.post(f"{work}/columns/unit", {"unit": unit}).text
        data = client.studio.work(work.removeprefix("/w/")).plan.read()
        risk = discreet.assess(data, data, ["sample-uniqueness", "k-anonymity"]).risk
        assert figure(page, "uniques") == round(risk["sample-uniqueness"].value * len(data))
        assert figure(page, "least") == risk["k-anonymity"].value
        found.append(figure(page, "uniques"))
    assert found[0] > found[1]


def test_the_columns_that_give_people_away(small: Work) -> None:
    client, work = small
    text = client.get(f"{work}/columns/telling").text
    assert text.index("age") < text.index("sex")


@pytest.mark.parametrize(
    "change",
    [
        {"column": "none", "key": "role", "value": "other"},
        {"column": "age", "key": "role", "value": "nonsense"},
        {"column": "age", "key": "steps", "value": "x"},
    ],
)
def test_wrong_changes_are_explained_and_change_nothing(
    small: Work, change: dict[str, str]
) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    before = place.text
    assert client.post(f"{work}/columns/set", change).status == 422
    assert place.text == before


def test_the_order_of_categories_is_stated_on_the_page(small: Work) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    page = client.post(
        f"{work}/columns/set", {"column": "diagnosis", "key": "kind", "value": "ordinal"}
    ).text
    assert "asthma\nflu\nnone</textarea>" in page
    order = {"column": "diagnosis", "order": "none\r\nflu\r\nasthma\r\n"}
    assert client.post(f"{work}/columns/order", order).status == 200
    assert place.plan.kinds["diagnosis"] == ["none", "flu", "asthma"]
    assert place.table(60).data.schema["diagnosis"].categories == ("none", "flu", "asthma")
    wrong = client.post(f"{work}/columns/order", {**order, "order": "none\nflu"})
    assert (wrong.status, "each of its 3 categories" in wrong.text) == (422, True)


def test_how_the_file_is_read_is_stated_on_the_page(tmp_path: Path) -> None:
    lines = ["born;pay"] + [f"0{i % 9 + 1}/02/19{50 + i};{i},5" for i in range(40)]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    client = Client(tmp_path)
    work = client.post("/open", {"place": "people.csv"}).headers["location"][: -len("/columns")]
    place = client.studio.work(work.removeprefix("/w/"))
    first = place.table(60).data["born"][2]
    page = client.get(f"{work}/columns").text
    assert 'placeholder=";"' in page
    assert "These are dates" in page
    stated = {"dates": "month-first", "delimiter": ""}
    assert client.post(f"{work}/columns/reading", stated).status == 200
    assert place.plan.options == {"dates": "month-first"}
    assert place.table(60).data["born"][2] != first
    before = place.text
    assert client.post(f"{work}/columns/reading", {"delimiter": "|"}).status == 422
    assert place.text == before
    client.studio.close()


def test_what_if_a_column_were_coarser(small: Work) -> None:
    client, work = small
    page = client.get(f"{work}/columns/telling?coarser=1").text
    assert "one level coarser" in page
    assert "hierarchy?column=age" in page
