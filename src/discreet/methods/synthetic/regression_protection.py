"""Model-based protection: fitted values of a regression, with or without noise."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import (
    Columns,
    Context,
    Fitted,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
    whole_columns,
)
from discreet.microdata import Kind, Microdata, Role
from discreet.models.conditional_normal import (
    ConditionalNormal,
    DrawnGiven,
    given_columns,
    notes_on_fit,
)
from discreet.models.design_matrix import ANALYSED


class RegressionProtection(Method):
    """Replaces values by what a linear regression on the other columns predicts, plus noise.

    Without noise the released values have no residuals: means are kept and regressions on the given
    columns keep their coefficients, but variances are too small and fits look perfect. With
    `noise=1` normal noise has the variance that the residuals had.

    The survey's form of it protects confidential outcomes, regressed on the rest: name them with
    `columns`. Without names the quasi-identifiers are treated, as everywhere.

    >>> import discreet
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 200)
    >>> data = discreet.read({"age": age, "pay": 50 * age + rng.normal(0, 900, 200)},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> bare = RegressionProtection(noise=0, columns=["pay"]).protect(data, Context()).data["pay"]
    >>> bool(np.isclose(bare.mean(), data["pay"].mean())), bool(bare.std() < data["pay"].std())
    (True, True)
    """

    spec: ClassVar[Spec] = Spec(
        name="regression-protection",
        title="Model-based protection by regression",
        citation="Franconi & Stander (2002); Domingo-Ferrer, A survey of inference control "
        "methods, §4, model-based disclosure protection",
        missing="a missing value stays missing; the model is fitted to records without missing "
        "values in the treated columns; a missing value of a given column is set to the mean and "
        "has an indicator",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        treats=(Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL),
        formula="Y′ = XB̂ + noise·E,  rows of E ~ N(0, Σ̂),  B̂ and Σ̂ from the regression of Y on X",
        cost="n·p² time for the p terms that are regressed on, memory n·c",
        needs=Needs.ROWS,
        anew="regressions and the spread of their residuals",
    )

    noise: float = param(
        default=1.0,
        help="standard deviation of the noise as a share of that of the residuals: 0 releases "
        "bare fitted values, 1 restores the variance",
        at_least=0,
        trials=(0.0, 0.5, 1.0, 1.5),
        monotone=True,
    )
    given: Columns = param(
        default=None,
        help="the columns to regress on; all quasi-identifiers, confidential and other columns "
        "that are not treated if not given",
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with predicted values in the treated columns."""
        fitted = self.fit(InMemory(data), context)
        return Masked(data.replace(fitted.treat(data, context, 0)), notes=fitted.notes)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Fit the regression to the whole file; values are then predicted for any rows."""
        head, owner = file.head, type(self).__name__
        names = self.treated(head, self.columns)
        given = given_columns(head, self.given, head.having(*ANALYSED), names, owner)
        model = ConditionalNormal.fit(file, given, names, owner)
        residuals = model.residuals("nothing", file, context, "noise")
        whole = whole_columns(file, names) if self.round else None
        notes = tuple(notes_on_fit(model, names))
        return Fitted(model.columns, DrawnGiven(residuals, self.noise, whole), notes=notes)
