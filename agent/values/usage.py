"""What models cost a run: calls and tokens, in total and for each agent."""

from dataclasses import dataclass
from typing import Literal

AgentName = Literal["understanding", "sql", "verifier", "explanation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentUsage:
    """What one agent used in a run."""

    agent: AgentName
    llm_calls: int
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Model use of a run so far: calls that were answered, and tokens. `by_agent` adds up to the totals."""

    llm_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    by_agent: tuple[AgentUsage, ...] = ()


NO_USAGE = Usage()


def used_by(agent: AgentName, tokens_in: int, tokens_out: int) -> Usage:
    """The use of one answered call."""
    one = AgentUsage(agent=agent, llm_calls=1, tokens_in=tokens_in, tokens_out=tokens_out)
    return Usage(llm_calls=1, tokens_in=tokens_in, tokens_out=tokens_out, by_agent=(one,))


def added(*usages: Usage) -> Usage:
    """Several uses as one; each agent appears once, in the order it was first used."""
    agents = dict.fromkeys(each.agent for usage in usages for each in usage.by_agent)
    return Usage(
        llm_calls=sum(usage.llm_calls for usage in usages),
        tokens_in=sum(usage.tokens_in for usage in usages),
        tokens_out=sum(usage.tokens_out for usage in usages),
        by_agent=tuple(_of_agent(agent, usages) for agent in agents),
    )


def _of_agent(agent: AgentName, usages: tuple[Usage, ...]) -> AgentUsage:
    own = [each for usage in usages for each in usage.by_agent if each.agent == agent]
    return AgentUsage(
        agent=agent,
        llm_calls=sum(each.llm_calls for each in own),
        tokens_in=sum(each.tokens_in for each in own),
        tokens_out=sum(each.tokens_out for each in own),
    )
