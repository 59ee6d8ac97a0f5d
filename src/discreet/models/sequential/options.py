"""The parameters that all syntheses by sequential models share."""

from __future__ import annotations

from discreet.contracts import Columns, Component, Texts, param
from discreet.models.sequential.models import RAW, SCORES
from discreet.models.sequential.order import DEPENDENCY, FILE


class SequenceOptions(Component):
    """Visit sequence, predictors and rules of a column-by-column synthesis.

    >>> [name for name in SequenceOptions.params()]
    ['visit', 'predictors', 'rules', 'round', 'order']
    """

    visit: Columns = param(
        default=None,
        treated=True,
        help="the columns to synthesise first, in this order; the others follow. A column is drawn "
        "given those before it",
    )
    order: str = param(
        default=FILE,
        choices=(FILE, DEPENDENCY),
        kw_only=True,
        help="how the other columns follow: as in the file, or along their dependency tree, each "
        "after the one that it depends on most and drawn from the 20 nearest before it",
    )
    predictors: Columns = param(
        default=None,
        treated=True,
        help="which columns a column is drawn from, as texts column=a+b (column= for none); a "
        "column without such a text is drawn from those before it",
    )
    rules: Texts = param(
        default=None,
        help="rules for every synthetic record, as texts such as: if age < 15 then marital != "
        "married, or: always age >= 0 (a normal regression has no bounds). Conditions are joined "
        "by and; dates are written as 1990-05-17",
    )
    round: bool = param(
        default=True,
        help="round the synthetic values to as many decimals as the column has, if that is 4 or "
        "fewer",
    )


class RegressionOptions(SequenceOptions):
    """The same, and which regression each column gets.

    >>> RegressionOptions(models=["visits=count"]).models
    ('visits=count',)
    """

    models: Columns = param(
        default=None,
        treated=True,
        help="the regression of a column, as texts column=model, with scores, normal, "
        "semicontinuous (many zeros, the others of one sign), count, logistic, multinomial or "
        "ordered; without a text the one that suits the column's kind",
    )
    scale: str = param(
        default=RAW,
        choices=(SCORES, RAW),
        help="how numbers enter the regressions: scores models values that many records share, "
        "such as zeros, as classes and the others by their normal scores, so that none lies "
        "beyond those of the file; raw takes numbers as they are, normal or semicontinuous, which "
        "keeps linear dependence exactly",
    )


def why_whole(kept: bool) -> str:
    """Return why synthetic records need the whole file: a kept model, or left-out replicas.

    >>> why_whole(kept=True)
    'since records are drawn from a kept model (model) all at once'
    """
    if kept:
        return "since records are drawn from a kept model (model) all at once"
    return "since synthetic records are compared with all original ones (replicas: false)"


class RecordOptions(Component):
    """Options for records that come from no original.

    >>> RecordOptions().replicas
    True
    """

    replicas: bool = param(
        default=True,
        help="keep synthetic records that are unique and happen to equal an original that is "
        "also unique; otherwise they are left out, and the release has fewer records",
    )


class KeptOptions(RecordOptions):
    """The same, for records that may be drawn from a model of an earlier file.

    >>> KeptOptions(model=["model=people.model"]).model
    ('model=people.model',)
    """

    model: Columns = param(
        default=None,
        kw_only=True,
        path=True,
        help="draw the records from a model that `discreet protect --save-model` kept, as one "
        "entry model=path: nothing is fitted to the file, which must have the same columns; "
        "parameters of the fit then have no effect",
    )
