"""The parameters of a pruned tree, for the partition and for MART."""

from __future__ import annotations

from discreet.contracts import Columns, Component, param
from discreet.contracts.partition import GROUP_SIZES


class TreeOptions(Component):
    """How a tree is grown and pruned by error and digression.

    >>> [name for name in TreeOptions.params()]
    ['k', 'alpha', 'test', 'adjusted', 'digression', 'responses']
    """

    k: int = param(
        default=5,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    alpha: float | None = param(
        default=None,
        help="significance level of the test that a node varies as the file does: the higher, the "
        "more is pruned; 0 prunes nothing. If not given, 0.05, and where a confidential column "
        "has heavy tails the highest level up to 0.05 that leaves groups of at most ten times k "
        "records on average",
        at_least=0,
        below=1,
    )
    test: str = param(
        default="chi-squared",
        help="where the test's p-values come from: the chi-squared distribution, which assumes "
        "normal responses and at a given alpha prunes nearly everything where they have heavy "
        "tails, as incomes do; or permutation, which draws 999 random groups of the same size and "
        "assumes nothing (its smallest p-value is 0.001)",
        choices=("chi-squared", "permutation"),
    )
    adjusted: bool = param(
        default=False,
        help="adjust the test statistic for nodes with few records; no effect with permutation",
    )
    digression: bool = param(
        default=False,
        help="weigh the digression while the tree is grown, too: cut where the error falls most "
        "for each unit of digression",
    )
    responses: Columns = param(
        default=None,
        help="the columns whose values are to be protected from prediction; all confidential ones "
        "if not given",
    )
