"""Outcomes of each kind in three languages, with fixed ids and a fixed clock."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal

from agent.values.governance import CheckedQuery, CostEstimate, Decision, Risk
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import (
    Answer,
    Clarification,
    Drill,
    Failure,
    NoData,
    Proposal,
    Receipt,
    ReceiptLine,
    Refusal,
    Rejected,
    Reply,
    Suggestion,
)
from agent.values.result import (
    ChartSpec,
    Narrative,
    ResultColumn,
    ResultId,
    ResultRef,
    ResultSample,
    ResultTable,
    Row,
    Verification,
)
from agent.values.spec import Option
from cards.elements import Attachment
from semantic_catalog.model import CatalogVersion, DimensionName, DomainName, Locale

RUN = RunId("7F3K")
NOW = datetime(2026, 11, 30, 15, 2, tzinfo=UTC)
FINGERPRINT = "5f1d" * 16
SQL = """SELECT
  channel,
  SUM(approved_count)::numeric / NULLIF(SUM(transactions_count), 0) AS approval_rate
FROM semantic.v_daily_payment_metrics
WHERE
  payment_date >= DATE '2026-10-25' AND payment_date < DATE '2026-11-01'
GROUP BY
  channel
ORDER BY
  approval_rate DESC
LIMIT 501"""
QUERY = CheckedQuery(
    domain=DomainName("payments"),
    dialect="postgres",
    sql=SQL,
    sources=("semantic.v_daily_payment_metrics",),
    row_rules=(),
    row_limit=501,
    principal=PrincipalId("ana"),
    catalog_version=CatalogVersion("c1"),
    fingerprint=FINGERPRINT,
    origin="compiled",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of the samples in one language, the names and the SQL in them."""

    locale: Locale
    title: str
    measure: str
    period: str
    channel: str
    rate: str
    source: str
    access: str
    assumption: str
    unused: str
    change: str
    lead: str
    rest: str
    highlight: str
    doubt: str
    until: str
    follow_ups: tuple[tuple[str, str], ...]
    which: str
    why: str
    options: tuple[tuple[str, str, str], ...]
    reason: str
    refusal: str
    next_step: str
    no_data: str
    failure: str
    reply: str
    asker: str = "Ana"
    approver: str = "Luis"
    sql: str = SQL
    cell: str = "pos"
    alt: str = "Bars: POS 91.4 %, Mobile 88.2 %, Ecommerce 81.2 %"


