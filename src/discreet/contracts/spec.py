"""What a component declares about itself. Command line, docs, reports and search read only this."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from discreet.microdata import Kind, Role

RELEASE = "the released file, where anybody can measure it"
COMPARISON = "a comparison with the original, which only its owner can make"
ALL_KINDS = (Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL)


class Needs(StrEnum):
    """What a method needs of a file that is larger than memory."""

    ROWS = "rows"
    COUNTS = "counts"
    ORDER = "order"
    BLOCKS = "blocks"
    MODELS = "models"
    FILE = "the whole file"


@dataclass(frozen=True)
class Spec:
    """Name, title, source and promises of a partition, a replacement or a method.

    `missing` is a sentence on how missing values are treated; `guarantees` names the measures
    that the method promises a bound on, which the release gate then measures. `treats` are the
    roles of the columns that a method may change; columns of other roles come out as they went in.
    `formula` is the definition in plain text, with the equation numbers where they are not in
    `citation`. `cost` says how time and memory grow, for n records and c columns; `python -m bench
    costs` measures it. Every entry of this package has both.

    `needs` says what a method needs of a file that is larger than memory: its *rows*, after passes
    that gather statistics; the *counts* of the combinations of values; the *order* of single
    columns, one at a time; *blocks* of similar records, each treated separately; *models* that are
    fitted to a sample of its records, then drawn from for any rows; or the whole file at once,
    which rules out large files. A method that needs the whole file says why
    (`whole_because`), and names the most similar one that does not (`nearest`).

    `anew` says what a method finds afresh in each file, so that a frozen plan cannot state it
    (groups of these very records, a fitted model); empty if its parameters say it all.

    `unseeded` says why the same seed does not give the same outcome, for a method with random
    numbers that are not drawn from the seed. `library` names a library that must be installed for
    it, beyond those that always are.
    """

    name: str
    title: str
    citation: str
    missing: str
    kinds: tuple[Kind, ...] = ALL_KINDS
    random: bool = False
    guarantees: tuple[str, ...] = ()
    treats: tuple[Role, ...] = (Role.QUASI_IDENTIFIER,)
    formula: str = ""
    cost: str = ""
    needs: Needs = Needs.FILE
    whole_because: str = ""
    nearest: str = ""
    anew: str | None = None
    unseeded: str = ""
    library: str = ""

    def __post_init__(self) -> None:
        # Authors may write words, as plans do.
        object.__setattr__(self, "kinds", tuple(Kind(kind) for kind in self.kinds))
        object.__setattr__(self, "treats", tuple(Role(role) for role in self.treats))


class Side(StrEnum):
    """Whose view a measure takes: an intruder's, an analyst's, or one that weighs both."""

    RISK = "risk"
    UTILITY = "utility"
    TRADE_OFF = "trade-off"


class Question(StrEnum):
    """The questions that a reader of a report asks, in this order, and measures answer."""

    FOUND = "can somebody be found"
    LEARNED = "can something be learned about them without finding them"
    ANALYSES = "do the declared analyses survive"
    COLUMNS = "is every column still what it was"
    PAIRS = "are columns still related as they were"
    MODELS = "do models and predictions survive"


class Better(StrEnum):
    """In which direction a measure improves."""

    LOWER = "lower"
    HIGHER = "higher"


class Ruin(StrEnum):
    """A way to ruin a file; the spec of a measure of utility declares which ones it detects."""

    PERMUTED = "every column permuted"
    CONSTANT = "every column at its mean or mode"
    STARRED = "every column recoded to *"
    UNPAIRED = "every pair of columns broken"
    NUMBER_DROPPED = "a column of numbers dropped"
    CATEGORY_DROPPED = "a column of categories dropped"


@dataclass(frozen=True, kw_only=True)
class MeasureSpec(Spec):
    """The spec of a measure: side, direction, range, and the value when nothing was protected.

    `at_identity` is None where the value of the unprotected file depends on the file, as with
    k-anonymity. `paired` says that the measure needs to know which original record a released
    record came from. `default` says that it is used if nobody chooses measures: those that are
    expensive or answer a special question are not; `with_control` that it is used if records were
    held back from the method. `of_persons` says that it needs a key of persons, who may have
    several records. `of_recoded` says that it applies only where values are as they were, or
    recoded. `of_release` says that it looks at the release alone: only such a figure may be
    published, since any other reveals something about the original. `question` is the question it
    answers; if None, that of its side. `rests_on` says in words what a claim about it rests on, if
    that is neither the released file nor a comparison with the original. `claimed_as_stated` says
    that a claim uses the parameters that the plan states for the measure; other claims are about
    the measure with its defaults. `on_all_cores` says that it divides its work among all of them,
    so that nothing is gained by another measure at the same time; with `leaves_room`, others are
    taken beside it nevertheless, since some of its parts keep a single core busy and none of them
    needs much memory.

    `at_loss` is the value of a release that says nothing: by default the worse end of the range;
    None if it depends on the file, and then the score has it. A measure of utility reports at least
    nine tenths of that distance for the ruins that it `sees`, and less than a tenth, in some file,
    for those that it is `blind_to`; both are None if that depends on its parameters.
    """

    side: Side
    better: Better
    low: float
    high: float
    at_identity: float | None
    paired: bool = False
    default: bool = True
    with_control: bool = False
    of_persons: bool = False
    of_recoded: bool = False
    of_release: bool = False
    rests_on: str = ""
    claimed_as_stated: bool = False
    percent: bool = False
    on_all_cores: bool = False
    leaves_room: bool = False
    question: Question | None = None
    at_loss: float | None = None
    sees: tuple[Ruin, ...] | None = None
    blind_to: tuple[Ruin, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        worst = self.high if self.better is Better.LOWER else self.low
        if self.at_loss is None and math.isfinite(worst):
            object.__setattr__(self, "at_loss", worst)
        usual = RELEASE if self.of_release else COMPARISON
        object.__setattr__(self, "rests_on", self.rests_on or usual)

    @property
    def answers(self) -> Question:
        """The question that it answers."""
        default = Question.MODELS if self.side is Side.UTILITY else Question.FOUND
        return self.question or default

    @property
    def is_share(self) -> bool:
        """Whether its values are shares of a whole, so that they can share an axis with others."""
        return self.percent and self.low == 0 and self.high == 1
