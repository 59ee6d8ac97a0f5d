"""Words in the names of columns that hint at their role."""

from __future__ import annotations

import pytest

import discreet
from discreet.microdata import Role
from discreet.release.hints import hinted


@pytest.mark.parametrize(
    ("name", "role", "word"),
    [
        ("ori_hid", "household", "hid"),
        ("householdID", "household", "householdid"),
        ("HHID", "household", "hhid"),
        ("sampling_weight", "weight", "samplingweight"),
        ("weight_kg", "weight", ""),
        ("body weight", "weight", ""),
        ("date_of_birth", "quasi-identifier", "birth"),
        ("DateOfBirth", "quasi-identifier", "birth"),
        ("ZIPCode", "area", "zip"),
        ("AGE", "quasi-identifier", "age"),
        ("age2", "quasi-identifier", "age"),
        ("wage", "quasi-identifier", ""),
        ("mileage", "quasi-identifier", ""),
        ("marital-status", "quasi-identifier", "marital"),
        ("First Name", "identifier", "firstname"),
        ("width", "identifier", ""),
        ("nom_de_famille", "possible-identifier", "nom"),
        ("prénom", "identifier", "prenom"),
        ("ménage", "household", "menage"),
        ("Körpergröße", "quasi-identifier", "korpergrosse"),
        ("Koerpergroesse", "quasi-identifier", "koerpergroesse"),
        ("anno_di_nascita", "quasi-identifier", "nascita"),
        ("Bruttolohn", "amount", "bruttolohn"),
    ],
)
def test_words_in_names(name: str, role: str, word: str) -> None:
    assert hinted(name, role) == word


@pytest.mark.parametrize(
    "name", ["born", "geboren", "geburtsjahr", "Wohnort", "ort", "ville", "commune", "ciudad"]
)
def test_what_others_may_know_is_known_by_its_name(name: str) -> None:
    described = discreet.describe({name: [i % 20 for i in range(40)]})
    assert described.quasi_identifiers == (name,)


@pytest.mark.parametrize("name", ["sick", "tumour", "pregnant", "thyroid_surgery"])
def test_what_nobody_should_learn_is_known_by_its_name(name: str) -> None:
    described = discreet.describe({name: [i % 20 for i in range(40)]})
    assert described.columns[0].role is Role.CONFIDENTIAL
