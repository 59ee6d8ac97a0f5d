"""Tables 1.1 and 1.3 of the survey: which kinds of data each masking method is for.

The rows are the survey's; what stands in them is read from the specs of the methods.
"""

from __future__ import annotations

from discreet.contracts.registry import find
from discreet.microdata import Kind
from docs.markup import joined, prose, table

CATEGORICAL = (Kind.ORDINAL, Kind.NOMINAL)
PERTURBATIVE = {
    "Additive noise": "additive-noise",
    "Microaggregation": "microaggregation",
    "Rank swapping": "rank-swapping",
    "Rounding": "rounding",
    "Resampling": "resampling",
    "PRAM": "pram",
    "MASSC": "massc",
}
NON_PERTURBATIVE = {
    "Sampling": "sampling",
    "Global recoding": "global-recoding",
    "Top and bottom coding": "top-bottom-coding",
    "Local suppression": "local-suppression",
}
TABLES = {
    "Table 1.1: perturbative methods": PERTURBATIVE,
    "Table 1.3: non-perturbative methods": NON_PERTURBATIVE,
}


def survey_tables() -> str:
    """Return the page with the two tables."""
    parts = [
        "# The survey's tables of methods and kinds",
        (
            "Tables 1.1 and 1.3 of Domingo-Ferrer, *A survey of inference control methods for "
            "privacy-preserving data mining*, filled in for the methods here. The survey has one "
            "column for categorical data; here these are ordinal or nominal. If a method refuses "
            "the kind of a column, the run ends with a message that names methods which accept it."
        ),
    ]
    for heading, rows in TABLES.items():
        head = ("method", "continuous", "categorical", "refused")
        parts += [f"## {heading}", table(head, [_row(*row) for row in rows.items()])]
    parts.append(
        "The survey writes (X), *with some adaptation*, for microaggregation of categorical data: "
        "the adaptation is one distance for all kinds and the median or mode as the centre of a "
        "group. Top and bottom coding of categorical data needs an order, so nominal columns are "
        "refused. Methods that are not in the survey are in "
        "[the table of all methods](kinds.md)."
    )
    return joined(parts)


def _row(title: str, name: str) -> tuple[str, ...]:
    accepted = find("method", name).spec.kinds
    categorical = [kind for kind in CATEGORICAL if kind in accepted]
    word = "X" if len(categorical) == len(CATEGORICAL) else ", ".join(categorical)
    continuous = "X" if Kind.CONTINUOUS in accepted else ""
    refused = ", ".join(kind for kind in Kind if kind not in accepted)
    return f"[{prose(title)}](method/{name}.md)", continuous, word, refused
