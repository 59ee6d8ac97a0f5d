"""Words in column names that hint at a role.

They suggest and never decide: a person confirms every role. The lists hold words that are common in
English, German, French and Spanish files.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

IDENTIFIER = """
    surname forename firstname lastname fullname vorname nachname prenom apellido ssn nino passport
    email mail phone telephone mobile iban mrn patientid personid uuid guid username dni nif
    patientname insuranceno insurancenumber socialsecurity
"""
POSSIBLE_IDENTIFIER = """
    name nom nombre nin insurance licence license fax address street account pid nhs id identifier
    identification login ip url matricule siren siret
"""
HOUSEHOLD = "household householdid hhid hid haushalt menage hogar familyid"
WEIGHT = """
    weights samplingweight sampleweight surveyweight designweight householdweights
    wgt pweight fweight expansion hochrechnungsfaktor gewicht ponderation
"""
STRATUM = "stratum strata strate estrato schicht"
QUASI_IDENTIFIER = """
    age alter edad birth birthdate birthday birthyear born dob geburtsdatum geburtsjahr geboren
    naissance nacimiento sex gender geschlecht sexe sexo race ethnicity ethnic nationality
    nationalitat nationalite nacionalidad citizenship country pays pais zip zipcode postcode postal
    plz postleitzahl city stadt ville ciudad town ort wohnort municipality gemeinde commune
    municipio county state bundesland region province provincia district marital married education
    educ school bildung
    occupation job profession beruf employment workclass industry height size religion language
    family children hsize nativity urbrur
"""
CONFIDENTIAL = """
    diagnosis disease illness sick icd condition hiv cancer tumor tumour pregnant pregnancy surgery
    outcome test result treatment medication drug
    income salary wage earnings wealth savings debt expenditure expend revenue profit tax turnover
    cost costs charge loan credit score grade crime offence conviction benefit sales assets
    cholesterol pressure glucose insulin bp systolic diastolic
"""

_WORDS = {
    role: frozenset(text.split())
    for role, text in (
        ("identifier", IDENTIFIER),
        ("possible identifier", POSSIBLE_IDENTIFIER),
        ("household", HOUSEHOLD),
        ("weight", WEIGHT),
        ("stratum", STRATUM),
        ("quasi-identifier", QUASI_IDENTIFIER),
        ("confidential", CONFIDENTIAL),
    )
}


def hinted(name: str, role: str) -> str:
    """Return the word in a column's name that hints at a role, or an empty string.

    >>> hinted("date_of_birth", "quasi-identifier")
    'birth'
    >>> hinted("householdID", "household")
    'householdid'
    >>> hinted("weight_kg", "weight")
    ''
    """
    plain = unicodedata.normalize("NFKD", name)
    name = "".join(sign for sign in plain if not unicodedata.combining(sign))
    words = [w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]
    joined = ["".join(words), *("".join(pair) for pair in pairwise(words))]
    return next((word for word in [*joined, *words] if word in _WORDS[role]), "")
