import pytest

from agent.analysis.check_numbers import unsupported_numbers
from agent.analysis.kpis import compute_kpis
from agent.analysis.summarise import MOST_LINES, summarise
from agent.values.result import ResultTable, Verification
from agent.wording.texts import say
from semantic_catalog.model import LOCALES, Locale
from tests.unit.agent.analysis.cases import Case, cases
from tests.unit.agent.analysis.results import payments

NAMES = tuple(case.name for case in cases("en"))
SOUND = Verification(status="success")


def summed_up(case: Case, locale: Locale) -> tuple[str, ...]:
    kpis = compute_kpis(case.table, case.spec, payments(), locale)
    return summarise(case.table, case.spec, kpis, SOUND, payments(), locale, len(case.table.rows))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_whole_said_once_and_few_enough(name: str, locale: Locale) -> None:
    case = next(case for case in cases(locale) if case.name == name)
    lines = summed_up(case, locale)
    assert len(set(lines)) == len(lines) <= MOST_LINES
    assert all(line.endswith((".", ":")) and "None" not in line for line in lines), lines


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_borne_out_by_the_rows(name: str, locale: Locale) -> None:
    case = next(case for case in cases(locale) if case.name == name)
    kpis = compute_kpis(case.table, case.spec, payments(), locale)
    words = tuple(say(locale, f"kpi.{kind}") for kind in ("total", "overall", "average", "maximum", "minimum"))
    figures = " ".join(line for line in summed_up(case, locale) if line.startswith(words))
    assert unsupported_numbers(figures, case.table, kpis, case.spec, locale, len(case.table.rows)) == ()


def test_a_comparison_says_by_how_much_the_whole_changed() -> None:
    compared = [case for case in cases("en") if case.spec.comparison is not None]
    said = [line for case in compared for line in summed_up(case, "en") if "period compared with" in line]
    assert said


def test_nothing_is_summed_up_of_no_rows() -> None:
    case = next(case for case in cases("en"))
    empty = ResultTable(columns=case.table.columns, rows=())
    assert summarise(empty, case.spec, (), SOUND, payments(), "en", 0) == ()
