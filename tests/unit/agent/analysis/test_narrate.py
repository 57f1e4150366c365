from dataclasses import replace
from datetime import date

import pytest

from agent.analysis.check_numbers import unsupported_numbers
from agent.analysis.kpis import compute_kpis
from agent.analysis.narrate import narrate
from agent.analysis.verify import verify_result
from agent.values.result import Doubt, Narrative, ResultColumn, Verification
from semantic_catalog.model import LOCALES, Locale
from tests.unit.agent.analysis.cases import Case, cases
from tests.unit.agent.analysis.results import LATEST, TODAY, YEAR, dimension, metric, payments, spec, table, time

NAMES = tuple(case.name for case in cases("en"))
SOUND = Verification(status="success")


def told(name: str, locale: Locale) -> tuple[Case, Narrative]:
    case = next(case for case in cases(locale) if case.name == name)
    return case, narrated(case, locale)


def narrated(case: Case, locale: Locale) -> Narrative:
    rows = len(case.table.rows)
    kpis = compute_kpis(case.table, case.spec, payments(), locale)
    verification = verify_result(case.table, case.spec, payments(), rows, False, TODAY, LATEST, locale)
    return narrate(case.table, case.spec, kpis, verification, payments(), locale, rows)


def headline(name: str, locale: Locale) -> str:
    _, narrative = told(name, locale)
    return f"{narrative.lead}|{narrative.rest}".replace("\u00a0", " ")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_every_story_is_borne_out_by_its_result(name: str, locale: Locale) -> None:
    case, narrative = told(name, locale)
    text = " ".join((narrative.lead, narrative.rest, *narrative.highlights))
    kpis = compute_kpis(case.table, case.spec, payments(), locale)
    assert unsupported_numbers(text, case.table, kpis, case.spec, locale, len(case.table.rows)) == ()


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_story_is_a_whole_sentence_with_at_most_three_highlights(name: str, locale: Locale) -> None:
    _, narrative = told(name, locale)
    assert narrative.lead
    assert (narrative.rest or narrative.lead).endswith(".")
    assert ".." not in " ".join((narrative.lead, narrative.rest, *narrative.highlights))
    assert "None" not in " ".join((narrative.lead, narrative.rest, *narrative.highlights))
    assert len(narrative.highlights) <= 3


