"""A whole conversation over stand-ins: the real graphs, a policy of the test's own, a scripted warehouse."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from agent.conversation import create_conversation
from agent.deps import Deps
from agent.policy.model import ApprovalRules, Person, Policy, Tiers
from agent.ports import Interpreter, Warehouse
from agent.values.governance import Decision
from agent.values.identity import Limits, Principal, PrincipalId, RoleName, RunId, ThreadKey
from agent.values.known_answer import KnownAnswer
from agent.values.outcome import Answer, Outcome, Proposal
from bot.driver import RunDriver, RunStop
from bot.memories import remember
from semantic_catalog.model import Catalog, DomainName
from tests.fakes.catalog import FixedCatalog
from tests.fakes.clock import FrozenClock
from tests.fakes.stores import InMemoryMemoryStore, InMemoryResultStore
from tests.fakes.warehouse import ScriptedWarehouse
from tests.unit.agent.understanding.asking import interpreter, payments_only

CAPS = Limits(max_plan_rows=1_000_000, max_plan_cost=100_000, max_relation_bytes=10_000_000_000)
ALONE = Tiers(
    routine="auto", heavy="asker", sensitive="owner", trusted="auto", compiled="auto", model="owner", edited="owner"
)
SIGNED = Tiers()


def person(name: str, **fields: Any) -> Person:
    """Somebody who may ask about payments and sign anything."""
    given = {"domains": (DomainName("payments"),), "limits": CAPS, "may_approve": "any", **fields}
    return Person(principal=Principal(id=PrincipalId(name), roles=(RoleName("analyst"),), **given))


def policy_of(tiers: Tiers = ALONE, *people: Person, version: str = "1") -> Policy:
    """A policy by which those people's questions are signed."""
    known = people or (person("ana"), person("ben"))
    return Policy(name="acme", version=version, people=known, approval=ApprovalRules(tiers=tiers))


@dataclass(slots=True)
class FixedPolicy:
    """Implements `PolicySource`; a test puts another policy in force."""

    policy: Policy

    def current(self) -> Policy:
        return self.policy


@dataclass(slots=True)
class Steps:
    """Implements `Progress`; `steps` lists what was said."""

    steps: list[str] = field(default_factory=list)

    async def step(self, run: RunId, step: str) -> None:  # noqa: ARG002  # the port's argument
        self.steps.append(step)


@dataclass(slots=True)
class RememberedAnswers:
    """Implements `KnownAnswers`; nothing ends by itself."""

    answers: dict[str, KnownAnswer] = field(default_factory=dict)

    async def find(self, key: str) -> KnownAnswer | None:
        return self.answers.get(key)

    async def keep(self, key: str, known: KnownAnswer) -> None:
        self.answers[key] = known


@dataclass(frozen=True, slots=True, kw_only=True)
class Warehouses:
    """Implements `Warehouses` with one engine for every domain."""

    warehouse: Warehouse

    def of(self, domain: DomainName) -> Warehouse:  # noqa: ARG002  # the port's argument
        return self.warehouse


class Conversation:
    """People who ask and decide; every part that a test may want to change is an attribute."""

    def __init__(
        self,
        warehouse: ScriptedWarehouse,
        policy: Policy | None = None,
        catalog: Catalog | None = None,
        reader: Interpreter | None = None,
        **deps: Any,
    ) -> None:
        self.warehouse = warehouse
        self.clock = FrozenClock()
        self.policy = FixedPolicy(policy or policy_of())
        self.results = InMemoryResultStore(self.clock)
        self.answers = RememberedAnswers()
        self._numbers = count(1)
        self._threads: dict[RunId, ThreadKey] = {}
        self.catalog = catalog or payments_only()
        self.deps = Deps(
            clock=self.clock,
            catalog=FixedCatalog(self.catalog),
            policy=self.policy,
            interpreter=reader or interpreter(),
            warehouses=Warehouses(warehouse=warehouse),
            results=self.results,
            memory=InMemoryMemoryStore(),
            progress=Steps(),
            **{"answers": self.answers, **deps},
        )
        self.checkpoints = InMemorySaver()
        self.driver = RunDriver(create_conversation(self.deps, self.checkpoints))

    async def ask(self, text: str, asker: str = "ana", thread: str = "") -> RunStop:
        """A question, of its own thread where none is named, up to where it stops."""
        run = RunId(f"run-{next(self._numbers)}")
        key = ThreadKey(f"console:{thread or run}")
        self._threads[run] = key
        state: Any = {"run": run, "thread": key, "asker": asker, "asker_name": asker, "text": text, "locale": None}
        return await self._remembered(await self.driver.start(key, run, state))

    async def decide(self, proposal: Proposal, by: str = "ana", kind: Any = "approve", text: str = "") -> Outcome:
        """A decision on a proposal, up to where the run stops next."""
        decision = Decision(
            kind=kind, by=PrincipalId(by), at=self.clock.now(), fingerprint=proposal.fingerprint, by_name=by, text=text
        )
        thread = self._threads[proposal.run]
        return (await self._remembered(await self.driver.decide(thread, proposal.run, decision))).outcome

    async def _remembered(self, stop: RunStop) -> RunStop:
        await remember(stop.outcome, stop.state, self.deps.memory, self.clock)
        return stop

    async def answered(self, text: str, asker: str = "ana") -> Answer:
        """The answer to a question that nobody has to sign."""
        outcome = (await self.ask(text, asker)).outcome
        assert isinstance(outcome, Answer), outcome
        return outcome

    async def proposed(self, text: str, asker: str = "ana") -> Proposal:
        """The proposal that a question leads to."""
        outcome = (await self.ask(text, asker)).outcome
        assert isinstance(outcome, Proposal), outcome
        return outcome
