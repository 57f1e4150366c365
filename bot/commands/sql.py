"""`countersign sql`: what the guard says to given SQL, a line each."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal, TypeVar

import typer
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from agent.policy.load import load_policy
from agent.policy.model import Policy
from agent.sql.adhoc import AdhocPolicy
from agent.sql.compile.compile import compile_spec, render
from agent.sql.guard import check_query
from agent.sql.scope import GuardScope, scope_for
from agent.understanding.templates import resolve_template
from agent.values.governance import CheckedQuery, Origin, Refused
from agent.values.identity import Principal
from agent.wording.texts import say
from semantic_catalog.load import load_catalog
from semantic_catalog.model import Catalog, Dialect, DomainName, Locale

sql_app = typer.Typer(no_args_is_help=True, help="Asks the guard.")


@sql_app.callback()
def _sql() -> None:
    """Asks the guard."""


class Statement(BaseModel):
    """One line of the file. `db` names a schema of `--schemas`, `domain` one of the catalog; other keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str | int = ""
    sql: str
    dialect: Dialect = "postgres"
    db: str = ""
    domain: str = ""


class Verdict(BaseModel):
    """One decision. `rule` and `message` are empty unless it refuses, `sql` is what would run unless it does."""

    id: str | int
    decision: Literal["allow", "rewrite", "refuse"]
    rule: str = ""
    message: str = ""
    sql: str = ""
    ms: float


Parsed = TypeVar("Parsed")
ScopeOf = Callable[[Statement], GuardScope]


@sql_app.command()
def check(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="One JSON object a line, with `sql`; or the `trusted_queries.yaml` of a domain's folder.",
        ),
    ],
    policy: Annotated[
        Path, typer.Option(exists=True, dir_okay=False, help="The product's policy (.yaml) or an ad-hoc one (.json).")
    ],
    schemas: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Tables and columns of each `db` (.json).")
    ] = None,
    role: Annotated[str, typer.Option("--as", help="Whose access, with the product's policy.")] = "analyst",
    out: Annotated[Path | None, typer.Option("--json", dir_okay=False, help="Also write the decisions here.")] = None,
    today: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The day that 'now' is.")] = None,
    locale: Annotated[Locale, typer.Option(help="Language of the messages.")] = "en",
) -> None:
    """Print what the guard decides on each statement, as one JSON object a line."""
    day = today.date() if today else datetime.now(UTC).date()
    trusted = file.suffix == ".yaml"
    if trusted and policy.suffix == ".json":
        raise typer.BadParameter("trusted queries need the product's policy", param_hint="--policy")
    catalog = load_catalog(file.resolve().parent.parent if trusted else None)
    scope_of = _adhoc_scopes(policy, schemas) if policy.suffix == ".json" else _product_scopes(policy, role, catalog)
    origin: Origin = "compiled" if trusted else "edited"
    lines = []
    for statement in _trusted(catalog, file.resolve().parent.name, day) if trusted else _statements(file):
        line = _verdict(statement, scope_of(statement), origin, day, locale).model_dump_json()
        typer.echo(line)
        lines.append(line + "\n")
    if out:
        out.write_text("".join(lines), encoding="utf-8")


def _statements(file: Path) -> Iterator[Statement]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                yield Statement.model_validate_json(line)
            except ValidationError as error:
                fault = error.errors(include_input=False)[0]
                raise typer.BadParameter(f"{file.name}:{number}: {fault['loc']}: {fault['msg']}") from error


def _trusted(catalog: Catalog, folder: str, today: date) -> Iterator[Statement]:
    """The trusted queries of a domain as the SQL that they compile to on that day."""
    domain = next((domain for domain in catalog.domains if domain.name == folder), None)
    if domain is None:
        raise typer.BadParameter(f"{folder} is no domain's folder")
    for query in domain.trusted_queries:
        compiled = compile_spec(resolve_template(query.spec, domain, today), domain, "en", today)
        sql = render(compiled.tree, domain.dialect)
        yield Statement(id=query.name, sql=sql, dialect=domain.dialect, domain=domain.name)


def _verdict(statement: Statement, scope: GuardScope, origin: Origin, today: date, locale: Locale) -> Verdict:
    started = perf_counter()
    answer = check_query(statement.sql, scope, origin, today)
    ms = round((perf_counter() - started) * 1_000, 3)
    if isinstance(answer, Refused):
        finding = answer.findings[0]
        message = say(locale, f"refusal.{finding.rule}", **dict(finding.params))
        return Verdict(id=statement.id, decision="refuse", rule=finding.rule, message=message, ms=ms)
    return Verdict(id=statement.id, decision=_changed(answer), sql=answer.sql, ms=ms)


def _changed(query: CheckedQuery) -> Literal["allow", "rewrite"]:
    return "rewrite" if query.filtered or query.limit_added else "allow"


def _adhoc_scopes(policy: Path, schemas: Path | None) -> ScopeOf:
    rules = _parsed(AdhocPolicy.model_validate_json, policy)
    tables = TypeAdapter(dict[str, dict[str, dict[str, str]]])
    databases = _parsed(tables.validate_json, schemas) if schemas else {}

    @cache
    def scope_of(dialect: Dialect, database: str) -> GuardScope:
        if not database:
            return rules.scope(dialect)
        if database not in databases:
            raise typer.BadParameter(f"no schema '{database}'", param_hint="--schemas")
        return rules.scope_of(dialect, database, databases[database])

    return lambda statement: scope_of(statement.dialect, statement.db)


def _product_scopes(policy: Path, role: str, catalog: Catalog) -> ScopeOf:
    principal = _principal(load_policy(policy), role)
    names = [domain.name for domain in catalog.domains]

    @cache
    def scope_of(name: str) -> GuardScope:
        if name not in names:
            raise typer.BadParameter(f"no domain '{name}': {', '.join(names)}")
        return scope_for(catalog.domain(DomainName(name)), principal, catalog.version)

    return lambda statement: scope_of(statement.domain or names[0])


def _principal(policy: Policy, role: str) -> Principal:
    named = [principal for principal in policy.principals if principal.id == role]
    found = named or [principal for principal in policy.principals if role in principal.roles]
    if not found:
        raise typer.BadParameter(f"nobody has the role '{role}'", param_hint="--as")
    return found[0]


def _parsed(parse: Callable[[bytes], Parsed], path: Path) -> Parsed:
    try:
        return parse(path.read_bytes())
    except ValidationError as error:
        fault = error.errors(include_input=False)[0]
        raise typer.BadParameter(f"{path.name}: {fault['loc']}: {fault['msg']}") from error
