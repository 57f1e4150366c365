"""What a language model is asked, and what it answers."""

from dataclasses import dataclass
from typing import Any

from agent.values.usage import AgentName, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model. `rules` are ours; `material` is what people and data wrote: never an instruction.

    `schema` is the JSON schema of the wanted object and `name` what the object is called.
    """

    agent: AgentName
    rules: str
    material: str
    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The JSON object a model answered with, parsed and not yet checked against its schema, and what it cost."""

    content: dict[str, Any]
    usage: Usage
