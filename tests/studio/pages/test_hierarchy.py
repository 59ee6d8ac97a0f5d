from __future__ import annotations

import re

from discreet.microdata.hierarchy import Hierarchy
from discreet.studio.hierarchies import from_cuts
from tests.studio.client import Client

Work = tuple[Client, str]


def kept(client: Client, work: str, column: str) -> Hierarchy:
    return Hierarchy.from_file(client.studio.work(work.removeprefix("/w/")).hierarchy_file(column))


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
    table = client.studio.work(work.removeprefix("/w/")).table(60)
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
    place = client.studio.work(work.removeprefix("/w/"))
    [step] = place.draft.steps
    assert step.values["hierarchies"] == [f"age={place.hierarchy_file('age').name}"]
    assert place.plan.steps[0].files()
