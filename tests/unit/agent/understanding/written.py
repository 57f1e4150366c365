"""A meaning in the short form of `tests/cases/understanding`, so that a case and what was understood compare."""

from typing import Any

from agent.values.spec import QuerySpec, Threshold, Understanding


def written(meaning: Understanding) -> dict[str, Any]:
    """Only what says something: the refusal, else the first open slot, else the spec, else the talk."""
    if meaning.declined:
        return {"declined": meaning.declined.rule}
    if meaning.slots:
        first = meaning.slots[0]
        return {"slot": first.name, "reason": first.reason, "options": [option.value for option in first.options]}
    if meaning.spec is None:
        talk = {"turn_type": meaning.turn_type, "relation": meaning.relation, "topic": meaning.topic}
        usual = {"relation": "independent_request", "topic": ""}
        return {key: value for key, value in talk.items() if usual.get(key) != value}
    turn = {} if meaning.turn_type == "new_query" else {"turn_type": meaning.turn_type}
    unused = {"unused": list(meaning.unused_words)} if meaning.unused_words else {}
    return turn | _spec(meaning.spec) | unused


def _limit(item: Threshold) -> str:
    return "average" if item.against == "average" else str(item.value)


def _spec(spec: QuerySpec) -> dict[str, Any]:
    assert spec.period is not None
    comparison, calculation = spec.comparison, spec.calculation
    everything: dict[str, Any] = {
        "metrics": list(spec.metrics),
        "dimensions": list(spec.dimensions),
        "grain": spec.grain,
        "filters": {item.dimension: list(item.values) for item in spec.filters if item.include},
        "excluded": {item.dimension: list(item.values) for item in spec.filters if not item.include},
        "period": [spec.period.start, spec.period.end],
        "comparison": comparison and [comparison.kind, comparison.period.start, comparison.period.end],
        "having": [[item.column, item.operator, _limit(item)] for item in spec.having],
        "order": [[item.by, "desc" if item.descending else "asc"] for item in spec.order],
        "limit": spec.limit,
        "calculation": calculation and [calculation.kind, calculation.over],
        "chart": spec.chart,
        "trusted": spec.trusted_query,
    }
    return {key: value for key, value in everything.items() if value}
