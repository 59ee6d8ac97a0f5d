"""Parameters that global and local recoding share: the conditions and the levels."""

from __future__ import annotations

from discreet.contracts import Columns, Entries, Method, param
from discreet.contracts.partition import GROUP_SIZES
from discreet.methods.nonperturbative.full_domain.given import Given
from discreet.microdata import Microdata
from discreet.microdata.labels import KnownLabels


class RecodingMethod(Method):
    """A method that recodes columns to levels, under conditions on the records that look alike."""

    k: int | None = param(
        default=5,
        help="minimum number of records that share their recoded values",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    l: int | None = param(  # noqa: E741
        default=None,
        help="minimum number of different values of every confidential column among records that "
        "share their recoded values (distinct l-diversity)",
        at_least=2,
    )
    t: float | None = param(
        default=None,
        help="largest distance, from 0 to 1, of the confidential values of such records to those "
        "of the file (t-closeness)",
        above=0,
        at_most=1,
    )
    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files, each written as column=path",
    )
    intervals: Entries = param(
        default=None,
        help="the numbers, or dates such as 1950-01-31, at which the intervals of continuous "
        "columns begin: column and list; [20, 65] makes below 20, 20 to below 65, and 65 and above",
    )
    widths: Entries = param(
        default=None,
        public=True,
        help="the width of the intervals of columns of numbers in their own unit: column and "
        "number; each further level is twice as wide",
    )
    mappings: Entries = param(
        default=None,
        help="categories that are joined: column, then each new category with the list of its "
        "old ones; categories that are not named stay as they are",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what the labels of all levels mean."""
        names, owner = self.treated(data, self.columns), type(self).__name__
        given = Given(
            data, names, owner, self.hierarchies, self.intervals, self.widths, self.mappings
        )
        return {name: given.levels(name).known for name in names}
