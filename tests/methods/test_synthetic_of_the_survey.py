"""The survey's table of synthetic methods: a file each, and what they take and change."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context, Method
from discreet.errors import DataError
from discreet.randomness import Randomness
from discreet.registry import entries, find
from discreet.schema import Kind
from discreet.spec import ALL_KINDS
from discreet.testing.tables import ordinary

CONTINUOUS = {Kind.CONTINUOUS}
TABLE = {
    "fully-synthetic": set(ALL_KINDS),
    "partially-synthetic": set(ALL_KINDS),
    "cart-synthesis": set(ALL_KINDS),
    "bootstrap": set(ALL_KINDS),
    "latin-hypercube": CONTINUOUS,
    "ipso": CONTINUOUS,
    "regression-protection": CONTINUOUS,
    "hybrid": CONTINUOUS,
    "condensation": CONTINUOUS,
    "post-masking-optimisation": CONTINUOUS,
}


@pytest.mark.parametrize(("name", "kinds"), TABLE.items())
def test_every_row_is_a_file_and_takes_these_kinds(name: str, kinds: set[Kind]) -> None:
    method = find("method", name)
    assert method.__module__ == f"discreet.methods.synthetic.{name.replace('-', '_')}"
    assert set(method.spec.kinds) == kinds
    example = method.example()
    assert isinstance(example, Method)
    for kind in set(ALL_KINDS) - kinds:
        with pytest.raises(DataError, match=f"is {kind}; name the columns to treat"):
            example.protect(ordinary([kind]), Context())


SYNTHETIC = [e for e in entries("method") if e.__module__.startswith("discreet.methods.synthetic.")]


@pytest.mark.parametrize("entry", SYNTHETIC, ids=lambda entry: entry.spec.name)
def test_a_synthetic_method_changes_every_number_it_treats(entry: type[Method]) -> None:
    data = ordinary([Kind.CONTINUOUS], rows=120, missing=False)
    masked = entry.example().protect(data, Context(Randomness(1)))
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    if origin.min() >= 0:
        for name in data.quasi_identifiers:
            assert (masked.data[name] != data[name][origin]).mean() > 0.9
