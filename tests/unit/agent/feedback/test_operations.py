from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from sqlglot import exp

from agent.feedback.asked import unasked
from agent.feedback.facets import places_in, surplus
from agent.feedback.lift import Lifted, lift
from agent.feedback.operations import operations_between
from agent.feedback.rewrite import rewrite
from agent.feedback.source import columns_not_held
from agent.sql.compile.sources import sources_for
from agent.sql.read import read
from agent.understanding.source_words import source_wish
from agent.values.feedback import Operation
from agent.values.governance import Finding
from agent.values.identity import ThreadKey
from agent.values.memory import ThreadMemory
from agent.values.spec import MemberFilter, QuerySpec, Threshold
from agent.wording.changes import spec_changes
from semantic_catalog.model import DimensionName, EntityName, Locale, MetricName
from tests.unit.agent.understanding.asking import ask, payments, remembered

QUESTION = "processed amount by channel and region in October 2026 excluding Amex, top 10"
STATEMENT = """
    SELECT channel, region, SUM(processed_amount) AS amount FROM semantic.v_daily_payment_metrics
    WHERE payment_date >= DATE '2026-10-01' AND payment_date <= DATE '2026-10-31' AND brand <> 'Amex'
    GROUP BY channel, region ORDER BY amount DESC LIMIT 10
"""
WITH_COUNT = STATEMENT.replace("AS amount", "AS amount, SUM(transactions_count) AS transactions")

# What is asked for, in three languages, and what of the statement is then different.
ASKED = [
    ("set_limit", ("limit 3", "límite 3", "лимит 3"), "LIMIT 3"),
    ("set_limit", ("without the limit", "sin límite", "без лимита"), "!LIMIT"),
    ("add_filter", ("only restaurants", "solo restaurantes", "только рестораны"), "mcc = '5812'"),
    ("remove_filter", ("remove the brand filter", "quita el filtro de marca", "убери фильтр по бренду"), "!Amex"),
    ("replace_filter", ("also exclude Diners", "excluye también Diners", "исключи ещё Diners"), "'Diners'"),
    ("change_time_window", ("in September instead", "cámbialo a septiembre", "за сентябрь"), "2026-09-01"),
    ("add_dimension", ("by brand too", "también por marca", "добавь по брендам"), "SELECT brand"),
    ("remove_dimension", ("remove the region", "quita la región", "убери регион"), "!region"),
    (
        "change_grouping",
        ("by brand instead of by channel", "por marca en vez de por canal", "по брендам вместо каналов"),
        "!channel",
    ),
    (
        "change_order",
        ("sorted by processed amount, lowest first", "ordenado por monto procesado de menor a mayor",
         "отсортируй по обороту по возрастанию"),
        "!DESC",
    ),
    (
        "add_metric",
        ("add transactions", "agrega las transacciones", "добавь число транзакций"),
        "SUM(transactions_count)",
    ),
    (
        "replace_metric",
        ("replace the processed amount with fees", "reemplaza el monto procesado por las comisiones",
         "замени оборот на комиссии"),
        "ORDER BY fees DESC",
    ),
    ("set_limit add_filter", ("only restaurants, limit 5", "solo restaurantes y límite 5", "только рестораны, лимит 5"),
     "LIMIT 5"),
    (
        "change_time_window remove_dimension",
        ("in September, without the region", "septiembre, quita la región", "за сентябрь, убери регион"),
        "!region",
    ),
    (
        "add_metric change_time_window",
        ("add transactions and use September", "agrega transacciones y usa septiembre",
         "добавь транзакции и возьми сентябрь"),
        "2026-09-30",
    ),
]  # fmt: skip
EACH = [(names, text, sign) for names, texts, sign in ASKED for text in texts]


def tree_of(sql: str) -> exp.Expr:
    found = read(sql, "postgres")
    assert not isinstance(found, Finding)
    return found


def lifted(sql: str) -> Lifted:
    found = lift(tree_of(sql), payments())
    assert found is not None
    return found


async def wanted(spec: QuerySpec, text: str) -> QuerySpec:
    memory = ThreadMemory(thread=ThreadKey("console:t"), runs=(remembered("q", spec),))
    meaning = await ask(text, memory=memory)
    assert meaning.spec is not None, (meaning.slots, meaning.declined)
    assert meaning.unused_words == ()
    return meaning.spec


