from collections.abc import AsyncIterator
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from agent.values.outcome import Answer, Proposal, Rejected
from agent.values.spec import MemberFilter
from bot.terminal.session import session
from semantic_catalog.model import DimensionName
from tests.scenario.approval import Desk
from tests.scenario.conftest import MakeSettings

QUESTIONS = {
    "en": "Top 10 merchants by processed amount last month",
    "es": "Los 10 comercios con mayor monto procesado el mes pasado",
    "ru": "Топ-10 мерчантов по обороту за прошлый месяц",
}


@pytest.fixture
def screen() -> StringIO:
    return StringIO()


@pytest.fixture
async def desk(settings_of: MakeSettings, screen: StringIO) -> AsyncIterator[Desk]:
    async with session(settings_of(), Console(file=screen, width=200)) as opened:
        yield Desk(session=opened)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "limit 20"), ("es", "límite 20"), ("ru", "лимит 20"), ("ru", "покажи топ 20")]
)
async def test_a_limit_is_changed_in_words(desk: Desk, language: str, words: str) -> None:
    first = await desk.propose(QUESTIONS[language])
    second = await desk.change(first, words)
    assert second.revision == 2
    assert second.locale == language
    assert second.spec is not None
    assert second.spec.limit == 20
    assert len(second.changes) == 1
    assert "10 → 20" in second.changes[0]
    assert second.fingerprint != first.fingerprint
    assert second.previous_sql == first.query.sql


@pytest.mark.parametrize(("language", "words"), [("en", "only Visa"), ("es", "solo Visa"), ("ru", "только Visa")])
async def test_a_filter_is_added_in_words(desk: Desk, language: str, words: str) -> None:
    second = await desk.change(await desk.propose(QUESTIONS[language]), words)
    assert second.spec is not None
    assert second.spec.filters == (MemberFilter(dimension=DimensionName("brand"), values=("Visa",)),)
    assert "Visa" in second.query.sql
    assert "Visa" in second.changes[0]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "last 7 days"), ("es", "últimos 7 días"), ("ru", "последние 7 дней")]
)
async def test_a_period_is_changed_in_words(desk: Desk, language: str, words: str) -> None:
    second = await desk.change(await desk.propose(QUESTIONS[language]), words)
    assert second.spec is not None
    assert second.spec.period is not None
    assert second.spec.period.words == "last_7_days"
    assert len(second.changes) == 1


@pytest.mark.parametrize(
    ("language", "words"), [("en", "by region instead"), ("es", "por región en vez de comercio"), ("ru", "по регионам")]
)
async def test_a_split_is_changed_in_words(desk: Desk, language: str, words: str) -> None:
    second = await desk.change(await desk.propose(QUESTIONS[language]), words)
    assert second.spec is not None
    assert "region" in second.spec.dimensions


async def test_the_changed_question_is_what_runs(desk: Desk) -> None:
    second = await desk.change(await desk.propose(QUESTIONS["en"]), "limit 3")
    answer = await desk.press("approve", second)
    assert isinstance(answer, Answer)
    assert answer.result.row_count == 3
    assert answer.query.fingerprint == second.fingerprint


async def test_the_card_before_a_change_is_replaced_and_cannot_be_approved(desk: Desk, screen: StringIO) -> None:
    first = await desk.propose(QUESTIONS["en"])
    second = await desk.change(first, "limit 20")
    assert "Replaced by a newer version" in screen.getvalue()
    assert await desk.press("approve", first) is None
    assert isinstance(await desk.press("approve", second), Answer)
    assert desk.events().count("superseded") == 1


async def test_words_that_mean_nothing_change_nothing_and_say_so(desk: Desk) -> None:
    first = await desk.propose(QUESTIONS["en"])
    second = await desk.change(first, "make it flumoxier")
    assert second.revision == 2
    assert second.fingerprint == first.fingerprint
    assert "flumoxier" in second.changes[0]
    assert second.previous_sql == ""
    assert await desk.press("approve", first) is None
    assert isinstance(await desk.press("approve", second), Answer)


async def test_a_change_that_no_source_can_answer_leaves_the_question_as_it_was(desk: Desk) -> None:
    first = await desk.propose("chargebacks by brand last month")
    second = await desk.change(first, "by merchant")
    assert second.fingerprint == first.fingerprint
    assert second.spec == first.spec
    assert len(second.changes) == 1


async def test_undo_goes_back_one_version_at_a_time(desk: Desk) -> None:
    first = await desk.propose(QUESTIONS["en"])
    second = await desk.change(first, "limit 20")
    third = await desk.change(second, "only Visa")
    back = await desk.change(third, "undo")
    assert (back.revision, back.fingerprint) == (4, second.fingerprint)
    further = await desk.change(back, "deshaz")
    assert (further.revision, further.fingerprint) == (5, first.fingerprint)
    nothing = await desk.change(further, "отмени")
    assert (nothing.revision, nothing.fingerprint) == (6, first.fingerprint)
    assert "no earlier version" in nothing.changes[0]


