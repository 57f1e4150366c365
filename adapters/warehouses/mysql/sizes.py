"""How large the tables are that a statement reads."""

from collections.abc import Sequence

from asyncmy import Connection

from adapters.warehouses.mysql.connections import rows_of
from adapters.warehouses.mysql.names import place_of


async def relation_bytes(connection: Connection, sources: Sequence[str], database: str) -> int:
    """Bytes of the sources' rows and indexes, as far as the engine shows them to this account; views have none."""
    if not sources:
        return 0
    wanted = ", ".join(["(%s, %s)"] * len(sources))
    places = [name for source in sources for name in place_of(source, database)]
    ((total,),) = await rows_of(
        connection,
        "SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables"
        f" WHERE (table_schema, table_name) IN ({wanted})",
        places,
    )
    return int(total)
