"""The contracts: what a partition, a replacement, a method and a measure must answer."""

from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.contracts.measure import Measure, NotApplicable, Pairing, Score
from discreet.contracts.method import Masked, Method
from discreet.contracts.partition import Groups, Partition
from discreet.contracts.replacement import Replacement

__all__ = [
    "Claim",
    "Context",
    "Groups",
    "Masked",
    "Measure",
    "Method",
    "NotApplicable",
    "Pairing",
    "Partition",
    "Replacement",
    "Score",
]