async def test_sql_is_edited_by_hand_and_runs_with_its_own_columns(desk: Desk, screen: StringIO) -> None:
    first = await desk.propose("processed amount by channel last month")
    edited = await desk.change(
        first,
        "SELECT channel, SUM(processed_amount) AS billed, COUNT(*) AS lines FROM semantic.v_daily_payment_metrics "
        "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY channel",
    )
    assert edited.query.origin == "edited"
    assert edited.spec is None
    assert "edited_by_hand" in edited.risk.reasons
    assert edited.changes == ("SQL edited by hand by Ana.",)
    assert edited.previous_sql == first.query.sql
    assert "Difference to the version before" in screen.getvalue()
    assert "+" in screen.getvalue()


async def test_a_second_person_signs_edited_sql_and_its_rows_are_answered(
    settings_of: MakeSettings, two_analysts: Path
) -> None:
    async with session(settings_of(policy_file=two_analysts), Console(quiet=True)) as opened:
        desk = Desk(session=opened)
        edited = await desk.change(
            await desk.propose("processed amount by channel last month"),
            "with d as (select channel, processed_amount from semantic.v_daily_payment_metrics "
            "where payment_date between '2026-10-01' and '2026-10-31') "
            "select channel, sum(processed_amount) as billed from d group by channel",
        )
        assert edited.risk.tier == "owner"
        assert edited.approvers == ("Carla",)
        assert await desk.press("approve", edited) is None
        answer = await desk.press("approve", edited, role="carla")
    assert isinstance(answer, Answer)
    assert answer.approved_by == "Carla"
    assert [column.name for column in answer.result.columns] == ["channel", "billed"]
    assert answer.result.row_count == 4
    assert all(isinstance(row[1], Decimal) for row in answer.sample.rows)


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ("SELECT * FROM operational.merchants", "source_not_allowed"),
        ("SELECT pg_sleep(9), channel FROM semantic.v_daily_payment_metrics", "function_not_allowed"),
        ("WITH gone AS (DELETE FROM semantic.v_daily_payment_metrics RETURNING 1) SELECT * FROM gone", "read_only"),
        ("SELECT channel FROM semantic.v_daily_payment_metrics", "time_filter"),
        ("SELECT FROM WHERE", "unparsable"),
    ],
)
async def test_edited_sql_passes_the_same_guard_and_what_it_refuses_changes_nothing(
    desk: Desk, sql: str, rule: str
) -> None:
    first = await desk.propose("processed amount by channel last month")
    again = await desk.change(first, sql)
    assert again.fingerprint == first.fingerprint
    assert again.turned_down == rule
    assert again.changes[0].startswith("Nothing changed: ")
    assert [facts for event, _, facts in desk.audit() if event == "refused"] == [f'{{"revision":2,"rule":"{rule}"}}']
    assert isinstance(await desk.press("approve", again), Answer)


async def test_sql_that_the_database_does_not_accept_changes_nothing(desk: Desk) -> None:
    first = await desk.propose("processed amount by channel last month")
    again = await desk.change(
        first,
        "SELECT channel + 1 AS x FROM semantic.v_daily_payment_metrics "
        "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01'",
    )
    assert again.fingerprint == first.fingerprint
    assert again.turned_down == "query_failed"


async def test_edited_sql_is_changed_where_rules_can_make_the_change_in_it_and_is_taken_back_by_undo(
    desk: Desk,
) -> None:
    first = await desk.propose("processed amount by channel last month")
    edited = await desk.change(
        first,
        "SELECT channel, brand FROM semantic.v_daily_payment_metrics "
        "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01'",
    )
    limited = await desk.change(edited, "limit 3")
    assert "LIMIT 3" in limited.query.sql
    assert "→ 3" in limited.changes[0]
    stays = await desk.change(limited, "as a running total")
    assert stays.fingerprint == limited.fingerprint
    back = await desk.change(await desk.change(stays, "undo"), "undo")
    assert back.fingerprint == first.fingerprint
    assert back.spec == first.spec


OVER_MERCHANTS = (
    "SELECT region, SUM(processed_amount) AS billed FROM semantic.v_merchant_performance "
    "WHERE payment_date >= DATE '2026-10-01' AND payment_date < DATE '2026-11-01' GROUP BY region"
)