WORDS: dict[Locale, Words] = {
    "en": Words(
        locale="en",
        title="Approval rate by channel, last 7 days",
        measure="approved ÷ all transactions",
        period="last 7 days (25–31 Oct 2026, Lima time)",
        channel="Channel",
        rate="Approval rate",
        source="Daily payment metrics",
        access="Lima only",
        assumption="I took approval rate as “rate”.",
        unused="premium",
        change="limit 10 → 20",
        lead="Approval rate was 86.9 %",
        rest="over 25–31 Oct 2026. Ecommerce was lowest (81.2 %), POS highest (91.4 %).",
        highlight="−4.1 points against 18–24 Oct 2026.",
        doubt="No data for 28 Oct.",
        until="31 Oct 2026",
        follow_ups=(
            ("By brand", "Approval rate by brand, last 7 days"),
            ("Day by day", "Approval rate by day, last 30 days"),
            ("Declines by reason", "Declined transactions by response reason, last 7 days"),
        ),
        which="Which margin?",
        why="Two are defined.",
        options=(
            ("Gross margin", "gross_margin", "revenue minus cost of sales"),
            ("EBITDA margin", "ebitda_margin", "EBITDA ÷ revenue"),
        ),
        reason="wrong period",
        refusal="You can't see Trucking (CB200). Your access covers Bakery and Dairy.",
        next_step="Ask the owner of Finance for access.",
        no_data="No rows: no purchase of Lead from MetalTrade in May 2026. Its first month is Jun 2026.",
        failure="The database did not answer in 20 s; nothing was changed and your question is kept. "
        "Try a shorter period, or press Retry.",
        reply="I answer questions about card payments.\n\nEvery query waits for your approval.",
    ),
    "es": Words(
        locale="es",
        title="Tasa de aprobación por canal, últimos 7 días",
        measure="aprobadas ÷ todas las transacciones",
        period="últimos 7 días (25–31 oct 2026, hora de Lima)",
        channel="Canal",
        rate="Tasa de aprobación",
        source="Métricas diarias de pagos",
        access="Solo Lima",
        assumption="Tomé «tasa» como tasa de aprobación.",
        unused="premium",
        change="límite 10 → 20",
        lead="La tasa de aprobación fue 86,9 %",
        rest="del 25 al 31 de octubre de 2026. Ecommerce fue la más baja (81,2 %) y POS la más alta (91,4 %).",
        highlight="−4,1 puntos frente al 18–24 oct 2026.",
        doubt="No hay datos del 28 oct.",
        until="31 oct 2026",
        follow_ups=(
            ("Por marca", "Tasa de aprobación por marca, últimos 7 días"),
            ("Día por día", "Tasa de aprobación por día, últimos 30 días"),
            ("Rechazos por motivo", "Transacciones rechazadas por motivo, últimos 7 días"),
        ),
        which="¿Qué margen?",
        why="Hay dos definidos.",
        options=(
            ("Margen bruto", "gross_margin", "ingresos menos costo de ventas"),
            ("Margen EBITDA", "ebitda_margin", "EBITDA ÷ ingresos"),
        ),
        reason="período equivocado",
        refusal="No puedes ver Trucking (CB200). Tu acceso cubre Bakery y Dairy.",
        next_step="Pide acceso al responsable de Finanzas.",
        no_data="Sin filas: no hay compras de plomo a MetalTrade en mayo de 2026. Su primer mes es jun 2026.",
        failure="La base de datos no respondió en 20 s; no se cambió nada y tu pregunta queda guardada. "
        "Prueba con un período más corto o pulsa Reintentar.",
        reply="Respondo preguntas sobre pagos con tarjeta.\n\nCada consulta espera tu aprobación.",
    ),
    "ru": Words(
        locale="ru",
        title="Доля одобренных по каналам, последние 7 дней",
        measure="одобренные ÷ все транзакции",
        period="последние 7 дней (25–31 окт. 2026, время Лимы)",
        channel="Канал",
        rate="Доля одобренных",
        source="Ежедневные показатели платежей",
        access="Только Лима",
        assumption="«Доля» понята как доля одобренных.",
        unused="премиум",
        change="лимит 10 → 20",
        lead="Доля одобренных — 86,9 %",
        rest="за 25–31 октября 2026. Ниже всего ecommerce (81,2 %), выше всего POS (91,4 %).",
        highlight="−4,1 п. п. к 18–24 октября 2026.",
        doubt="Нет данных за 28 окт.",
        until="31 окт. 2026",
        follow_ups=(
            ("По брендам", "Доля одобренных по брендам, последние 7 дней"),
            ("По дням", "Доля одобренных по дням, последние 30 дней"),
            ("Отказы по причинам", "Отклонённые транзакции по причинам, последние 7 дней"),
        ),
        which="Какая маржа?",
        why="Определены две.",
        options=(
            ("Валовая маржа", "gross_margin", "выручка минус себестоимость"),
            ("Маржа EBITDA", "ebitda_margin", "EBITDA ÷ выручка"),
        ),
        reason="не тот период",
        refusal="Trucking (CB200) вам недоступен. Ваш доступ — Bakery и Dairy.",
        next_step="Попросите доступ у владельца «Финансов».",
        no_data="Строк нет: закупок свинца у MetalTrade в мае 2026 не было. Первый месяц — июнь 2026.",
        failure="База данных не ответила за 20 с; ничего не изменено, вопрос сохранён. "
        "Возьмите период короче или нажмите «Повторить».",
        reply="Отвечаю на вопросы о платежах по картам.\n\nКаждый запрос ждёт вашего решения.",
    ),
}


def receipt(words: Words) -> Receipt:
    """The receipt of the sample question."""
    return Receipt(
        title=words.title,
        lines=(
            ReceiptLine(key="measure", value=words.measure),
            ReceiptLine(key="period", value=words.period),
            ReceiptLine(key="split_by", value=words.channel),
            ReceiptLine(key="reads", value=words.source),
            ReceiptLine(key="your_access", value=words.access),
        ),
    )


def proposal(words: Words) -> Proposal:
    """A routine proposal, second revision."""
    return Proposal(
        run=RUN,
        revision=2,
        locale=words.locale,
        spec=None,
        receipt=receipt(words),
        query=replace(QUERY, sql=words.sql),
        estimate=CostEstimate(plan_cost=312.4, root_rows=4, max_node_rows=1240, relation_bytes=8192, seconds=0.2),
        risk=Risk(level="routine", tier="asker"),
        asked_by=PrincipalId("ana"),
        asked_by_name=words.asker,
        approvers=(words.asker, words.approver),
        expires_at=datetime(2026, 12, 1, 15, 0, tzinfo=UTC),
        max_plan_cost=150_000,
        timezone="America/Lima",
        changes=(words.change,),
        assumptions=(words.assumption,),
        unused_words=(words.unused,),
    )


