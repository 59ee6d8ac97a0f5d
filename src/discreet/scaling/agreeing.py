"""What the members of a household share in a large file: counted by DuckDB on all households."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discreet.microdata import Role
from discreet.scaling.counting import counting, rows_reader
from discreet.scaling.store import Store


@dataclass(frozen=True)
class Agreement:
    """How many households of two or more there are, and the evidence against a shared column.

    `apart` counts the households with several values of a column; `mates` are the members beyond
    the first of those with one value.
    """

    several: int
    apart: Mapping[str, int]
    mates: Mapping[str, int]

    def share(self, name: str) -> float | None:
        """Return the share of households of two or more whose members have one value.

        >>> Agreement(4, {"town": 1}, {"town": 5}).share("town")
        0.75
        """
        return 1 - self.apart[name] / self.several if self.several else None


def agreement(store: Store, key: str) -> Agreement:
    """Count the households whose members agree, for each column; a missing value is a value."""
    names = [name for name in store.files if name not in store.keys]
    each = "".join(f", min(c{p}) <> max(c{p}) as d{p}" for p in range(len(names)))
    asked = "".join(
        f", count(*) filter (where d{p}), coalesce(sum(size - 1) filter (where not d{p}), 0)"
        for p in range(len(names))
    )
    home = f"c{len(names)}"
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, [*names, key]))
        ((several, *counts),) = connection.execute(
            f"select count(*){asked} from (select count(*) as size{each} from rows_read where "
            f"{home} >= 0 group by {home} having count(*) > 1)"
        ).fetchall()
    apart = dict(zip(names, map(int, counts[::2]), strict=True))
    return Agreement(int(several), apart, dict(zip(names, map(int, counts[1::2]), strict=True)))


def chance_alike(store: Store, name: str) -> float:
    """Return the chance Σ p² that two records drawn at random have one value of a column."""
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, [name]))
        ((alike,),) = connection.execute(
            f"select sum((times / {len(store)}) ** 2) from (select count(*) as times from "
            "rows_read group by c0)"
        ).fetchall()
    return float(alike)


@dataclass(frozen=True)
class LikeHouseholds:
    """How households look as a whole: how many like the rarest, which share is alone.

    `one_household_classes` counts the classes of several records that are one household, and
    `one_household_records` their records.
    `identified` is the share of records alone in their class, or only with their household, and
    `beside` the same if the survey design and household sizes are known too;
    `fewest` is the smallest number of households in a class.
    """

    least: int
    alone: float
    one_household_classes: int
    one_household_records: int
    identified: float
    beside: float
    fewest: int


def like_households(store: Store, key: str, names: Sequence[str]) -> LikeHouseholds:
    """Count households that are alike: members who can be paired so that each pair is alike.

    Households are compared by the sorted classes of their members. Those that are alike have as
    many members and the same sum of classes, so they are compared one share at a time.
    """
    from discreet.scaling.keys import home_in_sql

    design = list(store.head.having(Role.WEIGHT, Role.STRATUM))
    keys = ", ".join(f"c{place}" for place in range(len(names)))
    beside = ", ".join(f"c{place}" for place in range(len(names) + len(design)))
    home = home_in_sql(f"c{len(names) + len(design)}", store.keys[key].count)
    with counting(store) as connection:
        connection.register("rows_read", rows_reader(store, [*names, *design, key]))
        connection.execute(
            f"create temp table placed as select {beside}, {home} as home from rows_read"
        )
        ((one_household_classes, one_household_records, identified),) = connection.execute(
            "select count(*) filter (where records > 1), coalesce(sum(records) filter (where "
            "records > 1), 0), coalesce(sum(records), 0) from (select count(*) as records from "
            f"placed group by {keys} having min(home) = max(home))"
        ).fetchall()
        ((fewest,),) = connection.execute(
            "select min(homes) from (select count(distinct home) as homes from placed group by "
            f"{keys})"
        ).fetchall()
        ((identified_beside,),) = connection.execute(
            f"select coalesce(sum(records), 0) from (select count(*) as records from placed join "
            "(select home, count(*) as size from placed group by home) using (home) group by "
            f"{beside}, size having min(home) = max(home))"
        ).fetchall()
        connection.execute(
            f"create temp table classes as select {keys}, row_number() over () as class from "
            f"(select distinct {keys} from placed)"
        )
        connection.execute(
            "create temp table members as select home, class from placed join classes using "
            f"({keys})"
        )
        connection.execute("drop table placed")
        shares = 1 + len(store) * IN_A_LIST // store.memory
        connection.execute(
            "create temp table dealt as select home, (count(*) + sum(class)) % "
            f"{shares} as share from members group by home"
        )
        least, alone, homes = len(store), 0, 0
        for share in range(shares):
            ((rarest, single, every),) = connection.execute(
                "select min(alike), count(*) filter (where alike = 1), sum(alike) from (select "
                "count(*) as alike from (select list_sort(list(class)) as household from members "
                f"join dealt using (home) where share = {share} group by home) group by household)"
            ).fetchall()
            if every:
                least = min(least, int(rarest))
                alone, homes = alone + int(single), homes + int(every)
    of_records = int(identified) / len(store), int(identified_beside) / len(store)
    of_one_household = int(one_household_classes), int(one_household_records)
    return LikeHouseholds(least, alone / max(1, homes), *of_one_household, *of_records, int(fewest))


IN_A_LIST = 400
"""Bytes of memory for a record while households are compared."""
