"""Suggesting a role for a column, with the reason.

Suggestions lean to the safe side: what looks like an identifier is called one, what others may know
(a place, a date) is called a quasi-identifier, and anything unknown is called confidential.
"""

from __future__ import annotations

import numpy as np

from discreet.microdata import Role
from discreet.release.hints import hinted, numbered, only_people, words_of
from discreet.release.identifying import MANY, named_identifier, valued_identifier
from discreet.release.profile import Profile

BODY_UNITS = frozenset(
    (
        *("kg", "kilo", "kilos", "kilogram", "kilograms", "kilogramm", "kilogramos", "quilos"),
        *("lb", "lbs", "pounds", "gram", "grams", "gramm", "gramos", "gramas"),
        *("body", "korper", "corps", "birth"),
    )
)
BODIES = ", and the values could be body weights"
"""Said about a weight whose values could also be those of a sample's weights."""
NEWBORN = (2000, 4500, 7000)
"""The range of the median birth weight in grams, and a weight that no newborn reaches."""
LARGEST_HOUSEHOLD = 60
LARGEST_BODY = 350
RECORDS_EACH = 1.2
"""With at least this many records for each number of a person, persons have several records."""
SEXES = tuple(frozenset(signs) for signs in ("mf", "mwd", "mv", "hf", "mfx", "hm", "mk"))
"""Letters for men and women: m, f and x; m, w and d; h and f; h and m; m and v; m and k."""
AGES = frozenset(("age", "ages", "alter", "edad", "idade", "eta", "leeftijd"))
OLDEST = 130
GRID = 1000.0
"""Coordinates in metres are above this."""
SECTIONS = (
    ("other", Role.OTHER),
    ("amount", Role.CONFIDENTIAL),
    ("area", Role.QUASI_IDENTIFIER),
    ("quasi-identifier", Role.QUASI_IDENTIFIER),
    ("confidential", Role.CONFIDENTIAL),
    ("neutral", Role.OTHER),
)
"""Sections of words that hint at a role; the first that has a word of the name counts."""
MEASURED = (*SECTIONS[:2], SECTIONS[4], *SECTIONS[2:4], SECTIONS[5])
"""Of numbers with decimals: the mean of school exams is no school."""
MANY_TEXTS = 100
"""More distinct texts than this are not a list of answers, but names of people, firms or places."""
UNKNOWN = "nothing says what it is: others should not learn it, unless you know better"
SEVERAL_CODES, LONG_CODES = 6, 100
"""This many codes, each at least this large, are those of a list that others have too."""
MANY_AMOUNTS = 30
"""More distinct numbers than this are amounts, if nothing else is known."""


def suggested_role(profile: Profile) -> tuple[Role, str]:
    """Return a role for a column, and why.

    >>> import discreet
    >>> data = discreet.read({"plz": ["01067", "99084"], "Gewicht": [71.5, 80.0]})
    >>> for name in data.schema.names:
    ...     print(*suggested_role(Profile.of(data, name)), sep=": ")
    quasi-identifier: its name says 'plz': others may know it
    confidential: its name says 'gewicht', and the values could be body weights
    """
    if not profile.present:
        return Role.OTHER, "it has no values at all"
    weight = _says(profile, "weight")
    if weight and not profile.texts and not profile.temporal and not profile.no_weights:
        return Role.WEIGHT, weight
    if profile.distinct == 1 and profile.present > 1:
        return Role.OTHER, "all values are equal"
    return (
        _of_the_design(profile)
        or _of_somebody(profile)
        or _by_words(profile)
        or _by_values(profile)
        or (Role.CONFIDENTIAL, UNKNOWN)
    )


def _says(profile: Profile, section: str) -> str:
    """Say that the name or the label has a word of a section, or return an empty string."""
    for source, text in (("name", profile.name), ("label", profile.label)):
        word = hinted(text, section)
        if word:
            return f"its {source} says '{word}'"
    return ""


def _of_the_design(profile: Profile) -> tuple[Role, str] | None:
    """Return weight, household or stratum, if name and values agree on it."""
    possible = _says(profile, "possible-weight")
    numeric = profile.numbers is not None and not profile.temporal and not profile.no_weights
    if possible and numeric and not profile.few:
        if _bodies(profile):
            return Role.CONFIDENTIAL, f"{possible}{BODIES}"
        if profile.numbers is not None and profile.numbers[0] >= 0:
            return Role.WEIGHT, f"{possible}, and the values could not be body weights"
    household = _says(profile, "household")
    if household and not _says(profile, "amount") and _groups(profile):
        return Role.HOUSEHOLD, household
    stratum = _says(profile, "stratum")
    return (Role.STRATUM, stratum) if stratum and not profile.several else None


