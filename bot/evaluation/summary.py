"""Figures of a played set: accuracy, wrong answers, asking and refusing, by domain, language and kind."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bot.evaluation.items import DATA_KINDS
from bot.evaluation.play import Played

_REFUSALS = ("refuse", "refuse_or_disclose")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Rates run from 0 to 1 and are None where nothing was there to be right or wrong about. All count turns.

    `execution_accuracy` is of the turns that should give rows, `wrong_answer_rate` of all turns. Precision is of the
    turns that asked or refused, recall of those that should have.
    """

    turns: int
    items: int
    items_right: int
    matches: int
    answerable: int
    execution_accuracy: float | None
    wrong_answers: int
    wrong_answer_rate: float | None
    clarify_precision: float | None
    clarify_recall: float | None
    refuse_precision: float | None
    refuse_recall: float | None
    set_faults: int
    median_ms: float | None


def figures_of(played: Sequence[Played]) -> Figures:
    """The figures of these turns; those of a faulty set are only counted."""
    judged = [each for each in played if not each.set_fault or each.verdict.match]
    answerable = [each for each in judged if each.act.expected.kind in DATA_KINDS]
    wrong = sum(each.verdict.wrong for each in judged)
    items = {each.item.id for each in judged}
    failed = {each.item.id for each in judged if not each.verdict.match}
    return Figures(
        turns=len(judged),
        items=len(items),
        items_right=len(items - failed),
        matches=sum(each.verdict.match for each in judged),
        answerable=len(answerable),
        execution_accuracy=_share(answerable, _is_match),
        wrong_answers=wrong,
        wrong_answer_rate=round(wrong / len(judged), 4) if judged else None,
        clarify_precision=_share(_with_status(judged, "needs_clarification"), lambda p: "clarify" in _kinds(p)),
        clarify_recall=_share([p for p in judged if p.act.expected.kind == "clarify"], _is_match),
        refuse_precision=_share(_with_status(judged, "refused"), _is_match),
        refuse_recall=_share([p for p in judged if p.act.expected.kind in _REFUSALS], _is_match),
        set_faults=len(played) - len(judged),
        median_ms=_median(judged),
    )


def summary_of(played: Sequence[Played]) -> dict[str, Any]:
    """The figures of everything, and of each domain, language and kind."""
    groups: dict[str, Callable[[Played], str]] = {
        "by_domain": lambda each: each.act.domain,
        "by_language": lambda each: each.item.language,
        "by_kind": lambda each: each.act.expected.kind,
    }
    split = {name: _grouped(played, key) for name, key in groups.items()}
    return {"all": asdict(figures_of(played)), **split}


def _grouped(played: Iterable[Played], key: Callable[[Played], str]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Played]] = {}
    for each in played:
        groups.setdefault(key(each), []).append(each)
    return {name: asdict(figures_of(group)) for name, group in sorted(groups.items())}


def _share(among: Sequence[Played], test: Callable[[Played], bool]) -> float | None:
    return round(sum(map(test, among)) / len(among), 4) if among else None


def _is_match(played: Played) -> bool:
    return played.verdict.match


def _kinds(played: Played) -> tuple[str, ...]:
    return played.act.expected.kinds


def _with_status(played: Sequence[Played], status: str) -> list[Played]:
    return [each for each in played if each.report["status"] == status]


def _median(played: Sequence[Played]) -> float | None:
    spent = [sum(each.report["timings_ms"].values()) for each in played]
    return round(median(spent), 1) if spent else None
