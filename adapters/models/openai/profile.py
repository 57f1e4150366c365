"""How one agent's model is reached and called."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from agent.values.usage import AgentName

Provider = Literal["openai", "azure", "ollama"]
Structured = Literal["json_schema", "json_object", "prompt"]
Reasoning = Literal["none", "minimal", "low", "medium", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProfile:
    """One agent's model. Seconds are wall time; tokens are the model's own.

    `structured` says how the endpoint is told to answer with JSON: by a schema, by JSON mode with the schema in the
    words, or by the words alone. `output_tokens` bounds the answer and `context_tokens` prompt and answer together.
    `price_in` and `price_out` are what a million tokens cost, in the currency of the agents' file.
    After `open_after` failed calls in a row the endpoint is left alone for `rest_seconds`. `api_key` is a secret.
    """

    agent: AgentName
    model: str
    provider: Provider = "openai"
    base_url: str = "https://api.openai.com/v1"
    api_key: str = field(default="", repr=False)
    api_version: str = ""
    context_tokens: int = 32_000
    output_tokens: int = 2_000
    reasoning: Reasoning = "none"
    temperature: float | None = 0.0
    structured: Structured = "json_schema"
    stream: bool = False
    timeout_seconds: float = 30.0
    retries: int = 2
    longest_wait_seconds: float = 20.0
    open_after: int = 5
    rest_seconds: float = 30.0
    price_in: Decimal = Decimal(0)
    price_out: Decimal = Decimal(0)
