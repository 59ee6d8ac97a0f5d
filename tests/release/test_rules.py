"""Rules between columns are checked on the original and on the release."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet.errors import UsageError
from discreet.microdata import Microdata
from discreet.publishing.record import read_record
from discreet.release.plan import Plan
from discreet.release.rules import kept_rules, rule_of
from discreet.release.verdict import Light

RULES = ("if pregnant = yes then sex = f", "always low <= high", "always total = rent + heat")


def people(rows: int = 200) -> Microdata:
    rng = np.random.default_rng(1)
    sex = rng.choice(["f", "m"], rows)
    low = rng.integers(0, 50, rows).astype(float)
    rent, heat = rng.integers(1, 9, (2, rows)).astype(float)
    columns = {
        "sex": sex,
        "pregnant": np.where((sex == "f") & (rng.random(rows) < 0.2), "yes", "no"),
        "low": low,
        "high": low + rng.integers(0, 9, rows),
        "rent": rent,
        "heat": heat,
        "total": rent + heat,
    }
    return discreet.read(columns, roles={"quasi-identifier": list(columns)})


def counts(data: Microdata, released: Microdata) -> list[tuple[int, int | None]]:
    return [(kept.before, kept.after) for kept in kept_rules(data, released, RULES)]


def test_what_holds_of_the_original_and_what_a_release_breaks() -> None:
    data = people()
    assert counts(data, data) == [(0, 0)] * 3
    assert not any(kept.words for kept in kept_rules(data, data, RULES))
    sexes = discreet.protect(data, discreet.RankSwapping(columns=["sex"], p=50), seed=1, allow=None)
    broken = (sexes.data["sex"] == 1) & (sexes.data["pregnant"] == 1)
    assert counts(sexes.original, sexes.data)[0] == (0, int(broken.sum()))
    noise = discreet.protect(
        data, discreet.AdditiveNoise(columns=["low", "rent"]), seed=1, allow=None
    )
    table = noise.data
    apart = ~np.isclose(table["total"], table["rent"] + table["heat"])
    assert [after for _, after in counts(data, table)] == [
        0,
        int((table["low"] > table["high"]).sum()),
        int(apart.sum()),
    ]


def test_missing_values_break_no_rule_and_conditions_count() -> None:
    data = discreet.read({"age": [9, 20, None], "low": [2, 2, 2], "high": [1, 1, None]})
    (kept,) = kept_rules(data, data, ["if age > 14 then low <= high"])
    assert kept.before == 1


def test_a_recoded_column_is_told() -> None:
    data = people()
    recoded = discreet.protect(
        data, discreet.GlobalRecoding(k=5, columns=["low"]), seed=1, allow=None
    )
    kept = kept_rules(data, recoded.data, RULES)[1]
    assert kept.after is None
    assert kept.words.startswith("columns of the rule 'always low <= high' changed")


def test_rules_of_a_plan_are_reported_and_turn_the_light_amber(tmp_path: Path) -> None:
    # Numbers that must differ are not repaired: there is no nearest one that does.
    rules = (RULES[0], "always low < high", "always rent != heat")
    plan = Plan.parse(
        "steps:\n  - rounding: {base: 5, columns: [low, high, rent, heat, total]}\n"
        "allow: [sex, pregnant]\nrules:\n" + "".join(f"  - {rule}\n" for rule in rules)
    )
    assert Plan.parse(plan.dump()).rules == plan.rules == rules
    release = plan.run(people(), seed=1)
    assert sum("released records break the rule" in note for note in release.notes) == 2
    verdict = discreet.assess(release.original, release, ["k-anonymity"]).verdict
    reasons = [reason for reason in verdict.reasons if "break the rule" in reason.words]
    assert [reason.light for reason in reasons] == [Light.AMBER] * 2
    assert reasons[0].columns == ("high", "low")
    folder = release.write(tmp_path / "out")
    assert read_record(folder / "record.json")["plan"]["rules"] == list(rules)


def test_what_is_no_rule_is_explained() -> None:
    data = people()
    with pytest.raises(UsageError, match="a rule must be written as"):
        rule_of("low <= high", data)
    with pytest.raises(UsageError, match="must compare columns of numbers, but 'sex'"):
        rule_of("always sex = low", data)
    with pytest.raises(UsageError, match="names column 'hight'"):
        discreet.protect(data, "rounding", rules=["always hight > 3"])
