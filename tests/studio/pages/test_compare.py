from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import discreet
from discreet.exploring.trial import Task, Trial
from discreet.exploring.trial_store import Store
from discreet.report.ru_map import Estimate
from discreet.studio.explored import searched_settings, so_far, tried_here
from discreet.studio.lattices import looked_at_levels
from discreet.studio.telling import Telling
from discreet.studio.tries import Outcome
from tests.studio.client import Client, opened

Work = tuple[Client, str]


def explored(folder: Path) -> None:
    """Put the outcome of a search into the folder, as `discreet explore` writes it."""
    data = discreet.read({"age": [20, 21, 40, 41, 60, 61]}, roles={"age": "quasi-identifier"})
    found = discreet.explore(
        data, {"k-anonymity": 2}, ["sse-sst"], cores=1,
        candidates=[{"microaggregation": {"partition": {"mdav": {"k": {"try": [2, 3]}}}}}],
    )  # fmt: skip
    found.write(folder / "exploration")


def test_what_was_tried_is_on_the_map(done: Work) -> None:
    client, work = done
    page = client.get(f"{work}/compare").text
    assert "point=try-1" in page
    chosen = client.get(f"{work}/compare?point=try-1&across=k-anonymity&up=marginals").text
    assert 'id="chosen"' in chosen
    assert "k-anonymity of the release" in chosen
    assert client.get(f"{work}/compare?point=try-99").status == 422


@pytest.mark.usefixtures("trials_in_process")
def test_a_setting_of_a_search_is_taken_over(small: Work) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    explored(place.folder)
    settings = json.loads((place.folder / "exploration" / "settings.json").read_text())
    number = [entry["recommended"] for entry in settings["settings"]].index(True) + 1
    found, search = searched_settings(place)
    assert (len(found), tried_here(place)) == (len(settings["settings"]), [])
    assert search is not None
    assert search.limits == {"k-anonymity": 2}
    page = client.get(f"{work}/compare").text
    assert "Recommended" in page
    answer = client.post(f"{work}/compare/take", {"point": f"setting-{number}"})
    assert answer.headers["location"] == f"{work}/protect"
    assert place.plan.claims == {"k-anonymity": 2}
    assert place.plan.steps[0].values()["partition"].k == 2


def test_a_search_that_tried_nothing_is_told(small: Work) -> None:
    client, work = small
    folder = client.studio.work(work.removeprefix("/w/")).folder / "exploration"
    folder.mkdir()
    content = {"limits": {}, "words": ["time ran out"], "settings": []}
    (folder / "settings.json").write_text(json.dumps(content))
    page = client.get(f"{work}/compare").text
    assert "Time ran out." in page
    assert "Give it more time" in page


def test_nothing_tried_yet(small: Work) -> None:
    client, work = small
    assert "Nothing has been tried yet" in client.get(f"{work}/compare").text
    bad = client.post(f"{work}/compare/explore", {"limit": "much", "minutes": 1})
    assert bad.status == 422


def test_a_try_is_taken_over_again(done: Work) -> None:
    client, work = done
    place = client.studio.work(work.removeprefix("/w/"))
    before = place.text
    client.post(f"{work}/protect/toggle", {"step": 0})
    assert client.post(f"{work}/compare/take", {"point": "try-1"}).status == 303
    assert place.text == before


def test_a_search_under_way_is_on_the_map_already(small: Work) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    store = Store(place.folder / "exploration" / "trials-1.sqlite")
    task = Task(({"rounding": {"base": 5}},))
    store.add(Trial(task, {"k-anonymity": 3.0, "sse-sst": 0.2}))
    store.add(Trial(Task(task.steps, 1), {"k-anonymity": 5.0, "sse-sst": 0.4}))
    store.add(Trial(Task(({"pram": {}},)), {}, "it failed"))
    found = so_far(place)
    store.close()
    assert [(each.title, len(each.scores)) for each in found] == [
        ("rounding (base = 5)", 2),
        ("pram", 0),
    ]
    assert found[0].scores["k-anonymity"] == Estimate(4.0, 3.0, 5.0)
    page = client.get(f"{work}/compare").text
    assert "search was stopped early" in page
    assert "it failed" in page
    assert 'g class="point"' in client.get(f"{work}/compare/map").text
    client.post(f"{work}/compare/take", {"point": found[0].key})
    assert [step.spec.name for step in place.plan.steps] == ["rounding"]


def test_files_of_earlier_tries_are_removed_when_asked(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    place = client.studio.work(work.removeprefix("/w/"))
    for number, text in ((1, "steps: [rounding]"), (2, place.text)):
        place.tries.keep(Outcome(number, 1, text, light="green"))
        place.tries.directory(number).mkdir()
        (place.tries.directory(number) / "manifest.json").touch()
    assert client.post(f"{work}/compare/forget").status == 200
    assert place.tries.with_files() == [2]
    assert len(place.tries.all()) == 2
    client.studio.close()


def test_levels_of_a_recoding_are_looked_at_and_fixed(small: Work) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    assert 'id="lattice"' not in client.get(f"{work}/compare").text
    client.post(f"{work}/protect/preset", {"preset": "suppression"})
    assert "Show the levels" in client.get(f"{work}/compare").text
    lattice = looked_at_levels(Telling(io.StringIO()), place.path)
    page = client.get(f"{work}/compare").text
    assert page.count('<g class="node">') == len(lattice.nodes)
    chosen = "-".join(map(str, lattice.nodes[1].levels))
    assert client.post(f"{work}/compare/levels", {"levels": chosen}).status == 303
    stated = place.draft.steps[0].values["levels"]
    assert tuple(stated[name] for name in lattice.columns) == lattice.nodes[1].levels
    assert "The plan has changed since" in client.get(f"{work}/compare").text
    assert client.post(f"{work}/compare/levels", {"levels": "9-9-9"}).status == 422
