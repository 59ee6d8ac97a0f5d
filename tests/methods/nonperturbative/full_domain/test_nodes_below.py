"""The nodes below the chosen one, worked by hand."""

from __future__ import annotations

import discreet
from discreet.contracts import Context
from discreet.microdata import Microdata

ROLES = {"sex": "quasi-identifier", "town": "quasi-identifier", "ill": "confidential"}


def people() -> Microdata:
    """By town everybody of Ayle has flu; by sex both have both illnesses."""
    return discreet.read(
        {
            "sex": ["f", "m"] * 4,
            "town": ["Ayle"] * 4 + ["Bron"] * 4,
            "ill": ["flu"] * 4 + ["gout"] * 4,
        },
        roles=ROLES,
    )


def test_only_nodes_that_have_enough_records_say_something() -> None:
    method = discreet.GlobalRecoding(k=2, l=2)
    found = method.passed_over(people(), Context())
    assert found is not None
    assert found.l == 2
    # Sexes were kept and towns joined; with towns kept the classes of two have one illness each.
    assert found.classes.tolist() == [0, 1] * 4
    assert list(found.finer) == ["town at level 0"]
    assert len(set(found.finer["town at level 0"].tolist())) == 4
    larger = discreet.GlobalRecoding(k=4, l=2).passed_over(people(), Context())
    assert larger is not None
    assert larger.finer == {}


def test_levels_that_are_given_were_not_chosen() -> None:
    method = discreet.GlobalRecoding(k=2, l=2, levels={"town": "top"})
    found = method.passed_over(people(), Context())
    assert found is not None
    assert found.finer == {}


def test_without_l_nothing_about_confidential_values_decides() -> None:
    assert discreet.GlobalRecoding(k=2).passed_over(people(), Context()) is None
    assert discreet.GlobalRecoding(k=None).passed_over(people(), Context()) is None
