"""The agents' profiles: the file's, with what the environment overrides."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from adapters.models.openai.profile import ModelProfile, Provider, Reasoning, Structured
from agent.codec import decode
from agent.values.usage import AgentName
from bot.settings import ModelSettings
from semantic_catalog.errors import OperatorError

AGENTS: tuple[AgentName, ...] = get_args(AgentName)
_TAKE_THE_DEFAULT: tuple[AgentName, ...] = ("understanding", "sql")
"""Agents that use the default model; the others are off until a model is named for them."""

EmbeddingProvider = Literal["none", "openai", "local"]
CheckPolicy = Literal["warn", "fail"]


class AgentsFileInvalid(OperatorError):
    """The agents' profiles cannot be used; `detail` lists every fault, without values."""

    code = "agents_file_invalid"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProfilePart(_Part):
    """Some parameters of a profile; what is left out comes from the preset, then from the defaults."""

    preset: str | None = None
    provider: Provider | None = None
    base_url: str | None = None
    model: str | None = None
    api_version: str | None = None
    context_tokens: Annotated[int, Field(ge=1_000)] | None = None
    output_tokens: Annotated[int, Field(ge=100)] | None = None
    reasoning: Reasoning | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    structured: Structured | None = None
    stream: bool | None = None
    timeout_seconds: Annotated[float, Field(gt=0)] | None = None
    retries: Annotated[int, Field(ge=0, le=10)] | None = None
    longest_wait_seconds: Annotated[float, Field(ge=0)] | None = None
    open_after: Annotated[int, Field(ge=1)] | None = None
    rest_seconds: Annotated[float, Field(ge=0)] | None = None
    price_in: Annotated[Decimal, Field(ge=0)] | None = None
    price_out: Annotated[Decimal, Field(ge=0)] | None = None


class EmbeddingPart(_Part):
    """Who makes vectors."""

    provider: EmbeddingProvider = "none"
    base_url: str = "https://api.openai.com/v1"
    model: str = ""


class AgentsFile(_Part):
    """The whole file."""

    check: CheckPolicy = "warn"
    currency: str = ""
    defaults: ProfilePart = ProfilePart()
    presets: dict[str, ProfilePart] = {}
    agents: dict[AgentName, ProfilePart] = {}
    embeddings: EmbeddingPart = EmbeddingPart()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agents:
    """Profiles of the agents that have a model, who makes vectors, and what a failed check means.

    `currency` is that of every price, those of the policy included; empty where there are none.
    """

    profiles: tuple[ModelProfile, ...]
    embeddings: EmbeddingPart
    embedding_key: str
    check: CheckPolicy
    currency: str = ""

    def profile(self, agent: AgentName) -> ModelProfile | None:
        """The agent's profile; None for an agent without a model."""
        return next((each for each in self.profiles if each.agent == agent), None)


def read_agents(settings: ModelSettings) -> Agents:
    """The profiles in force. Raises `AgentsFileInvalid`; the file may be absent at its default place only."""
    file = _read(settings.agents_file)
    profiles = [profile for agent in AGENTS if (profile := _profile(agent, file, settings)) is not None]
    faults = [fault for profile in profiles for fault in _faults(profile)]
    embeddings = _embeddings(file, settings)
    if embeddings.provider == "openai" and not embeddings.model:
        faults.append("embeddings: no model is named")
    if not file.currency and any(profile.price_in or profile.price_out for profile in profiles):
        faults.append("currency: there are prices, and no currency is named")
    if faults:
        raise AgentsFileInvalid("; ".join(faults))
    key = _secret(settings.embedding_api_key) or _secret(settings.llm_api_key)
    return Agents(
        profiles=tuple(profiles), embeddings=embeddings, embedding_key=key, check=file.check, currency=file.currency
    )


def _read(path: Path) -> AgentsFile:
    if not path.exists() and path == ModelSettings.model_fields["agents_file"].default:
        return AgentsFile()
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        return AgentsFile.model_validate(document)
    except OSError as error:
        raise AgentsFileInvalid(f"{path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise AgentsFileInvalid(f"{path}: no YAML") from error
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise AgentsFileInvalid(f"{path}: {'; '.join(faults)}") from None


def _profile(agent: AgentName, file: AgentsFile, settings: ModelSettings) -> ModelProfile | None:
    own = file.agents.get(agent, ProfilePart())
    model = _model(agent, own, file, settings)
    if not model:
        return None
    preset = own.preset or file.defaults.preset
    if preset is not None and preset not in file.presets:
        raise AgentsFileInvalid(f"agents.{agent}: there is no preset {preset}")
    named = file.presets.get(preset or "", ProfilePart())
    given = {**_given(file.defaults), **_given(named), **_given(own), **_overrides(settings), "model": model}
    return decode(ModelProfile, {"agent": agent, "api_key": _secret(settings.llm_api_key), **given})


def _given(part: ProfilePart) -> dict[str, object]:
    """What the part sets, an explicit null included: no temperature is a choice."""
    return {name: getattr(part, name) for name in part.model_fields_set - {"preset", "model"}}


def _model(agent: AgentName, own: ProfilePart, file: AgentsFile, settings: ModelSettings) -> str:
    named: str = getattr(settings, f"{agent}_model")
    if named or agent not in _TAKE_THE_DEFAULT:
        return named or own.model or ""
    return settings.llm_model or own.model or file.defaults.model or ""


def _overrides(settings: ModelSettings) -> dict[str, object]:
    given = {
        "provider": settings.llm_provider,
        "base_url": settings.llm_base_url,
        "api_version": settings.llm_api_version,
    }
    return {name: value for name, value in given.items() if value}


def _faults(profile: ModelProfile) -> list[str]:
    faults = []
    if not profile.base_url.startswith(("http://", "https://")):
        faults.append(f"{profile.agent}: base_url is no http(s) address")
    if profile.output_tokens >= profile.context_tokens:
        faults.append(f"{profile.agent}: output_tokens leave no room in context_tokens")
    if profile.provider == "azure" and not profile.api_version:
        faults.append(f"{profile.agent}: azure needs an api_version")
    return faults


def _embeddings(file: AgentsFile, settings: ModelSettings) -> EmbeddingPart:
    given = {
        "provider": settings.embedding_provider,
        "base_url": settings.embedding_base_url,
        "model": settings.embedding_model,
    }
    return file.embeddings.model_copy(update={name: value for name, value in given.items() if value})


def _secret(value: SecretStr | None) -> str:
    return value.get_secret_value() if value else ""
