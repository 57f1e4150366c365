import pytest

from agent.analysis.quantities import Quantity, quantities_of
from semantic_catalog.load import load_catalog
from semantic_catalog.model import DomainName

SOLES, COUNT = Quantity(format="amount", unit="PEN"), Quantity(format="count")
FRACTION, DECIMAL = Quantity(format="percent"), Quantity(format="decimal")
DAILY = "semantic.v_daily_payment_metrics"


def of(sql: str, domain: str = "payments") -> tuple[Quantity | None, ...]:
    return quantities_of(sql, load_catalog().domain(DomainName(domain)))


@pytest.mark.parametrize(
    ("expression", "quantity"),
    [
        ("processed_amount", SOLES),
        ("sum(processed_amount)", SOLES),
        ("round(avg(d.processed_amount), 2)", SOLES),
        ("coalesce(sum(processed_amount), 0)", SOLES),
        ("sum(CASE WHEN channel = 'pos' THEN processed_amount ELSE 0 END)", SOLES),
        ("sum(processed_amount) FILTER (WHERE channel = 'pos')", SOLES),
        ("sum(sum(processed_amount)) OVER (ORDER BY 1)", SOLES),
        ("percentile_cont(0.5) WITHIN GROUP (ORDER BY processed_amount)", SOLES),
        ("max(processed_amount) - min(processed_amount)", SOLES),
        ("sum(processed_amount) / nullif(sum(approved_count), 0)", SOLES),
        ("sum(processed_amount) * sum(approved_count) / sum(transactions_count)", None),
        ("sum(transactions_count)", COUNT),
        ("count(*)", COUNT),
        ("avg(transactions_count)", DECIMAL),
        ("sum(approved_count)::numeric / sum(transactions_count)", FRACTION),
        ("100.0 * sum(approved_count) / sum(transactions_count)", None),
        ("sum(processed_amount) * 100", None),
        ("sum(processed_amount) + sum(transactions_count)", None),
        ("stddev(processed_amount)", None),
        ("channel", None),
        ("42", None),
    ],
)
def test_an_expression_is_of_the_quantity_it_is_made_of(expression: str, quantity: Quantity | None) -> None:
    assert of(f"SELECT {expression} AS x FROM {DAILY} AS d") == (quantity,)


def test_a_quantity_is_traced_through_blocks_unions_and_stars() -> None:
    sql = f"""
        WITH days AS (SELECT channel, payment_date, sum(processed_amount) AS a, count(*) AS n FROM {DAILY} GROUP BY 1, 2),
        both AS (SELECT a, n FROM days UNION ALL SELECT 0 * a, n FROM days)
        SELECT d.*, (SELECT max(a) FROM days) AS most, b.a, b.n
        FROM (SELECT * FROM days) AS d CROSS JOIN both AS b
    """  # noqa: E501
    assert of(sql) == (None, None, SOLES, COUNT, SOLES, None, COUNT)


def test_a_name_proves_nothing() -> None:
    assert of(f"SELECT sum(transactions_count) AS processed_amount FROM {DAILY}") == (COUNT,)


def test_an_expression_over_two_tables_is_the_measure_that_says_so() -> None:
    joined = "FROM fin_actuals AS a JOIN trm_accounts AS t ON a.account = t.account"
    assert of(f"SELECT sum(a.amount * t.sign) {joined}", "erp_finance") == (SOLES,)
    assert of(f"SELECT sum(a.amount) {joined}", "erp_finance") == (None,)


def test_prices_and_tonnes_keep_their_units() -> None:
    sql = "SELECT avg(value), sum(quantity_t), sum(value * quantity_t), avg(value * 1.1) FROM mart.price_facts"
    price, tonnes, amount, raised = of(sql, "scrap_prices")
    assert [price and price.unit, tonnes and tonnes.unit, amount and amount.unit] == ["RUB/t", "t", "RUB"]
    assert raised is None


def test_what_is_measured_in_several_ways_is_of_none() -> None:
    assert of("SELECT avg(value) FROM mart.metrics", "scrap_prices") == (None,)


@pytest.mark.parametrize("sql", ["SELECT", "no sql at all (", "SELECT x FROM nowhere AS n"])
def test_what_cannot_be_traced_has_no_quantities(sql: str) -> None:
    assert set(of(sql)) <= {None}
