"""What a rule is asked: a resolved query, on whose behalf, written by whom, on which day."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from sqlglot import exp

from agent.sql.facts import Facts
from agent.sql.scope import GuardScope
from agent.values.governance import Finding, Origin, RuleId
from semantic_catalog.model import Dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One query before the rules. `today` is the day in the domain's zone."""

    facts: Facts
    scope: GuardScope
    origin: Origin
    today: date


StructureRule = Callable[[exp.Expr, Dialect], Iterator[Finding]]
Rule = Callable[[Ask], Iterator[Finding]]


def refuse(rule: RuleId, *, security: bool = True, **params: str) -> Finding:
    """A finding that ends the query; `params` fill the text `refusal.<rule>`."""
    return Finding(rule=rule, severity="refuse", security=security, params=tuple(params.items()))