def names(operations: tuple[Operation, ...]) -> set[str]:
    return {operation.name for operation in operations}


@pytest.mark.parametrize(("expected", "text", "sign"), EACH)
async def test_a_change_in_words_is_its_operations_on_a_question(expected: str, text: str, sign: str) -> None:
    before = (await ask(QUESTION)).spec
    assert before is not None
    found = names(operations_between(before, await wanted(before, text)))
    follows = {"change_order"} if "replace_metric" in expected else set()
    assert found == {*expected.split(), *follows}


@pytest.mark.parametrize(("expected", "text", "sign"), EACH)
async def test_the_same_words_change_the_tree_of_a_written_statement_and_nothing_else(
    expected: str, text: str, sign: str
) -> None:
    before, tree = lifted(STATEMENT), tree_of(STATEMENT)
    operations = operations_between(before.spec, await wanted(before.spec, text))
    assert set(expected.split()) <= names(operations)
    after = rewrite(tree, operations, payments())
    assert after is not None
    assert surplus(tree, after, operations, places_in(payments())) == frozenset()
    sql = after.sql(dialect="postgres")
    assert (sign.removeprefix("!") in sql) is not sign.startswith("!")
    assert tree.sql() == tree_of(STATEMENT).sql()


@pytest.mark.parametrize("text", ["remove the transactions", "quita las transacciones", "убери число транзакций"])
async def test_a_metric_is_taken_out_of_both(text: str) -> None:
    before, tree = lifted(WITH_COUNT), tree_of(WITH_COUNT)
    assert before.spec.metrics == ("processed_amount", "transactions")
    operations = operations_between(before.spec, await wanted(before.spec, text))
    assert names(operations) == {"remove_metric"}
    after = rewrite(tree, operations, payments())
    assert after is not None
    assert "transactions_count" not in after.sql()
    assert surplus(tree, after, operations, places_in(payments())) == frozenset()


PLANTED = [
    ("AND brand <> 'Amex'", "AND brand <> 'Amex' AND channel = 'pos'", "conditions"),
    ("2026-10-31", "2026-10-30", "conditions"),
    ("'Amex'", "'Visa'", "conditions"),
    ("SUM(processed_amount)", "AVG(processed_amount)", "columns"),
    ("GROUP BY channel, region", "GROUP BY channel, region, brand", "groups"),
    ("ORDER BY amount DESC", "ORDER BY amount", "order"),
    ("v_daily_payment_metrics", "v_monthly_payment_metrics", "sources"),
]


@pytest.mark.parametrize(("written", "planted", "found"), PLANTED)
def test_a_planted_change_beside_the_one_asked_for_is_caught(written: str, planted: str, found: str) -> None:
    asked = (Operation(name="set_limit", limit=5),)
    limited = STATEMENT.replace("LIMIT 10", "LIMIT 5")
    assert surplus(tree_of(STATEMENT), tree_of(limited), asked, places_in(payments())) == frozenset()
    extra = surplus(tree_of(STATEMENT), tree_of(limited.replace(written, planted)), asked, places_in(payments()))
    assert found in extra


@pytest.mark.parametrize(
    ("written", "planted", "found"),
    [
        ("brand <> 'Amex'", "brand NOT IN ('Amex', 'Diners', 'Visa')", "condition:brand"),
        ("brand <> 'Amex'", "brand NOT IN ('Amex', 'Diners') AND region = 'Lima'", "condition:region"),
        ("payment_date >= DATE '2026-10-01' AND", "brand <> 'Diners' AND", "condition:payment_date"),
    ],
)
def test_a_planted_condition_beside_the_filter_asked_for_is_caught(written: str, planted: str, found: str) -> None:
    item = MemberFilter(dimension=DimensionName("brand"), values=("Amex", "Diners"), include=False)
    asked = (Operation(name="replace_filter", filter=item),)
    right = tree_of(STATEMENT.replace("brand <> 'Amex'", "brand NOT IN ('Amex', 'Diners')"))
    assert surplus(tree_of(STATEMENT), right, asked, places_in(payments())) == frozenset()
    assert found in surplus(
        tree_of(STATEMENT), tree_of(STATEMENT.replace(written, planted)), asked, places_in(payments())
    )


