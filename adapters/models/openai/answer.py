"""A chat message as the JSON object it should hold."""

import json
import re
from typing import Any

from langchain_core.messages import BaseMessage

from agent.errors import ModelMalformed, ModelRefused, ModelUnavailable
from agent.values.completion import Completion
from agent.values.usage import AgentName, Usage, used_by

_FENCE = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)


def read_answer(message: BaseMessage, agent: AgentName) -> Completion:
    """The answer's object. Raises `ModelRefused`, `ModelUnavailable` for half an answer, or `ModelMalformed`."""
    usage = _usage(message, agent)
    finish = message.response_metadata.get("finish_reason")
    if message.additional_kwargs.get("refusal") or finish == "content_filter":
        raise ModelRefused(f"{agent}: refused", usage)
    if finish is None:
        raise ModelUnavailable(f"{agent}: the answer broke off", usage)
    if finish == "length":
        raise ModelMalformed(f"{agent}: cut at the output limit", usage)
    content = read_object(str(message.text))
    if content is None:
        raise ModelMalformed(f"{agent}: no JSON object", usage)
    return Completion(content=content, usage=usage)


def read_object(text: str) -> dict[str, Any] | None:
    """The one JSON object in a text: bare, in a code fence, after a thought, or with words around it."""
    bare = _THOUGHT.sub("", text)
    fenced = _FENCE.match(bare)
    bare = fenced.group(1) if fenced else bare
    start = bare.find("{")
    if start < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(bare, start)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _usage(message: BaseMessage, agent: AgentName) -> Usage:
    counted = getattr(message, "usage_metadata", None) or {}
    return used_by(agent, counted.get("input_tokens", 0), counted.get("output_tokens", 0))
