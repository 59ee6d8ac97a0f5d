"""A year of monthly files that drift, protected by one plan in four ways, for the page on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import discreet
from discreet import DiscreetError, Plan
from discreet.contracts import Progress
from discreet.microdata import Microdata

RECORDS, FEW = 240, 7
TOWNS = ("Ayle", "Bron", "Cull", "Dorn")
PLAN = """\
schema: strict
columns:
  age: {role: quasi-identifier, kind: continuous, type: number}
  height: {role: quasi-identifier, kind: continuous, type: number}
  town: {role: quasi-identifier, kind: nominal, type: text, categories: [Ayle, Bron, Cull, Dorn]}
  visits: {role: confidential, kind: continuous, type: number}
steps:
  - global-recoding:
      k: 5
      widths: {age: 5, height: 5}
claims: {k-anonymity: 5}
"""
DRIFT = {
    "April": "a new town",
    "June": "another column",
    "July": "`height` is called `height_cm`",
    "September": f"only {FEW} records",
    "November": "`town` is a number",
}
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WAYS = {
    "strict": "the plan as it is",
    "not strict": "without `schema: strict` and the list of towns",
    "frozen": "frozen from January",
    "frozen, not strict": "frozen from January, without `schema: strict` and the list of towns",
}


def months() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the files of a year; people grow older by the month, and some months differ."""
    draw = np.random.default_rng(25)
    for number, month in enumerate(MONTHS):
        size = FEW if month == "September" else RECORDS
        columns: dict[str, Any] = {
            "age": draw.integers(18, 70 + 2 * number, size),
            "height": draw.normal(171, 9 + number / 2, size).round(),
            "town": draw.choice(TOWNS, size).tolist(),
            "visits": draw.poisson(3, size),
        }
        if month == "April":
            columns["town"][0] = "Eyre"
        if month == "June":
            columns["smoker"] = draw.choice(["yes", "no"], size).tolist()
        if month == "July":
            columns["height_cm"] = columns.pop("height")
        if month == "November":
            columns["town"] = [TOWNS.index(town) for town in columns["town"]]
        yield month, columns


def plans() -> dict[str, Plan]:
    """Return the plan in its four forms."""
    strict = Plan.parse(PLAN)
    january = dict(months())["January"]
    frozen = strict.run(_read(strict, january), seed=1, progress=Progress()).frozen
    return {
        "strict": strict,
        "not strict": _lenient(strict),
        "frozen": frozen,
        "frozen, not strict": _lenient(frozen),
    }


def _lenient(plan: Plan) -> Plan:
    return plan.edit(schema=None, columns={"town": {"categories": None}})


def outcome(plan: Plan, columns: dict[str, Any]) -> tuple[str, str]:
    """Return into how many values each column was recoded, and why nothing was released."""
    try:
        release = plan.run(_read(plan, columns), seed=1, progress=Progress())
    except DiscreetError as error:
        return "", str(error)
    recoded = [f"{len(np.unique(release.data[name]))}" for name in ("age", "height", "town")]
    names = [name for name in columns if name not in release.data.schema]
    return f"{' × '.join(recoded)}{f', without {names[0]}' if names else ''}", ""


def _read(plan: Plan, columns: dict[str, Any]) -> Microdata:
    try:
        return discreet.read(columns, plan.roles, plan.kinds)
    except discreet.UsageError as error:
        # As `Plan.read` has it for files: the plan was right for the month before.
        raise discreet.DataError(str(error)) from None


def table() -> str:
    """Return the outcome of every month in each of the four ways, in Markdown."""
    made, sentences = plans(), list[str]()
    lines = [
        "| month | what is new | " + " | ".join(WAYS) + " |",
        "|---|---|" + "---|" * len(WAYS),
    ]
    for month, columns in months():
        cells = []
        for way in WAYS:
            released, refused = outcome(made[way], columns)
            if refused and refused not in sentences:
                sentences.append(refused)
            cells.append(f"refused ({sentences.index(refused) + 1})" if refused else released)
        lines.append(f"| {month} | {DRIFT.get(month, '')} | " + " | ".join(cells) + " |")
    numbered = [f"{number}. {sentence}." for number, sentence in enumerate(sentences, start=1)]
    return "\n".join([*lines, "", *numbered])


if __name__ == "__main__":
    print(table())
