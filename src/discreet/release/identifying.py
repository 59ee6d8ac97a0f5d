"""What looks like a direct identifier: by the form of its values, or by its name."""

from __future__ import annotations

from discreet.release.hints import hinted, listed_whole, numbered, only_somebody
from discreet.release.profile import Profile

MANY = 20
"""A column named after a number of persons holds one if it has more distinct values than this."""


def identifier_reason(profile: Profile) -> str:
    """Return why a column looks like a direct identifier, or an empty string.

    Values decide before names do: yes and no identify nobody, whatever the column is called, and a
    number that no two records share was assigned unless its name says that it is an amount.

    >>> import discreet
    >>> data = discreet.read({"row": list(range(100, 130)), "telephone": ["yes", "no"] * 15})
    >>> [identifier_reason(Profile.of(data, name)) for name in data.schema.names]
    ['it numbers the records', '']
    """
    return named_identifier(profile) or valued_identifier(profile)


def named_identifier(profile: Profile) -> str:
    """Return why the form of the values, or the name, is that of an identifier.

    Some words name a person however often a value occurs: a file of visits has each patient several
    times. Others (a name, an id) may belong to towns or classes, and count only if there are many
    distinct values.
    """
    if profile.form:
        return f"it holds {profile.form}"
    if profile.temporal or profile.few or (profile.numbers is not None and not profile.whole):
        return ""
    for text in (profile.name, profile.label):
        many = profile.several or profile.distinct > MANY
        word = hinted(text, "identifier") if profile.texts or many else ""
        if not word and many:
            word = numbered(text)
        if not word and profile.texts and profile.several and text is profile.name:
            word = only_somebody(text)
        place = listed_whole(text, "area") or listed_whole(text, "quasi-identifier")
        if not word and not place and (many if profile.texts else profile.several):
            word = hinted(text, "possible-identifier")
        if word:
            return f"its {'label' if text is profile.label else 'name'} says '{word}'"
    if profile.free_text:
        return "it holds free text, which may name people"
    return ""


def valued_identifier(profile: Profile) -> str:
    """Return why a column distinguishes nearly every record and is not a measurement."""
    amount = hinted(profile.name, "amount") and not profile.given_out
    if profile.given_number and not amount:
        return profile.given_number
    if not profile.all_different:
        return ""
    if profile.temporal and profile.distinct == profile.present:
        return "every record has a different time"
    if profile.texts:
        every = "every" if profile.distinct == profile.present else "nearly every"
        return f"{every} record has a different text"
    if not profile.column.attribute.continuous and profile.distinct == profile.present:
        return "every record has a different value"
    return ""
