from typing import Any

import pytest

from agent.wording.receipt import build_receipt, spec_title
from semantic_catalog.model import LOCALES, Entity, EntityName, Locale
from tests.unit.agent.sql.compile.cases import TODAY, cases, compiled, payments_domain, spec_of

OCTOBER = "2026-10-01/2026-10-31"
SPACES = str.maketrans({"\u00a0": " ", "\u202f": " "})


def title(locale: Locale = "en", **fields: object) -> str:
    return spec_title(spec_of(**fields), payments_domain(), locale, TODAY).translate(SPACES)


def lines(locale: Locale = "en", **fields: Any) -> dict[str, str]:
    given = {name: fields.pop(name, ()) for name in ("row_rule_labels", "entities", "assumptions", "unused_words")}
    receipt = build_receipt(spec_of(**fields), payments_domain(), **given, locale=locale, today=TODAY)
    return {line.key: line.value.translate(SPACES) for line in receipt.lines}


@pytest.mark.parametrize(
    ("locale", "written"),
    [
        ("en", "Approval rate by channel, last 7 days"),
        ("es", "Tasa de aprobación por canal, últimos 7 días"),
        ("ru", "Доля одобренных по каналам, последние 7 дней"),
    ],
)
def test_the_title_restates_the_question(locale: Locale, written: str) -> None:
    last_week = "2026-10-25/2026-10-31 last_7_days"
    assert title(locale, metrics=["approval_rate"], dimensions=["channel"], period=last_week) == written


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ({"metrics": ["fees", "take_rate"]}, "Fees and take rate, Oct 2026"),
        (
            {"metrics": ["fees"], "grain": "month", "dimensions": ["mcc"]},
            "Fees by month and by merchant category, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "filters": [{"dimension": "brand", "values": ["Visa", "Amex"]}]},
            "Fees, only Visa and American Express, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "filters": [{"dimension": "channel", "values": ["atm", "pos"], "include": False}]},
            "Fees, without ATM and without POS, Oct 2026",
        ),
        (
            {
                "metrics": ["fees"],
                "filters": [{"dimension": "mcc", "values": ["5411", "5812", "5541", "4511", "7011"]}],
            },
            "Fees, only Grocery stores, Restaurants, Service stations and 2 more, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "dimensions": ["merchant"], "order": [{"by": "fees"}], "limit": 10},
            "Fees by merchant, top 10, Oct 2026",
        ),
        (
            {
                "metrics": ["fees"],
                "dimensions": ["merchant"],
                "order": [{"by": "fees", "descending": False}],
                "limit": 1,
            },
            "Fees by merchant, lowest, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "grain": "day", "order": [{"by": "time"}], "limit": 3},
            "Fees by day, newest 3, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "dimensions": ["mcc"], "order": [{"by": "mcc", "descending": False}], "limit": 3},
            "Fees by merchant category, first 3, Oct 2026",
        ),
        (
            {"metrics": ["fees"], "comparison": {"kind": "previous_period", "period": "2026-09-01/2026-09-30"}},
            "Fees, Oct 2026, compared with Sept 2026",
        ),
        (
            {"metrics": ["fees"], "calculation": {"kind": "share"}, "dimensions": ["brand"]},
            "Share of fees by card brand, Oct 2026",
        ),
        (
            {
                "metrics": ["fees"],
                "calculation": {"kind": "count_members", "over": "merchant"},
                "having": [{"metric": "approval_rate", "operator": ">=", "value": "0.9"}],
            },
            "Merchant count, approval rate ≥ 90.0 %, Oct 2026",
        ),
    ],
)
def test_all_that_changes_the_answer_is_in_the_title(fields: dict[str, Any], written: str) -> None:
    assert title(**fields, period=OCTOBER) == written


def test_a_period_that_has_not_begun_is_said_to_have_no_data() -> None:
    november = "2026-11-01/2026-11-30"
    assert title(metrics=["fees"], period=november) == "Fees, Nov 2026, no data yet"
    assert lines(metrics=["fees"], period=november)["period"] == "Nov 2026, Lima time; data ends 31 Oct 2026"


