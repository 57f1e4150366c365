from typing import Any

import pytest
from pydantic import Field

from agent.errors import ModelMalformed, ModelRefused, ModelUnavailable
from agent.modelling.asking import Output, ask, schema_of
from agent.modelling.meaning import MeaningOutput
from agent.values.completion import Prompt
from agent.values.usage import used_by
from tests.fakes.model import ScriptedModel


class Verdict(Output):
    sure: bool
    share: float = Field(ge=0, le=1)


PROMPT = Prompt(agent="verifier", rules="rules", material="{}", name="verdict", schema=schema_of(Verdict))
GOOD = {"sure": True, "share": 0.5}


async def test_a_fitting_object_needs_one_call() -> None:
    model = ScriptedModel(replies=[GOOD])
    asked = await ask(model, PROMPT, Verdict)
    assert asked.output == Verdict(sure=True, share=0.5)
    assert asked.usage.llm_calls == 1


@pytest.mark.parametrize(
    "wrong",
    [{"sure": True}, {"sure": "perhaps", "share": 0.5}, {"sure": True, "share": 7}, {**GOOD, "note": "x"}, {}],
    ids=["a key missing", "a wrong type", "out of range", "a surplus key", "empty"],
)
async def test_what_does_not_fit_goes_back_with_the_fault(wrong: dict[str, Any]) -> None:
    model = ScriptedModel(replies=[wrong, GOOD])
    asked = await ask(model, PROMPT, Verdict)
    assert asked.output.sure
    assert asked.usage.llm_calls == 2
    assert "fault_of_your_last_answer" in model.prompts[1].material
    assert model.prompts[1].rules == PROMPT.rules


async def test_no_json_goes_back_too_and_its_cost_counts() -> None:
    model = ScriptedModel(replies=[ModelMalformed("x", used_by("verifier", 100, 1)), GOOD])
    asked = await ask(model, PROMPT, Verdict)
    assert asked.usage.tokens_in == 110


async def test_after_the_last_attempt_it_is_malformed_with_the_cost_of_all() -> None:
    model = ScriptedModel(replies=[{}, {}, {}])
    with pytest.raises(ModelMalformed) as raised:
        await ask(model, PROMPT, Verdict, attempts=3)
    assert raised.value.usage.llm_calls == 3


@pytest.mark.parametrize("kind", [ModelRefused, ModelUnavailable])
async def test_a_refusal_or_an_outage_is_not_asked_again(kind: type[ModelRefused] | type[ModelUnavailable]) -> None:
    model = ScriptedModel(replies=[{}, kind("x")])
    with pytest.raises(kind) as raised:
        await ask(model, PROMPT, Verdict)
    assert raised.value.usage.llm_calls == 1


def objects(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for each in node for found in objects(each)]
    if not isinstance(node, dict):
        return []
    own = [node] if "properties" in node else []
    return own + [found for each in node.values() for found in objects(each)]


def test_schemas_are_strict_at_every_depth() -> None:
    found = objects(schema_of(MeaningOutput))
    assert len(found) == 3
    for node in found:
        assert node["additionalProperties"] is False
        assert sorted(node["required"]) == sorted(node["properties"])
    assert "title" in schema_of(MeaningOutput)["properties"]
