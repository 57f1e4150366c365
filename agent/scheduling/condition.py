"""The condition of an alert: read from words, and checked against an answer's rows."""

from decimal import Decimal

from agent.scheduling.words import plain_condition
from agent.understanding.lexicon import build_lexicon
from agent.understanding.mentions import read_mentions
from agent.understanding.read_conditions import conditions_in
from agent.understanding.tokens import tokenize
from agent.values.result import Cell, ResultTable
from agent.values.spec import QuerySpec, Threshold
from semantic_catalog.model import LOCALES, Domain


def read_condition(words: str, spec: QuerySpec, domain: Domain) -> Threshold | None:
    """The one condition that the words are, on a metric that the question shows; None for anything else."""
    tokens, lexicon = tokenize(plain_condition(words)), build_lexicon(domain)
    for locale in LOCALES:
        found = conditions_in(read_mentions(tokens, lexicon, locale), spec.metrics, domain)
        if len(found) == 1 and found[0].metric in spec.metrics and _is_shown(found[0], spec):
            return found[0]
    return None


def fulfils(table: ResultTable, condition: Threshold) -> bool:
    """Whether some row fulfils it. Of rows that do not hold the figure nothing can be told: they do, so that no alert
    is lost.
    """
    names = [column.name for column in table.columns]
    if condition.column not in names:
        return True
    place = names.index(condition.column)
    return any(_holds(row[place], condition) for row in table.rows)


def _is_shown(condition: Threshold, spec: QuerySpec) -> bool:
    return condition.of == "value" or spec.comparison is not None


def _holds(cell: Cell, condition: Threshold) -> bool:
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return False
    figure, mark = Decimal(str(cell)), condition.value
    match condition.operator:
        case ">":
            return figure > mark
        case ">=":
            return figure >= mark
        case "<":
            return figure < mark
        case "<=":
            return figure <= mark
        case "=":
            return figure == mark
