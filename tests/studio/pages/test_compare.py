from __future__ import annotations

import json
from pathlib import Path

import discreet
from discreet.studio.explored import found_by_search, tried_here
from tests.studio.client import Client

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


def test_a_setting_of_a_search_is_taken_over(small: Work) -> None:
    client, work = small
    place = client.studio.work(work.removeprefix("/w/"))
    explored(place.folder)
    settings = json.loads((place.folder / "exploration" / "settings.json").read_text())
    number = [entry["recommended"] for entry in settings["settings"]].index(True) + 1
    found, search = found_by_search(place)
    assert (len(found), tried_here(place)) == (len(settings["settings"]), [])
    assert search is not None
    assert search.limits == {"k-anonymity": 2}
    page = client.get(f"{work}/compare").text
    assert "Recommended" in page
    answer = client.post(f"{work}/compare/take", {"point": f"setting-{number}"})
    assert answer.status == 200
    assert place.plan.claims == {"k-anonymity": 2}
    assert place.plan.steps[0].values()["partition"].k == 2


def test_nothing_tried_yet(small: Work) -> None:
    client, work = small
    assert "Nothing was tried yet" in client.get(f"{work}/compare").text
    bad = client.post(f"{work}/compare/explore", {"limit": "much", "minutes": 1})
    assert bad.status == 422


def test_a_try_is_taken_over_again(done: Work) -> None:
    client, work = done
    place = client.studio.work(work.removeprefix("/w/"))
    before = place.text
    client.post(f"{work}/protect/toggle", {"step": 0})
    assert client.post(f"{work}/compare/take", {"point": "try-1"}).status == 200
    assert place.text == before
