"""Sections that stand between `<!-- made: name -->` and `<!-- end -->`, each with what the product says today."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from agent.sql.adhoc import AdhocPolicy
from agent.sql.guard import check_query
from agent.values.governance import Refused, RuleId
from agent.wording.texts import texts
from bot.capabilities import CAPABILITIES, Shown
from bot.operating.metrics import Family, Metrics
from bot.settings import GROUPS
from tests.architecture.sources import ROOT

CASES = ROOT / "tests" / "cases" / "sql_guard"
DAY = date(2025, 3, 1)
_SECTION = re.compile(r"<!-- made: (\w+) -->\n.*?<!-- end -->", re.DOTALL)


def documents() -> list[Path]:
    """Every page that a reader opens."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def remade(text: str) -> str:
    """The page with each of its sections as the product says it now."""
    return _SECTION.sub(_made, text)


def _made(found: re.Match[str]) -> str:
    name = found.group(1)
    return f"<!-- made: {name} -->\n\n{SECTIONS[name]()}\n\n<!-- end -->"


def settings() -> str:
    """One table a group: variable, default, meaning."""
    return "\n\n".join(_group(kind.__doc__ or "", kind.model_fields) for kind in GROUPS)


def _group(title: str, fields: Mapping[str, Any]) -> str:
    lines = [f"**{title.strip()}**", "", "| variable | default | meaning |", "| --- | --- | --- |"]
    for name, field in fields.items():
        default = "" if field.default is None or field.default == "" else f"`{field.default}`"
        lines.append(f"| `{name.upper()}` | {default} | {_cell(field.description or '')} |")
    return "\n".join(lines)


def guard_figures() -> str:
    """What the guard does with its own cases."""
    head = "| cases | number | refused | pass with a row rule or the row limit written in | pass as written |"
    files = {"attacks": "attacks.jsonl", "honest neighbours of attacks": "neighbours.jsonl"}
    rows = [_counted(name, _decisions(file)) for name, file in files.items()]
    return "\n".join((head, "| --- | --: | --: | --: | --: |", *rows))


def _counted(name: str, decisions: Counter[str]) -> str:
    figures = (decisions.total(), decisions["refused"], decisions["rewritten"], decisions["as written"])
    return f"| {name} | {' | '.join(map(str, figures))} |"


def _decisions(file: str) -> Counter[str]:
    policy = AdhocPolicy.model_validate_json((CASES / "policy.json").read_bytes())
    cases = [json.loads(line) for line in (CASES / file).read_text(encoding="utf-8").splitlines() if line]
    answers = [check_query(case["sql"], policy.scope(case["dialect"]), "model", DAY) for case in cases]
    return Counter(
        "refused" if isinstance(answer, Refused)
        else "rewritten" if answer.filtered or answer.limit_added
        else "as written"
        for answer in answers
    )  # fmt: skip


def rules() -> str:
    """Every rule of the guard with the words of its refusal."""
    lines = ["| rule | what the person reads |", "| --- | --- |"]
    return "\n".join((*lines, *(f"| `{rule}` | {_cell(_words(rule))} |" for rule in RuleId)))


def _words(rule: RuleId) -> str:
    text = texts("en")[f"refusal.{rule}"]
    return re.sub(r"\{\w+\}", "…", text if isinstance(text, str) else text["other"])


def channels() -> str:
    """What each channel shows."""
    head = "| | Slack | Microsoft Teams | terminal |\n| --- | --- | --- | --- |"
    rows = (
        f"| {each.what} | {_shown(each.slack)} | {_shown(each.teams)} | {_shown(each.console)} |"
        for each in CAPABILITIES
    )
    return "\n".join((head, *rows))


def _shown(shown: Shown) -> str:
    marks = {"own": "●", "instead": "○", "none": "–"}
    return f"{marks[shown.way]} {_cell(shown.how)}"


def metrics() -> str:
    """Every metric of ours with its labels."""
    lines = ["| metric | labels | says |", "| --- | --- | --- |"]
    return "\n".join((*lines, *sorted(_metric(held) for held in Metrics().families())))


def _metric(family: Family) -> str:
    labels = ", ".join(f"`{label}`" for label in family.labels)
    return f"| `{family.name}` | {labels} | {_cell(family.says)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


SECTIONS: Mapping[str, Callable[[], str]] = {
    "settings": settings,
    "channels": channels,
    "guard": guard_figures,
    "rules": rules,
    "metrics": metrics,
}
