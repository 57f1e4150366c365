"""The chat client of a profile, and its messages."""

import json
import logging
from typing import Any

import httpx
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from pydantic import SecretStr

from adapters.models.openai.profile import ModelProfile
from agent.values.completion import Prompt

_NO_KEY = "none"
"""What endpoints without keys are sent: the client insists on one."""


def create_chat(profile: ModelProfile, http: httpx.AsyncClient) -> ChatOpenAI | AzureChatOpenAI:
    """A client that tries each call once. Everything it needs is given, so that it reads no environment."""
    _keep_prompts_out_of_logs()
    shared: dict[str, Any] = {
        "model": profile.model,
        "api_key": SecretStr(profile.api_key or _NO_KEY),
        "timeout": profile.timeout_seconds,
        "max_retries": 0,
        "max_tokens": profile.output_tokens,
        "temperature": profile.temperature,
        "http_async_client": http,
        "cache": False,
        "verbose": False,
        "stream_usage": True,
        "stream_chunk_timeout": None,
        "use_responses_api": False,
        "openai_proxy": "",
        "organization": "",
        **({} if profile.reasoning == "none" else {"reasoning_effort": profile.reasoning}),
    }
    if profile.provider == "azure":
        return AzureChatOpenAI(azure_endpoint=profile.base_url, api_version=profile.api_version, **shared)
    return ChatOpenAI(base_url=profile.base_url, **shared)


def messages_of(prompt: Prompt, profile: ModelProfile) -> list[BaseMessage]:
    """Our rules as the system's words, everything else as the user's. The schema is in the words unless it is sent."""
    rules = prompt.rules
    if profile.structured != "json_schema":
        schema = json.dumps(prompt.schema, ensure_ascii=False)
        rules = f"{rules}\n\nAnswer with one JSON object that fits this JSON schema, and nothing else:\n{schema}"
    return [SystemMessage(content=rules), HumanMessage(content=prompt.material)]


def response_format(prompt: Prompt, profile: ModelProfile) -> dict[str, Any]:
    """What the request says of the answer's form."""
    match profile.structured:
        case "json_schema":
            wanted = {"name": prompt.name, "schema": prompt.schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": wanted}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "prompt":
            return {}


def _keep_prompts_out_of_logs() -> None:
    """The vendor's libraries write whole requests at the level DEBUG."""
    for name in ("openai", "httpx", "httpcore", "langchain_openai", "langchain_core"):
        logging.getLogger(name).setLevel(logging.WARNING)
