"""What a partition, a replacement, a method, a measure or an attack must provide.

To write one you need `discreet.contracts` and `discreet.microdata`, and nothing else.
"""

from discreet.contracts.analysis import Analysis, Figures
from discreet.contracts.attack import Aim, Attack, Exposed, Findings, Narrowed, Outcome, Target, Way
from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.contracts.entries import Entries
from discreet.contracts.knowledge import Knowledge
from discreet.contracts.measure import (
    Imitated,
    Measure,
    Pairing,
    Score,
    known_pairing,
    paired,
    share_lost,
)
from discreet.contracts.method import NO_ORIGIN, Grain, Masked, Method
from discreet.contracts.ordering import InOrder, OfColumns, Reordered
from discreet.contracts.parameters import Columns, Component, Param, Texts, param
from discreet.contracts.partition import Groups, Partition
from discreet.contracts.passed_over import PassedOver
from discreet.contracts.passes import (
    STRETCH,
    Fitted,
    InMemory,
    Passes,
    in_stretches,
    whole_columns,
)
from discreet.contracts.progress import Progress
from discreet.contracts.randomness import Randomness, Seed
from discreet.contracts.replacement import Replacement
from discreet.contracts.spec import (
    ALL_KINDS,
    Better,
    MeasureSpec,
    Needs,
    Question,
    Ruin,
    Side,
    Spec,
)
from discreet.errors import NotApplicable

__all__ = [
    "ALL_KINDS",
    "NO_ORIGIN",
    "STRETCH",
    "Aim",
    "Analysis",
    "Attack",
    "Better",
    "Claim",
    "Columns",
    "Component",
    "Context",
    "Entries",
    "Exposed",
    "Figures",
    "Findings",
    "Fitted",
    "Grain",
    "Groups",
    "Imitated",
    "InMemory",
    "InOrder",
    "Knowledge",
    "Masked",
    "Measure",
    "MeasureSpec",
    "Method",
    "Narrowed",
    "Needs",
    "NotApplicable",
    "OfColumns",
    "Outcome",
    "Pairing",
    "Param",
    "Partition",
    "PassedOver",
    "Passes",
    "Progress",
    "Question",
    "Randomness",
    "Reordered",
    "Replacement",
    "Ruin",
    "Score",
    "Seed",
    "Side",
    "Spec",
    "Target",
    "Texts",
    "Way",
    "in_stretches",
    "known_pairing",
    "paired",
    "param",
    "share_lost",
    "whole_columns",
]
