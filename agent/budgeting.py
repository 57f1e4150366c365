"""What a question needs of the day's budgets, what it used of them, and what is said when it does not fit."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from agent.deps import Deps
from agent.state import RunState, language_of, read
from agent.values.budget import Account, BudgetDay, Caps, Overrun, Spending, exceeded, tenant_of
from agent.values.governance import CheckedQuery, CostEstimate
from agent.values.identity import PrincipalId, RunId, ThreadKey
from agent.values.meters import METERS, UNLIMITED, Amounts
from agent.values.outcome import Proposal, Refusal
from agent.wording.budgets import budget_refusal, budget_warning
from semantic_catalog.model import DomainName, Locale


def budget_day(deps: Deps) -> BudgetDay:
    """The running day by the policy's zone, or by that of the catalog's data. Fixing the calendar does not stop it."""
    zone = deps.policy_now().budgets.timezone or deps.catalog_now().domains[0].timezone
    today = deps.clock.now().astimezone(ZoneInfo(zone)).date()
    return BudgetDay(
        day=today, resets_at=datetime.combine(today + timedelta(days=1), time.min, ZoneInfo(zone)), timezone=zone
    )


def account_of(asker: str, thread: str) -> Account:
    """Whose budgets a run uses."""
    return Account(person=PrincipalId(asker), tenant=tenant_of(ThreadKey(thread)))


def caps_of(account: Account, deps: Deps) -> Caps:
    """What the account may use in a day, by the policy of now."""
    policy = deps.policy_now()
    principal = policy.principal(account.person)
    return Caps(
        person=principal.budget if principal else UNLIMITED,
        tenant=policy.budgets.of_tenant(account.tenant),
    )


async def spend_query(state: RunState, deps: Deps, query: CheckedQuery) -> Overrun | None:
    """Book the query that is about to run, once a run and statement; the limit that it does not fit, if any."""
    account, day, price = _account(state), budget_day(deps), _price(query.domain, _estimate(state), deps)
    spending = Spending(
        once=_once(state, "query", query),
        run=RunId(state["run"]),
        account=account,
        day=day.day,
        amounts=Amounts(queries=1, money=price),
        domain=query.domain,
    )
    over = await deps.budgets.spend(spending, caps_of(account, deps), _needed(price))
    if over is None:
        return None
    overrun = Overrun(exceeded=over, day=day, currency=deps.currency())
    deps.measures.limited(overrun.limit_name)
    return overrun


async def book_rows(state: RunState, deps: Deps, query: CheckedQuery, rows: int) -> None:
    """Book the rows that the query brought, once."""
    spending = Spending(
        once=_once(state, "rows", query),
        run=RunId(state["run"]),
        account=_account(state),
        day=budget_day(deps).day,
        amounts=Amounts(rows=rows),
        domain=query.domain,
    )
    await deps.budgets.book(spending)


async def query_overrun(proposal: Proposal, thread: str, deps: Deps) -> Overrun | None:
    """The limit that the proposed query does not fit now; nothing is booked."""
    price = _price(proposal.query.domain, proposal.estimate, deps)
    return await overrun_of(account_of(proposal.asked_by, thread), _needed(price), deps)


async def proposal_warning(state: RunState, deps: Deps, query: CheckedQuery) -> str:
    """What a person should know before they sign: that the query may not fit what is left of the day. '' if it does."""
    estimate = _estimate(state)
    rows = max(1, min(estimate.root_rows, query.row_limit - 1))
    overrun = await overrun_of(_account(state), _needed(_price(query.domain, estimate, deps), rows), deps)
    return budget_warning(overrun, language_of(state)) if overrun else ""


def refusal_over(overrun: Overrun, run: RunId, locale: Locale) -> Refusal:
    """The refusal: what was used of how much, and from when on it can be asked again."""
    return Refusal(run=run, locale=locale, rule=overrun.rule, message=budget_refusal(overrun, locale))


async def overrun_of(account: Account, needed: Amounts, deps: Deps) -> Overrun | None:
    """The limit that what is needed does not fit now; nothing is booked."""
    caps, day = caps_of(account, deps), budget_day(deps)
    if all(limit is None for limit in _limits_on(needed, caps)):
        return None
    over = exceeded(await deps.budgets.used(account, day.day), caps, needed)
    return Overrun(exceeded=over, day=day, currency=deps.currency()) if over else None


def _needed(price: Decimal, rows: int = 1) -> Amounts:
    """What must be left for a query: how many rows it brings is known only afterwards."""
    return Amounts(queries=1, rows=rows, money=price)


def _limits_on(needed: Amounts, caps: Caps) -> Iterator[Decimal | None]:
    return (budget.of(meter) for meter in METERS if needed.of(meter) > 0 for budget in (caps.person, caps.tenant))


def _price(domain: DomainName, estimate: CostEstimate, deps: Deps) -> Decimal:
    return deps.policy_now().budgets.price_in(domain).of(estimate)


def _estimate(state: RunState) -> CostEstimate:
    return read(state, "estimate", CostEstimate)


def _account(state: RunState) -> Account:
    return account_of(state["asker"], state["thread"])


def _once(state: RunState, step: str, query: CheckedQuery) -> str:
    """A revision that was changed and changed back runs once only: an approved one ends the run."""
    return f"{state['run']}:{step}:{state.get('revision', 1)}:{query.fingerprint}"