@pytest.mark.parametrize("words", ["limit 5", "límite 5", "лимит 5"])
async def test_a_planted_change_of_a_question_is_caught_by_what_the_words_do_not_name(words: str) -> None:
    before = (await ask(QUESTION)).spec
    assert before is not None
    pos = MemberFilter(dimension=DimensionName("channel"), values=("pos",))
    after = replace(before, limit=5, filters=(*before.filters, pos), metrics=(*before.metrics, MetricName("fees")))
    extra = unasked(operations_between(before, after), words, before, payments())
    assert names(extra) == {"add_filter", "add_metric"}
    assert unasked(operations_between(before, replace(before, limit=5)), words, before, payments()) == ()


@pytest.mark.parametrize(
    ("words", "period"),
    [("limit 5", False), ("límite 5", False), ("лимит 5", False), ("limit 5, in September", True),
     ("límite 5, en septiembre", True), ("лимит 5 за сентябрь", True)],
)  # fmt: skip
async def test_a_planted_time_order_or_condition_is_caught_unless_the_words_speak_of_it(
    words: str, period: bool
) -> None:
    before = (await ask("top 10 merchants by processed amount in October")).spec
    assert before is not None
    assert before.period is not None
    earlier = replace(before.period, start=date(2026, 9, 1), end=date(2026, 9, 30))
    above = Threshold(metric=before.metrics[0], operator=">", value=Decimal(100))
    turned = tuple(replace(item, descending=not item.descending) for item in before.order)
    planted = (replace(before, limit=5, period=earlier), replace(before, limit=5, order=turned))
    asked, order = (names(unasked(operations_between(before, each), words, before, payments())) for each in planted)
    assert asked == (set() if period else {"change_time_window"})
    assert order == {"change_order"}
    limited = operations_between(before, replace(before, limit=5, having=(above,)))
    assert names(unasked(limited, words, before, payments())) == {"semantic_regeneration"}


@pytest.mark.parametrize(
    "words", ["more than 100, cheapest first", "más de 100, de menor a mayor", "больше 100, по возрастанию"]
)
async def test_an_order_and_a_condition_that_the_words_speak_of_are_asked(words: str) -> None:
    before = (await ask("top 10 merchants by processed amount in October")).spec
    assert before is not None
    above = Threshold(metric=before.metrics[0], operator=">", value=Decimal(100))
    turned = tuple(replace(item, descending=not item.descending) for item in before.order)
    after = replace(before, having=(above,), order=turned)
    assert unasked(operations_between(before, after), words, before, payments()) == ()


def test_what_the_catalog_does_not_know_of_a_statement_is_written_anew() -> None:
    joined = "semantic.v_daily_payment_metrics a JOIN semantic.v_decline_analysis b ON a.brand = b.brand"
    two = f"SELECT a.channel FROM {joined}"
    assert lift(tree_of(two), payments()) is None
    nested = f"WITH days AS ({STATEMENT}) SELECT channel, MAX(amount) AS most FROM days GROUP BY channel"
    added = (Operation(name="add_dimension", dimensions=(DimensionName("brand"),)),)
    assert rewrite(tree_of(nested), added, payments()) is None
    limited = rewrite(tree_of(nested), (Operation(name="set_limit", limit=2),), payments())
    assert limited is not None
    assert limited.sql().endswith("LIMIT 2")
    assert rewrite(tree_of(nested), (Operation(name="semantic_regeneration"),), payments()) is None


def test_a_limit_is_not_left_without_the_order_it_cuts_by() -> None:
    without = (Operation(name="remove_metric", without_metrics=(MetricName("processed_amount"),)),)
    assert rewrite(tree_of(WITH_COUNT), without, payments()) is None


SOURCES = [
    ("en", "use the daily view instead of the monthly one", ()),
    ("en", "replace the monthly view with the daily one", ()),
    ("en", "switch to v_daily_payment_metrics", ()),
    ("en", "use the daily view and only restaurants", ("add_filter",)),
    ("es", "usa la vista diaria en vez de la mensual", ()),
    ("es", "cambia la vista mensual por la diaria", ()),
    ("es", "usa la vista diaria y solo restaurantes", ("add_filter",)),
    ("ru", "возьми дневные данные вместо месячных", ()),
    ("ru", "замени месячную витрину на дневную", ()),
    ("ru", "возьми дневную витрину и только рестораны", ("add_filter",)),
]
OVER_MONTHS = """
    SELECT channel, SUM(v_monthly_payment_metrics.processed_amount) AS amount
    FROM semantic.v_monthly_payment_metrics WHERE brand <> 'Amex' GROUP BY channel ORDER BY amount DESC
"""


