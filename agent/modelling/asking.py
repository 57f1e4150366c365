"""Asks a model for a checked object: what does not fit is sent back with the exact fault, a few times at most."""

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import ModelError, ModelMalformed
from agent.modelling.prompts import material
from agent.ports import Model
from agent.values.completion import Prompt
from agent.values.usage import NO_USAGE, Usage, added


class Output(BaseModel):
    """An object that a model answers with. Unknown keys are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Checked = TypeVar("Checked", bound=Output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[Checked]):
    """A checked object and what all attempts at it cost."""

    output: Checked
    usage: Usage


async def ask(model: Model, prompt: Prompt, kind: type[Checked], attempts: int = 2) -> Asked[Checked]:
    """The model's answer as a `kind`. Raises `agent.errors.ModelError` with the use of all attempts."""
    spent, asked = NO_USAGE, prompt
    for attempt in range(1, attempts + 1):
        try:
            completion = await model.complete(asked)
            spent = added(spent, completion.usage)
            return Asked(output=kind.model_validate(completion.content), usage=spent)
        except ModelMalformed as error:
            spent = added(spent, error.usage)
            fault = "the answer was not one whole JSON object"
        except ModelError as error:
            error.usage = added(spent, error.usage)
            raise
        except ValidationError as error:
            fault = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:5])
        if attempt < attempts:
            asked = replace(prompt, material=f"{prompt.material}\n{material(fault_of_your_last_answer=fault)}")
    raise ModelMalformed(f"{prompt.agent}: no usable answer in {attempts} attempts", spent)


def schema_of(kind: type[Output]) -> dict[str, Any]:
    """The JSON schema of an output, in the strict form: every key is required and no other is allowed."""
    schema: dict[str, Any] = _strict(kind.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key not in ("title", "default", "description")}
    properties = node.get("properties")
    if isinstance(properties, dict):
        # A property may be called 'title' itself: names are kept whatever they are.
        strict = {name: _strict(value) for name, value in properties.items()}
        kept |= {"properties": strict, "required": list(properties), "additionalProperties": False}
    return kept
