import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import StringIO
from math import isnan
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession
from rich.console import Console

from agent.errors import WarehouseUnavailable
from bot.demo.state import DomainData
from bot.operating.listening import listening
from bot.operating.readiness import PATIENCE_SECONDS
from bot.terminal.session import Session, session
from tests.contract.shop import socket_of
from tests.fakes.relay import Relay, open_relay
from tests.scenario.conftest import MakeSettings
from tests.scenario.test_operating import figures
from tests.written_logs import lines, logs_written

DEPENDENCIES = ("control", "cache", "warehouse_payments")
Ready = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """A process whose dependencies can be shut one by one, its operators' port and its logs."""

    session: Session
    relays: dict[str, Relay]
    operators: str
    logs: StringIO

    async def ready(self, path: str = "") -> Ready:
        async with ClientSession() as http, http.get(f"{self.operators}/health/ready{path}") as response:
            return response.status, await response.json()

    def said(self, event: str) -> list[dict[str, Any]]:
        return [line for line in lines(self.logs) if line["event"] == event]


@pytest.fixture
async def deployment(
    settings_of: MakeSettings, fresh_database: str, valkey_url: str, payments: DomainData
) -> AsyncIterator[Deployment]:
    control, cache = fresh_database.rpartition("@/")[2].partition("?")[0], urlsplit(valkey_url)
    async with (
        open_relay(socket_of(fresh_database)) as to_control,
        open_relay(cache.path) as to_cache,
        open_relay(socket_of(payments.reader_url)) as to_warehouse,
    ):
        settings = settings_of(
            control_database_url=f"postgresql://postgres@127.0.0.1:{to_control.port}/{control}",
            redis_url=f"redis://127.0.0.1:{to_cache.port}/0",
            warehouse_urls={"payments": f"postgresql://agent_reader@127.0.0.1:{to_warehouse.port}/{payments.name}"},
        )
        with logs_written("INFO") as logs:
            async with session(settings, Console(quiet=True)) as opened:
                operators = opened.product.operators
                operators.readiness.good_for = 0
                async with listening(operators, "127.0.0.1", 0) as url:
                    relays = dict(zip(DEPENDENCIES, (to_control, to_cache, to_warehouse), strict=True))
                    yield Deployment(session=opened, relays=relays, operators=url, logs=logs)


def states(body: dict[str, Any]) -> dict[str, str]:
    return {name: dependency["status"] for name, dependency in body["dependencies"].items()}


async def test_readiness_metrics_and_logs_name_the_one_dependency_that_is_down(deployment: Deployment) -> None:
    assert (await deployment.ready())[0] == 200
    for down in DEPENDENCIES:
        await deployment.relays[down].shut()
        status, body = await deployment.ready()
        assert (status, body["status"]) == (503, "down")
        assert states(body) == {name: "down" if name == down else "ok" for name in DEPENDENCIES}
        found = await figures(deployment.operators)
        up = {name: found.get(f"countersign_dependency_up{{dependency={name}}}", 0.0) for name in DEPENDENCIES}
        assert up == {name: float(name != down) for name in DEPENDENCIES}
        assert down != "control" or isnan(found["countersign_workers"])
        assert deployment.said("dependency_down")[-1]["dependency"] == down
        assert deployment.said("dependency_down")[-1]["detail"]
        await deployment.relays[down].open()
        assert (await deployment.ready())[0] == 200
        assert deployment.said("dependency_up")[-1]["dependency"] == down
    assert len(deployment.said("dependency_down")) == len(DEPENDENCIES)


async def test_a_probe_may_ask_for_one_dependency_alone(deployment: Deployment) -> None:
    await deployment.relays["warehouse_payments"].shut()
    assert (await deployment.ready("/control"))[0] == 200
    status, body = await deployment.ready("/warehouse_payments")
    assert (status, states(body)) == (503, {"warehouse_payments": "down"})
    async with ClientSession() as http, http.get(f"{deployment.operators}/health/ready/ledger") as response:
        assert response.status == 404


async def test_a_dependency_that_hangs_is_down_and_is_not_waited_for_long(deployment: Deployment) -> None:
    await deployment.ready()
    deployment.relays["cache"].freeze()
    deployment.relays["control"].freeze()
    async with asyncio.timeout(PATIENCE_SECONDS + 2):
        status, body = await deployment.ready()
    assert status == 503
    assert states(body) == {"control": "down", "cache": "down", "warehouse_payments": "ok"}
    deployment.relays["cache"].thaw()
    deployment.relays["control"].thaw()


async def test_a_turn_that_meets_a_warehouse_that_is_down_is_counted_and_logged_with_its_domain(
    deployment: Deployment,
) -> None:
    await deployment.relays["warehouse_payments"].shut()
    with pytest.raises(WarehouseUnavailable):
        await deployment.session.say("approval rate by channel last month", "ana", "t")
    (failed, *_) = deployment.said("warehouse_failed")
    assert (failed["domain"], failed["code"]) == ("payments", "warehouse_unavailable")
    (ended,) = deployment.said("turn_handled")
    assert (ended["outcome"], ended["run"]) == ("delayed", failed["run"])
    found = await figures(deployment.operators)
    assert found["countersign_turn_retries_total{code=warehouse_unavailable}"] == 1
    assert found["countersign_turns_total{channel=console,kind=message,outcome=delayed}"] == 1
    failures = [name for name in found if name.startswith("countersign_warehouse_calls_total")]
    assert any("outcome=warehouse_unavailable" in name for name in failures)
