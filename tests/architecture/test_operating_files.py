import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from bot.operating.metrics import Metrics
from tests.architecture.sources import ROOT

DASHBOARD: Path = ROOT / "deploy" / "grafana" / "countersign.json"
RULES: Path = ROOT / "deploy" / "alerts" / "countersign.rules.yaml"
OUTSIDE = {"up": {"job", "instance"}}
"""What Prometheus itself knows."""

EVERYWHERE = {"job", "instance"}
_SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("_total",), "info": ("_info",), "gauge": ("",)}


def known() -> dict[str, set[str]]:
    """Every series of the product with its labels."""
    found: dict[str, set[str]] = {}
    for family in Metrics().registry.collect():
        labels = {name for sample in family.samples for name in sample.labels}
        for suffix in _SUFFIXES.get(family.type, ("",)):
            found[f"{family.name}{suffix}"] = labels
    return found


def declared_labels() -> dict[str, set[str]]:
    """The labels of each family, those without a sample yet too."""
    return {family.name: {*family.labels, "le"} for family in Metrics().families()}


def labels_of(series: str) -> set[str]:
    if series in OUTSIDE:
        return OUTSIDE[series]
    declared = declared_labels()
    base = re.sub(r"_(bucket|sum|count)$", "", series)
    own = declared.get(series) or declared.get(base) or known().get(series, set())
    return own | EVERYWHERE


def selectors(query: str) -> list[promql_parser.VectorSelector]:
    found: list[promql_parser.VectorSelector] = []

    def visit(node: promql_parser.Expr) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            found.append(node)
        elif isinstance(node, promql_parser.MatrixSelector):
            found.append(node.vector_selector)

    promql_parser.walk(promql_parser.parse(query), visit)
    return found


def grouped_by(query: str) -> set[str]:
    found: set[str] = set()

    def visit(node: promql_parser.Expr) -> None:
        if isinstance(node, promql_parser.AggregateExpr) and node.modifier:
            found.update(node.modifier.labels)

    promql_parser.walk(promql_parser.parse(query), visit)
    return found


def shown_queries() -> Iterator[tuple[str, str, str]]:
    """Title, query and legend of everything the dashboard draws."""
    for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"].replace("$__rate_interval", "5m"), target["legendFormat"]


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def queries() -> list[str]:
    return [*(query for _, query, _ in shown_queries()), *(alert["expr"] for alert in alerts())]


def faults_of(query: str) -> list[str]:
    """Series and labels that the product does not have."""
    used = [(held.name or "", {matcher.name for matcher in held.matchers.matchers}) for held in selectors(query)]
    own = {**known(), **OUTSIDE}
    unknown = [name for name, _ in used if name not in own]
    stray = [f"{name}: {sorted(labels - labels_of(name))}" for name, labels in used if labels - labels_of(name)]
    together = set().union(*(labels_of(name) for name, _ in used)) if used else set()
    return [*unknown, *stray, *sorted(grouped_by(query) - together - {"version"})]


@pytest.mark.parametrize("query", sorted(set(queries())))
def test_dashboards_and_alerts_name_only_series_and_labels_that_are_counted(query: str) -> None:
    assert faults_of(query) == []


def test_a_series_or_a_label_that_does_not_exist_would_be_found() -> None:
    assert faults_of("sum(countersign_turns)") == ["countersign_turns"]
    assert faults_of('sum by (person) (countersign_turns_total{who="x"})') == [
        "countersign_turns_total: ['who']",
        "person",
    ]


def test_every_metric_of_ours_is_drawn_on_the_dashboard() -> None:
    drawn = " ".join(query for _, query, _ in shown_queries())
    ours = sorted(declared_labels())
    assert len(ours) > 25
    assert [name for name in ours if name not in drawn] == []


def test_legends_name_labels_of_their_query() -> None:
    stray = [
        (title, label)
        for title, query, legend in shown_queries()
        for label in re.findall(r"\{\{(\w+)\}\}", legend)
        if label not in grouped_by(query) | EVERYWHERE
    ]
    assert stray == []


def test_panels_do_not_lie_on_each_other() -> None:
    places = [panel["gridPos"] for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]]
    assert [pair for pair in combinations(places, 2) if _overlap(*pair)] == []
    assert all(place["x"] + place["w"] <= 24 for place in places)


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
    above = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
    return not (beside or above)


def test_every_alert_says_how_urgent_it_is_what_is_wrong_and_what_to_do() -> None:
    names = [alert["alert"] for alert in alerts()]
    assert len(set(names)) == len(names)
    for alert in alerts():
        assert alert["labels"]["severity"] in ("page", "ticket", "info"), alert["alert"]
        assert alert["for"], alert["alert"]
        assert {"summary", "description"} <= alert["annotations"].keys(), alert["alert"]
