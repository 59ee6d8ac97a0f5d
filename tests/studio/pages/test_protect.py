from __future__ import annotations

from pathlib import Path

from discreet.contracts.registry import entries
from discreet.release.plan import Plan
from discreet.studio.outcomes import content_of
from discreet.studio.presets import presets
from tests.studio.client import Client

Work = tuple[Client, str]


def plan_of(client: Client, work: str) -> Plan:
    return client.studio.work(work.removeprefix("/w/")).plan


def test_every_method_can_be_added_and_its_form_is_shown(small: Work) -> None:
    client, work = small
    client.post(f"{work}/protect/remove", {"step": 0})
    for entry in entries("method"):
        answer = client.post(f"{work}/protect/add", {"method": entry.spec.name})
        assert answer.status == 200, (entry.spec.name, answer.text)
        client.post(f"{work}/protect/remove", {"step": 0})


def test_parameters_are_set_by_the_form(small: Work) -> None:
    client, work = small
    form = {"step": 0, "partition": "mdav", "partition.k": 7, "replacement": "centroid"}
    assert client.post(f"{work}/protect/set", form).status == 200
    assert plan_of(client, work).steps[0].values()["partition"].k == 7
    wrong = client.post(f"{work}/protect/set", {**form, "partition.k": 1})
    assert (wrong.status, "at least 2" in wrong.text) == (422, True)
    assert plan_of(client, work).steps[0].values()["partition"].k == 7


def test_another_partition_has_another_form(small: Work) -> None:
    client, work = small
    form = {"step": 0, "partition": "mondrian", "partition.k": 9, "replacement": "centroid"}
    text = client.post(f"{work}/protect/form", form).text
    assert 'value="9"' in text
    assert 'value="mondrian" selected' in text
    assert plan_of(client, work).steps[0].values()["partition"].spec.name == "mdav"


def test_steps_are_ordered_and_switched_off(small: Work) -> None:
    client, work = small
    client.post(f"{work}/protect/add", {"method": "rounding"})
    client.post(f"{work}/protect/move", {"step": 1, "to": "up"})
    assert [s.spec.name for s in plan_of(client, work).steps] == ["rounding", "microaggregation"]
    page = client.post(f"{work}/protect/toggle", {"step": 0}).text
    assert "switched off" in page
    assert [s.spec.name for s in plan_of(client, work).steps] == ["microaggregation"]


def test_presets_are_plans_that_can_be_read(small: Work) -> None:
    client, work = small
    for preset in presets():
        assert client.post(f"{work}/protect/preset", {"preset": preset.name}).status == 200
        assert plan_of(client, work).steps
    assert client.post(f"{work}/protect/preset", {"preset": "none"}).status == 422


def test_claims_are_made_and_taken_back(small: Work) -> None:
    client, work = small
    client.post(f"{work}/protect/claim", {"measure": "l-diversity", "bound": "2"})
    assert plan_of(client, work).claims == {"k-anonymity": 5, "l-diversity": 2}
    client.post(f"{work}/protect/claim", {"measure": "l-diversity", "bound": ""})
    assert plan_of(client, work).claims == {"k-anonymity": 5}
    assert client.post(f"{work}/protect/claim", {"measure": "none", "bound": "2"}).status == 422


def test_a_column_is_allowed_by_name(small: Work) -> None:
    client, work = small
    client.post(f"{work}/protect/allow", {"column": "income", "yes": "yes"})
    assert plan_of(client, work).allow == ("income",)
    client.post(f"{work}/protect/allow", {"column": "income"})
    assert plan_of(client, work).allow == ()
    assert client.post(f"{work}/protect/allow", {"column": "none", "yes": "y"}).status == 422


def test_a_column_that_gives_another_back_can_be_mended_at_once(tmp_path: Path) -> None:
    ages = [18 + i * 37 % 71 for i in range(300)]
    rows = "".join(f"{age},{2026 - age},{i * 53 % 17}\n" for i, age in enumerate(ages))
    (tmp_path / "people.csv").write_text("age,born,cost\n" + rows)
    client = Client(tmp_path)
    work = (
        client.post("/open", {"place": "people.csv"}).headers["location"].removesuffix("/columns")
    )
    client.studio.work(work.removeprefix("/w/")).table(60)
    for column, role in (("age", "quasi-identifier"), ("born", "other")):
        change = {"column": column, "key": "role", "value": role}
        assert client.post(f"{work}/columns/set", change).status == 200
    client.post(f"{work}/protect/run")
    job = client.finish()
    assert "'born' is released as it is" in job.error
    page = client.get(f"{work}/protect").text
    assert "<option selected>born</option>" in page
    assert f'href="{work}/columns">Change the columns' in page
    assert 'data-task="protect"' in page  # what the style sheet hides beside the outcome
    client.studio.close()


def test_the_verdict_is_shown_in_place(done: Work) -> None:
    client, work = done
    page = client.get(f"{work}/protect").text
    place = client.studio.work(work.removeprefix("/w/"))
    content = content_of(place, place.tries.find(1))
    assert content is not None
    assert content.records.original == 60
    assert content_of(place, None) is None
    assert 'id="verdict"' in page
    assert "The claim of k-anonymity at least 5 holds" in page
    assert "original-area" in page or "original-bar" in page


def test_steps_are_tried_on_a_sample(done: Work) -> None:
    client, work = done
    assert client.post(f"{work}/protect/preview").status == 200
    assert client.finish().state == "done"
    assert "On 60 records" in client.get(f"{work}/protect/previewed").text


def test_a_card_says_what_its_step_did(done: Work) -> None:
    client, work = done
    page = client.get(f"{work}/protect/did?step=0").text
    assert "On the whole file, 60 records" in page
    assert "of the records changed" in page
    assert "Pairs of columns" in page


def test_a_step_of_a_plan_that_was_not_run_did_nothing_yet(small: Work) -> None:
    client, work = small
    assert "has not been run yet" in client.get(f"{work}/protect/did?step=0").text
