"""The part of a catalog that a prompt may hold: what the principal may see, most relevant first, within a budget."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agent.linking.documents import Document
from agent.modelling.prompts import tokens_of
from agent.understanding.access import visible_members
from agent.values.identity import Principal
from semantic_catalog.model import Dimension, Domain, Entity, Example, Locale, Measure, Metric, Names

Part = dict[str, Any]
_MOST_MEMBERS = 30
_MOST_EXAMPLES = 6
_MOST_COLUMNS = 60


def meaning_part(domain: Domain, links: Sequence[Document], principal: Principal, locale: Locale, budget: int) -> Part:
    """Metrics, dimensions with members, and examples of a domain: what a spec may name. `budget` is in tokens."""
    order = _order(links)
    metrics = sorted(domain.metrics, key=lambda each: order.get(("metric", each.name), len(order)))
    dimensions = sorted(domain.dimensions, key=lambda each: order.get(("dimension", each.name), len(order)))
    linked = {(each.within, each.name) for each in links if each.kind == "member"}
    parts = (
        *(("metrics", _metric(each, locale)) for each in metrics),
        *(("dimensions", _dimension(each, domain, principal, locale, linked)) for each in dimensions),
        *(("examples", _example(each)) for each in _examples(domain, links, locale)),
    )
    return {"domain": domain.name, "about": domain.names.in_locale(locale), **_within(_interleaved(parts), budget)}


def tables_part(domain: Domain, links: Sequence[Document], principal: Principal, budget: int) -> Part:
    """Tables with columns, joins and metrics' definitions: what SQL may be written over. `budget` is in tokens."""
    order = _order(links)
    visible = [each for each in domain.entities if principal.may_read(domain.name, each.name)]
    near = _near_tables(links)
    tables = sorted(visible, key=lambda each: (near.get(each.name, len(near)), each.cost_rank, each.name))
    metrics = sorted(domain.metrics, key=lambda each: order.get(("metric", each.name), len(order)))
    columns = {(each.within, each.name) for each in links if each.kind == "column"}
    parts = (("tables", _table(each, domain, principal, columns)) for each in tables)
    tables_within = _within(parts, budget * 3 // 4)
    kept = {part["name"] for part in tables_within.get("tables", ())}
    used = tokens_of(json.dumps(tables_within, ensure_ascii=False))
    rest = (
        *(("joins", join) for join in _joins(domain, kept)),
        *(("metrics", part) for each in metrics if (part := _defined(each, domain, kept))),
    )
    return {**tables_within, **_within(rest, budget - used)}


def _order(links: Iterable[Document]) -> dict[tuple[str, str], int]:
    """The rank of each linked thing; a member speaks for its dimension too."""
    order: dict[tuple[str, str], int] = {}
    for each in links:
        order.setdefault((each.kind, each.name), len(order))
        if each.kind == "member":
            order.setdefault(("dimension", each.within), len(order))
    return order


def _near_tables(links: Iterable[Document]) -> dict[str, int]:
    names = (each.within if each.kind == "column" else each.name for each in links if each.kind in ("table", "column"))
    return {name: rank for rank, name in enumerate(dict.fromkeys(names))}


def _interleaved(parts: Iterable[tuple[str, Part]]) -> Iterator[tuple[str, Part]]:
    """One of each section in turn, so that a small budget leaves none out."""
    sections: dict[str, list[Part]] = {}
    for section, part in parts:
        sections.setdefault(section, []).append(part)
    for place in range(max(map(len, sections.values()), default=0)):
        for section, found in sections.items():
            if place < len(found):
                yield section, found[place]


def _within(parts: Iterable[tuple[str, Part]], budget: int) -> Part:
    """Parts in their order, without those that no longer fit."""
    chosen: dict[str, list[Part]] = {}
    for section, part in parts:
        size = tokens_of(json.dumps({section: [part]}, ensure_ascii=False))
        if size <= budget:
            budget -= size
            chosen.setdefault(section, []).append(part)
    return dict(chosen)


def _named(names: Names, locale: Locale) -> Part:
    also = names.synonyms.get(locale, ()) or names.synonyms.get("en", ())
    means = names.description.get("en", "") or names.description.get(locale, "")
    return _said(label=names.in_locale(locale), also=list(also[:6]), means=means)


def _said(**fields: Any) -> Part:
    return {key: value for key, value in fields.items() if value not in (None, "", [], {}, ())}


def _metric(metric: Metric, locale: Locale) -> Part:
    limits = _said(only_by=list(metric.dimensions or ()), only_grains=list(metric.grains or ()))
    return {"name": metric.name, **_named(metric.names, locale), "format": metric.format, **limits}


def _dimension(
    dimension: Dimension, domain: Domain, principal: Principal, locale: Locale, linked: set[tuple[str, str]]
) -> Part:
    values = visible_members(tuple(member.value for member in dimension.members), dimension.name, domain, principal)
    first = sorted(values, key=lambda value: (dimension.name, value) not in linked)[:_MOST_MEMBERS]
    more = {"more_members": True} if len(values) > len(first) or dimension.members_from == "warehouse" else {}
    return {"name": dimension.name, **_named(dimension.names, locale), **_said(members=first), **more}


def _examples(domain: Domain, links: Iterable[Document], locale: Locale) -> list[Example]:
    by_question = {example.question: example for example in domain.examples}
    linked = [by_question[each.name] for each in links if each.kind == "example" and each.name in by_question]
    own = [example for example in domain.examples if example.locale == locale]
    seen: dict[str, Example] = {example.question: example for example in (*linked, *own)}
    return list(seen.values())[:_MOST_EXAMPLES]


def _example(example: Example) -> Part:
    spec = example.spec
    meaning = _said(
        metrics=list(spec.metrics),
        dimensions=list(spec.dimensions),
        grain=spec.grain,
        filters={name: list(values) for name, values in spec.filters},
        period=spec.period,
        comparison=spec.comparison,
        limit=spec.limit,
    )
    return {"question": example.question, "meaning": meaning}


def _table(entity: Entity, domain: Domain, principal: Principal, linked: set[tuple[str, str]]) -> Part:
    """The table with its columns; of one wider than `_MOST_COLUMNS`, those that the question points to come first."""
    denied = {column.lower() for source, column in principal.denied_columns if source.lower() == entity.source.lower()}
    open_ones = [column for column in entity.columns if column.name.lower() not in denied]
    time = entity.time
    wanted = {*entity.grain, time.column if time else ""}
    near = sorted(open_ones, key=lambda each: (entity.name, each.name) not in linked and each.name not in wanted)
    shown = open_ones if len(open_ones) <= _MOST_COLUMNS else near[:_MOST_COLUMNS]
    return {
        "name": entity.name,
        "source": entity.source,
        "columns": {column.name: column.type for column in shown},
        **_said(
            about=entity.names.description.get("en", "") or entity.names.in_locale("en"),
            one_row_per=list(entity.grain),
            time={"column": time.column, "kind": time.kind} if time else None,
            period_required=entity.time_policy.required or None,
            most_days=entity.time_policy.max_days,
            must_filter=[f"{each.column} = {each.value}" for each in entity.required_filters],
            must_join=[f"{domain.entity(each.entity).source} on {each.column}" for each in entity.required_joins],
        ),
    }


def _joins(domain: Domain, kept: set[str]) -> Iterator[Part]:
    for each in domain.relationships:
        if {each.left, each.right} <= kept:
            on = " AND ".join(f"left.{left} = right.{right}" for left, right in each.on)
            sources = {"left": domain.entity(each.left).source, "right": domain.entity(each.right).source}
            yield {**sources, "on": on, "cardinality": each.cardinality}


def _defined(metric: Metric, domain: Domain, kept: set[str]) -> Part:
    """How the metric is computed over the kept tables; empty when they do not hold it."""
    match metric.kind:
        case "ratio":
            formula = f"{metric.numerator} / {metric.denominator}"
        case "derived":
            formula = metric.expression or ""
        case _:
            formula = _measured(metric, domain, kept)
    return {"name": metric.name, "is": formula} if formula else {}


def _measured(metric: Metric, domain: Domain, kept: set[str]) -> str:
    for entity in sorted(domain.entities, key=lambda each: each.cost_rank):
        measure = entity.measure(metric.measure) if metric.measure and entity.name in kept else None
        if measure is not None:
            return f"{_aggregated(measure)} of {entity.source}"
    return ""


def _aggregated(measure: Measure) -> str:
    where = f" where {measure.filter}" if measure.filter else ""
    return f"{measure.aggregation}({measure.expression}){where}"
