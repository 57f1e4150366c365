from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.values.identity import Principal, PrincipalId, RoleName
from semantic_catalog.model import DomainName
from tests.unit.agent.understanding.asking import ANALYST, ask, everything
from tests.unit.agent.understanding.written import written

CASES = Path(__file__).parents[3] / "cases" / "understanding" / "three_domains.yaml"
DOMAINS = tuple(DomainName(name) for name in ("payments", "erp_finance", "scrap_prices"))
PEOPLE = {
    "analyst": Principal(id=PrincipalId("ana"), roles=(RoleName("analyst"),), domains=DOMAINS),
    "viewer": ANALYST,
}


def _cases() -> list[Any]:
    return [pytest.param(case, id=case["say"]) for case in yaml.safe_load(CASES.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("case", _cases())
async def test_a_question_is_understood_among_three_domains(case: dict[str, Any]) -> None:
    meaning = await ask(case["say"], principal=PEOPLE[case.get("as", "analyst")], reader=everything())
    assert (meaning.domain, written(meaning)) == (case.get("domain"), case["expect"])