def weight_of_a_household(name: str, label: str, reason: str) -> str:
    """Return why a weight that all members of a household share is one of a sample, or nothing.

    Members of a household do not weigh the same, but are sampled together.

    >>> weight_of_a_household("weight", "", f"its name says 'weight'{BODIES}")
    "its name says 'weight', and members of a household have the same"
    >>> weight_of_a_household("weight_kg", "", f"its name says 'weight'{BODIES}")
    ''
    """
    if BODIES not in reason or BODY_UNITS & set(words_of(f"{name} {label}")):
        return ""
    return f"{reason.partition(BODIES)[0]}, and members of a household have the same"


def _bodies(profile: Profile) -> bool:
    """Whether numbers may be the weights of people: few decimals, none above what a body weighs."""
    numbers = profile.numbers
    assert numbers is not None
    if BODY_UNITS & set(words_of(f"{profile.name} {profile.label}")):
        return True
    middle = np.repeat(numbers, profile.counts)[profile.present // 2]
    low, high, largest = NEWBORN
    if profile.whole and low <= middle <= high and numbers[-1] < largest:
        return True
    return bool(profile.decimals <= 2 and 15 <= middle <= 150 and numbers[-1] < LARGEST_BODY)


def _groups(profile: Profile) -> bool:
    """Whether a column may number households: whole numbers or texts, each a few times."""
    if profile.temporal or profile.few or (profile.numbers is not None and not profile.whole):
        return False
    small = profile.present < 20
    return small or (profile.several and int(profile.counts.max()) <= LARGEST_HOUSEHOLD)


def _of_somebody(profile: Profile) -> tuple[Role, str] | None:
    """Return identifier, or quasi-identifier for when and where something happened."""
    coordinate = _says(profile, "coordinate")
    if coordinate and profile.distinct > MANY_AMOUNTS and _places(profile):
        return Role.QUASI_IDENTIFIER, f"{coordinate}: a place that others may know"
    if profile.temporal:
        return Role.QUASI_IDENTIFIER, "it holds dates: others may know when something happened"
    if _says(profile, "area") and not profile.free_text and not profile.form:
        return None
    reason = named_identifier(profile) or _free_text(profile)
    if reason and _several_records(profile):
        return Role.PERSON, f"{reason}, and numbers occur in several records"
    return (Role.IDENTIFIER, reason) if reason else None


def _several_records(profile: Profile) -> bool:
    """Whether a column numbers persons who have several records each: visits, or waves."""
    coded = only_people(profile.name) and profile.repeated_codes
    named = coded or bool(numbered(profile.name) or numbered(profile.label))
    return named and repeated(profile)


def repeated(profile: Profile) -> bool:
    """Whether values that may be those of persons occur in several records each."""
    several = profile.present >= RECORDS_EACH * profile.distinct and profile.distinct > MANY
    return several and not profile.form


def _places(profile: Profile) -> bool:
    """Whether numbers may be coordinates; those of a grid, called x and y, are large."""
    numbers = profile.numbers
    letters = {"x", "y"} & set(words_of(profile.name))
    return numbers is not None and (not letters or float(numbers[0]) > GRID)


def _free_text(profile: Profile) -> str:
    """Say that remarks, however short, may name people; single words are answers."""
    remark = _says(profile, "free-text")
    if remark and any(" " in text.strip() for text in profile.texts):
        return f"{remark}, and free text may name people"
    return ""


def _by_words(profile: Profile) -> tuple[Role, str] | None:
    """Return the role that the words of name and label hint at."""
    institution = _says(profile, "institution")
    several = profile.distinct > 2 and not profile.record_codes
    if institution and profile.texts and several and not profile.diseases:
        return Role.QUASI_IDENTIFIER, f"{institution}: others may know where somebody was"
    if age := _of_an_age(profile):
        return Role.QUASI_IDENTIFIER, f"its name says '{age}': others may know it"
    for text in dict.fromkeys((profile.name, profile.label)):
        source = "name" if text is profile.name else "label"
        for section, role in MEASURED if _measured(profile) else SECTIONS:
            word = hinted(text, section)
            if section == "amount" and profile.leading_zeros:
                continue  # no sum of money begins with a zero
            known_by_others = role is Role.QUASI_IDENTIFIER and not profile.record_codes
            if word and not known_by_others and (given := _given_out(profile, role)):
                return Role.IDENTIFIER, given
            if word and not (section == "quasi-identifier" and _no_age(profile, word)):
                known = ": others may know it" if role is Role.QUASI_IDENTIFIER else ""
                return role, f"its {source} says '{word}'{known}"
    return None


def _given_out(profile: Profile, role: Role) -> str:
    """Return why values are names or numbers of records, whatever the name of the column says.

    A sum of money may differ in every record; a text, or a number of six digits that is named after
    an illness, may not.
    """
    if role is Role.OTHER and profile.given_number:  # as a cost centre, which costs nothing
        return profile.given_number
    amount = _says(profile, "amount") and not profile.given_out
    if profile.texts or (profile.whole and not amount):
        return valued_identifier(profile)
    return ""


def _measured(profile: Profile) -> bool:
    """Whether many different numbers have decimals."""
    return profile.decimals > 0 and profile.distinct > MANY_AMOUNTS


def _of_an_age(profile: Profile) -> str:
    """Return a word for age where the values are ages: those of a borrower are no credit."""
    numbers = profile.numbers
    if numbers is None or profile.temporal or profile.distinct <= SEVERAL_CODES:
        return ""
    possible = bool(numbers[0] >= 0 and numbers[-1] <= OLDEST)
    return next((w for w in words_of(profile.name) if w in AGES), "") if possible else ""


def _no_age(profile: Profile, word: str) -> bool:
    """Whether a column is named after ages, but most of its numbers are not ages."""
    numbers = profile.numbers
    if word not in AGES or numbers is None or profile.temporal:
        return False
    return bool(profile.counts[numbers > OLDEST].sum() > profile.present / 2)


def _by_values(profile: Profile) -> tuple[Role, str] | None:
    """Return what the values are taken for if no word gives a hint."""
    reason = valued_identifier(profile)
    if reason and not profile.postcodes:
        return Role.IDENTIFIER, reason
    if profile.opaque_numbers:
        return Role.PERSON, "codes of one length, each in a few records, as person numbers are"
    if profile.numbers_members:
        return Role.OTHER, "it counts within groups of neighbouring records, as in households"
    if profile.numbers_neighbours and int(profile.counts.max()) <= LARGEST_HOUSEHOLD:
        return Role.HOUSEHOLD, "it numbers groups of neighbouring records, such as households"
    if profile.diseases:
        return Role.CONFIDENTIAL, "its values look like codes of diseases"
    if profile.years:
        return Role.QUASI_IDENTIFIER, "its values look like years, such as those of birth"
    if profile.times_of_day:
        return Role.QUASI_IDENTIFIER, "it holds times: others may know when something happened"
    if profile.postcodes:
        return Role.QUASI_IDENTIFIER, "its values look like postcodes: others may know them"
    if telling := _telling_value(profile):
        return Role.QUASI_IDENTIFIER, f"its values say '{telling}': others may know it"
    if profile.leading_zeros:
        return Role.QUASI_IDENTIFIER, "codes with leading zeros may be those of places"
    if profile.ages:
        return Role.QUASI_IDENTIFIER, "its values look like ages: others may know them"
    if (household := _says(profile, "household")) and profile.distinct <= MANY_AMOUNTS:
        return Role.QUASI_IDENTIFIER, f"{household}, and few values describe it: others may know it"
    if profile.texts and profile.distinct > MANY_TEXTS:
        if profile.distinct > profile.present / 2:
            return Role.IDENTIFIER, "most records have a different text, as with people's names"
        many = f"{profile.distinct:,} different texts may be names or places that others know"
        return Role.QUASI_IDENTIFIER, many
    if profile.last_digits:
        return Role.QUASI_IDENTIFIER, "evenly spread numbers are the last digits of longer ones"
    numbers = profile.numbers
    if profile.repeated_codes or (numbers is not None and profile.coded and _long_codes(profile)):
        return Role.QUASI_IDENTIFIER, "its values look like codes of something that others may know"
    if numbers is not None and profile.distinct > MANY_AMOUNTS:
        return Role.CONFIDENTIAL, f"{profile.distinct:,} different amounts of something unknown"
    return None


def _long_codes(profile: Profile) -> bool:
    """Whether numbers that are codes are many, or have many digits: of places, say, or of firms."""
    numbers = profile.numbers
    assert numbers is not None
    return profile.distinct > MANY_AMOUNTS or (
        profile.distinct >= SEVERAL_CODES and float(numbers[0]) >= LONG_CODES
    )


def _telling_value(profile: Profile) -> str:
    """Return a word among few values that says who somebody is, if at least half say so."""
    values = list(profile.value_labels.values()) or profile.texts
    if not 2 <= profile.distinct <= MANY_AMOUNTS or not values:
        return ""
    letters = {value.strip().casefold() for value in values}
    if any(letters <= signs and len(letters) > 1 for signs in SEXES):
        return "/".join(sorted(letters))
    words = [word for word in (hinted(value, "value") for value in values) if word]
    return words[0] if len(words) >= len(values) / 2 else ""
