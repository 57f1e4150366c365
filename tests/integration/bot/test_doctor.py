from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from adapters.control.postgres.migrate import migrate
from bot.checkups.finding import Finding
from bot.checkups.surroundings import folder_checked, links_checked, traces_checked
from bot.commands.doctor import checked
from bot.demo.state import DomainData
from bot.inbox import Inbox
from bot.settings import HttpSettings, OperatingSettings, Settings
from tests.fakes.collector import collector
from tests.fakes.openai.replies import Fails
from tests.fakes.openai.server import scripted_openai
from tests.integration.bot.test_inbox import TURN
from tests.scenario.conftest import settings_over

LONG = "0123456789abcdef0123456789abcdef"


class Stores:
    """Settings over real stores, any of them changed."""

    def __init__(self, control: str, cache: str, warehouse: str, folder: Path) -> None:
        self._given = (control, cache, {"payments": warehouse}, folder)

    def settings(self, **changes: Any) -> Settings:
        folder = self._given[3]
        return settings_over(*self._given, **{"file_cache_dir": folder / "files", **changes})


@pytest.fixture
async def stores(fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path) -> Stores:
    await migrate(fresh_database)
    return Stores(fresh_database, valkey_url, payments.reader_url, tmp_path)


async def found_in(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in await checked(settings, "all")}


def ill(findings: dict[str, Finding]) -> dict[str, str]:
    return {name: finding.health.detail for name, finding in findings.items() if not finding.health.ok}


async def test_a_deployment_that_is_well_has_nothing_to_mend(stores: Stores) -> None:
    findings = await found_in(stores.settings())
    assert ill(findings) == {}
    assert {"catalog", "policy", "models", "download links", "control store", "workers", "cache"} <= findings.keys()
    assert findings["warehouse payments"].health.detail.endswith("sources can be read")


async def test_each_store_that_is_away_is_named_with_what_to_check(stores: Stores, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    findings = await found_in(
        stores.settings(
            control_database_url=f"postgresql://postgres@/control?host={nowhere}",
            redis_url=f"unix://{nowhere}/valkey.sock",
            warehouse_urls={"payments": f"postgresql://agent_reader@/payments?host={nowhere}"},
        )
    )
    assert set(ill(findings)) == {"control store", "cache", "warehouse payments"}
    assert "CONTROL_DATABASE_URL" in findings["control store"].fix
    assert "REDIS_URL" in findings["cache"].fix
    assert "WAREHOUSE_URLS" in findings["warehouse payments"].fix


async def test_before_the_first_start_only_the_start_is_missing(
    empty_database: str, valkey_url: str, payments: DomainData, tmp_path: Path
) -> None:
    findings = await found_in(Stores(empty_database, valkey_url, payments.reader_url, tmp_path).settings())
    assert set(ill(findings)) == {"control store"}
    assert findings["control store"].fix.startswith("Start any process once")


async def test_sources_that_the_role_may_not_read_are_named(stores: Stores, fresh_database: str) -> None:
    findings = await found_in(stores.settings(warehouse_urls={"payments": fresh_database}))
    assert "semantic.v_daily_payment_metrics" in ill(findings)["warehouse payments"]
    assert "SELECT" in findings["warehouse payments"].fix


async def test_a_domain_that_the_catalog_does_not_have_is_named(stores: Stores, payments: DomainData) -> None:
    findings = await found_in(stores.settings(warehouse_urls={"paymets": payments.reader_url}))
    assert "it has" in ill(findings)["warehouse paymets"]


async def test_a_catalog_that_cannot_be_read_stops_no_other_check(stores: Stores, tmp_path: Path) -> None:
    (tmp_path / "catalog" / "domains" / "shop").mkdir(parents=True)
    (tmp_path / "catalog" / "domains" / "shop" / "domain.yaml").write_text("name: [", encoding="utf-8")
    findings = await found_in(stores.settings(catalog_dir=tmp_path / "catalog"))
    assert {"catalog", "warehouse payments"} <= ill(findings).keys()
    assert findings["cache"].health.ok


async def test_turns_that_wait_for_no_worker_are_found(stores: Stores, fresh_database: str) -> None:
    inbox = Inbox(fresh_database)
    await inbox.open()
    await inbox.put(TURN)
    await inbox.close()
    assert ill(await found_in(stores.settings())) == {"workers": "1 turns wait and no worker has a heartbeat"}


async def test_a_model_that_refuses_its_key_is_named(stores: Stores) -> None:
    async with scripted_openai() as model:
        model.script("probe", *(Fails(status=401) for _ in range(4)))
        settings = stores.settings(llm_base_url=f"{model.url}/v1", llm_model="scripted", llm_api_key="key")
        assert set(ill(await found_in(settings))) == {"model understanding", "model sql"}


async def test_an_endpoint_of_vectors_that_fails_is_named(stores: Stores) -> None:
    async with scripted_openai() as model:
        changes = {
            "embedding_provider": "openai",
            "embedding_base_url": f"{model.url}/v1",
            "embedding_model": "scripted",
        }
        findings = await found_in(stores.settings(**changes))
        assert findings["embeddings"].health.ok
        model.embeddings_fail = True
        assert set(ill(await found_in(stores.settings(**changes)))) == {"embeddings"}


@pytest.mark.parametrize(
    ("base", "secret", "said"),
    [
        ("", "", ""),
        ("https://bot.example.com", LONG, ""),
        ("https://bot.example.com", "", "LINK_SIGNING_SECRET is empty"),
        ("", LONG, "PUBLIC_BASE_URL is empty"),
        ("https://bot.example.com", "zebra", "short enough to be guessed"),
        ("http://bot.example.com", LONG, "not https"),
    ],
)
def test_download_links_need_an_address_and_a_key(base: str, secret: str, said: str) -> None:
    http = HttpSettings(_env_file=None, public_base_url=base, link_signing_secret=SecretStr(secret))
    finding = links_checked(http)
    assert finding.health.ok == (not said)
    assert said in finding.health.detail
    assert not secret or secret not in finding.health.detail


def test_a_folder_that_cannot_be_written_to_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert folder_checked("folder", tmp_path / "new" / "folder").health.ok
    assert folder_checked("folder", tmp_path / "file" / "folder").health.detail.startswith("NotADirectoryError")


async def test_a_collector_that_takes_nothing_is_found() -> None:
    async with collector() as traces:
        taken = OperatingSettings(_env_file=None, trace_endpoint=traces.url)
        elsewhere = OperatingSettings(_env_file=None, trace_endpoint=f"{traces.url}/other")
        assert (await traces_checked(taken)).health.ok
        assert (await traces_checked(elsewhere)).health.detail == "the collector answers 404"
    assert (await traces_checked(taken)).health.detail.startswith("no answer")
    assert (await traces_checked(OperatingSettings(_env_file=None))).health.detail == "off"
