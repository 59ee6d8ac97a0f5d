"""A new table of a PostgreSQL server, filled from Arrow (ADBC)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.database import connected, database_name, plain_numbers
from discreet.io.into.target import TableTarget
from discreet.io.plain_types import bare_table
from discreet.io.sql import qualified

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PostgreSQLTarget"]

_REASONS = {
    "42501": "this user may not write there",
    "42P07": "there is a table of this name",
    "22021": "a text has a character that PostgreSQL cannot store",
    "53100": "its disk is full",
    "25006": "it may only be read",
}


class PostgreSQLTarget(TableTarget):
    """A table such as persons or survey.persons.

    >>> PostgreSQLTarget("postgresql://localhost/study", "survey.persons").system
    'PostgreSQL'
    """

    system = "PostgreSQL"

    @contextmanager
    def session(self) -> Iterator[Any]:
        """Open a transaction."""
        with connected(self.address) as (connection, error_of):
            try:
                with closing(connection.cursor()) as cursor:
                    yield cursor
            except error_of as error:
                # Messages of the server may quote a value of a record.
                reason = _REASONS.get(str(error.sqlstate), f"SQLSTATE {error.sqlstate}")
                raise DataError(
                    f"the table '{self.name}' of the database '{database_name(self.address)}' "
                    f"cannot be written: {reason}; nothing was written"
                ) from None

    def exists(self, session: Any) -> bool:
        """Whether the name stands for a table, view or index already."""
        session.execute("select to_regclass($1) is not null", (qualified(self.name),))
        return bool(session.fetchone()[0])

    def create(self, session: Any, table: pa.Table) -> None:
        """Make the table with the types of the records, and copy them into it."""
        schema, _, name = self.name.rpartition(".")
        if schema:
            session.execute("select to_regnamespace($1) is not null", (qualified(schema),))
            if not session.fetchone()[0]:
                raise DataError(
                    f"the database '{database_name(self.address)}' has no schema '{schema}'; "
                    "create it first, or choose another"
                )
        session.adbc_ingest(name, _storable(table), "create", db_schema_name=schema or None)

    def fetch(self, session: Any) -> pa.Table:
        """Return what the table holds, in the order in which it is stored."""
        session.execute(f"select * from {qualified(self.name)}")
        return bare_table(plain_numbers(session.fetch_arrow_table())[0])

    def remove(self, session: Any) -> None:
        """Remove the table."""
        session.execute(f"drop table {qualified(self.name)}")

    def commit(self, session: Any) -> None:
        """Keep what the transaction did."""
        session.connection.commit()


def _storable(table: pa.Table) -> pa.Table:
    """Return the table in types that PostgreSQL has."""
    import pyarrow as pa
    import pyarrow.types as types

    for place, item in enumerate(table.schema):
        kind = item.type.value_type if types.is_dictionary(item.type) else item.type
        if types.is_null(kind):
            kind = pa.string()
        elif types.is_unsigned_integer(kind):
            kind = pa.int32() if kind.bit_width < 32 else pa.int64()
        elif types.is_timestamp(kind):
            kind = pa.timestamp("us", kind.tz)
        elif types.is_date64(kind):
            kind = pa.date32()
        try:
            column = table.column(place).cast(kind)
        except pa.ArrowException:
            raise DataError(
                f"PostgreSQL has whole numbers up to 9,223,372,036,854,775,807 and moments down to "
                f"the microsecond, but column '{item.name}' goes beyond; leave it out, or release "
                "it as Parquet alone"
            ) from None
        table = table.set_column(place, item.name, column)
    return table
