"""The engine behind an address. MySQL and DuckDB are extras of the distribution, imported when first needed."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from adapters.warehouses.postgres.connections import WarehouseOptions
from adapters.warehouses.postgres.warehouse import PostgresWarehouse
from agent.ports import Warehouse
from bot.addresses import WarehouseAddress
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import Domain

OWN_NAME = "countersign"


class EngineNotInstalled(OperatorError):
    """The engine's driver is an extra that is not installed; `detail` says which."""

    code = "engine_not_installed"


class ClosableWarehouse(Warehouse, Protocol):
    """A warehouse with connections to give back."""

    async def close(self) -> None:
        """Give up all connections."""
        ...


def open_warehouse(
    address: WarehouseAddress, domain: Domain, connections: int, name: str = OWN_NAME
) -> ClosableWarehouse:
    """The engine of an address, for one domain; nothing connects before it is first asked.

    At most `connections` at once, listed by the engine under `name`. Raises `EngineNotInstalled`.
    """
    schemas = tuple(sorted(_schemas(entity.source for entity in domain.entities)))
    match address.dialect:
        case "postgres":
            return _postgres(address.url, domain, connections, schemas, name)
        case "mysql":
            return _mysql(address, domain, connections, name)
        case "duckdb":
            return _duckdb(address.url, domain, connections, schemas)


def _schemas(sources: Iterable[str]) -> set[str]:
    return {source.rpartition(".")[0] for source in sources}


def _postgres(url: str, domain: Domain, connections: int, schemas: tuple[str, ...], name: str) -> PostgresWarehouse:
    # A source that the catalog names without its schema is looked for where PostgreSQL itself would.
    path = ("pg_catalog", "public") if "" in schemas else ("pg_catalog",)
    options = WarehouseOptions(
        timezone=domain.timezone, max_connections=connections, search_path=path, application_name=name
    )
    return PostgresWarehouse(url, options)


def _mysql(address: WarehouseAddress, domain: Domain, connections: int, name: str) -> ClosableWarehouse:
    try:
        from adapters.warehouses.mysql.connections import MySqlOptions
        from adapters.warehouses.mysql.warehouse import MySqlWarehouse
    except ImportError as error:
        raise EngineNotInstalled(f"{domain.name} needs 'countersign[mysql]'") from error
    options = MySqlOptions(timezone=domain.timezone, max_connections=connections, application_name=name)
    return MySqlWarehouse(address.url, options, address.planner_url)


def _duckdb(url: str, domain: Domain, connections: int, schemas: tuple[str, ...]) -> ClosableWarehouse:
    try:
        from adapters.warehouses.duckdb.options import DuckDbOptions
        from adapters.warehouses.duckdb.warehouse import DuckDbWarehouse
    except ImportError as error:
        raise EngineNotInstalled(f"{domain.name} needs 'countersign[duckdb]'") from error
    named = tuple(schema or "main" for schema in schemas)
    options = DuckDbOptions(timezone=domain.timezone, max_connections=connections, schemas=named)
    return DuckDbWarehouse(Path(url.partition("://")[2]), options)