@pytest.mark.parametrize(("language", "text", "others"), SOURCES)
async def test_a_source_asked_for_is_read_instead_on_a_question(
    language: Locale, text: str, others: tuple[str, ...]
) -> None:
    before = (await ask(QUESTION)).spec
    assert before is not None
    after = await wanted(before, text)
    operations = operations_between(before, after)
    assert names(operations) == {"replace_source", *others}
    assert [each.name for each in sources_for(after, payments())] == ["v_daily_payment_metrics"]
    label = payments().entity(EntityName("v_daily_payment_metrics")).names.in_locale(language)
    assert any(label in line for line in spec_changes(before, after, payments(), language))
    assert unasked(operations, text, before, payments()) == ()
    further = await wanted(after, "only Visa")
    assert further.entity == "v_daily_payment_metrics"


@pytest.mark.parametrize(("language", "text", "others"), SOURCES)
def test_a_source_asked_for_takes_the_place_of_the_one_in_a_written_statement(
    language: Locale, text: str, others: tuple[str, ...]
) -> None:
    wish = source_wish(text, payments())
    assert wish is not None
    assert bool(wish.rest) is bool(others)
    operations = (Operation(name="replace_source", source=wish.entity.name),)
    after = rewrite(tree_of(OVER_MONTHS), operations, payments())
    assert after is not None
    assert after == tree_of(OVER_MONTHS.replace("v_monthly", "v_daily"))
    assert surplus(tree_of(OVER_MONTHS), after, operations, places_in(payments())) == frozenset()


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("use the chargeback view", ("Chargeback metrics", "Processed amount")),
        ("usa la vista de comercios", ("Desempeño de comercios", "Canal")),
        ("возьми витрину чарджбэков", ("Показатели чарджбэков", "Оборот")),
        ("use the merchant performance view", ("Merchant performance", "Channel")),
    ],
)
async def test_a_source_that_cannot_answer_is_not_taken_and_what_it_lacks_is_said(
    text: str, lacks: tuple[str, ...]
) -> None:
    before = (await ask("processed amount by channel in October")).spec
    assert before is not None
    memory = ThreadMemory(thread=ThreadKey("console:t"), runs=(remembered("q", before),))
    meaning = await ask(text, memory=memory)
    assert (meaning.topic, meaning.unused_words) == ("source_not_held", lacks)


async def test_days_are_not_read_from_months() -> None:
    before = (await ask("processed amount by day in October")).spec
    assert before is not None
    memory = ThreadMemory(thread=ThreadKey("console:t"), runs=(remembered("q", before),))
    meaning = await ask("use the monthly view", memory=memory)
    assert (meaning.topic, meaning.unused_words) == ("source_not_held", ("Monthly payment metrics", "day"))


def test_a_written_statement_is_not_read_from_a_source_without_its_columns() -> None:
    months = payments().entity(EntityName("v_monthly_payment_metrics"))
    assert columns_not_held(lifted(STATEMENT), months) == ("payment_date",)
    moved = (Operation(name="replace_source", source=months.name),)
    assert rewrite(tree_of(STATEMENT), moved, payments()) is None


@pytest.mark.parametrize(
    "text",
    ["use a bar chart", "use September instead", "switch to daily", "usa octubre en vez de septiembre", "usa barras",
     "возьми сентябрь", "возьми данные за сентябрь", "use the view", "replace the amount with fees"],
)  # fmt: skip
def test_words_that_name_no_source_ask_for_none(text: str) -> None:
    assert source_wish(text, payments()) is None


REGENERATED = [
    "only those above 100 000", "as a share of the total", "compared with the previous month",
    "solo los mayores a 100 000", "como porcentaje del total", "comparado con el mes anterior",
    "только больше 100 000", "покажи доли", "по сравнению с прошлым месяцем",
]  # fmt: skip


@pytest.mark.parametrize("text", REGENERATED)
async def test_what_no_operation_says_is_understood_anew_of_a_question_and_not_done_to_a_tree(text: str) -> None:
    before = (await ask("processed amount by channel in October 2026")).spec
    assert before is not None
    operations = operations_between(before, await wanted(before, text))
    assert names(operations) == {"semantic_regeneration"}
    assert rewrite(tree_of(STATEMENT), operations, payments()) is None
