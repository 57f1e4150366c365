"""Where this process finds its stores and warehouses: the settings' URLs, else the embedded demo's."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from pydantic import SecretStr

from bot.demo.state import demo_state
from bot.settings import Settings, StoreSettings
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import Dialect, DomainName

_DIALECTS: Mapping[str, Dialect] = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "duckdb": "duckdb",
}


class AddressMissing(OperatorError):
    """A production start without all of its URLs; `detail` names the missing settings."""

    code = "address_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarehouseAddress:
    """Where a domain's data lives and which SQL its engine speaks. URLs hold secrets: never logged.

    `planner_url` is the account that asks MySQL for plans of views, where the reader is shown none.
    """

    url: str
    dialect: Dialect
    planner_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """URLs (they hold secrets: never logged) and, for data that ends on a known day, the day after it."""

    control: str
    cache: str
    warehouses: Mapping[DomainName, WarehouseAddress]
    today: date | None = None


def addresses_of(settings: Settings) -> Addresses:
    """The settings' URLs when any is set, and then all must be; the demo's otherwise.

    Raises `AddressMissing`, or `bot.demo.state.DemoNotReady` when there is neither.
    """
    stores = settings.stores
    given = {
        "CONTROL_DATABASE_URL": stores.control_database_url,
        "REDIS_URL": stores.redis_url,
        "WAREHOUSE_URLS": stores.warehouse_urls,
    }
    if not any(given.values()):
        return _of_demo(settings)
    missing = [name for name, value in given.items() if not value]
    if missing or stores.control_database_url is None or stores.redis_url is None:
        raise AddressMissing(f"set {', '.join(missing)}")
    _check_planners(stores)
    return Addresses(
        control=stores.control_database_url.get_secret_value(),
        cache=stores.redis_url.get_secret_value(),
        warehouses={
            DomainName(name): _address(name, url, stores.warehouse_planner_urls.get(name))
            for name, url in stores.warehouse_urls.items()
        },
        today=settings.analyst.fixed_today,
    )


def _check_planners(stores: StoreSettings) -> None:
    for name in stores.warehouse_planner_urls:
        url = stores.warehouse_urls.get(name)
        if url is None or _dialect_of(url.get_secret_value()) != "mysql":
            raise AddressMissing(f"WAREHOUSE_PLANNER_URLS: {name} is no MySQL domain of WAREHOUSE_URLS")


def _address(domain: str, url: SecretStr, planner: SecretStr | None) -> WarehouseAddress:
    secret = url.get_secret_value()
    dialect = _dialect_of(secret)
    if dialect is None:
        raise AddressMissing(f"WAREHOUSE_URLS: the URL of {domain} starts with none of {', '.join(_DIALECTS)}")
    return WarehouseAddress(url=secret, dialect=dialect, planner_url=planner.get_secret_value() if planner else None)


def _dialect_of(url: str) -> Dialect | None:
    return _DIALECTS.get(url.partition("://")[0].partition("+")[0])


def _of_demo(settings: Settings) -> Addresses:
    demo = demo_state(settings.stores.data_dir)
    return Addresses(
        control=demo.control_url,
        cache=demo.cache_url,
        warehouses={
            DomainName(data.name): WarehouseAddress(url=data.reader_url, dialect=data.dialect) for data in demo.domains
        },
        today=settings.analyst.fixed_today or demo.end_date + timedelta(days=1),
    )
