"""The models of one process. The vendor's libraries are imported only where a model is configured."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from adapters.breaker import CircuitBreaker
from adapters.models.openai.profile import ModelProfile
from agent.linking.linker import Linker
from agent.modelling.explainer import Explainer
from agent.modelling.judge import ResultJudge
from agent.modelling.sql_writer import SqlWriter
from agent.ports import CatalogSource, Embedder, Interpreter, Members, Model
from agent.understanding.model_interpreter import ModelInterpreter
from agent.values.usage import AgentName
from bot.agents_file import Agents, EmbeddingPart
from bot.operating.measured import MeasuredModel
from bot.operating.watch import TurnWatch
from bot.spending import BudgetedModel, TokenPrice
from semantic_catalog.errors import OperatorError

Close = Callable[[], Awaitable[None]]
_LOCAL_MODEL = "multilingual-e5-small-q4"


class EmbeddingsNotInstalled(OperatorError):
    """Vectors are to be made in this process, but the extra for that is not installed."""

    code = "embeddings_not_installed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What the graphs get of models; all None without one. `closes` give their connections back."""

    reader: Interpreter | None = None
    writer: SqlWriter | None = None
    judge: ResultJudge | None = None
    explainer: Explainer | None = None
    closes: tuple[Close, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    models: dict[AgentName, Model]
    closes: tuple[Close, ...]


def open_models(agents: Agents, catalog: CatalogSource, members: Members, folder: Path, watch: TurnWatch) -> Models:
    """The configured agents, their calls counted and within budgets; nothing connects before it is first asked.

    `folder` keeps documents' vectors.

    Raises `EmbeddingsNotInstalled`.
    """
    if not agents.profiles:
        return Models()
    opened = _open(agents.profiles, watch)
    embedder, closes = open_embedder(agents, folder)
    linker = Linker(catalog, embedder)
    models = opened.models
    return Models(
        reader=ModelInterpreter(models["understanding"], catalog, members, linker)
        if "understanding" in models
        else None,
        writer=SqlWriter(models["sql"], linker) if "sql" in models else None,
        judge=ResultJudge(models["verifier"]) if "verifier" in models else None,
        explainer=Explainer(models["explanation"]) if "explanation" in models else None,
        closes=(linker.close, *opened.closes, *closes),
    )


def _open(profiles: tuple[ModelProfile, ...], watch: TurnWatch) -> _Opened:
    from adapters.models.openai.model import OpenAiModel

    built: dict[AgentName, OpenAiModel] = {}
    for profile in profiles:
        breaker = CircuitBreaker(profile.open_after, profile.rest_seconds)
        watch.follow(f"model_{profile.agent}", breaker.state)
        built[profile.agent] = OpenAiModel(profile, breaker, traced=watch.langsmith)
    return _Opened(
        models={
            profile.agent: BudgetedModel(MeasuredModel(built[profile.agent], watch.metrics), _price(profile))
            for profile in profiles
        },
        closes=tuple(model.close for model in built.values()),
    )


def _price(profile: ModelProfile) -> TokenPrice:
    return TokenPrice(tokens_in=profile.price_in, tokens_out=profile.price_out)


def open_embedder(agents: Agents, folder: Path) -> tuple[Embedder | None, tuple[Close, ...]]:
    """Who makes vectors, None where nobody does, and what gives their connections back.

    Raises `EmbeddingsNotInstalled`.
    """
    match agents.embeddings.provider:
        case "none":
            return None, ()
        case "openai":
            return _endpoint(agents.embeddings, agents.embedding_key, folder)
        case "local":
            return _local(folder), ()


def _endpoint(part: EmbeddingPart, key: str, folder: Path) -> tuple[Embedder, tuple[Close, ...]]:
    from adapters.models.kept_vectors import KeptVectors
    from adapters.models.openai.embeddings import EmbeddingProfile, OpenAiEmbedder

    made = OpenAiEmbedder(EmbeddingProfile(model=part.model, base_url=part.base_url, api_key=key))
    return KeptVectors(made, f"{part.base_url} {part.model}", folder), (made.close,)


def _local(folder: Path) -> Embedder:
    from adapters.models.kept_vectors import KeptVectors

    try:
        from adapters.models.local.embeddings import LocalEmbedder
    except ImportError as error:
        raise EmbeddingsNotInstalled("EMBEDDING_PROVIDER=local needs 'countersign[embeddings]'") from error
    return KeptVectors(LocalEmbedder(), _LOCAL_MODEL, folder)
