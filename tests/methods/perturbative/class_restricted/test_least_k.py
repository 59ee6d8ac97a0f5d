"""The least k at which few enough records are linked."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError
from discreet.methods.perturbative.class_restricted.least_k import SEEDS, least_k, linkage
from discreet.methods.perturbative.class_restricted.masking import ClassRestrictedMasking
from discreet.methods.perturbative.k_anonymised_crest import KAnonymisedCrest
from discreet.methods.perturbative.partial_camp_crest import PartialCampCrest


def context(seed: int = 1) -> Context:
    return Context(Randomness(seed))


@pytest.mark.parametrize("preset", [PartialCampCrest, KAnonymisedCrest])
def test_the_least_k_and_the_path_to_it(
    preset: type[ClassRestrictedMasking], one_class: discreet.Microdata
) -> None:
    target = 0.12
    masked = preset(target_linkage=target).protect(one_class, context(9))
    assert masked.groups is not None
    found = masked.groups.detail["k"]
    path = masked.groups.detail["linked or second-linked"]
    assert [entry.split(":")[0] for entry in path] == [f"k = {k}" for k in range(3, found + 1)]
    assert ", ".join(path) in masked.notes[-1]
    seeds = SEEDS if preset.spec.random else (1,)
    for k, entry in zip(range(3, found + 1), path, strict=True):
        method = preset(k=k)
        groups = method.partition(k).groups(one_class, one_class.quasi_identifiers, Context())
        rates = []
        for seed in seeds:
            drawn = method.replacement().replace(
                one_class, one_class.quasi_identifiers, groups, context(seed)
            )
            rates.append(linkage(one_class, one_class.replace(drawn)))
        assert entry == f"k = {k}: {100 * np.mean(rates):.2f} %"
        assert (np.mean(rates) <= target) == (k == found)
    # The search draws from fixed seeds, the release from its own.
    same = preset(k=found).protect(one_class, context(9)).data
    assert all(column.same_as(same.column(column.name)) for column in masked.data)


def test_an_unreachable_linkage_is_told(one_class: discreet.Microdata) -> None:
    with pytest.raises(
        DataError, match=r"linkage of at most 0.10% cannot be reached: .* one group"
    ):
        least_k(one_class.take(np.arange(20)), lambda k: lambda c: one_class.take(np.arange(20)),
                0.001, Context())  # fmt: skip
