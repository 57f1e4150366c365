from dataclasses import replace

from agent.sql.guard import check_query
from agent.sql.scope import GovernedSource, GuardScope, scope_for
from agent.values.governance import CheckedQuery
from agent.values.identity import Limits, Principal, PrincipalId, RowRule
from semantic_catalog.model import CatalogVersion, Column, Domain, DomainName, EntityName, Locale, RequiredFilter
from tests.unit.agent.sql.compile.cases import TODAY, payments_domain

DAILY, MERCHANTS = "semantic.v_daily_payment_metrics", "semantic.v_merchant_performance"
LABEL: tuple[tuple[Locale, str], ...] = (("en", "Lima only"),)
OCTOBER = "payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01'"


def ana(**changes: object) -> Principal:
    return replace(Principal(id=PrincipalId("ana"), roles=(), domains=(DomainName("payments"),)), **changes)  # type: ignore[arg-type]


def scope(principal: Principal, domain: Domain | None = None) -> GuardScope:
    return scope_for(domain or payments_domain(), principal, CatalogVersion("7"))


def source(name: str, principal: Principal) -> GovernedSource:
    return next(found for found in scope(principal).sources if found.name == name)


def test_a_domain_that_is_not_theirs_has_no_source() -> None:
    assert scope(ana(domains=(DomainName("erp_finance"),))).sources == ()


def test_only_the_entities_that_the_policy_names_are_there() -> None:
    found = scope(ana(entities=(EntityName("v_merchant_performance"),))).sources
    assert [each.name for each in found] == [MERCHANTS]


def test_denied_columns_are_known_as_denied_and_not_as_columns() -> None:
    found = source(MERCHANTS, ana(denied_columns=((MERCHANTS, "Merchant_Name"),)))
    assert found.denied == ("merchant_name",)
    assert Column(name="merchant_name", type="text") not in found.columns


def test_row_rules_of_a_source_all_hold() -> None:
    rules = tuple(
        RowRule(domain=DomainName(domain), source=name, predicate=predicate, label=LABEL)
        for domain, name, predicate in (
            ("payments", DAILY, "region = 'Lima' OR region = 'Cusco'"),
            ("payments", DAILY, "brand = 'Visa'"),
            ("payments", MERCHANTS, "region = 'Piura'"),
            ("erp_finance", DAILY, "region = 'Arequipa'"),
        )
    )
    found = source(DAILY, ana(row_rules=rules))
    assert found.row_filter == "(region = 'Lima' OR region = 'Cusco') AND (brand = 'Visa')"
    assert found.row_labels == (LABEL, LABEL)


def test_the_labels_of_the_rules_come_with_the_query() -> None:
    rule = RowRule(domain=DomainName("payments"), source=DAILY, predicate="region = 'Lima'", label=LABEL)
    sql = f"SELECT SUM(fee_amount) FROM v_daily_payment_metrics WHERE {OCTOBER}"
    answer = check_query(sql, scope(ana(row_rules=(rule,))), "edited", TODAY)
    assert isinstance(answer, CheckedQuery)
    assert answer.row_rules == (LABEL,)
    assert answer.filtered
    assert "FROM semantic.v_daily_payment_metrics" in answer.sql


def test_one_row_more_than_is_shown_may_come_back() -> None:
    assert scope(ana(limits=Limits(max_result_rows=20))).row_limit == 21


def test_the_approval_is_bound_to_person_and_catalog() -> None:
    sql = f"SELECT SUM(fee_amount) FROM semantic.v_daily_payment_metrics WHERE {OCTOBER}"
    answers = [
        check_query(sql, each, "compiled", TODAY)
        for each in (
            scope(ana()),
            scope(ana(id=PrincipalId("bob"))),
            scope_for(payments_domain(), ana(), CatalogVersion("8")),
        )
    ]
    assert len({answer.fingerprint for answer in answers if isinstance(answer, CheckedQuery)}) == 3


def test_business_rules_of_an_entity_reach_the_guard() -> None:
    domain = payments_domain()
    entity = replace(domain.entities[0], required_filters=(RequiredFilter(column="brand", value="Visa"),))
    found = scope(ana(), replace(domain, entities=(entity,))).sources[0]
    assert [(rule.column, rule.value) for rule in found.required_filters] == [("brand", "Visa")]


def test_reading_a_sensitive_source_or_dimension_is_noted() -> None:
    domain = payments_domain()
    entity = replace(domain.entity(EntityName("v_daily_payment_metrics")), sensitive=True)
    merchants = domain.entity(EntityName("v_merchant_performance"))
    dimensions = tuple(replace(d, sensitive=d.name == "merchant") for d in domain.dimensions)
    secret = scope(ana(), replace(domain, entities=(entity, merchants), dimensions=dimensions))
    for sql, expected in (
        (f"SELECT SUM(fee_amount) FROM {DAILY} WHERE {OCTOBER}", (DAILY,)),
        (f"SELECT merchant_name FROM {MERCHANTS} WHERE {OCTOBER}", (MERCHANTS,)),
        (f"SELECT SUM(fee_amount) FROM {MERCHANTS} WHERE {OCTOBER}", ()),
    ):
        answer = check_query(sql, secret, "compiled", TODAY)
        assert isinstance(answer, CheckedQuery), answer
        assert answer.sensitive == expected
