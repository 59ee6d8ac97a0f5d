"""The contracts: what a partition, a replacement, a method, a measure, an attack must answer."""

from discreet.contracts.attack import Attack, Exposed, Findings, Narrowed
from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.contracts.measure import Measure, Pairing, Score, paired
from discreet.contracts.method import NO_ORIGIN, Masked, Method
from discreet.contracts.partition import Groups, Partition
from discreet.contracts.replacement import Replacement
from discreet.errors import NotApplicable

__all__ = [
    "NO_ORIGIN",
    "Attack",
    "Claim",
    "Context",
    "Exposed",
    "Findings",
    "Groups",
    "Masked",
    "Measure",
    "Method",
    "Narrowed",
    "NotApplicable",
    "Pairing",
    "Partition",
    "Replacement",
    "Score",
    "paired",
]
