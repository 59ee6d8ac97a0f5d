from __future__ import annotations

import io

import discreet
from discreet.studio.risk_now import looked_at
from discreet.studio.telling import Telling
from tests.studio.client import Client

Work = tuple[Client, str]


def test_what_was_found_is_shown_and_kept(done: Work) -> None:
    client, work = done
    again = Client(client.studio.places.root)
    again.studio.work(work.removeprefix("/w/")).table(60)
    page = again.get(f"{work}/risk").text
    assert "k-anonymity of the release" in page
    assert "income" in page
    assert "The columns have changed" not in page


def test_without_confidential_columns_the_attack_says_why() -> None:
    data = discreet.read({"age": [30, 31, 31]}, roles={"age": "quasi-identifier"})
    found = looked_at(data, Telling(io.StringIO()))
    assert "reason" in found["attack"]
    assert found["weighted"] is False


def test_before_a_look_it_is_offered(small: Work) -> None:
    client, work = small
    page = client.get(f"{work}/risk").text
    assert 'id="look"' in page


def test_weights_tell_of_the_population() -> None:
    columns = {"age": [30, 31, 31, 40], "w": [10.0, 20.0, 20.0, 30.0]}
    data = discreet.read(columns, roles={"age": "quasi-identifier", "w": "weight"})
    found = {m["name"]: m for m in looked_at(data, Telling(io.StringIO()))["measures"]}
    assert found["k-map"]["value"] == 10
    assert "population-uniqueness" in found
