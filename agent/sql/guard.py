"""The guard: any SQL, from anywhere, becomes a checked query on somebody's behalf, or a refusal with its rules."""

from collections.abc import Iterator
from datetime import date
from hashlib import sha256

from sqlglot import exp
from sqlglot.errors import ParseError, UnsupportedError

from agent.sql.dialects import render
from agent.sql.facts import Facts
from agent.sql.normalise import normalise
from agent.sql.read import read
from agent.sql.resolve import resolve
from agent.sql.rewrite import govern, limit_rows
from agent.sql.rules.ask import Ask, refuse
from agent.sql.rules.registry import RULES, STRUCTURE
from agent.sql.scope import GuardScope
from agent.sql.sensitivity import sensitive_metrics_read
from agent.sql.spelling import write_days_plainly, write_patterns_plainly
from agent.values.governance import CheckedQuery, Finding, Origin, Refused, RuleId
from semantic_catalog.model import Dialect, Locale

_WRITTEN: tuple[Origin, ...] = ("model", "edited")
"""SQL that no spec speaks for."""


def check_query(query: str | exp.Expr, scope: GuardScope, origin: Origin, today: date) -> CheckedQuery | Refused:
    """`query` as it may run: every rule passed, row rules and the row limit in it.

    Never raises for what `query` says; any text is answered in well under a second. `today` is the day in the
    domain's zone. A tree is copied, never changed. What is rendered is what was analysed: comments are gone.
    """
    tree = read(query, scope.dialect) if isinstance(query, str) else query.copy()
    if isinstance(tree, Finding):
        return Refused(findings=(tree,))
    try:
        return _checked(normalise(tree, scope.dialect), scope, origin, today)
    except ParseError:
        # The query itself was parsed long ago: what fails here is a row rule, and without it nothing may run.
        return Refused(findings=(refuse(RuleId.ROW_RULE, source=scope.domain),))
    except RecursionError:
        return Refused(findings=(refuse(RuleId.TOO_LARGE),))
    except UnsupportedError:
        return Refused(findings=(refuse(RuleId.UNKNOWN_CONSTRUCT, construct=scope.dialect),))


def _checked(tree: exp.Expr, scope: GuardScope, origin: Origin, today: date) -> CheckedQuery | Refused:
    findings = tuple(_structure(tree, scope.dialect))
    if findings or not isinstance(tree, exp.Query):
        return Refused(findings=findings)
    facts = resolve(tree, scope)
    findings = tuple(finding for rule in RULES for finding in rule(_ask(facts, scope, origin, today)))
    if findings:
        return Refused(findings=tuple(dict.fromkeys(findings)))
    return _governed(facts, scope, origin)


def _structure(tree: exp.Expr, dialect: Dialect) -> Iterator[Finding]:
    for rule in STRUCTURE:
        yield from rule(tree, dialect)


def _ask(facts: Facts, scope: GuardScope, origin: Origin, today: date) -> Ask:
    return Ask(facts=facts, scope=scope, origin=origin, today=today)


def _governed(facts: Facts, scope: GuardScope, origin: Origin) -> CheckedQuery:
    govern(facts, scope)
    limited = limit_rows(facts.tree, scope.row_limit)
    write_days_plainly(facts.tree)
    if scope.dialect == "mysql":
        write_patterns_plainly(facts.tree)
    sql = render(facts.tree, scope.dialect, pretty=True)
    labels = _labels(facts)
    return CheckedQuery(
        domain=scope.domain,
        dialect=scope.dialect,
        sql=sql,
        sources=tuple(dict.fromkeys(reference.source.name for reference in facts.references)),
        row_rules=labels,
        row_limit=scope.row_limit,
        principal=scope.principal,
        catalog_version=scope.catalog_version,
        fingerprint=fingerprint(sql, scope),
        origin=origin,
        limit_added=limited,
        filtered=any(reference.source.row_filter for reference in facts.references),
        sensitive=tuple(dict.fromkeys(_sensitive(facts))),
        sensitive_metrics=tuple(dict.fromkeys(sensitive_metrics_read(facts))) if origin in _WRITTEN else (),
    )


def _labels(facts: Facts) -> tuple[tuple[tuple[Locale, str], ...], ...]:
    labels = (label for reference in facts.references for label in reference.source.row_labels)
    return tuple(dict.fromkeys(labels))


def _sensitive(facts: Facts) -> Iterator[str]:
    yield from (reference.source.name for reference in facts.references if reference.source.sensitive)
    for read_column in facts.reads:
        reference = facts.reference(read_column.reference)
        if reference and read_column.column in reference.source.sensitive_columns:
            yield reference.source.name


def fingerprint(sql: str, scope: GuardScope) -> str:
    """What an approval is bound to: the SQL, the principal, the domain and the catalog's version, as SHA-256."""
    parts = (sql, scope.principal, scope.domain, scope.catalog_version)
    return sha256("\x00".join(parts).encode()).hexdigest()
