"""Every setting of the product. This is the only module that reads the environment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from agent.policy.budgets import BudgetDefaults
from agent.values.identity import Limits
from agent.values.meters import METERS, Budget
from semantic_catalog.errors import OperatorError


class SettingsInvalid(OperatorError):
    """The environment cannot be used; `detail` lists every fault at once, without values."""

    code = "settings_invalid"


class _Group(BaseSettings):
    model_config = SettingsConfigDict(env_file=".env", extra="ignore", frozen=True, env_ignore_empty=True)


class StoreSettings(_Group):
    """Where the product keeps its own state and where governed SQL runs."""

    control_database_url: SecretStr | None = Field(None, description="PostgreSQL of the control store")
    redis_url: SecretStr | None = Field(None, description="Redis or Valkey: dedupe, limits, caches, cancel flags")
    warehouse_urls: dict[str, SecretStr] = Field(
        {},
        description='Read-only URL of each domain, as JSON: {"payments": "postgresql://…", "erp_finance": "mysql://…"}',
    )
    warehouse_planner_urls: dict[str, SecretStr] = Field(
        {},
        description="URL of an account that may read what is behind the views of a MySQL domain, as JSON; it only asks "
        "for plans, which the engine shows to no other account",
    )
    data_dir: Path = Field(Path(".countersign"), description="Folder of the embedded services and the demo data")
    control_pool_size: int = Field(
        10, ge=2, description="Most pooled connections to the control store per process; the inbox has up to 6 more"
    )
    control_connections: int = Field(
        0,
        ge=0,
        description="Most connections to the control store that all serve and worker processes may open together, "
        "checked when one starts; what the server allows if 0",
    )
    redis_pool_size: int = Field(10, ge=2, description="Most connections to Redis per process")
    warehouse_pool_size: int = Field(5, ge=1, description="Most connections to one warehouse per process")
    warehouse_turns: int = Field(
        5, ge=1, description="Of the 8 turns of a worker, how many may be at one warehouse; WAREHOUSE_POOL_SIZE at most"
    )
    warehouse_failures: int = Field(
        5, ge=1, description="Failures in a row to reach a warehouse after which a process leaves it alone for a while"
    )
    warehouse_rest_seconds: float = Field(
        15, gt=0, description="Seconds until it is tried again; turns that wait for it go on as soon as it answers"
    )
    file_days: int = Field(7, ge=1, description="Days a file given in a thread is kept")
    file_max_mb: int = Field(128, ge=1, description="Largest file that is read, MB")
    files_max_mb: int = Field(512, ge=1, description="Most MB that one person's files may have together")
    file_cache_dir: Path | None = Field(None, description="Folder of the databases of files; below DATA_DIR if empty")
    files_per_thread: int = Field(10, ge=1, description="Most files that a thread holds at once")
    result_days: int = Field(7, ge=1, description="Days a stored result, its chart and its workbook are kept")


class HttpSettings(_Group):
    """The HTTP app."""

    host: str = Field("127.0.0.1", description="Address the HTTP app listens on")
    port: int = Field(3978, ge=0, le=65535, description="Port the HTTP app listens on")
    public_base_url: str = Field("", description="Public https URL of this server, for signed download links")
    link_signing_secret: SecretStr | None = Field(None, description="Key that signs download links (32+ characters)")
    link_minutes: int = Field(60, ge=1, description="Minutes a signed download link works")


class SlackSettings(_Group):
    """Slack; off without a bot token or a client id."""

    slack_bot_token: SecretStr | None = Field(None, description="Bot token (xoxb-…)")
    slack_signing_secret: SecretStr | None = Field(None, description="Signing secret: verifies Slack's requests")
    slack_app_token: SecretStr | None = Field(None, description="App-level token (xapp-…); set it for Socket Mode")
    slack_client_id: str = Field("", description="Client id of an app that several workspaces install, by OAuth")
    slack_client_secret: SecretStr | None = Field(None, description="Client secret of that app")
    slack_token_keys: SecretStr | None = Field(
        None,
        description="Fernet keys of the stored tokens, comma separated: the first encrypts, all decrypt",
    )
    slack_allowed_workspaces: str = Field(
        "", description="Workspaces (T…) and organisations (E…) that may install that app, comma separated"
    )
    slack_file_hosts: str = Field(
        "files.slack.com", description="Hosts that files are taken from with the bot token, comma separated"
    )
    slack_api_url: str = Field("https://slack.com/api/", description="Slack's Web API, or a proxy of it")
    slack_seconds_between_posts: float = Field(
        1.0, ge=0, description="Least seconds between two posts of a process into one conversation"
    )


class TeamsSettings(_Group):
    """Microsoft Teams; off without an app id unless the unsafe switch is set."""

    teams_app_id: str = Field("", description="Microsoft app id of the Azure Bot")
    teams_app_password: SecretStr | None = Field(None, description="Client secret of the app")
    teams_app_type: Literal["SingleTenant", "UserAssignedMSI", "MultiTenant"] = Field(
        "SingleTenant", description="How the app signs in"
    )
    teams_tenant_id: str = Field("", description="Tenant of the app (SingleTenant, UserAssignedMSI)")
    teams_allowed_tenants: str = Field("", description="Tenants that may ask, comma separated; the app's own if empty")
    teams_allow_guests: bool = Field(
        False, description="Let guests of those tenants ask, as far as the policy knows them"
    )
    teams_native_charts: bool = Field(False, description="Let Teams draw charts; clients that cannot show the picture")
    teams_picture_minutes: int = Field(
        1440, ge=1, description="Minutes a chart's signed address in a Teams card works (with PUBLIC_BASE_URL)"
    )
    teams_files_by_graph: bool = Field(
        False, description="Put workbooks into the files of channels by Microsoft Graph; else they are linked"
    )
    unsafe_teams_without_credentials: bool = Field(
        False, description="Accept unauthenticated Teams requests on a loopback address, for a local emulator only"
    )


class AnalystSettings(_Group):
    """What the analyst may do and how it decides."""

    policy_file: Path | None = Field(None, description="The policy: who may see and approve what; the demo's if empty")
    catalog_dir: Path | None = Field(None, description="Folder of catalog domains; the packaged ones if empty")
    planner: Literal["auto", "rules", "llm"] = Field("auto", description="Who reads questions: rules, model or both")
    default_locale: Literal["en", "es", "ru"] = Field("en", description="Language where a message does not tell")
    fixed_today: date | None = Field(None, description="Fix the calendar day, for demos and evaluations")
    max_result_rows: int = Field(500, ge=1, description="Rows of a result kept and shown, unless a role says")
    max_plan_rows: int = Field(
        250_000, ge=1, description="Largest estimated rows of any step of a plan, unless a role says"
    )
    max_plan_cost: float = Field(150_000, gt=0, description="Largest planner cost of a query, unless a role says")
    max_relation_bytes: int = Field(
        536_870_912, ge=1, description="Largest size of what a query reads, bytes, unless a role says"
    )
    max_result_bytes: int = Field(
        67_108_864, ge=1, description="Most bytes of rows that a query may hand over, unless a role says"
    )
    sql_timeout_seconds: float = Field(20, gt=0, description="Seconds a query may run, unless a role says")
    turns_per_minute: int = Field(30, ge=1, description="Messages a person may send in a minute, over all threads")
    answer_cache_minutes: int = Field(
        15, ge=0, description="Minutes an answer serves its asker again where nobody must sign; 0: off"
    )
    max_clarification_rounds: int = Field(2, ge=0, description="Questions back before smart defaults are taken")
    audience_most_readers: int = Field(
        100, ge=1, description="Members of a conversation compared with an answer; more count as unknown people"
    )
    out_dir: Path = Field(Path("out"), description="Where the terminal writes charts and workbooks")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Least severe log line written")

    def caps(self) -> Limits:
        """The caps of roles whose policy sets none."""
        return Limits(
            max_result_rows=self.max_result_rows,
            max_plan_rows=self.max_plan_rows,
            max_plan_cost=self.max_plan_cost,
            max_relation_bytes=self.max_relation_bytes,
            max_result_bytes=self.max_result_bytes,
            sql_timeout_seconds=self.sql_timeout_seconds,
        )


class ModelSettings(_Group):
    """Language models; off without one. What is set here wins over the file."""

    agents_file: Path = Field(Path("config/agents.yaml"), description="Each agent's model; built-in values if absent")
    llm_provider: Literal["openai", "azure", "ollama"] | None = Field(None, description="Kind of endpoint")
    llm_base_url: str = Field("", description="Endpoint of the models, such as https://api.openai.com/v1")
    llm_api_key: SecretStr | None = Field(None, description="Key of that endpoint")
    llm_api_version: str = Field("", description="API version (Azure OpenAI only)")
    llm_model: str = Field("", description="Model of the understanding and sql agents; rules alone if empty")
    understanding_model: str = Field("", description="Model that reads what rules do not cover, if not LLM_MODEL")
    sql_model: str = Field("", description="Model that writes SQL no spec expresses, if not LLM_MODEL")
    verifier_model: str = Field("", description="Model that judges results of written SQL; off if empty")
    explanation_model: str = Field("", description="Model that words answers; rules do if empty")
    embedding_provider: Literal["none", "openai", "local"] | None = Field(
        None, description="Who makes vectors for schema linking; local needs the extra 'embeddings'"
    )
    embedding_base_url: str = Field("", description="Endpoint of the embedding model")
    embedding_api_key: SecretStr | None = Field(None, description="Key of that endpoint, if not LLM_API_KEY")
    embedding_model: str = Field("", description="Embedding model")


class RetentionSettings(_Group):
    """For how long things are kept. Results, charts and workbooks: RESULT_DAYS; files: FILE_DAYS."""

    run_days: int = Field(90, ge=1, description="Days a question, its decisions and its state are kept after it ended")
    checkpoint_days: int = Field(7, ge=1, description="Days an unanswered question back keeps its run open")
    thread_days: int = Field(90, ge=1, description="Days a thread's memory is kept after its last answer")
    memory_days: int = Field(90, ge=1, description="Days what a person confirmed is kept after its last use")
    card_days: int = Field(90, ge=1, description="Days it is remembered where a card was posted")
    feedback_days: int = Field(365, ge=1, description="Days thumbs and their reasons are kept")
    inbox_days: int = Field(2, ge=1, description="Days platform events and finished jobs are remembered")
    budget_days: int = Field(90, ge=2, description="Days it is remembered what was used of budgets")
    audit_days: int = Field(0, ge=0, description="Days the audit log is kept; for ever if 0")
    audit_export_dir: Path | None = Field(
        None, description="Folder the audit log is exported to before its oldest part is cut; AUDIT_DAYS needs it"
    )

    @model_validator(mode="after")
    def _export_before_cutting(self) -> "RetentionSettings":
        if self.audit_days and self.audit_export_dir is None:
            raise ValueError("AUDIT_DAYS needs AUDIT_EXPORT_DIR: the log is exported before it is cut")
        return self


class BudgetSettings(_Group):
    """How often people may ask, and what they may use in a day, unless the policy says. TURNS_PER_MINUTE: above."""

    thread_turns_per_minute: int = Field(60, ge=1, description="Messages that a thread may hold in a minute")
    tenant_turns_per_minute: int = Field(
        6_000, ge=1, description="Messages that all people of a workspace or tenant may send in a minute"
    )
    queries_per_day: int = Field(1_000, ge=0, description="Queries of a person in a day, unless a role says; 0: any")
    rows_per_day: int = Field(0, ge=0, description="Rows of results of a person in a day, unless a role says; 0: any")
    tokens_per_day: int = Field(
        0, ge=0, description="Tokens of language models of a person in a day, unless a role says; 0: any"
    )
    money_per_day: Decimal = Field(
        Decimal(0), ge=0, description="Money of a person in a day, by the prices you give, unless a role says; 0: any"
    )
    tenant_queries_per_day: int = Field(
        20_000, ge=0, description="Queries of a whole workspace or tenant in a day, unless the policy says; 0: any"
    )
    tenant_rows_per_day: int = Field(0, ge=0, description="Rows of it in a day, unless the policy says; 0: any")
    tenant_tokens_per_day: int = Field(0, ge=0, description="Tokens of it in a day, unless the policy says; 0: any")
    tenant_money_per_day: Decimal = Field(
        Decimal(0), ge=0, description="Money of it in a day, unless the policy says; 0: any"
    )

    def defaults(self) -> BudgetDefaults:
        """The day's limits of roles and tenants for which the policy sets none."""
        return BudgetDefaults(role=self._budget(""), tenant=self._budget("tenant_"))

    def _budget(self, whose: str) -> Budget:
        return Budget(**{meter: getattr(self, f"{whose}{meter}_per_day") or None for meter in METERS})


