"""Named results of every shape, in any language: what the narrating, checking and drawing tests run over."""

from dataclasses import dataclass, replace
from datetime import date, timedelta

from agent.values.result import ResultColumn, ResultTable, Row
from agent.values.spec import QuerySpec
from semantic_catalog.model import Locale
from tests.unit.agent.analysis.results import (
    WEEK,
    WEEK_BEFORE,
    YEAR,
    compared,
    description,
    dimension,
    metric,
    share,
    spec,
    table,
    time,
)

CHANNELS = ("ecommerce", "pos", "mobile", "atm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A result and the question it answers."""

    name: str
    spec: QuerySpec
    table: ResultTable


def cases(locale: Locale) -> tuple[Case, ...]:
    return (*single_cases(locale), *member_cases(locale), *time_cases(locale), *hard_cases(locale))


def single_cases(locale: Locale) -> tuple[Case, ...]:
    amount, rate = compared("processed_amount", locale), compared("approval_rate", locale)
    several = (metric("transactions", locale), metric("fees", locale), metric("approval_rate", locale))
    return (
        _case("single", spec("approval_rate"), (metric("approval_rate", locale),), (0.8692,)),
        _case("single_amount", spec("processed_amount"), (metric("processed_amount", locale),), (788976.67,)),
        _case("single_of_several", spec("transactions", "fees", "approval_rate"), several, (12345, 98765.43, 0.87)),
        _case("single_rose", spec("processed_amount", before=WEEK_BEFORE), amount,
              (12412345.6, 11911000.0, 501345.6, 0.042091)),
        _case("single_fell_in_points", spec("approval_rate", before=WEEK_BEFORE), rate,
              (0.8281, 0.8692, -0.0411, -0.047285)),
        _case("single_stayed", spec("transactions", before=WEEK_BEFORE), compared("transactions", locale),
              (1200, 1200, 0, 0.0)),
        _case("single_from_zero", spec("chargebacks", before=WEEK_BEFORE), compared("chargebacks", locale),
              (12, 0, 12, None)),
        _case("single_from_nothing", spec("chargebacks", before=WEEK_BEFORE), compared("chargebacks", locale),
              (12, None, None, None)),
    )  # fmt: skip


def member_cases(locale: Locale) -> tuple[Case, ...]:
    channel, mcc = dimension("channel", locale), dimension("mcc", locale)
    rate, amount = metric("approval_rate", locale), metric("processed_amount", locale)
    parts = (metric("approved_transactions", locale), metric("transactions", locale))
    merchants = (dimension("merchant", locale), amount)
    return (
        _case("rate_by_channel", spec("approval_rate", by=("channel",)), (channel, rate),
              ("ecommerce", 0.812), ("mobile", 0.853), ("atm", 0.899), ("pos", 0.914)),
        _case("rate_with_its_parts", spec("approval_rate", "approved_transactions", "transactions", by=("channel",)),
              (channel, rate, *parts), ("ecommerce", 0.812, 812, 1000), ("pos", 0.914, 2742, 3000)),
        _case("amount_by_channel", spec("processed_amount", by=("channel",)), (channel, amount),
              ("pos", 6412000.5), ("ecommerce", 4100200.0), ("mobile", 1500000.0), ("atm", 400145.1)),
        _case("equal_rates", spec("approval_rate", by=("channel",)), (channel, rate), ("pos", 0.9), ("atm", 0.9)),
        _case("one_member", spec("approval_rate", by=("channel",)), (channel, rate), ("pos", 0.914)),
        _case("top_merchants", spec("processed_amount", by=("merchant",), limit=4), merchants,
              ("Tottus 24", 1200500.0), ("Wong", 1000400.0), ("Metro 7", 900300.0), ("Grifo Sur", 800.5)),
        _case("bottom_merchants", spec("processed_amount", by=("merchant",), limit=3, descending=False), merchants,
              ("Grifo Sur", 800.5), ("Metro 7", 900.25), ("Wong", 1000.0)),
        _case("shares", spec("processed_amount", by=("channel",), calculation="share"),
              (channel, amount, share("processed_amount", locale)),
              ("pos", 600.0, 0.6), ("ecommerce", 300.0, 0.3), ("mobile", 100.0, 0.1)),
        _case("shares_alone", spec("processed_amount", by=("channel",), calculation="share"),
              (channel, share("processed_amount", locale)), ("pos", 0.6), ("ecommerce", 0.3), ("mobile", 0.1)),
        _case("amount_against_before", spec("processed_amount", by=("channel",), before=WEEK_BEFORE),
              (channel, *compared("processed_amount", locale)),
              ("pos", 540.0, 500.0, 40.0, 0.08), ("atm", 97.0, 100.0, -3.0, -0.03)),
        _case("rate_against_before", spec("approval_rate", by=("channel",), before=WEEK_BEFORE),
              (channel, *compared("approval_rate", locale)),
              ("pos", 0.914, 0.893, 0.021, 0.023516), ("atm", 0.8, 0.85, -0.05, -0.058824)),
        _case("codes_with_names", spec("transactions", by=("mcc",)),
              (mcc, description("mcc", "MCC description"), metric("transactions", locale)),
              ("5411", "Grocery Stores", 5000), ("5812", "Restaurants", 2500), ("4511", "Airlines", 90)),
        _case("two_dimensions", spec("transactions", by=("channel", "brand")),
              (channel, dimension("brand", locale), metric("transactions", locale)),
              *((c, b, 100 * i + 10 * j + 7) for i, c in enumerate(CHANNELS) for j, b in enumerate(("Visa", "Amex")))),
    )  # fmt: skip


def time_cases(locale: Locale) -> tuple[Case, ...]:
    day, month, week = time("day"), time("month"), time("week")
    rate, amount = metric("approval_rate", locale), metric("processed_amount", locale)
    days = [WEEK.end - timedelta(days=6 - i) for i in range(7)]
    months = [date(2025, 11, 1), date(2025, 12, 1), *(date(2026, m, 1) for m in range(1, 11))]
    growth = compared("processed_amount", locale)
    return (
        _case("rate_by_day", spec("approval_rate", grain="day"), (day, rate),
              *zip(days, (0.85, 0.86, 0.871, 0.8, 0.88, 0.869, 0.872), strict=True)),
        _case("amount_by_month", spec("processed_amount", grain="month", period=YEAR), (month, amount),
              *((m, 1_000_000.5 + 31_234.56 * i) for i, m in enumerate(months))),
        _case("outage", spec("approval_rate", grain="month", period=YEAR), (month, rate),
              *((m, 0.31 if i == 6 else 0.87 + 0.001 * (i % 3)) for i, m in enumerate(months))),
        _case("day_missing", spec("approval_rate", grain="day"), (day, rate),
              *((d, 0.85 + 0.001 * i) for i, d in enumerate(days) if i != 3)),
        _case("cut_weeks", spec("transactions", grain="week", period=replace(WEEK, start=date(2026, 10, 7))),
              (week, metric("transactions", locale)),
              (date(2026, 10, 5), 400), (date(2026, 10, 12), 700),
              (date(2026, 10, 19), 650), (date(2026, 10, 26), 500)),
        _case("rate_by_month_and_channel", spec("approval_rate", by=("channel",), grain="month", period=YEAR),
              (month, dimension("channel", locale), rate),
              *((m, c, 0.8 + 0.02 * j + 0.003 * i) for i, m in enumerate(months) for j, c in enumerate(CHANNELS))),
        _case("growth", spec("processed_amount", grain="month", period=YEAR, calculation="growth"), (month, *growth),
              *((m, 110.0 + i, 109.0 + i, 1.0, round(1 / (109 + i), 6)) for i, m in enumerate(months))),
        _case("best_month", spec("processed_amount", grain="month", period=YEAR, limit=1), (month, amount),
              (date(2025, 12, 1), 1_900_000.0)),
        _case("one_day", spec("approval_rate", grain="day"), (day, rate), (date(2026, 10, 31), 0.9)),
    )  # fmt: skip


def hard_cases(locale: Locale) -> tuple[Case, ...]:
    channel, rate = dimension("channel", locale), metric("approval_rate", locale)
    amount = metric("processed_amount", locale)
    return (
        _case("no_value", spec("approval_rate"), (rate,), (None,)),
        _case("all_null", spec("approval_rate", by=("channel",)), (channel, rate), ("pos", None), ("atm", None)),
        _case("null_member", spec("approval_rate", by=("channel",)), (channel, rate), (None, 0.5), ("atm", 0.75)),
        _case("no_period", spec("approval_rate", by=("channel",), period=None), (channel, rate),
              ("pos", 0.5), ("atm", 0.75)),
        _case("negative", spec("processed_amount", by=("channel",)), (channel, amount),
              ("pos", -1234567.8), ("atm", 20.5)),
        _case("all_zero", spec("transactions", by=("channel",)), (channel, metric("transactions", locale)),
              ("pos", 0), ("atm", 0)),
        _case("no_rows", spec("approval_rate", by=("channel",)), (channel, rate)),
    )  # fmt: skip


def _case(name: str, asked: QuerySpec, columns: tuple[ResultColumn, ...], *rows: Row) -> Case:
    return Case(name=name, spec=asked, table=table(columns, *rows))
