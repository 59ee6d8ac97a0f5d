"""Rules between columns of a large file: records that break one are repaired by their own values.

What `discreet.release.keeping_rules` does by rows. A rule that is kept by values of other records
is refused before any work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from discreet.contracts import Grain, Method
from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata
from discreet.models.sequential.rules import Rule
from discreet.release.by_level import reached_by
from discreet.release.keeping_rules import Keeping, by_rows
from discreet.release.rules import Kept, Sums, breaking, rule_of
from discreet.scaling.store import Store, differs, slices


@dataclass(frozen=True, eq=False)
class LargeRules:
    """The rules of a plan, read for a file, and which columns the steps changed."""

    rules: tuple[Rule | Sums, ...]
    original: Store
    changed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, texts: Sequence[str], store: Store, steps: Sequence[Method]) -> LargeRules:
        """Read the rules; one that would be kept by values of other records is refused."""
        head = store.head
        rules = tuple(rule_of(text, head) for text in texts)
        treated = {name for step in steps for name in reached_by(step, head)}
        for rule in rules:
            if any(step.grain is Grain.FILE for step in steps):
                raise UsageError(
                    f"the rule '{rule.text}' is kept in memory only where a step releases records "
                    "other than those it is given, and the file is larger; leave it out, or "
                    "allow more memory"
                )
            if not by_rows(rule, treated):
                raise UsageError(
                    f"records that break the rule '{rule.text}' are given values of other records, "
                    "which is done in memory only, and the file is larger; write it with <= or >= "
                    "for a number that the steps change, leave its columns to no step, leave it "
                    "out, or allow more memory"
                )
        return cls(rules, store)

    @property
    def none(self) -> LargeRules:
        """No rules, where keeping them would break a claim."""
        return replace(self, rules=())

    def after(self, released: Store) -> LargeRules:
        """Return the rules for the outcome of the steps."""
        names = {name for rule in self.rules for name in rule.columns}
        changed = frozenset(name for name in names if differs(self.original, released, name))
        for rule in self.rules:
            if not by_rows(rule, changed):
                raise DataError(
                    f"records that break the rule '{rule.text}' are given values of other records, "
                    "which is done in memory only, and the file is larger; leave the rule out, or "
                    "allow more memory"
                )
        return replace(self, changed=changed)

    def keep(self, table: Microdata) -> tuple[Microdata, dict[str, int]]:
        """Return some rows with rules kept where possible, and the records repaired by rule."""
        if not self.rules:
            return table, {}
        head, decimals = self.original.head, self.original.decimals
        # Nothing is drawn where records are repaired by their own values.
        nothing = np.random.default_rng(0)
        return Keeping(self.rules, head, self.changed, decimals.get, nothing).kept(table)

    def kept(self, released: Store) -> Iterator[Kept]:
        """Yield how many records break each rule, of all records before and after."""
        head = self.original.head
        for rule in self.rules:
            names = tuple(sorted(rule.columns))
            before, after = (
                [_broken(rule, head, store, names, *span) for span in slices(len(store))]
                for store in (self.original, released)
            )
            whole = None if None in after else sum(count for count in after if count is not None)
            yield Kept(
                rule.text,
                names,
                sum(count for count in before if count is not None),
                len(self.original),
                whole,
                len(released),
            )


def _broken(
    rule: Rule | Sums, head: Microdata, store: Store, names: Sequence[str], first: int, last: int
) -> int | None:
    if any(name not in store.files for name in names):
        return None
    return breaking(rule, head, store.table(names, first, last))