@pytest.mark.parametrize(
    ("name", "locale", "words"),
    [
        ("single", "en", "Approval rate was 86.9 %|over 25–31 Oct 2026."),
        ("single", "es", "Tasa de aprobación: 86,9 %|del 25 al 31 de octubre de 2026."),
        ("single", "ru", "Доля одобренных — 86,9 %|за 25–31 октября 2026."),
        ("single_amount", "en", "Processed amount was S/ 788,976.67|over 25–31 Oct 2026."),
        ("single_of_several", "en", "Transactions were 12,345|over 25–31 Oct 2026."
         " Also: Fees S/ 98.8 K; Approval rate 87.0 %."),
        ("single_rose", "en", "Processed amount rose 4.2 % to S/ 12.4 M|over 25–31 Oct 2026,"
         " from S/ 11.9 M over 18–24 Oct 2026."),
        ("single_rose", "es", "Monto procesado: alza de 4,2 %, hasta S/ 12,4 M|del 25 al 31 de octubre de 2026,"
         " desde S/ 11,9 M del 18 al 24 de octubre de 2026."),
        ("single_rose", "ru", "Оборот: рост на 4,2 %, до S/ 12,4 млн|за 25–31 октября 2026;"
         " было S/ 11,9 млн за 18–24 октября 2026."),
        ("single_fell_in_points", "en", "Approval rate fell 4.1 points to 82.8 %|over 25–31 Oct 2026,"
         " from 86.9 % over 18–24 Oct 2026."),
        ("single_stayed", "en", "Transactions stayed at 1,200|over 25–31 Oct 2026, the same as over 18–24 Oct 2026."),
        ("single_from_zero", "en", "Chargebacks were 12|over 25–31 Oct 2026. Before, over 18–24 Oct 2026: 0."),
        ("single_from_nothing", "en", "Chargebacks were 12|over 25–31 Oct 2026."),
        ("rate_by_channel", "en", "Approval rate was highest for POS: 91.4 %|over 25–31 Oct 2026."
         " Lowest: E-commerce (81.2 %)."),
        ("rate_with_its_parts", "en", "Approval rate was 88.9 %|over 25–31 Oct 2026."
         " E-commerce was lowest (81.2 %), POS highest (91.4 %)."),
        ("rate_with_its_parts", "ru", "Доля одобренных — 88,9 %|за 25–31 октября 2026."
         " Ниже всего Интернет (81,2 %), выше всего POS-терминал (91,4 %)."),
        ("amount_by_channel", "en", "Processed amount was S/ 12.4 M|over 25–31 Oct 2026."
         " ATM was lowest (S/ 400.1 K), POS highest (S/ 6.4 M)."),
        ("top_merchants", "en", "Processed amount was highest for Tottus 24: S/ 1.2 M|over 25–31 Oct 2026."
         " Next: Wong (S/ 1.0 M), Metro 7 (S/ 900.3 K)."),
        ("bottom_merchants", "en", "Processed amount was lowest for Grifo Sur: S/ 800.50|over 25–31 Oct 2026."
         " Next: Metro 7 (S/ 900.25), Wong (S/ 1,000.00)."),
        ("shares", "en", "POS: 60.0 % of processed amount|over 25–31 Oct 2026."
         " Next: E-commerce (30.0 %), Mobile (10.0 %)."),
        ("amount_against_before", "en", "Processed amount rose 6.2 % to S/ 637.00|over 25–31 Oct 2026,"
         " from S/ 600.00 over 18–24 Oct 2026. Changes range from −3.0 % (ATM) to +8.0 % (POS)."),
        ("rate_against_before", "en", "Approval rate changed most for ATM: −5.0 points, to 80.0 %|over 25–31 Oct 2026."
         " Changes range from −5.0 points (ATM) to +2.1 points (POS)."),
        ("rate_by_day", "en", "Approval rate rose from 85.0 % to 87.2 %|(25 Oct 2026 to 31 Oct 2026)."
         " Peak: 88.0 % (29 Oct 2026); low: 80.0 % (28 Oct 2026)."),
        ("best_month", "en", "Processed amount was highest for Dec 2025: S/ 1.9 M|from November 2025 to October 2026."),
        ("cut_weeks", "en", "Transactions fell from 700 to 650|(12–18 Oct 2026 to 19–25 Oct 2026)."),
        ("no_value", "en", "Approval rate: no value|over 25–31 Oct 2026."),
        ("no_period", "en", "Approval rate was highest for ATM: 75.0 %.|Lowest: POS (50.0 %)."),
        ("no_rows", "en", "Approval rate: no rows|over 25–31 Oct 2026."),
    ],
)  # fmt: skip
def test_headline_says(name: str, locale: Locale, words: str) -> None:
    assert headline(name, locale) == words


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("outage", "May 2026 stands out: 31.0 %, typical is 87.1 %."),
        ("day_missing", "Days with data: 6 of 7."),
        ("amount_by_month", "Change from Nov 2025 to Oct 2026: +34.4 %."),
        ("amount_by_month", "Total S/ 14.1 M, on average S/ 1.2 M a month."),
        ("rate_with_its_parts", "Transactions in total: 4,000."),
        ("cut_weeks", "Transactions in total: 2,250."),
    ],
)
def test_highlights_hold(name: str, line: str) -> None:
    _, narrative = told(name, "en")
    assert line in [text.replace("\u00a0", " ") for text in narrative.highlights]


def test_members_over_time_tell_the_newest_bucket_and_where_they_come_from() -> None:
    assert headline("rate_by_month_and_channel", "en") == (
        "Approval rate, Oct 2026: ATM highest (89.3 %), E-commerce lowest (83.3 %).|"
        "Since Nov 2025: ATM from 86.0 % to 89.3 %; E-commerce from 80.0 % to 83.3 %."
    )


