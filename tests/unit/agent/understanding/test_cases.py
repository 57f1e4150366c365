from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.agent.understanding.asking import ask_in_turn
from tests.unit.agent.understanding.written import written

CASES = Path(__file__).parents[3] / "cases" / "understanding"


def _cases(name: str) -> list[Any]:
    cases = yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))
    return [pytest.param(case["turns"], id=case["id"]) for case in cases]


@pytest.mark.parametrize("turns", [*_cases("payments"), *_cases("paraphrases"), *_cases("conversations")])
async def test_a_message_means_what_the_case_says(turns: list[dict[str, Any]]) -> None:
    meanings = await ask_in_turn([turn["say"] for turn in turns])
    understood = [(meaning.language, written(meaning)) for meaning in meanings]
    assert understood == [(turn["language"], turn["expect"]) for turn in turns]