class OperatingSettings(_Group):
    """What operators see of a process."""

    metrics_host: str = Field("127.0.0.1", description="Address of the port for operators")
    metrics_port: int = Field(
        0, ge=0, le=65535, description="Port for operators: /metrics and /health of any process; none if 0"
    )
    trace_endpoint: str = Field(
        "", description="OTLP/HTTP URL that traces go to (…/v1/traces); off if empty; needs the extra 'tracing'"
    )
    trace_headers: dict[str, SecretStr] = Field({}, description="Headers for that endpoint, as JSON")
    trace_share: float = Field(1.0, ge=0, le=1, description="Share of turns that are traced")
    unsafe_langsmith: bool = Field(
        False,
        description="Send runs to LangSmith with their questions, SQL and sample rows; the LANGSMITH_… variables of "
        "its library say where. Nothing is sent without it, whatever they say",
    )


GROUPS: tuple[type[_Group], ...] = (
    StoreSettings,
    HttpSettings,
    SlackSettings,
    TeamsSettings,
    AnalystSettings,
    ModelSettings,
    RetentionSettings,
    OperatingSettings,
    BudgetSettings,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All groups, validated together."""

    stores: StoreSettings
    http: HttpSettings
    slack: SlackSettings
    teams: TeamsSettings
    analyst: AnalystSettings
    models: ModelSettings = field(default_factory=ModelSettings)
    retention: RetentionSettings = field(default_factory=RetentionSettings)
    operating: OperatingSettings = field(default_factory=OperatingSettings)
    budgets: BudgetSettings = field(default_factory=BudgetSettings)


def secret_of(value: SecretStr | None) -> str:
    """The secret's text; empty for none."""
    return value.get_secret_value() if value else ""


def names_in(listed: str) -> tuple[str, ...]:
    """The names of a comma separated list."""
    return tuple(name.strip() for name in listed.split(",") if name.strip())


def load_settings() -> Settings:
    """Read the environment and `.env`. Raises `SettingsInvalid` with every fault of every group."""
    faults: list[str] = []
    groups: dict[str, _Group] = {}
    names = ("stores", "http", "slack", "teams", "analyst", "models", "retention", "operating", "budgets")
    for name, kind in zip(names, GROUPS, strict=True):
        try:
            groups[name] = kind()
        except ValidationError as error:
            faults += [f"{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors()]
    if faults:
        raise SettingsInvalid("; ".join(faults))
    return Settings(**groups)  # type: ignore[arg-type]  # each name is built from its own class above


def setting_help() -> Mapping[str, tuple[str, str]]:
    """Every environment variable with its default (empty when none) and its help, in order."""
    return {
        name.upper(): ("" if known.default is None else str(known.default), known.description or "")
        for group in GROUPS
        for name, known in group.model_fields.items()
    }
