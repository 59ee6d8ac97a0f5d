"""A paragraph in plain words about a release, for the metadata that go with it."""

from __future__ import annotations

from discreet.release.describing import counted
from discreet.report.markup import brief
from discreet.report.public_form import PublicContent

WORDS = {"higher": "at least", "lower": "at most"}


def paragraph(content: PublicContent) -> str:
    """Return what users of a release should be told: what was done, and what is promised.

    Only what the public report shows is in it.

    >>> import discreet
    >>> from discreet.report import collect, public
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> paragraph(public(collect(release, discreet.assess(data, release))))
    'These data (4 records, 1 column) were protected against disclosure before they were released.
    This was done by microaggregation. The columns age were treated as known to others.
    It was checked on the released file that k-anonymity of the release is at least 2. The
    records are in random order. Single values may differ from the original ones.'
    """
    size = f"{content.records.released:,} records, {counted(len(content.columns), 'column')}"
    sentences = [
        f"These data ({size}) were protected against disclosure before they were released.",
        f"This was done by {_listed([_lower(step.title) for step in content.steps])}.",
    ]
    known = [column.name for column in content.columns if column.role == "quasi-identifier"]
    if known:
        sentences.append(f"The columns {_listed(known)} were treated as known to others.")
    claims = [
        f"{claim.title} is {WORDS.get(claim.better, '')} {brief(claim.bound, claim.percent)}"
        for claim in content.claims
        if claim.holds is not False
    ]
    if claims:
        sentences.append(f"It was checked on the released file that {_listed(claims)}.")
    if content.shuffled:
        sentences.append("The records are in random order.")
    sentences.append("Single values may differ from the original ones.")
    return " ".join(sentences)


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _lower(title: str) -> str:
    """Return a title within a sentence: its first letter small, unless it is a name."""
    first = title.split()[0]
    return title if first[1:] != first[1:].lower() else title[:1].lower() + title[1:]