@pytest.mark.parametrize("locale", LOCALES)
def test_every_kind_of_question_has_a_title_and_a_receipt(locale: Locale) -> None:
    for case in cases():
        receipt = build_receipt(
            case.spec,
            payments_domain(),
            row_rule_labels=(),
            entities=compiled(case.spec).entities,
            assumptions=(),
            unused_words=(),
            locale=locale,
            today=TODAY,
        )
        values = {line.key: line.value for line in receipt.lines}
        assert receipt.title
        assert all(values.values())
        assert {"measure", "period", "reads"} <= values.keys()
        assert ("split_by" in values) == bool(case.spec.dimensions or case.spec.grain)
        assert ("sorted" in values) == bool(case.spec.order or case.spec.limit)
        assert "{" not in receipt.title + "".join(values.values())


def test_lines_stand_in_the_order_of_the_card() -> None:
    said = lines(
        metrics=["approval_rate"],
        dimensions=["channel"],
        grain="week",
        filters=[
            {"dimension": "brand", "values": ["Visa", "Amex"]},
            {"dimension": "channel", "values": ["atm"], "include": False},
        ],
        having=[{"metric": "processed_amount", "operator": ">", "value": "10000"}],
        order=[{"by": "approval_rate"}, {"by": "time", "descending": False}],
        limit=5,
        period="2026-10-25/2026-10-31",
        comparison={"kind": "previous_period", "period": "2026-10-18/2026-10-24"},
        entities=entities("v_daily_payment_metrics"),
        row_rule_labels=((("en", "Lima only"), ("es", "solo Lima")),),
        assumptions=("I took processed amount as “sales”.",),
        unused_words=("premium", "gold"),
    )
    assert list(said.items()) == [
        ("measure", "Approved transactions ÷ all transactions"),
        ("period", "25–31 Oct 2026, Lima time"),
        ("compared", "18–24 Oct 2026, Lima time"),
        ("split_by", "Week, Channel"),
        ("filters", "Card brand: Visa, American Express; Channel: not ATM; Processed amount > S/ 10,000.00"),
        ("sorted", "Approval rate, largest first; oldest first; first 5"),
        ("reads", "Daily payment metrics"),
        ("your_access", "Lima only"),
        ("assumptions", "I took processed amount as “sales”."),
        ("not_understood", "“premium”, “gold”"),
    ]


def test_a_line_that_says_nothing_is_left_out() -> None:
    assert list(lines(metrics=["fees"])) == ["measure"]


def test_several_metrics_are_each_named_with_their_definition() -> None:
    assert lines(metrics=["approval_rate", "fees"])["measure"] == (
        "Approval rate: approved transactions ÷ all transactions; Fees: fees charged to merchants, in soles"
    )


def test_a_row_rule_is_said_in_the_language_of_the_asker_or_in_english() -> None:
    label = (("en", "Lima only"), ("es", "solo Lima"))
    assert lines("es", metrics=["fees"], row_rule_labels=(label,))["your_access"] == "solo Lima"
    assert lines("ru", metrics=["fees"], row_rule_labels=(label,))["your_access"] == "Lima only"


def test_a_change_is_named_where_it_is_sorted_by() -> None:
    order = [{"by": "fees_change_pct", "descending": False}]
    assert lines(metrics=["fees"], dimensions=["mcc"], order=order)["sorted"] == "Fees, change in %, smallest first"


def test_warehouse_members_are_named_by_their_value() -> None:
    filters = [{"dimension": "merchant", "values": ["Café Uno"]}]
    assert title("ru", metrics=["fees"], filters=filters, period=OCTOBER) == "Комиссии, только Café Uno, окт. 2026"


def entities(*names: str) -> tuple[Entity, ...]:
    return tuple(payments_domain().entity(EntityName(name)) for name in names)
