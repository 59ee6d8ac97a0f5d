"""Signatures of households: size, household columns and the multiset of the members."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.microdata.clusters import clusters_of
from discreet.microdata.signatures import signatures

QI = "quasi-identifier"


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("fm"), st.integers(0, 2)), min_size=1))
def test_households_share_a_label_if_their_sorted_members_are_the_same(
    rows: list[tuple[int, str, int]],
) -> None:
    data = discreet.read(
        {"hid": [r[0] for r in rows], "sex": [r[1] for r in rows], "age": [r[2] for r in rows]},
        roles={"hid": "household", "sex": QI, "age": QI},
    )
    homes = clusters_of(data)
    assert homes is not None
    found = signatures(data, homes)
    slow: dict[int, tuple[tuple[str, int], ...]] = {}
    for row, (hid, _, _) in enumerate(rows):
        slow[int(homes.labels[row])] = tuple(sorted(r[1:] for r in rows if r[0] == hid))
    for one, members in slow.items():
        for other, others in slow.items():
            assert (found[one] == found[other]) == (members == others)
