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

import logging
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from discreet.contracts import Claim, parameters, spec
from discreet.contracts.registry import exported, listed, register
from discreet.errors import ClaimError, DataError, DiscreetError, UsageError
from discreet.measures import attack
from discreet.microaggregation import partition, replacement
from discreet.microdata import Kind, Microdata, Role, Schema, schema

if TYPE_CHECKING:
    from discreet.exploring.comparing import compare
    from discreet.exploring.running import explore
    from discreet.io.reading import read
    from discreet.release.assessing import assess
    from discreet.release.describing import describe
    from discreet.release.freezing import apply
    from discreet.release.plan import Plan
    from discreet.release.protecting import protect
    from discreet.release.release import Release

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
    "apply",
    "assess",
    "attack",
    "compare",
    "describe",
    "explore",
    "partition",
    "protect",
    "read",
    "register",
    "replacement",
]

# Loaded on first use, so that `discreet --help` is quick.
_HOMES = {
    "Plan": "release.plan",
    "Release": "release.release",
    "apply": "release.freezing",
    "assess": "release.assessing",
    "compare": "exploring.comparing",
    "describe": "release.describing",
    "explore": "exploring.running",
    "protect": "release.protecting",
    "read": "io.reading",
}

# For users too, who write `discreet.testing.check(…)` after `import discreet`.
_ROOMS = {"analysis", "datasets", "testing"}

# The user of the package decides where its log goes, if anywhere.
logging.getLogger(__name__).addHandler(logging.NullHandler())

# The rooms are of no concern to a user of partitions or attacks; and 0.1.0 told authors of methods
# to import from the last three, whose packages must go on working.
for _module in (partition, replacement, attack, parameters, schema, spec):
    sys.modules[f"discreet.{_module.__name__.rpartition('.')[2]}"] = _module


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from discreet.version import version

        return version()
    if name in _HOMES:
        home = import_module(f"discreet.{_HOMES[name]}")
        return globals().setdefault(name, getattr(home, name))
    if name in _ROOMS:
        return import_module(f"discreet.{name}")
    return exported("method", name, __name__)


def __dir__() -> list[str]:
    return sorted([*__all__, *listed("method")])
