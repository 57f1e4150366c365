"""Figures of a run in the documentation: the table of the last one, and a history of ratios."""

import re
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.bench.processes import ROOT

Report = Mapping[str, Any]
OPERATIONS = ROOT / "docs" / "operations.md"
HISTORY = ROOT / "docs" / "bench-history.md"
_NEWEST = "<!-- newest first -->\n"


def put(name: str, text: str, page: Path = OPERATIONS) -> None:
    """Write the text between the page's marks of that name."""
    section = re.compile(rf"<!-- measured: {name} -->\n.*?<!-- end -->", re.DOTALL)
    made = f"<!-- measured: {name} -->\n\n{text}\n\n<!-- end -->"
    page.write_text(section.sub(lambda _: made, page.read_text(encoding="utf-8")), encoding="utf-8")


def document(report: Report, page: Path = OPERATIONS) -> None:
    """Put the run's table between the page's marks."""
    put("figures", figures(report), page)


def record(report: Report, page: Path = HISTORY) -> None:
    """Add the run's ratios to the page, before those of earlier runs."""
    before, mark, after = page.read_text(encoding="utf-8").partition(_NEWEST)
    title = f"## {datetime.now(UTC):%d %B %Y}, {version('countersign')}, {_commit()}"
    page.write_text(f"{before}{mark}\n{title}\n\n{ratios(report)}\n{after}", encoding="utf-8")


def figures(report: Report) -> str:
    """Everything that the terminal's table shows."""
    head = "| subject | p50 | p95 | p99 | unit | floor p50 | ratio | what it is, and its floor |"
    lines = [_figure(row) for row in report["rows"]]
    return "\n".join((f"{_machine(report)}:", "", head, "| --- | --: | --: | --: | --- | --: | --: | --- |", *lines))


def ratios(report: Report) -> str:
    """A line a row: its median and how many times its floor's that is."""
    lines = [
        f"| {row['name']} | {short(row['measured']['p50'])} {row['unit']} | {_ratio(row)} |" for row in report["rows"]
    ]
    return "\n".join((f"{_machine(report)}.", "", "| subject | p50 | ratio |", "| --- | --: | --: |", *lines))


def short(value: float) -> str:
    """As many digits as say something."""
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _figure(row: Mapping[str, Any]) -> str:
    own = [short(row["measured"][name]) for name in ("p50", "p95", "p99")]
    floor = short(row["floor_measured"]["p50"]) if row["floor"] else ""
    what = f"{row['subject']}. Floor: {row['floor']}" if row["floor"] else row["subject"]
    cells = (row["name"], *own, row["unit"], floor, _ratio(row), what.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |"


def _ratio(row: Mapping[str, Any]) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2f}"


def _machine(report: Report) -> str:
    machine = report["machine"]
    return f"{machine['cores']} cores, {machine['gigabytes']} GB, Python {machine['python']}, {machine['system']}"


def _commit() -> str:
    """The commit measured, in short; with a plus where the checkout differs from it."""
    named = subprocess.run(("git", "describe", "--always", "--dirty=+"), cwd=ROOT, capture_output=True, text=True)
    return named.stdout.strip() or "no commit"
