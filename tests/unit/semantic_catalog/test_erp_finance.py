import pytest

from semantic_catalog.load import load_catalog
from semantic_catalog.model import LOCALES, DimensionName, Domain, DomainName, EntityName, MetricName
from semantic_catalog.reach import can_answer

COLUMNS = {
    "fin_actuals": "period company cebe cost_center account amount currency",
    "fin_plan": "period company cebe account version amount",
    "trm_accounts": "account account_name account_group statement_line sign",
    "cebes": "cebe cebe_name business_unit region manager_role",
    "companies": "company company_name country",
    "cost_centers": "cost_center cost_center_name cebe",
}
MEMBERS = {
    "company": "1000 2000",
    "cebe": "CB100 CB110 CB120 CB200 CB210 CB300",
    "business_unit": "Consumer Logistics Corporate",
    "region": "Lima Arequipa Trujillo",
    "cost_center": "CC1001 CC1002 CC1101 CC1102 CC1201 CC2001 CC2002 CC2101 CC3001 CC3002 CC3003",
    "plan_version": "0 1",
}
GROUPS = {
    "INGRESOS",
    "COSTO DE VENTAS",
    "COSTOS MANO DE OBRA",
    "GASTOS DE VENTA",
    "GASTOS ADMINISTRATIVOS",
    "DEPRECIACION",
    "GASTOS FINANCIEROS",
    "IMPUESTOS",
}
# In the order of the income statement.
LINES = ("Revenue", "Cost of Sales", "Labour Costs", "Operating Expenses", "Depreciation", "Interest", "Taxes")
FORMULAS = {
    "gross_margin": "revenue - cost_of_sales",
    "ebitda": "revenue - cost_of_sales - labor_cost - opex",
    "total_cost": "cost_of_sales + labor_cost + opex + depreciation + interest + taxes",
    "net_income": "revenue - total_cost",
    "budget_variance": "actual_amount - budget",
}
RATIOS = {
    "gross_margin_pct": ("gross_margin", "revenue"),
    "ebitda_margin": ("ebitda", "revenue"),
    "budget_attainment": ("actual_amount", "budget"),
}
MIXED = ("actual_amount", "budget", "budget_variance", "actual_amount_variance_pct", "budget_attainment")


@pytest.fixture(scope="module")
def finance() -> Domain:
    return load_catalog().domain(DomainName("erp_finance"))


def members(domain: Domain, dimension: str) -> tuple[str, ...]:
    return tuple(member.value for member in domain.dimension(DimensionName(dimension)).members)


def test_tables_have_exactly_the_columns_of_the_contract(finance: Domain) -> None:
    assert {entity.source: " ".join(c.name for c in entity.columns) for entity in finance.entities} == COLUMNS


def test_members_are_those_of_the_contract(finance: Domain) -> None:
    assert {name: " ".join(members(finance, name)) for name in MEMBERS} == MEMBERS
    assert set(members(finance, "account_group")) == GROUPS
    assert members(finance, "statement_line") == LINES


def test_results_are_computed_as_the_contract_says(finance: Domain) -> None:
    assert {name: finance.metric(MetricName(name)).expression for name in FORMULAS} == FORMULAS
    ratios = {name: finance.metric(MetricName(name)) for name in RATIOS}
    assert {name: (metric.numerator, metric.denominator) for name, metric in ratios.items()} == RATIOS


def test_the_business_rules_are_the_entities_own(finance: Domain) -> None:
    actuals, plan = (finance.entity(EntityName(name)) for name in ("fin_actuals", "fin_plan"))
    for entity in (actuals, plan):
        assert [(rule.entity, rule.column) for rule in entity.required_joins] == [("trm_accounts", "account")]
        assert all("trm_accounts.sign" in measure.expression for measure in entity.measures)
    assert [(rule.column, rule.value) for rule in plan.required_filters] == [("version", 0)]


def test_a_period_is_always_asked(finance: Domain) -> None:
    assert finance.period_always_asked


def test_what_mixes_income_and_cost_is_split(finance: Domain) -> None:
    mixed = {metric.name: metric.needs_one_of for metric in finance.metrics if metric.needs_one_of}
    assert mixed == dict.fromkeys(MIXED, ("statement_line", "account_group", "account"))


def test_every_line_and_result_has_its_views_on_the_plan(finance: Domain) -> None:
    for metric in finance.metrics:
        views = {known.view for known in finance.metrics if known.view_of == metric.name}
        if metric.view is None:
            of_budget = {"variance_pct", "attainment"} if metric.format != "percent" else set()
            assert views == {"budget", "variance"} | of_budget


def test_labour_and_what_is_planned_of_it_is_sensitive(finance: Domain) -> None:
    assert {metric.name for metric in finance.metrics if metric.sensitive} == {
        "labor_cost",
        "labor_cost_budget",
        "labor_cost_variance",
        "labor_cost_variance_pct",
        "labor_cost_attainment",
    }


def test_less_is_better_for_every_cost_and_for_its_views(finance: Domain) -> None:
    costs = ("cost_of_sales", "labor_cost", "opex", "depreciation", "interest", "taxes", "total_cost")
    down = {metric.name for metric in finance.metrics if metric.direction == "down"}
    views = ("budget", "variance", "variance_pct", "attainment")
    assert down == {*costs, *(f"{cost}_{view}" for cost in costs for view in views)}


@pytest.mark.parametrize(
    ("metric", "dimensions", "answered"),
    [
        ("revenue_attainment", ("business_unit",), True),
        ("opex_variance", ("account",), True),
        ("budget", ("statement_line", "plan_version"), True),
        ("opex", ("cost_center", "region"), True),
        ("opex_variance", ("cost_center",), False),
        ("revenue", ("plan_version",), False),
        ("ebitda", ("account",), False),
    ],
)
def test_metrics_split_by_what_their_source_has(
    finance: Domain, metric: str, dimensions: tuple[str, ...], answered: bool
) -> None:
    wanted = frozenset(DimensionName(name) for name in dimensions)
    assert can_answer(finance, MetricName(metric), wanted, "month") == answered


@pytest.mark.parametrize(
    ("word", "locale", "metric"),
    [
        ("GM%", "es", "gross_margin_pct"),
        ("opex", "es", "opex"),
        ("ebitda mgn", "en", "ebitda_margin"),
        ("ventas", "es", "revenue"),
        ("pyg", "es", "actual_amount"),
        ("ppto de ventas", "es", "revenue_budget"),
        ("planned opex", "en", "opex_budget"),
        ("фот", "ru", "labor_cost"),
        ("выполнение плана по продажи", "ru", "revenue_attainment"),
    ],
)
def test_finance_words_and_abbreviations_are_known(finance: Domain, word: str, locale: str, metric: str) -> None:
    synonyms = finance.metric(MetricName(metric)).names.synonyms
    assert word in {synonym for spoken, words in synonyms.items() if spoken == locale for synonym in words}


def test_every_metric_and_dimension_has_synonyms_and_a_description_in_every_language(finance: Domain) -> None:
    for names in (*(metric.names for metric in finance.metrics), *(held.names for held in finance.dimensions)):
        for locale in LOCALES:
            assert names.synonyms.get(locale)
            assert names.description.get(locale)


def test_each_language_has_examples_enough(finance: Domain) -> None:
    for locale in LOCALES:
        assert len([example for example in finance.examples if example.locale == locale]) >= 10
    assert len(finance.trusted_queries) >= 4
