"""The door for those who receive a release and analyse it.

- any release: `verify` checks it against its manifest, `read` reads it
- several synthetic copies: `copies` makes them; `combine`, `combined_means` and
  `combined_coefficients` combine their results by the rules of multiple imputation
- value concatenations: `take_apart` a label, or `expand` a table into weighted records
- PRAM: `true_frequencies` estimates counts back from a `MarkovMatrix`, `invariant_frequencies`
  from the share that stayed, and a `PRAM` with the published parameters from a released file
- rank swapping: `is_rank_swap` tells whether a release can be a rank swap of an original

>>> take_apart("flu+asthma")
{'flu': 1, 'asthma': 1}
"""

from discreet.io.reading import read
from discreet.methods.perturbative.pram.markov import (
    Frequencies,
    MarkovMatrix,
    invariant_frequencies,
    true_frequencies,
)
from discreet.methods.perturbative.pram.method import PRAM
from discreet.methods.perturbative.rank_swapping import is_rank_swap
from discreet.microdata.concatenation import expand, take_apart
from discreet.models.combining import (
    Combined,
    combine,
    combined_coefficients,
    combined_means,
)
from discreet.publishing.verifying import Verification, verify
from discreet.release.copies import copies

__all__ = [
    "PRAM",
    "Combined",
    "Frequencies",
    "MarkovMatrix",
    "Verification",
    "combine",
    "combined_coefficients",
    "combined_means",
    "copies",
    "expand",
    "invariant_frequencies",
    "is_rank_swap",
    "read",
    "take_apart",
    "true_frequencies",
    "verify",
]
