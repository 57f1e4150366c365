"""Our rules for each agent, and the material they work on."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from agent.values.usage import AgentName


@cache
def rules_of(agent: AgentName) -> str:
    """What the agent is told by us."""
    text = files("agent.modelling").joinpath("prompts.yaml").read_text(encoding="utf-8")
    rules: Mapping[AgentName, str] = yaml.safe_load(text)
    return rules[agent].strip()


def material(**parts: Any) -> str:
    """What people and data wrote, as one JSON object: no text in it can end the object and stand beside our rules."""
    return json.dumps(
        {name: part for name, part in parts.items() if part not in (None, "", [], {})}, ensure_ascii=False
    )


def tokens_of(text: str) -> int:
    """About how many tokens a text takes, on the safe side: scripts other than Latin take more bytes and tokens."""
    return len(text.encode()) // 3 + 1
