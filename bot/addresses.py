"""Where this process finds its stores and warehouses: the settings' URLs, else the embedded demo's."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from bot.demo.state import demo_state
from bot.settings import Settings
from semantic_catalog.errors import OperatorError
from semantic_catalog.model import DomainName


class AddressMissing(OperatorError):
    """A production start without all of its URLs; `detail` names the missing settings."""

    code = "address_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """URLs (they hold secrets: never logged) and, for data that ends on a known day, the day after it."""

    control: str
    cache: str
    warehouses: Mapping[DomainName, str]
    today: date | None = None


def addresses_of(settings: Settings) -> Addresses:
    """The settings' URLs when any is set, and then all must be; the demo's otherwise.

    Raises `AddressMissing`, or `bot.demo.state.DemoNotReady` when there is neither.
    """
    stores = settings.stores
    given = {
        "CONTROL_DATABASE_URL": stores.control_database_url,
        "REDIS_URL": stores.redis_url,
        "WAREHOUSE_PAYMENTS_URL": stores.warehouse_payments_url,
    }
    if not any(given.values()):
        return _of_demo(settings)
    missing = [name for name, url in given.items() if url is None]
    if missing:
        raise AddressMissing(f"set {', '.join(missing)}")
    control, cache, payments = (url.get_secret_value() for url in given.values() if url is not None)
    return Addresses(
        control=control,
        cache=cache,
        warehouses={DomainName("payments"): payments},
        today=settings.analyst.fixed_today,
    )


def _of_demo(settings: Settings) -> Addresses:
    demo = demo_state(settings.stores.data_dir)
    return Addresses(
        control=demo.control_url,
        cache=demo.cache_url,
        warehouses={DomainName(data.name): data.reader_url for data in demo.domains},
        today=settings.analyst.fixed_today or demo.end_date + timedelta(days=1),
    )
