from pathlib import Path

import pytest

from bot.addresses import addresses_of
from bot.connections import ProcessKind, connection_needs
from bot.processes import cache_name, this_process
from bot.settings import Settings
from semantic_catalog.model import DomainName
from tests.scenario.conftest import settings_over

PLANNERS = {"erp_finance": "mysql://planner@host/erp"}


def settings(folder: Path, **changes: object) -> Settings:
    warehouses = {"payments": "postgresql://host/pay", "erp_finance": "mysql://host/erp", "files": "duckdb:///x"}
    return settings_over("postgresql://host/control", "redis://host", warehouses, folder, **changes)


@pytest.mark.parametrize(("kind", "most"), [("serve", 17), ("worker", 18), ("all-in-one", 18)])
def test_a_process_opens_its_pool_the_inbox_and_what_stands_beside_them(
    kind: ProcessKind, most: int, tmp_path: Path
) -> None:
    known = settings(tmp_path)
    assert connection_needs(known, addresses_of(known), kind).control == most


def test_a_distributed_slack_app_has_connections_of_its_own(tmp_path: Path) -> None:
    known = settings(tmp_path, slack_client_id="1.2", control_pool_size=4, redis_pool_size=3)
    needs = connection_needs(known, addresses_of(known), "serve")
    assert (needs.control, needs.cache) == (13, 3)


@pytest.mark.parametrize(("planners", "of_mysql"), [({}, 7), (PLANNERS, 12)])
def test_each_engine_has_its_pool_and_what_it_opens_beside_it(
    planners: dict[str, str], of_mysql: int, tmp_path: Path
) -> None:
    known = settings(tmp_path, warehouse_pool_size=5, warehouse_planner_urls=planners)
    warehouses = connection_needs(known, addresses_of(known), "worker").warehouses
    assert warehouses == {"payments": 6, "erp_finance": of_mysql, DomainName("files"): 0}


def test_a_process_is_called_by_its_kind_host_and_number_and_never_longer_than_the_server_keeps() -> None:
    here = this_process("worker", 18, "web-1", 42)
    assert here.name == f"countersign worker web-1:42#{here.id[:4]}"
    assert " " not in cache_name(here)
    pod = this_process("all-in-one", 18, f"countersign-all-in-one-{'a' * 40}-x7k2p", 1)
    assert len(pod.name) == 63
    assert "-x7k2p:1#" in pod.name
    assert pod.name != this_process("all-in-one", 18, pod.host, 1).name
