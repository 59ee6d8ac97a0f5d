"""Release: the protected data with the claims about them, ready to be written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Analysis,
    Claim,
    Groups,
    Imitated,
    Method,
    Pairing,
    Randomness,
    Target,
    paired,
)
from discreet.contracts.accounting import Accounting
from discreet.io.files import FileFormat, format_for
from discreet.io.frames import released_frame
from discreet.io.spreadsheet import safely_written
from discreet.microdata import Microdata, Role
from discreet.microdata.notebook import html_table
from discreet.release.assessment import Assessment
from discreet.release.imitation import imitation

if TYPE_CHECKING:
    from discreet.release.plan import Plan


def released_format(
    original: Microdata, name: str | None = None, spreadsheet_safe: bool = False
) -> FileFormat:
    """Return the format of a release: the one that is named, else that of the original.

    >>> import discreet
    >>> released_format(discreet.read({"age": [21, 22]})).suffix
    '.csv'
    """
    source = original.source
    chosen = source.format if name is None and source is not None else None
    if not isinstance(chosen, FileFormat):
        chosen = FileFormat.default() if name is None else format_for(name)
    return safely_written(chosen) if spreadsheet_safe else chosen


class Release:
    """What may be passed on and, privately, what its owner needs to account for it.

    `data` are the released records in their released order, `groups.labels` the groups in the
    order of the input (where the method groups records), `claims` what was promised and measured,
    `origin[i]` the original row of released row i, −1 if it does not come from a single original,
    `analyses` what its users are declared to compute, `chosen` the steps with what they chose from
    the data stated as parameters. Where a share of the records was held back, `control` has them
    and `held_back` their rows in the input; `original` and all other row numbers are of the rest.
    `accounting` says what the steps spend of the privacy of a record.
    """

    def __init__(
        self,
        *,
        original: Microdata,
        data: Microdata,
        origin: NDArray[np.int64],
        groups: Groups | None,
        claims: tuple[Claim, ...],
        steps: tuple[Method, ...],
        notes: tuple[str, ...],
        randomness: Randomness,
        shuffled: bool,
        keep_decimals: bool = False,
        allowed: tuple[str, ...] = (),
        rules: tuple[str, ...] = (),
        calibrate: tuple[str, ...] = (),
        analyses: tuple[Analysis, ...] = (),
        hold_back: float | None = None,
        control: Microdata | None = None,
        held_back: NDArray[np.int64] | None = None,
        chosen: tuple[Method, ...] = (),
        accounting: Accounting | None = None,
    ) -> None:
        self.original = original
        self.data = data
        self.origin = origin
        self.groups = groups
        self.claims = claims
        self.steps = steps
        self.chosen = chosen or steps
        self.notes = notes
        self.randomness = randomness
        self.shuffled = shuffled
        self.keep_decimals = keep_decimals
        self.allowed = allowed
        self.rules = rules
        self.calibrate = calibrate
        self.analyses = analyses
        self.hold_back = hold_back
        self.control = control
        self.accounting = accounting
        self.held_back = np.zeros(0, dtype=np.int64) if held_back is None else held_back

    @property
    def pairing(self) -> Pairing | None:
        """Which original each released record came from; never to be released.

        None if there are synthetic records, which do not come from single originals.
        """
        imitate = imitation(self.original, self.steps, Imitated(self.data, self.origin))
        return paired(self.origin, self.groups, not self.shuffled, imitate, self.steps)

    @property
    def target(self) -> Target:
        """What an attack is tried on, as in `discreet.attack.Membership().attempt(target, …)`."""
        visible, control = (
            None if table is None else table.drop(table.having(Role.IDENTIFIER))
            for table in (self.original, self.control)
        )
        assert visible is not None
        return Target(visible, self.data, self.pairing, control)

    @property
    def frozen(self) -> Plan:
        """A plan that does to another file what was done to this one; keep it private.

        `discreet.apply` runs it, and so does `discreet protect` once it is saved.
        """
        from discreet.release.freezing import frozen_plan

        return frozen_plan(self)

    def frame(self) -> Any:
        """Return the released records as the kind of frame that was read, and nothing else.

        Categories that no longer occur, attributes and metadata are left out.
        """
        return released_frame(self.data)

    def write(
        self,
        directory: str | os.PathLike[str],
        *,
        format: str | None = None,
        overwrite: bool = False,
        assessment: Assessment | None = None,
        spreadsheet_safe: bool = False,
        into: str | os.PathLike[str] | None = None,
        table: str | None = None,
    ) -> Path:
        """Write release file, public manifest, private record and both reports to a directory.

        The directory is new, empty, or (with `overwrite`) holds an earlier release; it is written
        completely or not at all. The file is in the format of the input unless `format` names
        another (csv, parquet, …). The claims are measured again on the file as written.
        `spreadsheet_safe` puts an apostrophe before cells of a CSV file that a spreadsheet would
        run. `into` is a database (the address of PostgreSQL, or a file of SQLite or DuckDB) that
        receives the records too, as a new `table`, in one transaction: it is read back, compared
        and counted before it is kept.

        >>> import discreet, tempfile
        >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
        >>> method = discreet.Microaggregation(discreet.partition.MDAV(k=2))
        >>> release = discreet.protect(data, method)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     sorted(path.name for path in release.write(folder + "/out").iterdir())
        ['manifest.json', 'record.json', 'release.csv', 'report-internal.html',
         'report-public.html']
        """
        from discreet.io.into.target import chosen_target
        from discreet.publishing.directory import publish

        target = chosen_target(into, table)
        file_format = released_format(
            self.original, "parquet" if target and not format else format, spreadsheet_safe
        )
        return publish(self, Path(directory), file_format, overwrite, assessment, target)

    def _repr_html_(self) -> str:
        rows = [
            *(("method", step.spec.title) for step in self.steps),
            *(
                (f"claim: {c.measure} {c.bound:g}", f"measured {c.measured:g}{c.of_what}")
                for c in self.claims
                if c.measured is not None
            ),
            *(("note", note) for note in self.notes),
        ]
        size = f"{len(self.data):,} records, {len(self.data.schema)} columns"
        return html_table(f"Release: {size}", ("what", "which"), rows)

    def __repr__(self) -> str:
        claims = "; ".join(
            f"{c.measure} {c.measured:g}{c.of_what} (claimed: {c.bound:g})"
            for c in self.claims
            if c.measured is not None
        )
        steps = ", ".join(step.spec.name for step in self.steps)
        return (
            f"Release({len(self.data)} records, {len(self.data.schema)} columns; {steps}; "
            f"{claims or 'no claims'})"
        )
