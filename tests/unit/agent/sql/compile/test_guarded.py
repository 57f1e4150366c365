"""Compiled SQL is governed SQL: the guard refuses none of it."""

import pytest

from agent.sql.compile.compile import render
from agent.sql.guard import check_query
from agent.sql.scope import scope_for
from agent.values.governance import CheckedQuery
from agent.values.identity import Principal, PrincipalId
from semantic_catalog.model import CatalogVersion
from tests.unit.agent.sql.compile.cases import TODAY, Case, cases, compiled, payments_domain


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_the_guard_accepts_what_is_compiled(case: Case) -> None:
    domain = payments_domain()
    principal = Principal(id=PrincipalId("ana"), roles=(), domains=(domain.name,))
    scope = scope_for(domain, principal, CatalogVersion("1"))
    result = compiled(case.spec)
    checked = check_query(render(result.tree, "postgres"), scope, "compiled", TODAY)
    assert isinstance(checked, CheckedQuery)
    assert sorted(checked.sources) == sorted(result.sources)
