"""The shape of the policy file. Unknown keys are faults; nothing is granted by leaving something out."""

from decimal import Decimal
from typing import Annotated, Literal, get_args
from zoneinfo import available_timezones

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)
from sqlglot.errors import SqlglotError

from agent.sql.dialects import predicate
from agent.values.governance import Tier
from agent.values.identity import ApprovalScope
from semantic_catalog.model import LOCALES, Dialect, Locale

Word = Annotated[str, Field(min_length=1)]
_GUID = r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
_TENANT = r"^(console|(slack|teams):[^:\s]+)$"
Fraction = Annotated[float, Field(gt=0, le=1)]
Price = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]


def _reads(text: str, dialect: Dialect) -> bool:
    try:
        predicate(text, dialect)
    except SqlglotError:
        return False
    return True


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LimitsPart(_Part):
    """Caps; what is left out keeps the product's default."""

    max_result_rows: PositiveInt | None = None
    max_plan_rows: PositiveInt | None = None
    max_plan_cost: PositiveFloat | None = None
    max_relation_bytes: PositiveInt | None = None
    max_result_bytes: PositiveInt | None = None
    sql_timeout_seconds: PositiveFloat | None = None


class BudgetPart(_Part):
    """What may be used in a day; what is left out keeps the product's default, and 0 is as much as is wanted."""

    queries_per_day: NonNegativeInt | None = None
    rows_per_day: NonNegativeInt | None = None
    tokens_per_day: NonNegativeInt | None = None
    money_per_day: Price | None = None


class WarehousePricePart(_Part):
    """What queries of a domain cost."""

    per_cost_unit: Price = Decimal(0)
    per_gigabyte: Price = Decimal(0)


class TenantBudgetsPart(BudgetPart):
    """What all people of one tenant may use in a day; other limits of single tenants, the zone of the day, prices."""

    timezone: str | None = None
    tenants: dict[Annotated[str, Field(pattern=_TENANT)], BudgetPart] = {}
    warehouse_prices: dict[Word, WarehousePricePart] = {}

    @field_validator("timezone")
    @classmethod
    def _is_known(cls, name: str | None) -> str | None:
        if name is not None and name not in available_timezones():
            raise ValueError("not a time zone, as in America/Lima")
        return name


class RowRulePart(_Part):
    """Rows of some sources: the members of a column, or a predicate over the source's columns."""

    domain: Word
    sources: tuple[Word, ...] = Field(min_length=1)
    column: Word | None = None
    members: tuple[Word, ...] = ()
    predicate: Word | None = None
    label: dict[Locale, Word]

    @field_validator("label")
    @classmethod
    def _in_every_language(cls, label: dict[Locale, str]) -> dict[Locale, str]:
        missing = [locale for locale in LOCALES if locale not in label]
        if missing:
            raise ValueError(f"a label is missing in {', '.join(missing)}")
        return label

    @field_validator("members")
    @classmethod
    def _plain(cls, members: tuple[str, ...]) -> tuple[str, ...]:
        if any("\\" in member for member in members):
            raise ValueError("a member may not hold a backslash")
        return members

    @field_validator("predicate")
    @classmethod
    def _is_sql(cls, text: str | None) -> str | None:
        if text is not None and not any(_reads(text, dialect) for dialect in get_args(Dialect)):
            raise ValueError("the predicate is not an SQL condition")
        return text

    @model_validator(mode="after")
    def _one_way(self) -> "RowRulePart":
        if bool(self.predicate) == bool(self.column and self.members):
            raise ValueError("a row rule has either a column with members or a predicate")
        return self


class RolePart(_Part):
    """What people of a role may read and sign."""

    domains: tuple[Word, ...]
    entities: tuple[Word, ...] | None = None
    denied_columns: dict[Word, tuple[Word, ...]] = {}
    row_rules: tuple[RowRulePart, ...] = ()
    restrictions: tuple[Word, ...] = ()
    limits: LimitsPart = LimitsPart()
    domain_limits: dict[Word, LimitsPart] = {}
    budgets: BudgetPart = BudgetPart()
    may_approve: ApprovalScope = "none"
    approval_domains: tuple[Word, ...] = ()
    admin: bool = False

    @model_validator(mode="after")
    def _names_its_domains(self) -> "RolePart":
        if (self.may_approve == "domain") != bool(self.approval_domains):
            raise ValueError("'may_approve: domain' goes with 'approval_domains', and only with it")
        return self


