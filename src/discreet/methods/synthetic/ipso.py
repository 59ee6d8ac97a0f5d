"""IPSO: information preserving statistical obfuscation, methods A, B and C."""

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
    KEPT,
    ConditionalNormal,
    DrawnGiven,
    given_columns,
    notes_on_fit,
)

KEEPS = dict(zip("ABC", KEPT, strict=True))


class Ipso(Method):
    """Synthetic quasi-identifiers that leave a regression on the confidential columns as it was.

    The quasi-identifiers Y are regressed on the confidential columns X, which are released as they
    are. Method A releases fitted values plus normal residuals; fitting the regression again gives
    other coefficients. Method B removes from the residuals what X explains, and the coefficients
    are exactly the original ones. Method C gives the residuals their original covariance matrix as
    well, so that both sufficient statistics of the model are kept exactly.

    Only this model is kept: its relations are linear, and relations with other columns, or within
    a part of the file, are kept only as far as X carries them. Where X explains Y nearly
    completely, the release is nearly the original; a note says so.

    >>> import discreet
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> pay = rng.normal(30, 9, 50)
    >>> data = discreet.read({"age": pay + rng.normal(10, 4, 50), "pay": pay},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> made = Ipso(variant="B").protect(data, Context()).data
    >>> before, after = np.polyfit(pay, data["age"], 1), np.polyfit(pay, made["age"], 1)
    >>> bool(np.allclose(before, after, rtol=1e-9)), bool((made["age"] == data["age"]).any())
    (True, False)
    """

    spec: ClassVar[Spec] = Spec(
        name="ipso",
        title="IPSO A, B and C",
        citation="Burridge, Information preserving statistical obfuscation (2003); Domingo-Ferrer, "
        "A survey of inference control methods, §4, Cholesky decomposition",
        missing="a missing quasi-identifier stays missing; what is kept exactly is kept for the "
        "records without missing ones; a missing confidential value is set to the mean and has an "
        "indicator",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="Y′ = XB̂ + E,  B̂ and Σ̂ from the regression of Y on X\n"
        "A:  rows of E ~ N(0, Σ̂)\n"
        "B:  and XᵀE = 0, so that B̂′ = B̂\n"
        "C:  and EᵀE = (Y − XB̂)ᵀ(Y − XB̂), so that Σ̂′ = Σ̂ too",
        cost="n·p² time for the p terms that are regressed on, memory n·c",
        needs=Needs.ROWS,
        anew="regressions and residuals",
    )

    variant: str = param(
        default="C",
        help="what is exactly the same when the regression is fitted again: A nothing, B the "
        "coefficients, C the coefficients and the covariance matrix of the residuals",
        choices=("A", "B", "C"),
        trials=("A", "B", "C"),
    )
    given: Columns = param(
        default=None,
        help="the columns to regress on, which are released as they are; all confidential columns "
        "if not given",
    )
    round: bool = param(
        default=False,
        help="round the released values of columns that hold whole numbers only; what is kept "
        "exactly is then kept approximately",
    )
    columns: Columns = param(
        default=None, help="the columns to synthesise; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values in the treated columns."""
        fitted = self.fit(InMemory(data), context)
        return Masked(data.replace(fitted.treat(data, context, 0)), notes=fitted.notes)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Fit the regression to the whole file; values are then drawn for any rows."""
        head, owner = file.head, type(self).__name__
        names = self.treated(head, self.columns)
        given = given_columns(head, self.given, head.having(Role.CONFIDENTIAL), names, owner)
        model = ConditionalNormal.fit(file, given, names, owner)
        residuals = model.residuals(KEEPS[self.variant], file, context, "residuals")
        notes = notes_on_fit(model, names)
        if not given:
            notes.append("there is no column to regress on: the model has means and covariances")
        whole = whole_columns(file, names) if self.round else None
        return Fitted(model.columns, DrawnGiven(residuals, 1.0, whole), notes=tuple(notes))
