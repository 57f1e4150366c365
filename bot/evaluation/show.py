"""A played set as a JSON document and as tables."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.codec import encode
from bot.evaluation.play import Played
from bot.evaluation.summary import summary_of

_RATES = (
    ("execution_accuracy", "accuracy"),
    ("wrong_answer_rate", "wrong"),
    ("clarify_precision", "ask prec."),
    ("clarify_recall", "ask recall"),
    ("refuse_precision", "refuse prec."),
    ("refuse_recall", "refuse recall"),
)


def document_of(played: Sequence[Played]) -> dict[str, Any]:
    """Every turn with what was expected and how it was judged, and the summary."""
    return {"summary": summary_of(played), "turns": [_turn(each) for each in played]}


def _turn(played: Played) -> dict[str, Any]:
    return {
        "id": played.item.id,
        "turn": played.turn,
        "said": played.act.text,
        "press": played.act.press,
        "as": played.act.role,
        **played.report,
        "expected": encode(played.act.expected),
        "match": played.verdict.match,
        "wrong": played.verdict.wrong,
        "why": played.set_fault or played.verdict.why,
    }


def show(played: Sequence[Played], console: Console) -> None:
    """Print what failed, then the figures."""
    failed = [each for each in played if not each.verdict.match]
    for each in failed:
        console.print(_failure(each))
    console.print(_figures(summary_of(played)))


def _failure(played: Played) -> Text:
    mark = "set" if played.set_fault else "WRONG" if played.verdict.wrong else "miss"
    said = played.act.text if played.act.press is None else f"[{played.act.press}] {played.act.text}".strip()
    why = played.set_fault or played.verdict.why
    return Text(f"{mark:5} {played.item.id}.{played.turn} {played.act.expected.kind}: {said} — {why}")


def _figures(summary: dict[str, Any]) -> Table:
    table = Table("", "turns", "right", *(title for _, title in _RATES), "ms")
    table.add_row(*_row("all", summary["all"]), end_section=True)
    for group in ("by_domain", "by_language", "by_kind"):
        rows = list(summary[group].items())
        for at, (name, figures) in enumerate(rows, start=1):
            table.add_row(*_row(name, figures), end_section=at == len(rows))
    return table


def _row(name: str, figures: dict[str, Any]) -> list[str]:
    rates = ["" if figures[key] is None else f"{figures[key] * 100:.1f} %" for key, _ in _RATES]
    spent = "" if figures["median_ms"] is None else f"{figures['median_ms']:.0f}"
    return [name, str(figures["turns"]), str(figures["matches"]), *rates, spent]
