from __future__ import annotations

import re

from discreet.microdata.hierarchy import Hierarchy
from discreet.release.plan import Plan
from discreet.studio import work as studio_work
from discreet.studio.hierarchies import from_cuts
from tests.studio.client import Client

Work = tuple[Client, str]


def work_of(client: Client, work: str) -> studio_work.Work:
    return client.studio.work(work.removeprefix("/w/"))


def kept(client: Client, work: str, column: str) -> Hierarchy:
    file = work_of(client, work).hierarchy_file(column)
    assert file is not None
    return Hierarchy.from_file(file)


def test_a_proposal_is_shown_level_beside_level(small: Work) -> None:
    client, work = small
    page = client.get(f"{work}/hierarchy?column=age").text
    assert page.count("<h3>Level") >= 3
    least = [int(k) for k in re.findall(r"k (\d+) ·", page)]
    assert least == sorted(least)
    assert client.get(f"{work}/hierarchy?column=none").status == 422


def test_numbers_are_cut(small: Work) -> None:
    client, work = small
    answer = client.post(f"{work}/hierarchy/cut", {"column": "age", "cut": ["45", "30"]})
    assert answer.status == 200
    assert kept(client, work, "age").labels[1] == ("below 30", "30–44", "45 and above")
    table = work_of(client, work).table(60)
    assert from_cuts(table.data, "age", [45, 30]) == kept(client, work, "age")
    assert client.post(f"{work}/hierarchy/cut", {"column": "sex", "cut": "3"}).status == 422


def test_categories_are_grouped(small: Work) -> None:
    client, work = small
    chosen = {"column": "region", "value": ["north", "west"], "name": "cold"}
    assert client.post(f"{work}/hierarchy/group", chosen).status == 200
    assert set(kept(client, work, "region").labels[1]) == {"cold", "south"}
    assert client.post(f"{work}/hierarchy/group", {**chosen, "value": ["none"]}).status == 422


def test_a_hierarchy_is_imported_and_exported(small: Work) -> None:
    client, work = small
    text = "north;far;*\nsouth;near;*\nwest;far;*\n"
    assert client.post(f"{work}/hierarchy/text", {"column": "region", "text": text}).status == 200
    saved = client.get(f"{work}/hierarchy/file?column=region")
    assert saved.text.splitlines()[1:] == text.splitlines()
    wrong = client.post(f"{work}/hierarchy/text", {"column": "region", "text": "north;far\n"})
    assert (wrong.status, "2 are not among" in wrong.text) == (422, True)
    assert kept(client, work, "region").labels[1] == ("far", "near")


def test_steps_that_take_hierarchies_get_it(small: Work) -> None:
    client, work = small
    client.post(f"{work}/protect/preset", {"preset": "suppression"})
    client.post(f"{work}/hierarchy/propose", {"column": "age", "width": "20"})
    place = work_of(client, work)
    [step] = place.draft.steps
    file = place.hierarchy_file("age")
    assert file is not None
    assert step.values["hierarchies"] == [f"age={file.name}"]
    assert place.plan.steps[0].files()


def test_undo_brings_earlier_hierarchies_back(small: Work) -> None:
    client, work = small
    here = f"{work}/hierarchy?column=age"
    client.post(f"{work}/protect/remove", {"step": 0})  # no step takes a hierarchy
    client.post(f"{work}/hierarchy/cut", {"column": "age", "cut": ["30"]})
    client.post(f"{work}/hierarchy/cut", {"column": "age", "cut": ["40"]})
    client.post(f"{work}/protect/preset", {"preset": "suppression"})
    client.post(f"{work}/hierarchy/cut", {"column": "age", "cut": ["50"]})
    levels = {"undo": ["below 40", "below 40", "below 30"], "redo": ["below 40"] * 2 + ["below 50"]}
    for word, expected in levels.items():
        for label in expected:
            answer = client.post(f"{work}/{word}", {"back": here})
            assert answer.headers["location"] == here
            assert kept(client, work, "age").labels[1][0] == label
            assert f"<bdi>{label}</bdi>" in client.get(here).text
            # The command line reads the same levels from the same folder.
            plan = Plan.draft(work_of(client, work).text, work_of(client, work).folder)
            for step in plan.steps:
                assert [Hierarchy.from_file(file) for file in step.files()] == [
                    kept(client, work, "age")
                ]


def test_a_hierarchy_that_does_not_fit_any_more_is_told(small: Work) -> None:
    client, work = small
    client.post(f"{work}/hierarchy/text", {"column": "sex", "text": "f;*\nm;*\n"})
    file = client.studio.places.root / "people.csv"
    file.write_text(file.read_text().replace(",f,", ",x,"))
    work_of(client, work).table(60)
    page = client.get(f"{work}/hierarchy?column=sex")
    assert (page.status, "not among" in page.text) == (200, True)


def test_a_plan_cannot_make_the_page_read_another_file(small: Work) -> None:
    client, work = small
    (client.studio.places.root / "secret.csv").write_text("f;a\nm;b\n")
    place = work_of(client, work)
    for named in ("../secret.csv", str(client.studio.places.root / "secret.csv")):
        place.history.add(f"# hierarchy: {{sex: {named}}}\n{place.text}", "by hand")
        assert place.hierarchy_file("sex") is None


def test_the_cuts_that_are_kept_are_those_that_are_shown(small: Work) -> None:
    client, work = small
    page = client.post(f"{work}/hierarchy/cut", {"column": "age", "cut": ["26", "30", "44", "60"]})
    data = work_of(client, work).table(60).data
    kept_at = [min(a for a in data["age"] if a >= cut) for cut in (26, 30, 44, 60)]
    shown = re.findall(r'type="range" name="cut"[^>]* value="([\d.]+)"', page.text)
    assert [float(text) for text in shown] == kept_at
