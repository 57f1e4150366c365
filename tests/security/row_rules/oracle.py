"""Whether a result depends on rows that the person may not see."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from agent.policy.load import load_policy
from agent.sql.guard import check_query
from agent.sql.scope import GuardScope, scope_for
from agent.values.governance import CheckedQuery, RuleId
from agent.values.identity import PrincipalId
from semantic_catalog.dialects import with_dialect
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Dialect, DomainName
from tests.security.row_rules.engines import Books

TODAY = date(2026, 11, 1)
FINANCE = DomainName("erp_finance")
DEMO_POLICY = Path(__file__).resolve().parents[3] / "bot" / "demo" / "policy.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What became of one statement. `leak` tells how the results differ; empty when it was refused or they do not."""

    rules: frozenset[RuleId] = frozenset()
    leak: str = ""
    rows: int = 0

    @property
    def ran(self) -> bool:
        """Whether the guard let it run."""
        return not self.rules


def look(statement: str, dialect: Dialect, books: Books) -> Seen:
    """Runs an accepted statement as the finance manager and as the analyst, who sees everything.

    The manager's result over all the books is the same over books with the forbidden rows changed and without them,
    and there it is the analyst's. An error only counts among the manager's own results: where a row rule changes the
    plan, an expression that fails on a permitted row may be computed for the one and not for the other.
    """
    mine = check_query(statement, _scope("finance_manager", dialect), "edited", TODAY)
    if not isinstance(mine, CheckedQuery):
        return Seen(rules=frozenset(finding.rule for finding in mine.findings))
    theirs = check_query(statement, _scope("analyst", dialect), "edited", TODAY)
    if not isinstance(theirs, CheckedQuery):
        return Seen(leak=f"refused to the analyst only: {statement}")
    result, changed, visible = (books[name](_every_row(mine.sql)) for name in ("whole", "changed", "visible"))
    analysts = books["visible"](_every_row(theirs.sql))
    if result != changed or result != visible:
        return Seen(leak=f"{result!r}, {changed!r}, {visible!r} differ\n{statement}\n{mine.sql}")
    if isinstance(result, list) and isinstance(analysts, list) and result != analysts:
        return Seen(
            leak=f"the analyst, over permitted rows only: {analysts!r}, not {result!r}\n{statement}\n{mine.sql}"
        )
    return Seen(rows=len(result) if isinstance(result, list) else 0)


def _every_row(sql: str) -> str:
    """Without the guard's own limit: cut at a limit without an order, any of the permitted rows may come."""
    return re.sub(r"LIMIT 501$", "", sql)


@cache
def _scope(person: str, dialect: Dialect) -> GuardScope:
    catalog = with_dialect(load_catalog(), FINANCE, dialect)
    principal = load_policy(DEMO_POLICY).principal(PrincipalId(person))
    assert principal is not None
    return scope_for(catalog.domain(FINANCE), principal, catalog.version)
