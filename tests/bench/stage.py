"""What every row runs on: real stores, the demo's warehouse and settings of the bench's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from bot.embedded import EmbeddedServices
from bot.settings import (
    AnalystSettings,
    BudgetSettings,
    HttpSettings,
    Settings,
    SlackSettings,
    StoreSettings,
    TeamsSettings,
)
from tests.services import demo_data, own_database, own_valkey_number, shared_services

POLICY = Path(__file__).parents[1] / "scenario" / "policy.yaml"
TODAY = date(2026, 11, 1)
UNLIMITED = 1_000_000
"""One person asks more in a minute of the bench than people do in a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Empty stores and the payments warehouse of seed 7 up to 2026-10-31, by their URLs."""

    control: str
    cache: str
    payments: str
    out: Path

    def settings(self, **changes: Any) -> Settings:
        """Settings over the stage, whatever `.env` says; keyword arguments change any of them."""
        given = {
            "control_database_url": self.control,
            "redis_url": self.cache,
            "warehouse_urls": {"payments": self.payments},
            "policy_file": POLICY,
            "fixed_today": TODAY,
            "out_dir": self.out,
            "port": 0,
            "turns_per_minute": UNLIMITED,
            "tenant_turns_per_minute": UNLIMITED,
            "queries_per_day": 0,
            "tenant_queries_per_day": 0,
            **changes,
        }
        groups = (StoreSettings, HttpSettings, SlackSettings, TeamsSettings, AnalystSettings, BudgetSettings)
        stores, http, slack, teams, analyst, budgets = (
            group(_env_file=None, **{name: value for name, value in given.items() if name in group.model_fields})
            for group in groups
        )
        return Settings(stores=stores, http=http, slack=slack, teams=teams, analyst=analyst, budgets=budgets)  # type: ignore[arg-type]


@contextmanager
def stage(out: Path) -> Iterator[Stage]:
    """The tests' own servers with a control database that starts empty. Files are written under `out`."""
    with (
        shared_services() as services,
        _waiting_for_the_disk(services),
        own_database(services) as control,
        own_valkey_number() as number,
    ):
        payments = demo_data().domain("payments")
        yield Stage(
            control=control,
            cache=services.valkey.replace("db=0", f"db={number}"),
            payments=payments.reader_url,
            out=out,
        )


@contextmanager
def _waiting_for_the_disk(services: EmbeddedServices) -> Iterator[None]:
    """A commit is on the disk when it is said to be, as everywhere but in tests: on both sides of every row."""
    _write_safely(services, "on")
    try:
        yield
    finally:
        _write_safely(services, "off")


def _write_safely(services: EmbeddedServices, value: LiteralString) -> None:
    with psycopg.connect(services.postgres, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(setting), sql.SQL(value)))
        connection.execute("SELECT pg_reload_conf()")