@pytest.mark.parametrize(
    ("question", "move", "lacking", "anew", "by_hand"),
    [
        ("processed amount by region last month", "use the daily view and only restaurants", "use the monthly view",
         "as a share of the total", "ask a new question"),
        ("monto procesado por región el mes pasado", "usa la vista diaria y solo restaurantes", "usa la vista mensual",
         "como porcentaje del total", "haz una pregunta nueva"),
        ("оборот по регионам за прошлый месяц", "возьми дневную витрину и только рестораны", "возьми месячные данные",
         "покажи доли", "задайте новый вопрос"),
    ],
)  # fmt: skip
async def test_edited_sql_is_read_from_another_source_or_it_is_said_why_not(
    desk: Desk, question: str, move: str, lacking: str, anew: str, by_hand: str
) -> None:
    edited = await desk.change(await desk.propose(question), OVER_MERCHANTS)
    moved = await desk.change(edited, move)
    assert "semantic.v_daily_payment_metrics" in moved.query.sql
    assert "'5812'" in moved.query.sql
    assert len(moved.changes) == 2
    stays = await desk.change(moved, lacking)
    assert stays.fingerprint == moved.fingerprint
    assert "payment_date" in stays.changes[0]
    same = await desk.change(stays, move.split(" and ")[0].split(" y ")[0].split(" и ")[0])
    assert same.fingerprint == moved.fingerprint
    told = await desk.change(same, anew)
    assert told.fingerprint == moved.fingerprint
    assert by_hand in told.changes[0]


@pytest.mark.parametrize(
    ("question", "move", "lacking", "absent"),
    [
        ("processed amount by channel last month", "use the daily view instead of the monthly one",
         "use the merchant performance view", "only Visa and without the fees"),
        ("monto procesado por canal el mes pasado", "usa la vista diaria en vez de la mensual",
         "usa la vista de comercios", "solo Visa y sin las comisiones"),
        ("оборот по каналам за прошлый месяц", "возьми дневные данные вместо месячных",
         "возьми витрину чарджбэков", "только Visa и без комиссий"),
    ],
)  # fmt: skip
async def test_a_question_is_read_from_another_source_and_stays_with_it(
    desk: Desk, question: str, move: str, lacking: str, absent: str
) -> None:
    first = await desk.propose(question)
    assert "v_monthly_payment_metrics" in first.query.sql
    moved = await desk.change(first, move)
    assert "v_daily_payment_metrics" in moved.query.sql
    assert len(moved.changes) == 1
    stays = await desk.change(moved, lacking)
    assert stays.fingerprint == moved.fingerprint
    kept = await desk.change(stays, absent)
    assert "v_daily_payment_metrics" in kept.query.sql
    assert "Visa" in kept.changes[0]
    assert len(kept.changes) == 2


async def test_a_changed_question_may_be_rejected(desk: Desk) -> None:
    second = await desk.change(await desk.propose(QUESTIONS["en"]), "limit 20")
    rejected = await desk.press("reject", second, "still wrong")
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "still wrong"


async def test_only_the_asker_or_who_may_approve_changes_a_question(desk: Desk) -> None:
    first = await desk.propose(QUESTIONS["en"], role="bob")
    assert isinstance(await desk.press("change", first, "limit 20", role="bob"), Proposal)
    other = await desk.propose(QUESTIONS["en"])
    assert await desk.press("change", other, "limit 20", role="bob") is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("top 10 comercios por facturación del mes pasado", "que sean 20"),
        ("declines by response code in Q3", "use monthly"),
        ("volumen procesado mensual por marca, últimos 6 meses", "sin Amex"),
        ("contracargos por marca este año", "solo Visa y Mastercard"),
        ("processed amount by channel last month", "by region too"),
    ],
)
async def test_a_message_that_only_makes_sense_as_a_change_changes_what_waits(
    desk: Desk, question: str, words: str
) -> None:
    first = await desk.propose(question)
    said = await desk.session.say(words, "ana", "t")
    assert said.stop is not None
    second = said.stop.outcome
    assert isinstance(second, Proposal)
    assert (second.run, second.revision) == (first.run, 2)
    assert second.fingerprint != first.fingerprint
    back = await desk.session.say("undo that", "ana", "t")
    assert back.stop is not None
    assert isinstance(back.stop.outcome, Proposal)
    assert (back.stop.outcome.run, back.stop.outcome.fingerprint) == (first.run, first.fingerprint)


async def test_a_message_that_stands_alone_opens_a_question_of_its_own(desk: Desk) -> None:
    first = await desk.propose(QUESTIONS["en"])
    other = await desk.propose("approval rate by channel, last 7 days")
    assert other.run != first.run
    assert other.revision == 1


async def test_somebody_elses_message_changes_nothing_that_waits(desk: Desk) -> None:
    first = await desk.propose(QUESTIONS["en"])
    said = await desk.session.say("limit 20", "bob", "t")
    assert said.stop is not None
    assert said.stop.outcome.run != first.run
    assert isinstance(await desk.press("approve", first), Answer)
