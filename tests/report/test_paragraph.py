from __future__ import annotations

import discreet
from discreet.report import collect, public
from discreet.report.paragraph import paragraph


def words(steps: object, **options: object) -> str:
    data = discreet.read(
        {"age": [21, 22, 40, 41], "sex": list("ffmm"), "name": list("abcd")},
        roles={"quasi-identifier": ["age", "sex"], "identifier": ["name"]},
    )
    release = discreet.protect(data, steps, **options)  # type: ignore[arg-type]
    return paragraph(public(collect(release, discreet.assess(data, release))))


def test_it_says_what_was_done_and_what_is_promised() -> None:
    said = words({"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    assert "by microaggregation" in said
    assert "age and sex were treated as known" in said
    assert "is at least 2" in said
    assert "random order" in said
    assert "name" not in said.replace("named", "")


def test_it_promises_nothing_that_is_not_claimed() -> None:
    said = words({"additive-noise": {"columns": ["age"]}}, shuffle=False)
    assert "It was checked" not in said
    assert "random order" not in said
