"""One turn against what was expected of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.evaluation.items import DATA_KINDS, Expected, Kind
from bot.evaluation.meaning import Ground, is_about, missing_options
from bot.evaluation.rows import Table, is_equal, table_of

TURNED_DOWN = "turned_down"
Report = Mapping[str, Any]
_CHART_FAMILIES = {"bar": {"bar", "horizontal_bar"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a verdict rests on: the rows of each gold, those of the SQL proposed, the thread's last answer."""

    golds: tuple[Table, ...]
    ground: Ground
    language: str
    proposed: Table | None = None
    previous: Report | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether the turn is right, why not, and whether it was a wrong answer: figures shown that a reader would trust.

    `kind` is the kind it was right or wrong as.
    """

    match: bool
    kind: Kind
    why: str = ""
    wrong: bool = False


def judge(expected: Expected, report: Report, evidence: Evidence) -> Verdict:
    """The verdict: right when the turn is right as any of its kinds."""
    whys = [(kind, _fault(kind, expected, report, evidence)) for kind in expected.kinds]
    for kind, why in whys:
        if not why:
            return Verdict(match=True, kind=kind)
    return Verdict(match=False, kind=expected.kind, why=whys[0][1], wrong=_is_wrong(expected.kind, report))


def _is_wrong(kind: Kind, report: Report) -> bool:
    """Whether figures were shown without a doubt where they are not gold's, or where none should be."""
    if kind == "proposal" or not _has_rows(report):
        return False
    return kind in ("clarify", "refuse", "refuse_or_disclose") or (kind in DATA_KINDS and not report["warnings"])


def _has_rows(report: Report) -> bool:
    return report["status"] in ("answered", "no_data") and report["rows"] is not None


def _fault(kind: Kind, expected: Expected, report: Report, evidence: Evidence) -> str:
    """Why the turn is not right as this kind; empty when it is."""
    match kind:
        case "rows":
            return _rows_fault(expected, report, evidence)
        case "proposal":
            return _proposal_fault(expected, report, evidence)
        case "viz":
            return _viz_fault(expected, report, evidence)
        case "forecast":
            return _forecast_fault(expected, report, evidence)
        case "clarify":
            return _clarify_fault(expected, report, evidence)
        case "refuse":
            return _refuse_fault(report, evidence)
        case "refuse_or_disclose":
            return _disclosure_fault(expected, report, evidence)
        case "no_sql":
            return _talk_fault(expected, report)
        case "rejected":
            return "" if report["status"] == "rejected" and report["narrative"] else f"status {report['status']}"


def _rows_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    answer = _answered(report)
    return f"status {report['status']}" if answer is None else _gold_fault(answer, expected, evidence)


def _answered(report: Report) -> Table | None:
    return table_of(report["columns"] or (), report["rows"]) if _has_rows(report) else None


def _gold_fault(answer: Table, expected: Expected, evidence: Evidence) -> str:
    if not evidence.golds:
        return "the set has no gold that runs"
    right = any(
        is_equal(gold, answer, keys=expected.keys, ordered=expected.ordered, leading=expected.leading)
        for gold in evidence.golds
    )
    sizes = "/".join(str(len(gold.rows)) for gold in evidence.golds)
    return "" if right else f"rows differ from gold ({len(answer.rows)} against {sizes})"


def _proposal_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    if report["status"] != "awaiting_approval":
        return f"status {report['status']}"
    if expected.kind == "forecast":
        # A longer history than gold's is as right; its rows are not the answer yet.
        return "" if report["turn_type"] == "forecast" else f"turn type {report['turn_type']}"
    if evidence.proposed is None:
        return "the proposed SQL does not run"
    return _gold_fault(evidence.proposed, expected, evidence) if expected.golds else ""


def _viz_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    drawn = (report["spec"] or {}).get("chart")
    wanted = set().union(*(_CHART_FAMILIES.get(chart, {chart}) for chart in expected.charts))
    if wanted and drawn not in wanted:
        return f"chart {drawn}, not {' or '.join(sorted(wanted))}"
    if expected.golds:
        return _rows_fault(expected, report, evidence)
    before = evidence.previous or {}
    if _answered(report) is None:
        return f"status {report['status']}"
    return "" if report["rows"] == before.get("rows") and report["sql"] == before.get("sql") else "other rows or SQL"


def _forecast_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    if report["turn_type"] != "forecast":
        return f"turn type {report['turn_type']}"
    answer = _answered(report)
    if answer is None:
        return f"status {report['status']}"
    for gold in evidence.golds:
        history = Table(columns=answer.columns, rows=answer.rows[: len(gold.rows)])
        ahead = len(answer.rows) - len(gold.rows)
        same = is_equal(gold, history, keys=expected.keys, ordered=expected.ordered)
        if same and ahead >= max(1, expected.horizon):
            return ""
    return "no history of gold with the steps ahead"


def _clarify_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    asked = report["clarification"]
    if report["status"] != "needs_clarification" or not asked:
        return f"status {report['status']}"
    if expected.slots and not is_about(asked["slot"], asked["options"], expected.slots):
        return f"asked about {asked['slot']}, not {' or '.join(expected.slots)}"
    if expected.slots and asked["slot"] != expected.slots[0] and asked["slot"] in expected.slots:
        return ""
    missing = missing_options(expected.options, asked["options"], evidence.ground)
    return f"not offered: {', '.join(missing)}" if missing else ""


def _refuse_fault(report: Report, evidence: Evidence) -> str:
    if report["status"] != "refused":
        return f"status {report['status']}"
    told = bool(report["refusal"] and report["refusal"]["message"])
    return "" if told and report["language"] == evidence.language else "not said why in the asker's language"


def _disclosure_fault(expected: Expected, report: Report, evidence: Evidence) -> str:
    if report["status"] == "refused":
        return _refuse_fault(report, evidence)
    said = report["warnings"] or report["assumptions"] or _receipt_keys(report) & {"access"}
    return _rows_fault(expected, report, evidence) or ("" if said else "the restriction is not said")


def _receipt_keys(report: Report) -> set[str]:
    return {line["key"] for line in (report["receipt"] or {}).get("lines", ())}


def _talk_fault(expected: Expected, report: Report) -> str:
    if report["status"] not in ("answered", "refused", TURNED_DOWN) or report["rows"] is not None:
        return f"status {report['status']}{' with rows' if report['rows'] is not None else ''}"
    missing = _unmentioned(expected.must_mention, _texts(report))
    return f"does not mention {', '.join(missing)}" if missing else ""


def _unmentioned(words: Sequence[str], texts: Sequence[str]) -> list[str]:
    told = "\n".join(texts).casefold()
    return [word for word in words if word.casefold() not in told]


def _texts(report: Report) -> list[str]:
    refusal = report["refusal"] or {}
    return [text for text in (report["narrative"], refusal.get("message")) if text]
