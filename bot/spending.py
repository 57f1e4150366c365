"""Calls of language models within the day's budgets of whoever they are made for."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256

from agent.budgeting import account_of, budget_day, overrun_of
from agent.deps import Deps
from agent.errors import ModelError, ModelOverBudget
from agent.ports import Model
from agent.values.budget import Account, Overrun, Spending
from agent.values.completion import Completion, Prompt
from agent.values.identity import RunId
from agent.values.meters import Amounts
from agent.values.outcome import RunRecord
from agent.values.usage import Usage

_MILLION = Decimal(1_000_000)
_LEAST = Decimal("0.000001")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrice:
    """What a million tokens cost, in the currency of the agents' file."""

    tokens_in: Decimal = Decimal(0)
    tokens_out: Decimal = Decimal(0)

    def of(self, usage: Usage) -> Decimal:
        """The price of a use, to a millionth."""
        exact = (usage.tokens_in * self.tokens_in + usage.tokens_out * self.tokens_out) / _MILLION
        return exact.quantize(_LEAST)

    @property
    def is_free(self) -> bool:
        """Whether nothing is paid for tokens."""
        return not (self.tokens_in or self.tokens_out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spender:
    """For whom, in which run and by which event models are asked. `asked` counts each prompt of this handling."""

    deps: Deps
    account: Account
    run: RunId
    event: str
    asked: Counter[str] = field(default_factory=Counter)

    async def overrun(self, price: TokenPrice) -> Overrun | None:
        """The limit that leaves no room for another call."""
        needed = Amounts(tokens=1, money=Decimal(0) if price.is_free else _LEAST)
        return await overrun_of(self.account, needed, self.deps)

    async def book(self, prompt: Prompt, usage: Usage, price: TokenPrice) -> None:
        """Book what a call used; of a turn that is handled again, the same call is booked once."""
        if not usage.llm_calls and not usage.tokens_in and not usage.tokens_out:
            return
        spending = Spending(
            once=self._once(prompt),
            run=self.run,
            account=self.account,
            day=budget_day(self.deps).day,
            amounts=Amounts(tokens=usage.tokens_in + usage.tokens_out, money=price.of(usage)),
        )
        await self.deps.budgets.book(spending)

    def _once(self, prompt: Prompt) -> str:
        digest = sha256(f"{prompt.rules}\n{prompt.material}".encode()).hexdigest()[:24]
        self.asked[digest] += 1
        return f"{self.run}:model:{self.event}:{prompt.agent}:{digest}:{self.asked[digest]}"


_current: ContextVar[Spender | None] = ContextVar("countersign_spender", default=None)


@contextmanager
def spent_by(record: RunRecord, event: str, deps: Deps) -> Iterator[None]:
    """While inside, every model that this task and its children ask is asked for the run's asker."""
    account = account_of(record.asker, record.thread)
    token = _current.set(Spender(deps=deps, account=account, run=record.run, event=event))
    try:
        yield
    finally:
        _current.reset(token)


class BudgetedModel:
    """Implements `Model`: asks no further once the budget is used up, and books what was used.

    What nobody asks for in a turn (`models check`, `doctor`) is in no budget. Raises what the model raises,
    `ModelOverBudget` and `StoreUnavailable`.
    """

    def __init__(self, inner: Model, price: TokenPrice) -> None:
        self._inner = inner
        self._price = price

    @property
    def prompt_tokens(self) -> int:
        """See `Model`."""
        return self._inner.prompt_tokens

    async def complete(self, prompt: Prompt) -> Completion:
        """See `Model`."""
        spender = _current.get()
        if spender is None:
            return await self._inner.complete(prompt)
        await self._check(spender, prompt)
        try:
            completion = await self._inner.complete(prompt)
        except ModelError as error:
            await spender.book(prompt, error.usage, self._price)
            raise
        await spender.book(prompt, completion.usage, self._price)
        return completion

    async def _check(self, spender: Spender, prompt: Prompt) -> None:
        overrun = await spender.overrun(self._price)
        if overrun is not None:
            spender.deps.measures.limited(overrun.limit_name)
            raise ModelOverBudget(f"{prompt.agent}: over {overrun.limit_name}", overrun)