def test_ends_that_look_alike_are_written_more_precisely_or_called_the_same() -> None:
    months = (date(2026, 9, 1), date(2026, 10, 1))
    for ends, words in (
        ((0.0087, 0.0088), "rose from 0.87 % to 0.88 %"),
        ((0.00871, 0.00872), "stayed at 0.9 %"),
    ):
        rows = table((time("month"), metric("chargeback_rate")), *zip(months, ends, strict=True))
        case = Case(name="close", spec=spec("chargeback_rate", grain="month", period=YEAR), table=rows)
        narrative = narrated(case, "en")
        assert narrative.lead.replace("\u00a0", " ") == f"Chargeback rate {words}"
        assert not any("Change from" in line for line in narrative.highlights)


def lines_of(values: tuple[float, ...], limit: int | None = None) -> tuple[str, ...]:
    rows = table((dimension("merchant"), metric("fees")), *((f"M-{chr(65 + i)}", v) for i, v in enumerate(values)))
    asked = spec("fees", by=("merchant",), limit=limit)
    return narrated(Case(name="spread", spec=asked, table=rows), "en").highlights


def test_outlier_is_far_beyond_the_usual_spread_and_among_enough_rows() -> None:
    usual = (90.0, 95.0, 98.0, 100.0, 102.0, 105.0, 110.0)
    assert lines_of((*usual, 160.0)) == ("M-H stands out: S/\u00a0160.00, typical is S/\u00a0100.00.",)
    assert lines_of((*usual, 120.0)) == ()
    assert lines_of((*usual[1:], 160.0)) == ()
    assert lines_of((100.0,) * 7 + (160.0,)) == ()


def test_ranking_has_no_outlier() -> None:
    assert lines_of((160.0, 110.0, 105.0, 102.0, 100.0, 98.0, 95.0, 90.0), limit=8) == ()


def test_running_total_has_no_change_to_tell() -> None:
    months = (date(2026, 9, 1), date(2026, 10, 1))
    total = replace(metric("fees"), name="fees_running_total", label="Fees, running total")
    rows = table((time("month"), metric("fees"), total), *((m, 5.0, 5.0 * i) for i, m in enumerate(months, start=1)))
    asked = spec("fees", grain="month", period=YEAR, calculation="running_total")
    narrative = narrated(Case(name="running", spec=asked, table=rows), "en")
    assert narrative.lead.startswith("Fees, running total rose")
    assert not any("Change" in line for line in narrative.highlights)


def test_cut_result_is_told_without_its_total() -> None:
    case, _ = told("amount_by_channel", "en")
    kpis = compute_kpis(case.table, case.spec, payments(), "en")
    cut = Verification(status="success", doubts=(Doubt(key="truncated", params=(("rows", "4"),)),))
    narrative = narrate(case.table, case.spec, kpis, cut, payments(), "en", 4)
    assert narrative.lead.startswith("Processed amount was highest for POS")


def test_rows_left_in_the_store_are_told_without_a_total() -> None:
    case, _ = told("amount_by_channel", "en")
    kpis = compute_kpis(case.table, case.spec, payments(), "en")
    assert narrate(case.table, case.spec, kpis, SOUND, payments(), "en", 5).lead.startswith(
        "Processed amount was highest for POS"
    )


def test_free_sql_without_a_spec_is_told_by_its_columns() -> None:
    columns = (ResultColumn(name="n", label="Open cases", role="other", type="integer"),)
    narrative = narrate(table(columns, (12,)), None, (), SOUND, payments(), "en", 1)
    assert "12" in narrative.lead


def test_result_without_numbers_says_how_many_rows_it_has() -> None:
    columns = (ResultColumn(name="n", label="Name", role="other", type="text"),)
    assert narrate(table(columns, ("a",), ("b",)), None, (), SOUND, payments(), "en", 2).lead == "Rows: 2"


def test_labels_of_several_things_take_a_plural_verb_and_others_do_not() -> None:
    for name, verb in (("fees", "were"), ("average_ticket", "was")):
        rows = table((metric(name),), (5.5,))
        asked = spec(name)
        kpis = compute_kpis(rows, asked, payments(), "en")
        assert f" {verb} " in narrate(rows, asked, kpis, SOUND, payments(), "en", 1).lead
