"""Statistical disclosure control of microdata: read → describe → protect → assess → release.

>>> import discreet
>>> data = discreet.read({"age": [21, 22, 40, 41], "diagnosis": ["a", "b", "a", "c"]},
...                      roles={"age": "quasi-identifier", "diagnosis": "confidential"})
>>> release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=2)))
>>> release.claims
(Claim(k-anonymity: 2 claimed, 2 measured),)

Named methods are attributes of this module, partitions of `discreet.partition`, replacements of
`discreet.replacement`, attacks of `discreet.attack`, all served by the registry.
"""

from __future__ import annotations

from typing import Any

from discreet import attack, partition, replacement
from discreet.assessing import assess
from discreet.contracts import Claim
from discreet.describing import describe
from discreet.errors import ClaimError, DataError, DiscreetError, UsageError
from discreet.microdata import Microdata
from discreet.plan import Plan
from discreet.protecting import protect
from discreet.reading import read
from discreet.registry import exported, listed
from discreet.release import Release
from discreet.schema import Kind, Role, Schema
from discreet.version import version

__all__ = [
    "Claim",
    "ClaimError",
    "DataError",
    "DiscreetError",
    "Kind",
    "Microdata",
    "Plan",
    "Release",
    "Role",
    "Schema",
    "UsageError",
    "assess",
    "attack",
    "describe",
    "explore",
    "partition",
    "protect",
    "read",
    "replacement",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version()
    if name == "explore":
        # A search starts processes and opens databases; most uses of the package need neither.
        from discreet.exploring.running import explore

        return explore
    return exported("method", name, __name__)


def __dir__() -> list[str]:
    return sorted([*__all__, *listed("method")])