class SlackPart(_Part):
    """A Slack user of one team."""

    team: Word
    user: Word


class TeamsPart(_Part):
    """A Teams user: their object id in one tenant."""

    tenant: Word
    object_id: Word


class SlackGroupPart(_Part):
    """A Slack user group (`S…`) of one team."""

    team: Word
    group: Annotated[str, Field(pattern=r"^S[A-Z0-9]+$")]


class TeamsGroupPart(_Part):
    """A group of Entra ID in one tenant."""

    tenant: Word
    object_id: Annotated[str, Field(pattern=_GUID)]


class GroupPart(_Part):
    """People by id, by a platform's groups, or both; the roles are theirs beside their own."""

    name: Word
    roles: tuple[Word, ...] = ()
    people: tuple[Word, ...] = ()
    slack: tuple[SlackGroupPart, ...] = ()
    teams: tuple[TeamsGroupPart, ...] = ()

    @model_validator(mode="after")
    def _holds_somebody(self) -> "GroupPart":
        if not (self.people or self.slack or self.teams):
            raise ValueError("a group names people, Slack user groups or Entra groups")
        return self


class PersonPart(_Part):
    """One principal and the names they go by."""

    id: Annotated[str, Field(min_length=1, pattern=r"^[^:]+$")]
    name: Word
    roles: tuple[Word, ...] = ()
    locale: Locale | None = None
    console: Word | None = None
    slack: tuple[SlackPart, ...] = ()
    teams: tuple[TeamsPart, ...] = ()
    emails: tuple[Annotated[str, Field(pattern=r"^[^@\s]+@[^@\s]+$")], ...] = ()


class TiersPart(_Part):
    """Who signs; what is left out keeps the product's default."""

    routine: Tier | None = None
    heavy: Tier | None = None
    sensitive: Tier | None = None
    trusted: Tier | None = None
    compiled: Tier | None = None
    model: Tier | None = None
    edited: Tier | None = None


class HeavyPart(_Part):
    """From which fraction of a cap on a query is heavy."""

    cost: Fraction | None = None
    rows: Fraction | None = None
    bytes: Fraction | None = None
    full_scans: bool | None = None
    result_rows: PositiveInt | None = None


class NamedPart(_Part):
    """People by id, by role or by group of the policy."""

    people: tuple[Word, ...] = ()
    roles: tuple[Word, ...] = ()
    groups: tuple[Word, ...] = ()

    @model_validator(mode="after")
    def _names_somebody(self) -> "NamedPart":
        if not (self.people or self.roles or self.groups):
            raise ValueError("name people, roles or groups")
        return self


class StandingPart(NamedPart):
    """Who may approve a kind of question once for all, and for how long."""

    days: Annotated[int, Field(ge=1, le=365)]


class RulesPart(_Part):
    """How queries are signed."""

    tiers: TiersPart = TiersPart()
    heavy: HeavyPart = HeavyPart()
    approvers: NamedPart | None = None
    standing: StandingPart | None = None


class ApprovalPart(RulesPart):
    """How queries are signed everywhere, and what differs in a domain."""

    expires_after_hours: Annotated[int, Field(ge=1, le=720)] = 24
    domains: dict[Word, RulesPart] = {}


class AudienceRulesPart(_Part):
    """Where answers may stand; what is left out keeps what holds everywhere."""

    answers: Literal["ask", "private", "open"] | None = None
    external: Literal["refuse", "allow"] | None = None

    @model_validator(mode="before")
    @classmethod
    def _a_word_alone(cls, data: object) -> object:
        """`open` is short for `{answers: open}`."""
        return {"answers": data} if isinstance(data, str) else data


class AudiencePart(AudienceRulesPart):
    """Where answers may stand everywhere, and what differs in a domain."""

    domains: dict[Word, AudienceRulesPart] = {}


class PolicyPart(_Part):
    """The whole file."""

    version: Literal[1]
    name: Word
    roles: dict[Word, RolePart]
    people: tuple[PersonPart, ...]
    groups: dict[Word, GroupPart] = {}
    approval: ApprovalPart = ApprovalPart()
    files: Literal["thread", "giver"] = "thread"
    audience: AudiencePart = AudiencePart()
    budgets: TenantBudgetsPart = TenantBudgetsPart()
