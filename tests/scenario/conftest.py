"""A whole bot over real stores, as each channel's people meet it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from adapters.channels.teams.config import Endpoints
from bot.bootstrap import Product
from bot.channels import connected_channels
from bot.demo.state import DomainData
from bot.serving import serving, working
from bot.settings import (
    AnalystSettings,
    HttpSettings,
    ModelSettings,
    OperatingSettings,
    Settings,
    SlackSettings,
    StoreSettings,
    TeamsSettings,
)

POLICY = Path(__file__).parent / "policy.yaml"
TODAY = date(2026, 11, 1)

MakeSettings = Callable[..., Settings]


def settings_over(control: str, cache: str, warehouses: dict[str, str], out: Path, **changes: Any) -> Settings:
    """Settings over those stores, whatever `.env` says; keyword arguments change any of them."""
    given = {
        "control_database_url": control,
        "redis_url": cache,
        "warehouse_urls": warehouses,
        "policy_file": POLICY,
        "fixed_today": TODAY,
        "out_dir": out,
        "port": 0,
        **changes,
    }
    groups = (
        StoreSettings,
        HttpSettings,
        SlackSettings,
        TeamsSettings,
        AnalystSettings,
        ModelSettings,
        OperatingSettings,
    )
    stores, http, slack, teams, analyst, models, operating = (
        group(_env_file=None, **{name: value for name, value in given.items() if name in group.model_fields})
        for group in groups
    )
    return Settings(
        stores=stores,  # type: ignore[arg-type]  # each group in its place
        http=http,  # type: ignore[arg-type]
        slack=slack,  # type: ignore[arg-type]
        teams=teams,  # type: ignore[arg-type]
        analyst=analyst,  # type: ignore[arg-type]
        models=models,  # type: ignore[arg-type]
        operating=operating,  # type: ignore[arg-type]
    )


@pytest.fixture
def settings_of(fresh_database: str, valkey_url: str, payments: DomainData, tmp_path: Path) -> MakeSettings:
    """Settings over stores of the test's own; keyword arguments change any of them."""

    def make(**changes: Any) -> Settings:
        return settings_over(fresh_database, valkey_url, {"payments": payments.reader_url}, tmp_path, **changes)

    return make


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningBot:
    """The product behind its HTTP app."""

    url: str
    product: Product


@asynccontextmanager
async def running_bot(
    settings: Settings, endpoints: Endpoints | None = None, *, worker: bool = True
) -> AsyncIterator[RunningBot]:
    """The HTTP app, with a worker beside it unless told otherwise."""
    async with connected_channels(settings, endpoints) as (built, channels), serving(built, channels) as url:
        if not worker:
            yield RunningBot(url=url, product=built)
            return
        async with working(built):
            yield RunningBot(url=url, product=built)


@pytest.fixture
def two_analysts(tmp_path: Path) -> Path:
    """The scenario's policy with a second person who may approve."""
    text = POLICY.read_text(encoding="utf-8")
    carla = "  - {id: carla, name: Carla, roles: [analyst], console: carla}\n"
    path = tmp_path / "two_analysts.yaml"
    path.write_text(text.replace("\napproval:", f"{carla}\napproval:"), encoding="utf-8")
    return path