def decision(words: Words, kind: str = "approve") -> Decision:
    """What Luis decided at 10:02 in Lima."""
    kinds = {item: item for item in ("approve", "change", "reject", "cancel", "expire")}
    return Decision(
        kind=kinds[kind],  # type: ignore[arg-type]  # checked by the table above
        by=PrincipalId("luis"),
        at=NOW,
        fingerprint=FINGERPRINT,
        by_name=words.approver,
        text=words.reason if kind == "reject" else "",
    )


def table(words: Words, rows: int = 4) -> ResultTable:
    """Channels with their rate; more than four rows repeat them."""
    columns = (
        ResultColumn(name="channel", label=words.channel, role="dimension", type="text", reference="channel"),
        ResultColumn(
            name="approval_rate",
            label=words.rate,
            role="metric",
            type="decimal",
            format="percent",
            reference="approval_rate",
        ),
    )
    channels: tuple[Row, ...] = (
        (words.cell, Decimal("0.914")),
        ("mobile", Decimal("0.882")),
        ("atm", None),
        ("ecommerce", Decimal("0.812")),
    )
    return ResultTable(columns=columns, rows=tuple(channels[index % 4] for index in range(rows)))


def attachments(words: Words) -> tuple[Attachment, ...]:
    """A chart and a workbook."""
    return (
        Attachment(
            key="chart",
            name="chart-7F3K.png",
            media_type="image/png",
            title="Approval rate by channel",
            content=b"\x89PNG",
            alt=words.alt,
        ),
        Attachment(
            key="workbook",
            name="answer-7F3K.xlsx",
            media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            title="Approval rate by channel",
            content=b"PK",
        ),
    )


def answer(words: Words, row_count: int = 212) -> Answer:
    """An answer with a doubt, whose table is longer than the card."""
    rows = table(words)
    return Answer(
        run=RUN,
        locale=words.locale,
        spec=None,
        receipt=receipt(words),
        query=replace(QUERY, sql=words.sql),
        approved_by="luis",
        result=ResultRef(
            id=ResultId("r1"), run=RUN, columns=rows.columns, row_count=row_count, truncated=False, expires_at=NOW
        ),
        sample=ResultSample(columns=rows.columns, rows=tuple(rows.rows)),
        narrative=Narrative(lead=words.lead, rest=words.rest, highlights=(words.highlight,)),
        kpis=(),
        verification=Verification(status="success"),
        chart=ChartSpec(kind="bar", category="channel", values=("approval_rate",)),
        suggestions=tuple(Suggestion(label=label, question=question) for label, question in words.follow_ups),
        source_label=words.source,
        data_until=words.until,
        seconds=0.42,
        timezone="America/Lima",
        assumptions=(words.assumption,),
        unused_words=(words.unused,),
        warnings=(words.doubt,),
        charts=("horizontal_bar", "pie", "table"),
        drills=(
            Drill(
                label=words.options[0][0], dimension=DimensionName("channel"), value="POS", by=DimensionName("region")
            ),
        ),
    )


def clarification(words: Words) -> Clarification:
    """Which of two margins."""
    return Clarification(
        run=RUN,
        locale=words.locale,
        slot="metric",
        question=words.which,
        reason=words.why,
        options=tuple(Option(label=label, value=value, description=text) for label, value, text in words.options),
    )


def refusal(words: Words) -> Refusal:
    """A forbidden member."""
    suggestions = tuple(Suggestion(label=label, question=question) for label, question in words.follow_ups[:1])
    return Refusal(
        run=RUN,
        locale=words.locale,
        rule="rows_not_permitted",
        message=words.refusal,
        next_step=words.next_step,
        suggestions=suggestions,
    )


def no_data(words: Words) -> NoData:
    """Nothing found."""
    return NoData(
        run=RUN,
        locale=words.locale,
        spec=None,
        receipt=receipt(words),
        query=replace(QUERY, sql=words.sql),
        message=words.no_data,
        approved_by="luis",
    )


def failure(words: Words) -> Failure:
    """A time-out that may be retried."""
    return Failure(
        run=RUN, locale=words.locale, code="query_timeout", message=words.failure, reference="7F3K", may_retry=True
    )


def reply(words: Words) -> Reply:
    """What can be asked."""
    suggestions = tuple(Suggestion(label=label, question=question) for label, question in words.follow_ups)
    return Reply(run=RUN, locale=words.locale, text=words.reply, suggestions=suggestions)


def rejected(words: Words, kind: str = "reject") -> Rejected:
    """Luis said no."""
    return Rejected(run=RUN, locale=words.locale, kind=kind, by_name=words.approver, at=NOW, reason=words.reason)
