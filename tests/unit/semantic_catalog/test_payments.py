import pytest

from semantic_catalog.load import check_catalog
from semantic_catalog.model import LOCALES, DimensionName, Domain, DomainName, EntityName, MetricName

DAILY = (
    "payment_date channel brand mcc mcc_description region "
    "transactions_count approved_count declined_count attempted_amount processed_amount fee_amount"
)
COLUMNS = {
    "v_payment_transactions": (
        "transaction_id transaction_ts transaction_date merchant_id merchant_name mcc mcc_description segment region "
        "channel brand amount currency status response_code response_reason is_approved fee_amount"
    ),
    "v_daily_payment_metrics": DAILY,
    "v_monthly_payment_metrics": DAILY.replace("payment_date", "payment_month"),
    "v_merchant_performance": (
        "payment_date merchant_id merchant_name mcc mcc_description segment region "
        "transactions_count approved_count declined_count attempted_amount processed_amount fee_amount"
    ),
    "v_decline_analysis": "payment_date channel brand response_code response_reason declined_count declined_amount",
    "v_chargeback_metrics": (
        "chargeback_month brand channel reason_code reason chargebacks_count chargeback_amount lost_amount"
    ),
}
MEMBERS = {
    "channel": {"ecommerce", "pos", "mobile", "atm"},
    "brand": {"Visa", "Mastercard", "Amex", "Diners"},
    "region": {"Lima", "Arequipa", "Cusco", "Trujillo", "Piura"},
    "segment": {"enterprise", "mid-market", "small business"},
    "currency": {"PEN", "USD"},
    "status": {"approved", "declined"},
    "mcc": {"5411", "5812", "5541", "4511", "7011", "5732", "5912", "5651", "4814", "8220"},
    "response_code": {"00", "05", "51", "54", "57", "61", "91"},
    "chargeback_reason": {"10.4", "13.1", "12.6", "13.3", "11.3"},
    "merchant": set(),
}
SYNONYMS = [
    ("volume", "en"),
    ("tpv", "en"),
    ("billing", "en"),
    ("sales", "en"),
    ("facturación", "es"),
    ("volumen", "es"),
    ("volumen procesado", "es"),
    ("monto", "es"),
    ("ventas", "es"),
    ("выручка", "ru"),
    ("продажи", "ru"),
]


@pytest.fixture(scope="module")
def payments() -> Domain:
    return check_catalog().catalog.domain(DomainName("payments"))


def test_packaged_catalog_has_no_issue() -> None:
    assert check_catalog().issues == ()


def test_views_have_exactly_the_columns_of_the_contract(payments: Domain) -> None:
    assert {entity.name: " ".join(c.name for c in entity.columns) for entity in payments.entities} == COLUMNS
    assert {entity.source for entity in payments.entities} == {f"semantic.{name}" for name in COLUMNS}


def test_members_are_those_of_the_contract(payments: Domain) -> None:
    assert {d.name: {member.value for member in d.members} for d in payments.dimensions} == MEMBERS


@pytest.mark.parametrize(("word", "locale"), SYNONYMS)
def test_everyday_words_mean_processed_amount(payments: Domain, word: str, locale: str) -> None:
    synonyms = payments.metric(MetricName("processed_amount")).names.synonyms
    assert word in {synonym for spoken, words in synonyms.items() if spoken == locale for synonym in words}


def test_rates_are_ratios_of_sums(payments: Domain) -> None:
    ratios = {
        metric.name: (metric.numerator, metric.denominator) for metric in payments.metrics if metric.kind == "ratio"
    }
    assert ratios == {
        "approval_rate": ("approved_transactions", "transactions"),
        "decline_rate": ("declined_transactions", "transactions"),
        "average_ticket": ("processed_amount", "approved_transactions"),
        "take_rate": ("fees", "processed_amount"),
        "chargeback_rate": ("chargebacks", "approved_transactions"),
    }


def test_time_is_bounded_as_the_policy_says(payments: Domain) -> None:
    policies = {entity.name: (entity.time_policy.required, entity.time_policy.max_days) for entity in payments.entities}
    assert policies == {
        "v_payment_transactions": (True, 92),
        "v_daily_payment_metrics": (True, None),
        "v_merchant_performance": (True, None),
        "v_decline_analysis": (True, None),
        "v_monthly_payment_metrics": (False, None),
        "v_chargeback_metrics": (False, None),
    }


def test_cheaper_views_are_read_first(payments: Domain) -> None:
    order = ["v_monthly_payment_metrics", "v_daily_payment_metrics", "v_merchant_performance", "v_payment_transactions"]
    ranks = [payments.entity(EntityName(name)).cost_rank for name in order]
    assert ranks == sorted(set(ranks))


def test_chargebacks_have_no_merchant_category_or_region(payments: Domain) -> None:
    for name in ("chargebacks", "chargeback_amount", "lost_amount", "chargeback_rate"):
        dimensions = payments.metric(MetricName(name)).dimensions
        assert dimensions is not None
        assert not {"merchant", "mcc", "region", "segment"} & set(dimensions)


def test_every_metric_and_dimension_has_synonyms_and_a_description_in_every_language(payments: Domain) -> None:
    for names in (*(metric.names for metric in payments.metrics), *(held.names for held in payments.dimensions)):
        for locale in LOCALES:
            assert names.synonyms.get(locale)
            assert names.description.get(locale)


def test_codes_carry_their_description(payments: Domain) -> None:
    held = payments.entity(EntityName("v_payment_transactions")).dimension(DimensionName("mcc"))
    assert held is not None
    assert (held.column, held.label_column) == ("mcc", "mcc_description")


def test_each_language_has_examples_enough(payments: Domain) -> None:
    for locale in LOCALES:
        assert len([example for example in payments.examples if example.locale == locale]) >= 10
    assert len(payments.trusted_queries) >= 4
