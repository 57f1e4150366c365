from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.addresses import AddressMissing, addresses_of
from bot.settings import (
    AnalystSettings,
    HttpSettings,
    Settings,
    SlackSettings,
    StoreSettings,
    TeamsSettings,
)
from semantic_catalog.model import DomainName

WAREHOUSES = {"payments": "postgresql://reader@host/pay", "erp_finance": "mariadb://reader@host/erp"}


def settings(planners: dict[str, str], folder: Path) -> Settings:
    stores = StoreSettings(
        _env_file=None,
        control_database_url=SecretStr("postgresql://owner@host/control"),
        redis_url=SecretStr("redis://host"),
        warehouse_urls={name: SecretStr(url) for name, url in WAREHOUSES.items()},
        warehouse_planner_urls={name: SecretStr(url) for name, url in planners.items()},
        data_dir=folder,
    )
    plain = (kind(_env_file=None) for kind in (HttpSettings, SlackSettings, TeamsSettings, AnalystSettings))
    http, slack, teams, analyst = plain
    return Settings(stores=stores, http=http, slack=slack, teams=teams, analyst=analyst)  # type: ignore[arg-type]


def test_a_mysql_domain_may_have_an_account_that_asks_for_plans(tmp_path: Path) -> None:
    found = addresses_of(settings({"erp_finance": "mysql://planner@host/erp"}, tmp_path)).warehouses
    assert found[DomainName("erp_finance")].planner_url == "mysql://planner@host/erp"
    assert found[DomainName("erp_finance")].dialect == "mysql"
    assert found[DomainName("payments")].planner_url is None


@pytest.mark.parametrize("domain", ["payments", "nobodys"])
def test_a_planners_account_is_for_a_mysql_domain_only(domain: str, tmp_path: Path) -> None:
    with pytest.raises(AddressMissing, match=f"WAREHOUSE_PLANNER_URLS: {domain}"):
        addresses_of(settings({domain: "mysql://planner:hunter2@host/erp"}, tmp_path))
