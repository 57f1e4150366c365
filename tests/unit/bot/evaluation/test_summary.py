from typing import Any

from bot.evaluation.items import Act, Item, Kind
from bot.evaluation.judge import Verdict
from bot.evaluation.play import Played
from bot.evaluation.summary import figures_of, summary_of
from tests.unit.bot.evaluation.reports import expected, report


def played(name: str, kind: Kind, status: str, *, match: bool, wrong: bool = False, **fields: Any) -> Played:
    act = Act(text="?", domain=fields.get("domain", "payments"), role="analyst", expected=expected(kind))
    item = Item(id=name, domain=act.domain, language="en", acts=(act,))
    verdict = Verdict(match=match, kind=kind, wrong=wrong)
    fault = fields.get("set_fault", "")
    return Played(item=item, turn=1, act=act, report=report(status=status), verdict=verdict, set_fault=fault)


TURNS = [
    played("a", "rows", "answered", match=True),
    played("b", "rows", "answered", match=False, wrong=True),
    played("c", "rows", "needs_clarification", match=False),
    played("d", "viz", "answered", match=True),
    played("e", "clarify", "needs_clarification", match=True),
    played("f", "refuse", "refused", match=True),
    played("g", "refuse", "answered", match=False, wrong=True, domain="erp_finance"),
    played("h", "rows", "answered", match=False, set_fault="gold does not run"),
]


def test_accuracy_is_of_the_turns_that_can_be_answered() -> None:
    figures = figures_of(TURNS)
    assert (figures.answerable, figures.execution_accuracy) == (4, 0.5)


def test_the_wrong_answer_rate_is_of_all_turns() -> None:
    figures = figures_of(TURNS)
    assert (figures.turns, figures.wrong_answers, figures.wrong_answer_rate) == (7, 2, 0.2857)


def test_asking_and_refusing_have_precision_and_recall() -> None:
    figures = figures_of(TURNS)
    assert (figures.clarify_precision, figures.clarify_recall) == (0.5, 1.0)
    assert (figures.refuse_precision, figures.refuse_recall) == (1.0, 0.5)


def test_a_faulty_set_is_counted_and_blamed_on_nobody() -> None:
    assert figures_of(TURNS).set_faults == 1


def test_nothing_to_be_right_about_has_no_rate() -> None:
    figures = figures_of([TURNS[5]])
    assert (figures.execution_accuracy, figures.clarify_recall) == (None, None)


def test_the_summary_is_split_by_domain_language_and_kind() -> None:
    summary = summary_of(TURNS)
    assert set(summary["by_domain"]) == {"payments", "erp_finance"}
    assert summary["by_kind"]["refuse"]["refuse_recall"] == 0.5
    assert summary["by_language"]["en"] == summary["all"]
